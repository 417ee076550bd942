import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorState } from '../../../ui/feedback.tsx';
import { LoadingPane } from '../../../ui/Spinner.tsx';

/** What an answer is shown as; before it a spinner, in its place what went wrong and a way to try again. */
export function Loaded<Answer>({
  query,
  failure,
  children,
}: {
  query: UseQueryResult<Answer>;
  /** What could not be done, as a heading. */
  failure: string;
  children: (answer: Answer) => ReactNode;
}) {
  if (query.isPending) return <LoadingPane />;
  // What is shown stays when asking again has failed.
  if (query.data === undefined)
    return <ErrorState title={failure} error={query.error} onRetry={() => void query.refetch()} />;
  return children(query.data);
}
