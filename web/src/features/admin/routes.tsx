import type { AppRoute } from '../../lib/routing.ts';

const admin = { layout: 'admin' } as const;

export const routes: readonly AppRoute[] = [
  {
    ...admin,
    path: '/admin/dashboard',
    name: 'AdminDashboard',
    title: 'Dashboard',
    load: () => import('./DashboardPage.tsx'),
  },
  {
    ...admin,
    path: '/admin/backtests/errors',
    name: 'AdminBacktestErrors',
    title: 'Backtest Errors',
    load: () => import('./ErrorListPage.tsx'),
  },
  {
    ...admin,
    path: '/admin/backtests/errors/:id',
    name: 'AdminBacktestError',
    title: 'Backtest Error',
    load: () => import('./ErrorPage.tsx'),
  },
  {
    ...admin,
    path: '/admin/parked-events',
    name: 'AdminParkedEvents',
    title: 'Parked Events',
    load: () => import('./ParkedEventsPage.tsx'),
  },
  {
    ...admin,
    path: '/admin/market-data',
    name: 'AdminMarketData',
    title: 'Market Data',
    load: () => import('./MarketDataPage.tsx'),
  },
  {
    ...admin,
    path: '/admin/market-data/:ticker',
    name: 'AdminTicker',
    title: 'Prices of a Ticker',
    load: () => import('./TickerPage.tsx'),
  },
  {
    ...admin,
    path: '/admin/acts',
    name: 'AdminActs',
    title: 'Audit',
    load: () => import('./ActsPage.tsx'),
  },
  {
    ...admin,
    path: '/admin/waitlist',
    name: 'AdminWaitlist',
    title: 'Waitlist',
    load: () => import('./WaitlistPage.tsx'),
  },
  {
    ...admin,
    path: '/admin/users',
    name: 'AdminUsers',
    title: 'Users',
    load: () => import('./UsersPage.tsx'),
  },
  {
    ...admin,
    path: '/admin/users/:id',
    name: 'AdminUser',
    title: 'User',
    load: () => import('./UserPage.tsx'),
  },
];
