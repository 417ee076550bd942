import type { BatchDetail } from '@quantloom/domain/contracts/http/batches';
import { formatCount } from '../../../lib/format.ts';
import { Notice } from '../../../ui/feedback.tsx';

/** Says of the rows of a running or stopped batch that they are a part, and which. */
export function RowsSoFar({ batch, rows }: { batch: BatchDetail; rows: number }) {
  const isStopped = batch.status === 'Stopped';
  const [some, all] = [
    <span key="some" className="num">
      {/* What is shown may still be from a moment before the stop. */}
      {formatCount(isStopped ? batch.progress.rows : rows)}
    </span>,
    <span key="all" className="num">
      {formatCount(batch.combinations)}
    </span>,
  ];
  return (
    <Notice className="mb-2">
      {isStopped ? (
        <>
          Partial: stopped after {some} of {all} rows. They are not judged: which of them ran was chosen while
          they could be seen.
        </>
      ) : (
        <>
          Partial: the first {some} of {all} rows so far, in the order of the combinations; no verdict until
          all have run.
        </>
      )}
    </Notice>
  );
}
