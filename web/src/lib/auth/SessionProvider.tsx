import { Auth0Provider, type Auth0ProviderWithConfigOptions, useAuth0 } from '@auth0/auth0-react';
import { useMachine } from '@xstate/react';
import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { fromPromise } from 'xstate';
import { queryClient } from '../api.ts';
import { hasFeature, identityOf } from './identity.ts';
import { loadUser } from './load-user.ts';
import { returnTarget } from './return-to.ts';
import { sessionMachine } from './session.machine.ts';
import { type LoginOptions, type Session, SessionContext } from './session.ts';
import { onTabNews, tellTabs } from './tabs.ts';
import type { TokenSource } from './token-source.ts';

interface Props {
  readonly options: Auth0ProviderWithConfigOptions;
  readonly tokens: TokenSource;
  /** Replaces the current address. */
  readonly navigate: (path: string) => void;
  readonly children: ReactNode;
}

/** Wires the official React client to the session machine and gives the session to everything below. */
export function SessionProvider({ options, tokens, navigate, children }: Props) {
  return (
    <Auth0Provider
      {...options}
      onRedirectCallback={(appState) => {
        window.history.replaceState({}, '', '/');
        navigate(returnTarget(appState?.returnTo ?? '/'));
      }}
    >
      <SessionBridge tokens={tokens} navigate={navigate}>
        {children}
      </SessionBridge>
    </Auth0Provider>
  );
}

function SessionBridge({ tokens, navigate, children }: Omit<Props, 'options'>) {
  const {
    isLoading,
    isAuthenticated,
    user,
    error,
    loginWithRedirect,
    loginWithPopup,
    logout,
    getAccessTokenSilently,
  } = useAuth0();
  const machine = useMemo(
    () =>
      sessionMachine.provide({
        actors: { loadUser: fromPromise(({ input }) => loadUser(input)) },
        actions: {
          logOutLocally: () => {
            void logout({ openUrl: false });
          },
          startOver: () => window.location.assign('/drafts'),
          goToMarketingHome: () => {
            window.history.replaceState({}, '', '/');
            navigate('/');
          },
          logFailure: (_, { message, error: reason }) => console.error(message, reason),
        },
      }),
    [logout, navigate],
  );
  const [state, send] = useMachine(machine);
  const reported = useRef<unknown>(undefined);

  useEffect(() => {
    if (isLoading) return;
    const outcome = error ?? (isAuthenticated ? (user?.sub ?? 'signed-in') : null);
    if (reported.current === outcome) return;
    reported.current = outcome;
    tokens.settle(isAuthenticated ? getAccessTokenSilently : null);
    if (isAuthenticated) send({ type: 'identity.found', identity: identityOf(user) });
    else if (error) send({ type: 'identity.failed', error });
    else send({ type: 'identity.none' });
  }, [isLoading, isAuthenticated, user, error, send, tokens, getAccessTokenSilently]);

  useEffect(() => tokens.onLost(() => send({ type: 'identity.lost' })), [tokens, send]);

  useEffect(() => onTabNews(send), [send]);
  const isLeft = state.matches('left');
  const isReplaced = state.matches('replaced');
  useEffect(() => {
    if (!isLeft && !isReplaced) return;
    tokens.settle(null);
    queryClient.clear();
    // Only now is nothing of the former page mounted that would ask whether to leave it.
    if (isReplaced) window.location.assign('/drafts');
  }, [isLeft, isReplaced, tokens]);
  const userId = state.matches('authenticated') ? state.context.user?.id : undefined;
  useEffect(() => {
    if (userId !== undefined) tellTabs({ type: 'tab.signedIn', userId });
  }, [userId]);

  const session = useMemo<Session>(() => {
    const { context } = state;
    return {
      status: state.hasTag('loading')
        ? 'loading'
        : state.matches('authenticated') || state.matches('expired') || state.matches('resuming')
          ? 'authenticated'
          : state.matches('userFailed')
            ? 'failed'
            : 'anonymous',
      isExpired: state.matches('expired') || state.matches('resuming'),
      isLeft: state.matches('left'),
      leave: () => send({ type: 'user.leave' }),
      user: context.user,
      error: context.error,
      has: (feature) => hasFeature(context.user, feature),
      login: async ({ returnTo, signUp, replace, popup }: LoginOptions = {}) => {
        const target = returnTarget(returnTo ?? `${window.location.pathname}${window.location.search}`);
        const authorizationParams = signUp ? { screen_hint: 'signup' } : {};
        if (popup) {
          await loginWithPopup({ authorizationParams });
          return;
        }
        await loginWithRedirect({
          appState: { returnTo: target },
          authorizationParams,
          ...(replace && { openUrl: (url: string) => window.location.replace(url) }),
        });
      },
      logout: async () => {
        queryClient.clear();
        tokens.settle(null);
        tellTabs({ type: 'tab.signedOut' });
        await logout({ logoutParams: { returnTo: window.location.origin } });
      },
      retry: () => send({ type: 'user.retry' }),
      userChanged: (changed) => send({ type: 'user.changed', user: changed }),
    };
  }, [state, send, loginWithPopup, loginWithRedirect, logout, tokens]);

  return <SessionContext.Provider value={session}>{children}</SessionContext.Provider>;
}
