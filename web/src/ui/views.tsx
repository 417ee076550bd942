import { Lock, SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTitle } from '../lib/title.ts';
import { ButtonLink } from './Button.tsx';
import { EmptyState } from './feedback.tsx';

/** The page's title while this is all there is on it. */
function PageTitle({ title }: { title: string }) {
  useTitle(title);
  return null;
}

/** Generic not-found view. */
export function NotFoundView({
  title = 'Not found',
  message = 'The resource you are looking for cannot be found.',
  children,
  level = 1,
}: {
  level?: 1 | 2;
  title?: string;
  message?: string;
  /** Links out of here; default: to the drafts. */
  children?: ReactNode;
}) {
  return (
    <>
      {level === 1 && <PageTitle title={title} />}
      <EmptyState
        level={level}
        icon={SearchX}
        title={title}
        action={children ?? <ButtonLink to="/drafts">Back to drafts</ButtonLink>}
      >
        {message}
      </EmptyState>
    </>
  );
}

/** For pages that the user's plan does not include. */
export function NotAuthorizedView({ level = 1 }: { level?: 1 | 2 }) {
  return (
    <>
      {level === 1 && <PageTitle title="Access Restricted" />}
      <EmptyState
        level={level}
        icon={Lock}
        title="Access Restricted"
        action={
          <ButtonLink to="/account/billing" variant="primary">
            Upgrade Account
          </ButtonLink>
        }
      >
        You don't have permission to access this feature. Please upgrade your account for access.
      </EmptyState>
    </>
  );
}
