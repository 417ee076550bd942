import type { AppRoute } from '../../lib/routing.ts';

export const routes: readonly AppRoute[] = [
  {
    path: '/design-system',
    name: 'DesignSystem',
    layout: 'marketing',
    title: 'Design system',
    load: () => import('./DesignSystemPage.tsx'),
  },
];
