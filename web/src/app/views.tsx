import { PRODUCT_NAME } from '@quantloom/domain/kernel/product';
import { useEffect } from 'react';
import { Link, useRouteError } from 'react-router';
import { useTitle } from '../lib/title.ts';
import { ErrorState } from '../ui/feedback.tsx';
import { Logo } from '../ui/Logo.tsx';
import { NotFoundView } from '../ui/views.tsx';

/** The route named NotFound. */
export function NotFoundPage() {
  useTitle('Not found');
  return (
    <div className="flex flex-1 flex-col">
      <header className="flex h-13 items-center px-4">
        <Link to="/" aria-label={`${PRODUCT_NAME} home`}>
          <Logo />
        </Link>
      </header>
      <main className="flex flex-1 items-center justify-center">
        <NotFoundView />
      </main>
    </div>
  );
}

/** A page that failed while it was drawn or fetched. A build that was replaced meanwhile is fetched anew, once. */
export function CrashView() {
  const error = useRouteError();
  const isStale =
    error instanceof TypeError && /dynamically imported module|module script/i.test(error.message);
  useEffect(() => {
    console.error('Page failed', error);
    if (!isStale || sessionStorage.getItem('reloaded-for') === error.message) return;
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
