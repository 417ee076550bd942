import { lazy, Suspense } from 'react';
import { useSession } from '../lib/auth/session.ts';
import { useTitle } from '../lib/title.ts';
import { ButtonLink } from '../ui/Button.tsx';
import { LoadingPane } from '../ui/Spinner.tsx';
import { NotFoundView } from '../ui/views.tsx';
import { AuthenticatedLayout } from './layouts/lazy-layouts.ts';

const MarketingFrame = lazy(() =>
  import('../features/marketing/MarketingFrame.tsx').then(({ MarketingFrame: frame }) => ({
    default: frame,
  })),
);

/**
 * The route named NotFound, in the frame that its visitor knows: the application's for those who are signed
 * in, else the site's.
 */
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
