import type { BatchDetail } from '@quantloom/domain/contracts/http/batches';
import { formatCount, formatDuration, MISSING } from '../../../lib/format.ts';
import { Progress } from '../../../ui/feedback.tsx';

/** How far a running batch is: progress, rate, remaining time, and what each node does. */
export function LiveProgress({ batch }: { batch: BatchDetail }) {
  const { progress, combinations } = batch;
  const percent = Math.max(progress.percent, Math.floor((100 * progress.rows) / Math.max(1, combinations)));
  return (
    <section aria-label="Progress" aria-live="polite" className="rounded border border-line p-4">
      <Progress value={percent} label={`${percent}% done`} />
      <p className="num mt-2 flex flex-wrap gap-x-4 text-sm text-muted">
        <span>
          {formatCount(progress.rows)} of {formatCount(combinations)} backtests
        </span>
        {progress.rate !== null && <span>{formatCount(Math.round(progress.rate))} per second</span>}
        {progress.remaining_seconds !== null && (
          <span>{formatDuration(Math.max(1, Math.round(progress.remaining_seconds)))} left</span>
        )}
      </p>
      {progress.nodes.length > 0 && (
        <ul className="mt-2 flex flex-wrap gap-2 text-sm">
          {progress.nodes.map(({ node, partitions, rate }) => (
            <li key={node} className="rounded border border-line px-2 py-1">
              <span className="font-mono text-xs">{node}</span>{' '}
              <span className="num text-muted">
                {formatCount(Math.round(rate))}/s, {partitions.length === 1 ? 'partition' : 'partitions'}{' '}
                {partitions.join(', ') || MISSING}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
