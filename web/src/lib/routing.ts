import type { Feature } from '@quantloom/domain/identity/plans';
import type { ComponentType } from 'react';

export interface RouteAccess {
  /** Default true for the authenticated and admin layouts, false for marketing. */
  readonly requiresAuth?: boolean;
  readonly permissions?: { readonly hasAll?: readonly Feature[]; readonly hasAny?: readonly Feature[] };
  /** What a signed-in user without the permission sees; default `not-found`. */
  readonly whenRefused?: 'not-found' | 'not-authorized';
}

/** One page. A feature exports `routes: readonly AppRoute[]` from its `routes.tsx`; the router finds it there. */
export interface AppRoute {
  /** React Router path, absolute: `/drafts`, `/editor/:id`. */
  readonly path: string;
  /** Name of the specification's route map. */
  readonly name: string;
  readonly layout: 'marketing' | 'authenticated' | 'admin';
  /** Page title before the product name is added; pages may change it with `useTitle`. */
  readonly title?: string;
  /** For search engines and link previews; public pages have one. */
  readonly description?: string;
  readonly access?: RouteAccess;
  /** Fills the space under the top bar without page padding or scrolling of its own (the editor, results). */
  readonly isFullBleed?: boolean;
  readonly load: () => Promise<{ readonly default: ComponentType }>;
}

/** Access of every batch and variable-list page. */
export const BATCH_ACCESS: RouteAccess = {
  permissions: { hasAll: ['web.batch-backtests.create'] },
  whenRefused: 'not-authorized',
};
