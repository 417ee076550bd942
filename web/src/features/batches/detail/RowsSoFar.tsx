import { formatCount } from '../../../lib/format.ts';
import { Notice } from '../../../ui/feedback.tsx';

/** Says of the rows of a running batch that they are a part, and which. */
export function RowsSoFar({ rows, combinations }: { rows: number; combinations: number }) {
  return (
    <Notice className="mb-2">
      Partial: the first <span className="num">{formatCount(rows)}</span> of{' '}
      <span className="num">{formatCount(combinations)}</span> rows so far, in the order of the combinations;
      no verdict until all have run.
    </Notice>
  );
}
