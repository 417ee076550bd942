import { batchesProjection } from '@quantloom/domain/batch/projections';
import type { ReadModels } from '@quantloom/domain/ports/read-models';
import type { Metrics } from './metrics.ts';

/** What a batch can be before it has ended. */
const OPEN = ['Queued', 'Running', 'CompilingResults'] as const;

/**
 * Batches that have not ended, and how long the longest has waited to begin; from the process that runs the
 * projections.
 */
export function measureBatches(
  metrics: Metrics,
  readModels: Pick<ReadModels, 'count' | 'find'>,
  now: () => number = Date.now,
): void {
  const { name } = batchesProjection.collection;
  metrics.gauge('batches', 'Batches that have not ended, by what they are at', ['status'], async () =>
    Promise.all(
      OPEN.map(async (status) => ({
        labels: { status },
        value: await readModels.count(name, { status }),
      })),
    ),
  );
  metrics.gauge(
    'oldest_queued_batch_seconds',
    'How long the batch that has waited longest has not begun; 0 where none waits',
    [],
    async () => {
      const [oldest] = await readModels.find(name, {
        where: { status: 'Queued' },
        sort: [['createdAt', 'asc']],
        limit: 1,
      });
      const value = oldest ? Math.max(0, (now() - Date.parse(oldest.createdAt)) / 1_000) : 0;
      return [{ labels: {}, value }];
    },
  );
}
