import type { AppRoute } from '../../lib/routing.ts';

export const routes: readonly AppRoute[] = [
  {
    path: '/drafts',
    name: 'Drafts',
    layout: 'authenticated',
    title: 'Drafts',
    load: () => import('./DraftsPage.tsx'),
  },
  {
    path: '/starters',
    name: 'Starters',
    layout: 'authenticated',
    title: 'Starter strategies',
    load: () => import('./StartersPage.tsx'),
  },
];
