import type { AppRoute } from '../../lib/routing.ts';

export const routes: readonly AppRoute[] = [
  {
    path: '/tomorrow',
    name: 'Tomorrow',
    layout: 'authenticated',
    title: 'Tomorrow',
    load: () => import('./TomorrowPage.tsx'),
  },
];
