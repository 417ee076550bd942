import { PRODUCT_NAME } from '@quantloom/domain/kernel/product';
import type { AppRoute } from '../../lib/routing.ts';

export const routes: readonly AppRoute[] = [
  {
    path: '/',
    name: 'MarketingHome',
    layout: 'marketing',
    description:
      'Build trading strategies as trees of blocks, backtest them on daily closes since 1990, and ' +
      'run batches of millions of backtests. No code.',
    load: () => import('./HomePage.tsx'),
  },
  {
    path: '/pricing',
    name: 'Pricing',
    layout: 'marketing',
    title: 'Pricing',
    description:
      'Free strategy building and backtests. $30 a month for templates, 1,500,000 batch backtests and the API.',
    load: () => import('./PricingPage.tsx'),
  },
  {
    path: '/terms-of-service',
    name: 'TermsOfService',
    layout: 'marketing',
    title: 'Terms of Service',
    description: `The terms under which ${PRODUCT_NAME} is provided.`,
    load: () => import('./TermsPage.tsx'),
  },
  {
    path: '/privacy-policy',
    name: 'PrivacyPolicy',
    layout: 'marketing',
    title: 'Privacy Policy',
    description: `What ${PRODUCT_NAME} learns about you, what it does with it, and what you can do about it.`,
    load: () => import('./PrivacyPage.tsx'),
  },
  {
    path: '/not-authorized',
    name: 'NotAuthorized',
    layout: 'marketing',
    title: 'Access Restricted',
    load: () => import('./NotAuthorizedPage.tsx'),
  },
];
