import { assign, fromPromise, setup } from 'xstate';
import type { CurrentUser, IdentityUser } from './identity.ts';

/** What the identity client found out: a session, none, or a failure. */
export type SessionEvent =
  | { type: 'identity.found'; identity: IdentityUser }
  | { type: 'identity.none' }
  | { type: 'identity.failed'; error: Error }
  /** Silent renewal answered `login_required` (or cannot work here). */
  | { type: 'identity.lost' }
  | { type: 'user.changed'; user: CurrentUser }
  | { type: 'user.retry' }
  /** Gives up what is on the page after the session was lost. */
  | { type: 'user.leave' }
  /** Another tab has signed out. */
  | { type: 'tab.signedOut' }
  /** Another tab has somebody signed in. */
  | { type: 'tab.signedIn'; userId: string };

export interface SessionContext {
  readonly identity: IdentityUser | null;
  readonly user: CurrentUser | null;
  readonly error: Error | null;
}

const toError = (value: unknown): Error => (value instanceof Error ? value : new Error(String(value)));

/**
 * The authentication store. It starts loading and ends that once the silent check (or the callback) has been
 * answered and, with an identity, the user context has been loaded. A session that is lost later logs out
 * locally at once, but keeps the page (and unsaved work) until the user has signed in again or leaves. Actors
 * and actions that touch the world are provided by `SessionProvider`.
 */
export const sessionMachine = setup({
  types: { context: {} as SessionContext, events: {} as SessionEvent, tags: {} as 'loading' },
  actors: {
    loadUser: fromPromise<CurrentUser, IdentityUser>(() =>
      Promise.reject(new Error('loadUser is not provided')),
    ),
  },
  guards: {
    isSamePerson: ({ context }, params: { id: string }) => context.user?.id === params.id,
    isSomebodyElse: ({ context, event }) =>
      event.type === 'tab.signedIn' && context.user !== null && context.user.id !== event.userId,
  },
  actions: {
    /** Forgets tokens and session of this page without a visit to the issuer. */
    logOutLocally: () => {},
    goToMarketingHome: () => {},
    logFailure: (_, _params: { message: string; error: Error }) => {},
    /** Somebody else has signed in: nothing of the former user may stay on the page. */
    startOver: () => {},
    remember: assign(({ event }) =>
      event.type === 'identity.found' ? { identity: event.identity, error: null } : {},
    ),
    keepUser: assign(({ event }) => (event.type === 'user.changed' ? { user: event.user } : {})),
    keepError: assign(({ event }) => (event.type === 'identity.failed' ? { error: event.error } : {})),
    forget: assign({ identity: null, user: null, error: null }),
  },
}).createMachine({
  id: 'session',
  initial: 'checking',
  context: { identity: null, user: null, error: null },
  on: { 'tab.signedIn': { guard: 'isSomebodyElse', target: '.replaced', actions: 'forget' } },
  states: {
    checking: {
      tags: 'loading',
      on: {
        'identity.found': { target: 'loadingUser', actions: 'remember' },
        'identity.none': 'anonymous',
        'identity.lost': { target: 'anonymous', actions: 'logOutLocally' },
        'identity.failed': {
          target: 'anonymous',
          actions: [
            'keepError',
            {
              type: 'logFailure',
              params: ({ event }) => ({ message: 'Authentication failed', error: event.error }),
            },
            'goToMarketingHome',
          ],
        },
      },
    },
    loadingUser: {
      tags: 'loading',
      on: {
        'identity.lost': { target: 'anonymous', actions: ['forget', 'logOutLocally'] },
        'tab.signedOut': { target: 'left', actions: ['forget', 'logOutLocally'] },
      },
      invoke: {
        src: 'loadUser',
        input: ({ context }) => context.identity ?? { email: null, subject: null, userId: null },
        onDone: {
          target: 'authenticated',
          actions: assign({ user: ({ event }) => event.output, error: null }),
        },
        onError: {
          target: 'userFailed',
          actions: [
            assign({ error: ({ event }) => toError(event.error) }),
            {
              type: 'logFailure',
              params: ({ event }) => ({
                message: 'Failed to load user context on initialization',
                error: toError(event.error),
              }),
            },
          ],
        },
      },
    },
    /** There is an identity, but the product could not be asked who that is. */
    userFailed: {
      on: {
        'user.retry': 'loadingUser',
        'tab.signedOut': { target: 'left', actions: ['forget', 'logOutLocally'] },
        'identity.none': { target: 'anonymous', actions: 'forget' },
        'identity.lost': { target: 'anonymous', actions: ['forget', 'logOutLocally'] },
      },
    },
    authenticated: {
      on: {
        'user.changed': { actions: 'keepUser' },
        'tab.signedOut': { target: 'left', actions: ['forget', 'logOutLocally'] },
        'identity.none': { target: 'anonymous', actions: 'forget' },
        'identity.lost': { target: 'expired', actions: 'logOutLocally' },
      },
    },
    /** Logged out locally; the page stays as it is until somebody signs in again or leaves. */
    expired: {
      on: {
        'identity.found': { target: 'resuming', actions: 'remember' },
        'identity.failed': { actions: 'keepError' },
        'tab.signedOut': { target: 'left', actions: ['forget', 'logOutLocally'] },
        'user.leave': { target: 'anonymous', actions: 'forget' },
      },
    },
    resuming: {
      on: { 'tab.signedOut': { target: 'left', actions: ['forget', 'logOutLocally'] } },
      invoke: {
        src: 'loadUser',
        input: ({ context }) => context.identity ?? { email: null, subject: null, userId: null },
        onDone: [
          {
            guard: { type: 'isSamePerson', params: ({ event }) => ({ id: event.output.id }) },
            target: 'authenticated',
            actions: assign({ user: ({ event }) => event.output, error: null }),
          },
          { target: 'anonymous', actions: ['forget', 'startOver'] },
        ],
        onError: { target: 'expired', actions: assign({ error: ({ event }) => toError(event.error) }) },
      },
    },
    /** Signed out in another tab: nothing of the user is left, and nothing begins by itself. */
    left: {
      on: {
        'identity.found': { target: 'loadingUser', actions: 'remember' },
        'tab.signedIn': 'replaced',
      },
    },
    /** Somebody else (or the same person anew) is signed in in another tab; the page is about to be loaded anew. */
    replaced: { tags: 'loading' },
    anonymous: {
      on: {
        'identity.found': { target: 'loadingUser', actions: 'remember' },
        'identity.failed': {
          actions: [
            'keepError',
            {
              type: 'logFailure',
              params: ({ event }) => ({ message: 'Authentication failed', error: event.error }),
            },
          ],
        },
      },
    },
  },
});
