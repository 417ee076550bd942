import { createBrowserRouter, matchRoutes, Outlet, type RouteObject, ScrollRestoration } from 'react-router';
import { accessOf } from '../lib/guards.ts';
import type { AppRoute } from '../lib/routing.ts';
import { CrashView } from './CrashView.tsx';
import { FirstPaint } from './FirstPaint.tsx';
import { preloadLayout } from './layouts/lazy-layouts.ts';
import { RouteAnnouncer } from './RouteAnnouncer.tsx';
import { RoutePage } from './RoutePage.tsx';
import { SignInPage } from './SignInPage.tsx';
import { NotFoundPage } from './views.tsx';

const modules = import.meta.glob<{ routes: readonly AppRoute[] }>('../features/*/routes.tsx', {
  eager: true,
});

/** Every page of the product, collected from the features' `routes.tsx`. */
const APP_ROUTES: readonly AppRoute[] = Object.values(modules).flatMap((module) => module.routes);

function toRoute(route: AppRoute): RouteObject {
  return {
    path: route.path,
    lazy: async () => {
      preloadLayout(route.layout);
      const { default: Page } = await route.load();
      return { element: <RoutePage route={route} access={accessOf(route)} Page={Page} /> };
    },
    handle: route,
    hydrateFallbackElement: <FirstPaint />,
    errorElement: <CrashView isFramed />,
  };
}

/** Begins to fetch the page of an address, ahead of the router, which first needs the configuration. */
export function preloadPage(pathname: string): void {
  const route = matchRoutes(
    APP_ROUTES.map((handle) => ({ path: handle.path, handle })),
    pathname,
  )?.[0]?.route.handle;
  // A failure is told by the router, which asks for the same page.
  route?.load().catch(() => {});
}

/** The data router with the route table of the specification. */
export function createAppRouter() {
  return createBrowserRouter([
    {
      element: (
        <>
          <ScrollRestoration />
          <RouteAnnouncer />
          <Outlet />
        </>
      ),
      errorElement: <CrashView />,
      children: [
        ...APP_ROUTES.map(toRoute),
        { path: '/login', element: <SignInPage /> },
        { path: '/register', element: <SignInPage signUp /> },
        { path: '/auth/callback', element: <SignInPage isCallback /> },
        { path: '*', element: <NotFoundPage /> },
      ],
    },
  ]);
}
