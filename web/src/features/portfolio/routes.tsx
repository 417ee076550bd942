import type { AppRoute } from '../../lib/routing.ts';

export const routes: readonly AppRoute[] = [
  {
    path: '/portfolio',
    name: 'Portfolio',
    layout: 'authenticated',
    title: 'Portfolio',
    load: () => import('./PortfolioPage.tsx'),
  },
];
