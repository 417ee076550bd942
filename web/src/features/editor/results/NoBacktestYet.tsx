import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import { ButtonLink } from '../../../ui/Button.tsx';
import { EmptyState } from '../../../ui/feedback.tsx';

/** A tab of results that was opened by its address, before anything has run: the way to where it runs. */
export function NoBacktestYet({ children }: { children: ReactNode }) {
  const { pathname, search } = useLocation();
  return (
    <EmptyState
      title="No backtest yet"
      action={<ButtonLink to={`${pathname.replace(/\/[^/]+$/, '')}${search}`}>Go to Overview</ButtonLink>}
    >
      {children}
    </EmptyState>
  );
}
