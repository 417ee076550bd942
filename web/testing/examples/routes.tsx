import type { AppRoute } from '../../src/lib/routing.ts';

export const routes: readonly AppRoute[] = [
  {
    path: '/favorites',
    name: 'Favorites',
    layout: 'authenticated',
    title: 'Favorites',
    load: () => import('./FavoritesPage.tsx'),
  },
];
