import { WifiOff } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { useNavigate, useRouteError } from 'react-router';
import { useSession } from '../lib/auth/session.ts';
import { useTitle } from '../lib/title.ts';
import { Button } from '../ui/Button.tsx';
import { EmptyState, ErrorState } from '../ui/feedback.tsx';
import { LoadingPane } from '../ui/Spinner.tsx';
import { AuthenticatedLayout, isLayoutFetched } from './layouts/lazy-layouts.ts';

/** Where it is kept which failure the page has been reloaded for, so that it happens once. */
const RELOADED = 'reloaded-for';
/** How often a server that could not be reached is asked for. */
const ASK_AGAIN_MS = 5_000;

/** Whether code could not be fetched, in the words of Chromium, Firefox and Safari. */
function isUnfetchedCode(error: unknown): error is TypeError {
  return (
    error instanceof TypeError && /dynamically imported module|module script|load failed/i.test(error.message)
  );
}

async function canReachServer(): Promise<boolean> {
  if (!navigator.onLine) return false;
  try {
    return (await fetch('/config.json', { cache: 'no-store' })).ok;
  } catch {
    // No answer is the answer.
    return false;
  }
}

/**
 * A page that failed while it was drawn or fetched. Without a connection it says so, and goes on once there
 * is one; a build that was replaced meanwhile is fetched anew, once. `isFramed`: keeps the top bar, if that
 * has been fetched.
 */
export function CrashView({ isFramed = false }: { isFramed?: boolean }) {
  const error = useRouteError();
  useEffect(() => console.error('Page failed', error), [error]);
  return (
    <Frame isFramed={isFramed}>
      {isUnfetchedCode(error) ? (
        <UnfetchedPage error={error} />
      ) : (
        <ErrorState title="This page stopped working" error={error} onRetry={() => window.location.reload()}>
          What was saved is safe on the server.
        </ErrorState>
      )}
    </Frame>
  );
}

function Frame({ isFramed, children }: { isFramed: boolean; children: ReactNode }) {
  const { status } = useSession();
  if (isFramed && status === 'authenticated' && isLayoutFetched())
    return <AuthenticatedLayout>{children}</AuthenticatedLayout>;
  return <main className="flex min-h-dvh flex-col justify-center">{children}</main>;
}

function UnfetchedPage({ error }: { error: TypeError }) {
  const navigate = useNavigate();
  const [state, setState] = useState<'asking' | 'unreachable' | 'broken'>('asking');
  const [attempts, setAttempts] = useState(0);
  useTitle(state === 'unreachable' ? 'No connection' : undefined);
  const isAsking = useRef(false);
  const goOn = useCallback(async () => {
    if (isAsking.current) return;
    isAsking.current = true;
    const isReachable = await canReachServer();
    isAsking.current = false;
    setAttempts((count) => count + 1);
    if (!isReachable) setState('unreachable');
    // Reloaded once already, and it still cannot be fetched: no connection would help.
    else if (sessionStorage.getItem(RELOADED) === error.message) setState('broken');
    else {
      sessionStorage.setItem(RELOADED, error.message);
      window.location.reload();
    }
  }, [error]);
  useEffect(() => {
    void goOn();
    const onOnline = () => void goOn();
    window.addEventListener('online', onOnline);
    // A server that was away sends no such event.
    const timer = setInterval(onOnline, ASK_AGAIN_MS);
    return () => {
      window.removeEventListener('online', onOnline);
      clearInterval(timer);
    };
  }, [goOn]);

  if (state === 'asking') return <LoadingPane />;
  if (state === 'broken')
    return (
      <ErrorState
        title="This page could not be loaded"
        error={error}
        onRetry={() => window.location.reload()}
      >
        What was saved is safe on the server.
      </ErrorState>
    );
  return (
    <EmptyState
      level={1}
      icon={WifiOff}
      title="No connection"
      action={
        <>
          {(window.history.state?.idx ?? 0) > 0 && <Button onClick={() => void navigate(-1)}>Back</Button>}
          <Button variant="primary" onClick={() => void goOn()}>
            Try again
          </Button>
        </>
      }
    >
      <p role="status">
        {attempts > 1
          ? 'The server still cannot be reached.'
          : 'This page could not be loaded, because the server cannot be reached.'}{' '}
        It opens by itself once the connection is back. What was saved is safe on the server.
      </p>
    </EmptyState>
  );
}
