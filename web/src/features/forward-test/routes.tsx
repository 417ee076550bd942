import type { AppRoute } from '../../lib/routing.ts';

export const routes: readonly AppRoute[] = [
  {
    path: '/tomorrow',
    name: 'Tomorrow',
    layout: 'authenticated',
    title: 'Tomorrow',
    load: () => import('./TomorrowPage.tsx'),
  },
  {
    path: '/tomorrow/alerts',
    name: 'Alerts',
    layout: 'authenticated',
    title: 'Alerts',
    load: () => import('./AlertsPage.tsx'),
  },
  {
    path: '/tomorrow/paper',
    name: 'Paper account',
    layout: 'authenticated',
    title: 'Paper account',
    load: () => import('./PaperPage.tsx'),
  },
];
