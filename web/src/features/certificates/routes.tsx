import type { AppRoute } from '../../lib/routing.ts';

export const routes: readonly AppRoute[] = [
  {
    path: '/verify',
    name: 'Verify',
    layout: 'authenticated',
    title: 'Check a certificate',
    load: () => import('./VerifyPage.tsx'),
  },
];
