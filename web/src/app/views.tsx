import { lazy, Suspense, useEffect } from 'react';
import { useRouteError } from 'react-router';
import { useSession } from '../lib/auth/session.ts';
import { useTitle } from '../lib/title.ts';
import { ButtonLink } from '../ui/Button.tsx';
import { ErrorState } from '../ui/feedback.tsx';
import { LoadingPane } from '../ui/Spinner.tsx';
import { NotFoundView } from '../ui/views.tsx';
import { AuthenticatedLayout } from './layouts/lazy-layouts.ts';

const MarketingFrame = lazy(() =>
  import('../features/marketing/MarketingFrame.tsx').then(({ MarketingFrame: frame }) => ({
    default: frame,
  })),
);

/** The route named NotFound, in the frame that its visitor knows: the application's for those who are signed in, else the site's. */
export function NotFoundPage() {
  useTitle('Not found');
  const { status } = useSession();
  if (status === 'loading') return <LoadingPane />;
  return (
    <Suspense fallback={<LoadingPane />}>
      {status === 'authenticated' ? (
        <AuthenticatedLayout>
          <NotFoundView />
        </AuthenticatedLayout>
      ) : (
        <MarketingFrame>
          <div className="flex min-h-[50dvh] flex-1 items-center justify-center text-base">
            <NotFoundView>
              <ButtonLink to="/">Back to the home page</ButtonLink>
            </NotFoundView>
          </div>
        </MarketingFrame>
      )}
    </Suspense>
  );
}

/** A page that failed while it was drawn or fetched. A build that was replaced meanwhile is fetched anew, once. */
export function CrashView() {
  const error = useRouteError();
  const isStale =
    error instanceof TypeError && /dynamically imported module|module script/i.test(error.message);
  useEffect(() => {
    console.error('Page failed', error);
    // Without a connection there is nothing to fetch, and the page would be lost.
    if (!isStale || !navigator.onLine || sessionStorage.getItem('reloaded-for') === error.message) return;
    sessionStorage.setItem('reloaded-for', error.message);
    window.location.reload();
  }, [error, isStale]);
  return (
    <main className="flex min-h-dvh items-center justify-center">
      <ErrorState title="This page stopped working" error={error} onRetry={() => window.location.reload()}>
        What was saved is safe on the server.
      </ErrorState>
    </main>
  );
}
