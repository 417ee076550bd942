import type { Feature } from '@quantloom/domain/identity/plans';
import type { Session } from './auth/session.ts';
import type { AppRoute, RouteAccess } from './routing.ts';

export type Verdict = 'wait' | 'allow' | 'sign-in' | 'failed' | 'not-found' | 'not-authorized';

/**
 * Met when the features hold every one of `hasAll` and at least one of `hasAny`; an absent or empty list asks
 * for nothing.
 */
export function meetsPermissions(
  permissions: RouteAccess['permissions'],
  features: readonly string[] | null | undefined,
): boolean {
  const { hasAll = [], hasAny = [] } = permissions ?? {};
  if (hasAll.length === 0 && hasAny.length === 0) return true;
  const has = (feature: Feature) => features?.includes(feature) ?? false;
  return hasAll.every(has) && (hasAny.length === 0 || hasAny.some(has));
}

/** Access of a route with the defaults of its layout. The admin layout always asks for the admin feature. */
export function accessOf(route: Pick<AppRoute, 'layout' | 'access' | 'path'>): RouteAccess {
  if (route.layout === 'marketing') return { requiresAuth: false, ...route.access };
  if (route.layout === 'authenticated') return { requiresAuth: true, ...route.access };
  return {
    requiresAuth: true,
    ...route.access,
    permissions: {
      ...route.access?.permissions,
      hasAll: ['web.admin.view', ...(route.access?.permissions?.hasAll ?? [])],
    },
  };
}

/** Decides what a visitor of a route sees. Waits while authentication is loading. */
export function verdictOf(
  access: RouteAccess,
  session: Pick<Session, 'status'> & { readonly user: { readonly features?: readonly string[] } | null },
): Verdict {
  const needsSession = access.requiresAuth === true || !meetsPermissions(access.permissions, []);
  if (!needsSession) return 'allow';
  if (session.status === 'loading') return 'wait';
  if (session.status === 'failed') return 'failed';
  if (session.status === 'anonymous') return 'sign-in';
  if (meetsPermissions(access.permissions, session.user?.features)) return 'allow';
  return access.whenRefused ?? 'not-found';
}
