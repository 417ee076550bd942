import { lazy } from 'react';
import type { AppRoute } from '../../lib/routing.ts';

let isThere = false;
const loadAuthenticated = async () => {
  const module = await import('./AuthenticatedLayout.tsx');
  isThere = true;
  return module;
};

/** Whether the layout of signed-in pages can be shown without fetching anything. */
export const isLayoutFetched = () => isThere;

/** The layouts in chunks of their own: a visitor of the public pages needs none of them. */
export const AuthenticatedLayout = lazy(() =>
  loadAuthenticated().then(({ AuthenticatedLayout: layout }) => ({ default: layout })),
);
export const AdminLayout = lazy(() =>
  import('./AdminLayout.tsx').then(({ AdminLayout: layout }) => ({ default: layout })),
);

/** Fetches the layout of signed-in pages ahead of time, while the session is still being checked. */
export function preloadLayout(layout: AppRoute['layout']): void {
  // A failure is told where the layout is to be shown.
  if (layout !== 'marketing') loadAuthenticated().catch(() => {});
}
