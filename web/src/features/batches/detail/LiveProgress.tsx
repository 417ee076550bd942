import type { BatchDetail } from '@quantloom/domain/contracts/http/batches';
import { fixed, formatCount, formatDuration, MISSING } from '../../../lib/format.ts';
import { Progress } from '../../../ui/feedback.tsx';

/** Of slow ones a whole number would say nothing, or twice as much. */
const formatRate = (rate: number) => (rate < 10 ? fixed(rate, rate < 1 ? 2 : 1) : formatCount(rate));

/** How far a running batch is: progress, rate, remaining time, and what each node does. */
export function LiveProgress({ batch }: { batch: BatchDetail }) {
  const { progress, combinations, time_estimate } = batch;
  // The same figure as in the list and over the API; the rows beside it tell more.
  const { percent } = progress;
  return (
    <section aria-label="Progress" aria-live="polite" className="rounded border border-line p-4">
      <Progress value={percent} label={`${percent}% done`} />
      <p className="num mt-2 flex flex-wrap gap-x-4 text-sm text-muted">
        <span>
          {formatCount(progress.rows)} of {formatCount(combinations)} backtests
        </span>
        {progress.rate !== null && <span>{formatRate(progress.rate)} per second</span>}
        {progress.remaining_seconds !== null && (
          <span>{formatDuration(Math.max(1, Math.round(progress.remaining_seconds)))} left</span>
        )}
        {progress.remaining_seconds === null && batch.status === 'Queued' && (
          <span>about {formatDuration(Math.max(1, Math.round(time_estimate.seconds)))} once it runs</span>
        )}
      </p>
      {progress.nodes.length > 0 && (
        <ul className="mt-2 flex flex-wrap gap-2 text-sm">
          {progress.nodes.map(({ node, partitions, rate }) => (
            <li key={node} className="rounded border border-line px-2 py-1">
              <span className="font-mono text-xs">{node}</span>{' '}
              <span className="num text-muted">
                {formatRate(rate)}/s, {partitions.length === 1 ? 'partition' : 'partitions'}{' '}
                {partitions.join(', ') || MISSING}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
