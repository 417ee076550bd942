import { type AppRoute, BATCH_ACCESS } from '../../lib/routing.ts';

export const routes: readonly AppRoute[] = [
  {
    path: '/batch-backtests',
    name: 'ListBatchBacktests',
    layout: 'authenticated',
    title: 'Batch Backtests',
    access: BATCH_ACCESS,
    load: () => import('./ListBatchesPage.tsx'),
  },
  {
    path: '/batch-backtests/new',
    name: 'NewBatchBacktest',
    layout: 'authenticated',
    title: 'New Batch Backtest',
    access: BATCH_ACCESS,
    load: () => import('./form/NewBatchPage.tsx'),
  },
  {
    path: '/batch-backtests/:id',
    name: 'ShowBatchBacktest',
    layout: 'authenticated',
    title: 'Batch Backtest',
    access: BATCH_ACCESS,
    load: () => import('./detail/ShowBatchPage.tsx'),
  },
];
