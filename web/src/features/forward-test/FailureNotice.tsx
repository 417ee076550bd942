import type { Follow } from '@quantloom/domain/contracts/http/forward-tests';
import { failureWords } from '@quantloom/domain/forward-test/failure-words';
import { formatDate } from '../../lib/format.ts';
import { Notice } from '../../ui/feedback.tsx';

/** That a followed strategy could not be evaluated. @param shown the day of the decision that is shown in its place */
export function FailureNotice({
  failure: { day, code },
  shown,
}: {
  failure: NonNullable<Follow['failure']>;
  shown?: string;
}) {
  return (
    <Notice kind="warning">
      It could not be evaluated at the closes of {formatDate(day)}
      {failureWords(code)} It is tried again with other prices or another revision.
      {shown !== undefined && ` What stands here is its decision of ${formatDate(shown)}.`}
    </Notice>
  );
}
