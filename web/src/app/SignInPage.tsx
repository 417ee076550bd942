import { useEffect } from 'react';
import { Navigate, useLocation } from 'react-router';
import { useSession } from '../lib/auth/session.ts';
import { useTitle } from '../lib/title.ts';
import { LoadingPane } from '../ui/Spinner.tsx';

/**
 * `/login` and `/register` start the issuer's flow and leave no entry in the history, where Back would start
 * it anew; the callback address waits while the answer is processed.
 */
export function SignInPage({
  signUp = false,
  isCallback = false,
}: {
  signUp?: boolean;
  isCallback?: boolean;
}) {
  const { status, login } = useSession();
  const { search } = useLocation();
  useTitle(signUp ? 'Register' : 'Login');
  // The provider itself leads from an answered callback to the page the user came from.
  const isAnswered = isCallback && /[?&]state=/.test(search);
  const mustStart = status === 'anonymous' && !isCallback;
  useEffect(() => {
    if (mustStart) void login({ returnTo: '/drafts', signUp, replace: true });
  }, [mustStart, login, signUp]);
  if (status === 'authenticated' && !isAnswered) return <Navigate to="/drafts" replace />;
  if (isCallback && status === 'anonymous') return <Navigate to="/" replace />;
  return <LoadingPane label="Signing in" />;
}
