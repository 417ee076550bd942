import type { Feature } from '@quantloom/domain/identity/plans';
import { createContext, useContext } from 'react';
import { type CurrentUser, hasFeature } from './identity.ts';

export interface LoginOptions {
  /** Path to come back to; default: where the user is now. */
  readonly returnTo?: string;
  /** Opens the issuer's sign-up form instead of the sign-in form. */
  readonly signUp?: boolean;
  /**
   * The page that is left is not one to come back to: the browser's Back skips it. For sign-ins that begin by
   * themselves.
   */
  readonly replace?: boolean;
  /**
   * In a popup instead of leaving the page: keeps unsaved work. Falls back to a redirect when no popup can be
   * opened.
   */
  readonly popup?: boolean;
}

export interface Session {
  /**
   * `loading` until the silent check and the user context are done; `failed`: signed in, but the user could
   * not be loaded.
   */
  readonly status: 'loading' | 'authenticated' | 'anonymous' | 'failed';
  /** The session was lost while the page was in use: nothing can be saved until the user signs in again. */
  readonly isExpired: boolean;
  /** Signed out in another tab of this browser: `status` is `anonymous`, and sign-in must not begin by itself. */
  readonly isLeft: boolean;
  /** Gives up the page after the session was lost. */
  leave(): void;
  readonly user: CurrentUser | null;
  readonly error: Error | null;
  has(feature: Feature): boolean;
  login(options?: LoginOptions): Promise<void>;
  /** Ends the session here and at the issuer, then returns to this site's origin. */
  logout(): Promise<void>;
  retry(): void;
  /** After a change of the user's own record. */
  userChanged(user: CurrentUser): void;
}

export const SessionContext = createContext<Session | null>(null);

/** The session of this page. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('useSession needs a SessionProvider above it');
  return session;
}

/** The signed-in user; only below a route that requires sign-in. */
export function useCurrentUser(): CurrentUser {
  const { user } = useSession();
  if (user === null) throw new Error('useCurrentUser needs a route that requires sign-in');
  return user;
}

/** Whether the signed-in user has a feature. */
export function useFeature(feature: Feature): boolean {
  return hasFeature(useSession().user, feature);
}
