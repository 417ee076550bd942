import type { AppRoute } from '../../lib/routing.ts';

// One route for all tabs (AllocationHistory, IndicatorHistory, Metrics): changing the tab must not lose the document.
export const routes: readonly AppRoute[] = [
  {
    path: '/editor/:id/*',
    name: 'Editor',
    layout: 'authenticated',
    title: 'Editor',
    isFullBleed: true,
    load: () => import('./EditorPage.tsx'),
  },
];
