import { setUserAccess, setUserFeature, setUserPlan } from '@quantloom/domain/contracts/http/admin-users';
import { featuresOf } from '@quantloom/domain/identity/entitlements';
import { isRefusal } from '@quantloom/domain/kernel/refusal';
import { type RegisteredUser, USER_STREAM, type UserState } from '@quantloom/domain/user/user';
import { mountRoute } from '@quantloom/http/routes';
import type { FastifyInstance } from 'fastify';
import { runCommand } from '../command-call.ts';
import type { WriteDeps } from '../deps.ts';

function registered(state: UserState): RegisteredUser {
  if (state.status === 'none') throw new Error('There is no user after the command');
  return state;
}

/** What administrators may change of other users. The events carry who did it. */
export function mountAdminUsers(app: FastifyInstance, deps: WriteDeps): void {
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
    });
    if (isRefusal(result)) return result;
    const user = registered(result.state);
    return { id: user.userId, plan_id: user.planId, features: [...featuresOf(user)] };
  });
}
