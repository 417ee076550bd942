import type { UseMutationResult } from '@tanstack/react-query';
import { Button } from '../../../ui/Button.tsx';
import { ErrorState } from '../../../ui/feedback.tsx';
import { LoadingPane } from '../../../ui/Spinner.tsx';

/**
 * The way to figures that are computed when somebody asks for them, since they cost as much as running rows
 * again: until they are there.
 */
export function OnDemand({
  work,
  ask,
  pending,
  failure,
}: {
  work: Pick<UseMutationResult<unknown, Error, void>, 'mutate' | 'isPending' | 'isError' | 'error'>;
  /** Words of the button, of the wait, and of a failure. */
  ask: string;
  pending: string;
  failure: string;
}) {
  if (work.isPending) return <LoadingPane label={pending} />;
  if (work.isError) return <ErrorState title={failure} error={work.error} onRetry={() => work.mutate()} />;
  return (
    <Button className="self-start" onClick={() => work.mutate()}>
      {ask}
    </Button>
  );
}
