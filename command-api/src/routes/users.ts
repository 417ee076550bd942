import {
  createUser,
  requestDeletion,
  type User,
  undoDeletion,
  updateCurrentUser,
} from '@quantloom/domain/contracts/http/users';
import { featuresOf } from '@quantloom/domain/identity/entitlements';
import { type CommandContext, handleCommand, loadState } from '@quantloom/domain/kernel/handle-command';
import { derivedId, ulidTime } from '@quantloom/domain/kernel/ids';
import { isRefusal, type Refusal, refuse } from '@quantloom/domain/kernel/refusal';
import { isIdentityError } from '@quantloom/domain/ports/identity';
import { INSTALLATION_ID, INSTALLATION_STREAM } from '@quantloom/domain/user/installation';
import { type UserDocument, usersProjection } from '@quantloom/domain/user/projection';
import {
  DELETION_DAYS,
  USER_NOT_FOUND,
  USER_STREAM,
  type UserState,
  userIdOf,
} from '@quantloom/domain/user/user';
import { UnavailableError } from '@quantloom/http/principal';
import { refuseBeyond } from '@quantloom/http/rate-limit';
import { mountRoute } from '@quantloom/http/routes';
import type { FastifyInstance } from 'fastify';
import { commandContext, commandHeaders, refuseStale, runCommand } from '../command-call.ts';
import type { CommandApiDeps, WriteDeps } from '../deps.ts';

type UserDeps = WriteDeps & Pick<CommandApiDeps, 'identity' | 'firstAccountIsAdministrator'>;

/** New addresses that accounts of one network may name a day. */
const CHANGES_OF_NETWORK = { limit: 100, windowMs: 24 * 60 * 60_000 };

const SUBJECT_MISMATCH = refuse(
  403,
  'subject_mismatch',
  'The identity of the request is not that of the access token.',
);

/** Words of the identity provider's refusals, as the API's. Rethrows what is not one. */
function refusalOf(error: unknown): Refusal {
  if (isIdentityError(error, 'email_taken')) return refuse(409, 'email_taken', `${error.message}.`);
  if (isIdentityError(error, 'invalid_email')) return refuse(422, 'invalid_email', `${error.message}.`);
  if (isIdentityError(error, 'unknown_subject')) return USER_NOT_FOUND;
  if (isIdentityError(error, 'unavailable')) throw new UnavailableError(error.message, { cause: error });
  throw error;
}

function userOf(state: UserState): User {
  if (state.status === 'none') throw new Error('There is no user after the command');
  return {
    id: state.userId,
    email: state.email,
    features: [...featuresOf(state)],
    plan_id: state.planId,
    erase_at: state.eraseAt,
  };
}

/**
 * Plan and features of a new user: the first account of an embedded installation gets everything, all others
 * start on Free.
 */
async function startingRights(
  deps: UserDeps,
  userId: string,
  context: CommandContext,
): Promise<{ planId: 'api' | 'free'; grantedFeatures: readonly 'web.admin.view'[] } | Refusal> {
  const later = { planId: 'free', grantedFeatures: [] } as const;
  if (!deps.firstAccountIsAdministrator) return later;
  const claim = await handleCommand(
    deps.eventStore,
    INSTALLATION_STREAM,
    INSTALLATION_ID,
    { type: 'ClaimFirstAccount', userId },
    // A command of its own, so that its event has an id of its own; the same one when the request comes again.
    {
      ...context,
      commandId: derivedId(ulidTime(context.commandId), 'claim-first-account', context.commandId),
      causationId: context.commandId,
    },
  );
  if (isRefusal(claim)) return claim;
  return claim.state.firstUserId === userId ? { planId: 'api', grantedFeatures: ['web.admin.view'] } : later;
}

/** Commands of a person on himself. */
export function mountUsers(app: FastifyInstance, deps: UserDeps): void {
  mountRoute(app, createUser, async (call) => {
    const subject = call.visitor?.subject ?? call.request.identityClaims?.subject;
    if (subject === undefined || call.body.auth0_id !== subject) return SUBJECT_MISMATCH;
    const userId = userIdOf(subject);
    const known = await loadState(deps.eventStore, USER_STREAM, userId, deps.stateCache);
    let { state } = known;
    if (state.status === 'none') {
      const context: CommandContext = {
        ...commandContext(call.request, call.visitor, deps),
        actor: { kind: 'user', userId },
      };
      const rights = await startingRights(deps, userId, context);
      if (isRefusal(rights)) return rights;
      // The provider knows the address better than the page.
      const account = await deps.identity.account(subject).catch((error: unknown) => {
        call.request.log.warn({ err: error }, 'the identity provider does not tell the e-mail address');
        return null;
      });
      const result = await handleCommand(
        deps.eventStore,
        USER_STREAM,
        userId,
        { type: 'RegisterUser', userId, subject, email: account?.email ?? call.body.email, ...rights },
        context,
        deps.stateCache,
      );
      if (isRefusal(result)) return result;
      commandHeaders(call.reply, result, '/api/v1/users/me');
      state = result.state;
    } else commandHeaders(call.reply, known, '/api/v1/users/me');
    try {
      await deps.identity.linkUser(subject, userId);
    } catch (error) {
      // The user works without the claim; the next sign-in links again.
      call.request.log.warn({ err: error }, 'the identity is not linked to its user yet');
    }
    return userOf(state);
  });

  mountRoute(app, updateCurrentUser, async (call) => {
    const { userId, subject, network } = call.principal;
    const { email } = call.body;
    const known = await loadState(deps.eventStore, USER_STREAM, userId, deps.stateCache);
    if (email === undefined) return userOf(known.state);
    const command = { type: 'ChangeEmail', email } as const;
    // What we would refuse, the provider is not asked for: it would have changed already.
    const stale = refuseStale(call.request, known.revision);
    if (stale) return stale;
    const decided = USER_STREAM.decider.decide(command, known.state);
    if (isRefusal(decided)) return decided;
    // Each has a letter sent to an address that nobody has confirmed, and accounts are made quickly.
    const tooMany =
      network && (await refuseBeyond(deps.rateLimits, `emailChanges:${network}`, CHANGES_OF_NETWORK));
    if (tooMany) return tooMany;
    try {
      // Then the provider, who may refuse; a repetition after a crash changes it to the same once more.
      await deps.identity.changeEmail(subject, email);
    } catch (error) {
      return refusalOf(error);
    }
    const result = await runCommand(call, deps, USER_STREAM, userId, command);
    return isRefusal(result) ? result : userOf(result.state);
  });

  mountRoute(app, requestDeletion, async (call) => {
    const { userId, features } = call.principal;
    if (features.includes('web.admin.view') && (await isLastAdministrator(deps, userId)))
      return LAST_ADMINISTRATOR;
    const eraseAt = new Date(deps.clock.now().getTime() + DELETION_DAYS * DAY_MS).toISOString();
    const command = { type: 'RequestDeletion', eraseAt } as const;
    const result = await runCommand(call, deps, USER_STREAM, userId, command);
    return isRefusal(result) ? result : userOf(result.state);
  });

  mountRoute(app, undoDeletion, async (call) => {
    const { userId } = call.principal;
    const result = await runCommand(call, deps, USER_STREAM, userId, { type: 'UndoDeletion' });
    return isRefusal(result) ? result : userOf(result.state);
  });
}

const DAY_MS = 24 * 60 * 60_000;

const LAST_ADMINISTRATOR = refuse(
  409,
  'last_administrator',
  'You are the only administrator. Make somebody else one first: there are other accounts here.',
);

/** Whether there are other users, and nobody else who could look after them. */
async function isLastAdministrator({ readModels }: UserDeps, userId: string): Promise<boolean> {
  const { name } = usersProjection.collection;
  await readModels.ensureCollection(usersProjection.collection);
  const someUsers = await readModels.find<UserDocument>(name, { limit: 2 });
  if (someUsers.every(({ id }) => id === userId)) return false;
  const administrators = await readModels.find<UserDocument>(name, {
    where: { features: { has: 'web.admin.view' } },
    limit: 100,
  });
  return administrators.every(({ id, eraseAt }) => id === userId || eraseAt !== null);
}
