import { BATCH_PROGRESS_COLLECTION, type BatchProgressDocument } from '@quantloom/domain/batch/projections';
import { readProgress } from '@quantloom/domain/contracts/messages/jobs';
import { TOPICS } from '@quantloom/domain/contracts/messages/topics';
import type { BatchProcessDeps } from './batch-process-deps.ts';

/** Consumer group; also what lag is reported for. */
export const PROGRESS_GROUP = 'projectors.batch-progress.v1';

/**
 * What has just begun has no rate of its own yet; without this, a batch of short partitions would never have
 * one. The one before says it, but where the machine has become busier, what is left would have been done by
 * now at that rate: then it can be no more than that.
 */
function rateSoFar(before: number, rowsLeft: number, seconds: number): number {
  return seconds > 0 ? Math.min(before, rowsLeft / seconds) : before;
}

/**
 * Keeps what compute nodes say about running partitions, one document per batch. Messages of a batch arrive
 * in order (same key), so the last one stands; one that comes twice changes nothing.
 */
export async function startProgress(
  deps: Pick<BatchProcessDeps, 'bus' | 'readModels' | 'log'>,
): Promise<{ close(): Promise<void> }> {
  const { bus, readModels, log } = deps;
  const { name } = BATCH_PROGRESS_COLLECTION;
  // Each message waits for the read model twice: those of other batches should not wait for that as well.
  const { progress: topic } = TOPICS;
  const options = { group: PROGRESS_GROUP, topics: [topic.name], concurrency: topic.partitions };
  return bus.subscribe(options, async (message) => {
    const progress = readProgress(message.value);
    if (!progress) {
      log.warn({ topic: message.topic, offset: String(message.offset) }, 'unreadable progress message');
      return;
    }
    const { batchId, partition, node, done, total, rate, at, state } = progress;
    const before = await readModels.get<BatchProgressDocument>(name, batchId);
    // Nothing is known of it: finished before it said anything, or deleted meanwhile.
    if (!before && state !== 'running') return;
    const running = { ...before?.running };
    const rates = { ...before?.rates };
    const known = running[partition];
    if (state === 'running') {
      // A node that was overtaken reports late.
      if (known && known.at > at) return;
      const since = known?.node === node ? (known.since ?? known.at) : at;
      const seconds = (Date.parse(at) - Date.parse(since)) / 1_000;
      running[partition] = {
        node,
        done,
        total,
        rate: rate || rateSoFar(rates[node] ?? 0, total - done, seconds),
        at,
        since,
      };
    } else {
      // One that was overtaken tells late that it has ended; the other one goes on.
      if (known?.node === node) delete running[partition];
      if (state === 'finished' && rate > 0) rates[node] = rate;
    }
    await readModels.put(name, {
      id: batchId,
      _revision: 0,
      _position: '0',
      running,
      rates,
      at,
    } as BatchProgressDocument);
  });
}
