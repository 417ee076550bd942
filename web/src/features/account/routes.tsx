import type { AppRoute } from '../../lib/routing.ts';

export const routes: readonly AppRoute[] = [
  {
    path: '/account/general',
    name: 'Account',
    layout: 'authenticated',
    title: 'Account',
    load: () => import('./AccountPage.tsx'),
  },
  {
    path: '/account/api-clients',
    name: 'ApiClients',
    layout: 'authenticated',
    title: 'API Clients',
    load: () => import('./ApiClientsPage.tsx'),
  },
  {
    path: '/account/billing',
    name: 'Billing',
    layout: 'authenticated',
    title: 'Billing',
    load: () => import('./BillingPage.tsx'),
  },
  {
    path: '/account/billing/manage',
    name: 'ManageBilling',
    layout: 'authenticated',
    title: 'Manage billing',
    load: () => import('./ManageBillingPage.tsx'),
  },
  {
    path: '/account/history',
    name: 'AccountHistory',
    layout: 'authenticated',
    title: 'History',
    load: () => import('./HistoryPage.tsx'),
  },
];
