import type { AppRoute } from '../../lib/routing.ts';

export const routes: readonly AppRoute[] = [
  { path: '/', name: 'MarketingHome', layout: 'marketing', load: () => import('./HomePage.tsx') },
  {
    path: '/pricing',
    name: 'Pricing',
    layout: 'marketing',
    title: 'Pricing',
    load: () => import('./PricingPage.tsx'),
  },
  {
    path: '/terms-of-service',
    name: 'TermsOfService',
    layout: 'marketing',
    title: 'Terms of Service',
    load: () => import('./TermsPage.tsx'),
  },
  {
    path: '/privacy-policy',
    name: 'PrivacyPolicy',
    layout: 'marketing',
    title: 'Privacy Policy',
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
