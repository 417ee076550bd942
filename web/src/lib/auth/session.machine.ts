import { assign, fromPromise, setup } from 'xstate';
import type { CurrentUser, IdentityUser } from './identity.ts';

/** What the identity client found out at start: a session, none, or a failure. */
export type SessionEvent =
  | { type: 'identity.found'; identity: IdentityUser }
  | { type: 'identity.none' }
  | { type: 'identity.failed'; error: Error }
  /** Silent renewal answered `login_required` (or cannot work here). */
  | { type: 'identity.lost' }
  | { type: 'user.changed'; user: CurrentUser }
  | { type: 'user.retry' }
  | { type: 'user.signOut' };

export interface SessionContext {
  readonly identity: IdentityUser | null;
  readonly user: CurrentUser | null;
  readonly error: Error | null;
}

const toError = (value: unknown): Error => (value instanceof Error ? value : new Error(String(value)));

/**
 * The authentication store. It starts loading and ends it once the silent check (or the callback) has been answered and, with an
 * identity, the user context has been loaded. Actors and actions that touch the world are provided by `SessionProvider`.
 */
export const sessionMachine = setup({
  types: { context: {} as SessionContext, events: {} as SessionEvent, tags: {} as 'loading' },
  actors: {
    loadUser: fromPromise<CurrentUser, IdentityUser>(() =>
      Promise.reject(new Error('loadUser is not provided')),
    ),
  },
  actions: {
    /** Forgets tokens and session of this page without a visit to the issuer. */
    logOutLocally: () => {},
    goToMarketingHome: () => {},
    logFailure: (_, _params: { message: string; error: Error }) => {},
    remember: assign(({ event }) =>
      event.type === 'identity.found' ? { identity: event.identity, error: null } : {},
    ),
    keepUser: assign(({ event }) => (event.type === 'user.changed' ? { user: event.user } : {})),
    forget: assign({ identity: null, user: null, error: null }),
  },
}).createMachine({
  id: 'session',
  initial: 'checking',
  context: { identity: null, user: null, error: null },
  on: {
    'identity.lost': { target: '.anonymous', actions: ['forget', 'logOutLocally'] },
    'user.signOut': { target: '.anonymous', actions: 'forget' },
  },
  states: {
    checking: {
      tags: 'loading',
      on: {
        'identity.found': { target: 'loadingUser', actions: 'remember' },
        'identity.none': 'anonymous',
        'identity.failed': {
          target: 'anonymous',
          actions: [
            assign({ error: ({ event }) => event.error }),
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
    userFailed: { on: { 'user.retry': 'loadingUser', 'identity.none': 'anonymous' } },
    authenticated: {
      on: {
        'user.changed': { actions: 'keepUser' },
        'identity.none': { target: 'anonymous', actions: 'forget' },
      },
    },
    anonymous: {
      on: {
        'identity.found': { target: 'loadingUser', actions: 'remember' },
        'identity.failed': {
          actions: [
            assign({ error: ({ event }) => event.error }),
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
