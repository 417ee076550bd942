import { Lock, SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import { ButtonLink } from './Button.tsx';
import { EmptyState } from './feedback.tsx';

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
    <EmptyState
      level={level}
      icon={SearchX}
      title={title}
      action={children ?? <ButtonLink to="/drafts">Back to drafts</ButtonLink>}
    >
      {message}
    </EmptyState>
  );
}

/** For pages that the user's plan does not include. */
export function NotAuthorizedView({ level = 1 }: { level?: 1 | 2 }) {
  return (
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
  );
}
