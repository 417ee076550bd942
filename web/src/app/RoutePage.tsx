import { type ComponentType, Suspense, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { codeOf, messageOf } from '../lib/api.ts';
import { useSession } from '../lib/auth/session.ts';
import { verdictOf } from '../lib/guards.ts';
import type { AppRoute, RouteAccess } from '../lib/routing.ts';
import { useDescription, useTitle } from '../lib/title.ts';
import { Button } from '../ui/Button.tsx';
import { EmptyState, ErrorState } from '../ui/feedback.tsx';
import { LoadingPane } from '../ui/Spinner.tsx';
import { NotAuthorizedView } from '../ui/views.tsx';
import { AdminLayout, AuthenticatedLayout } from './layouts/lazy-layouts.ts';
import { NotFoundPage } from './views.tsx';

/** A page behind its guard, inside its layout. */
export function RoutePage({
  route,
  access,
  Page,
}: {
  route: AppRoute;
  access: RouteAccess;
  Page: ComponentType;
}) {
  const session = useSession();
  const { pathname, search } = useLocation();
  const verdict = verdictOf(access, session);
  useTitle(
    verdict === 'not-found' ? 'Not found' : verdict === 'not-authorized' ? 'Access Restricted' : route.title,
  );

  useDescription(route.description);

  const { login, isLeft } = session;
  const isStarted = useRef(false);
  useEffect(() => {
    if (verdict !== 'sign-in') isStarted.current = false;
    else if (!isLeft && !isStarted.current) {
      isStarted.current = true;
      void login({ returnTo: `${pathname}${search}`, replace: true });
    }
  }, [verdict, isLeft, login, pathname, search]);

  if (verdict === 'sign-in' && isLeft)
    return (
      <main className="flex flex-1 items-center justify-center">
        <EmptyState
          level={1}
          title="You are signed out"
          action={
            <Button variant="primary" onClick={() => void login({ returnTo: `${pathname}${search}` })}>
              Sign in
            </Button>
          }
        >
          You signed out in another tab of this browser.
        </EmptyState>
      </main>
    );
  if (verdict === 'wait' || verdict === 'sign-in') return <LoadingPane label="Signing in" />;
  if (verdict === 'failed')
    return (
      <main className="flex flex-1 items-center justify-center">
        {codeOf(session.error) === 'account_disabled' ? (
          <EmptyState
            level={1}
            title="This account is disabled"
            action={<Button onClick={() => void session.logout()}>Sign out</Button>}
          >
            {messageOf(session.error)}
          </EmptyState>
        ) : (
          <ErrorState title="Your account could not be loaded" error={session.error} onRetry={session.retry}>
            Your strategies are safe on the server.
          </ErrorState>
        )}
      </main>
    );
  if (route.layout === 'marketing') return <Page />;
  if (verdict === 'not-found') return <NotFoundPage />;
  const content = verdict === 'not-authorized' ? <NotAuthorizedView /> : <Page />;
  return (
    <Suspense fallback={<LoadingPane />}>
      {route.layout === 'admin' ? (
        <AdminLayout>{content}</AdminLayout>
      ) : (
        <AuthenticatedLayout isFullBleed={verdict === 'allow' && (route.isFullBleed ?? false)}>
          {content}
        </AuthenticatedLayout>
      )}
    </Suspense>
  );
}
