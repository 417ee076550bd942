import {
  assistUser,
  setUserAccess,
  setUserDeletion,
  setUserFeature,
  setUserPlan,
} from '@quantloom/domain/contracts/http/admin-users';
import { featuresOf } from '@quantloom/domain/identity/entitlements';
import { isRefusal, refuse } from '@quantloom/domain/kernel/refusal';
import { type Identity, isIdentityError } from '@quantloom/domain/ports/identity';
import { DELETION_DAYS, type RegisteredUser, USER_STREAM, type UserState } from '@quantloom/domain/user/user';
import { UnavailableError } from '@quantloom/http/principal';
import { mountRoute } from '@quantloom/http/routes';
import type { FastifyInstance } from 'fastify';
import { runCommand } from '../command-call.ts';
import type { WriteDeps } from '../deps.ts';

function registered(state: UserState): RegisteredUser {
  if (state.status === 'none') throw new Error('There is no user after the command');
  return state;
}

const DAY_MS = 24 * 60 * 60_000;
const DONE_BY_ISSUER = refuse(
  409,
  'done_by_issuer',
  'People sign in elsewhere here: sessions and passwords are managed on the pages of that provider.',
);

export interface AdminUserDeps extends WriteDeps {
  readonly identity: Pick<Identity, 'canAssist' | 'assist'>;
}

/** What administrators may change of other users. The events carry who did it. */
export function mountAdminUsers(app: FastifyInstance, deps: AdminUserDeps): void {
  const { identity } = deps;

  mountRoute(app, assistUser, async (call) => {
    if (!identity.canAssist) return DONE_BY_ISSUER;
    const { act, reason } = call.body;
    // Recorded first: nothing of this happens without its line in the audit. The act itself can be repeated.
    const result = await runCommand(call, deps, USER_STREAM, call.params.id, {
      type: 'AssistAccount',
      act,
      reason,
    });
    if (isRefusal(result)) return result;
    const { userId, subject } = registered(result.state);
    try {
      await identity.assist(subject, act);
    } catch (error) {
      if (isIdentityError(error, 'invalid_email')) return refuse(409, 'email_taken', `${error.message}.`);
      if (isIdentityError(error)) throw new UnavailableError(error.message, { cause: error });
      throw error;
    }
    return { id: userId, act };
  });

  mountRoute(app, setUserDeletion, async (call) => {
    const { deleted, reason } = call.body;
    const eraseAt = new Date(deps.clock.now().getTime() + DELETION_DAYS * DAY_MS).toISOString();
    const result = await runCommand(
      call,
      deps,
      USER_STREAM,
      call.params.id,
      deleted ? { type: 'RequestDeletion', eraseAt, reason } : { type: 'UndoDeletion', reason },
    );
    if (isRefusal(result)) return result;
    const user = registered(result.state);
    return { id: user.userId, erase_at: user.eraseAt };
  });

  mountRoute(app, setUserFeature, async (call) => {
    const { feature, granted, reason } = call.body;
    const result = await runCommand(call, deps, USER_STREAM, call.params.id, {
      type: 'SetFeature',
      feature,
      isGranted: granted,
      reason,
      administratorId: call.principal.userId,
    });
    if (isRefusal(result)) return result;
    const user = registered(result.state);
    return { id: user.userId, features: [...featuresOf(user)] };
  });

  mountRoute(app, setUserAccess, async (call) => {
    const { disabled, reason } = call.body;
    const result = await runCommand(call, deps, USER_STREAM, call.params.id, {
      type: 'SetAccess',
      isDisabled: disabled,
      reason,
    });
    if (isRefusal(result)) return result;
    const user = registered(result.state);
    return { id: user.userId, disabled: user.isDisabled };
  });

  mountRoute(app, setUserPlan, async (call) => {
    const result = await runCommand(call, deps, USER_STREAM, call.params.id, {
      type: 'ChangePlan',
      planId: call.body.plan_id,
      source: 'administrator',
      effectiveAt: null,
      ...(call.body.reason !== undefined && { reason: call.body.reason }),
    });
    if (isRefusal(result)) return result;
    const user = registered(result.state);
    return { id: user.userId, plan_id: user.planId, features: [...featuresOf(user)] };
  });
}
