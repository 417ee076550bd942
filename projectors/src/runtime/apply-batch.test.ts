import type { RecordedEvent } from '@quantloom/domain/kernel/event';
import type { ReadModels } from '@quantloom/domain/ports/read-models';
import { expect, it } from 'vitest';
import { added, COUNTER_CATALOGUE, type Counter, counters } from '../../testing/embedded-log.ts';
import { applyBatch } from './apply-batch.ts';

const projection = counters();
/** An event of one of two streams that count into the same document. */
const event = (stream: 'a' | 'b', position: bigint, amount: number): RecordedEvent => ({
  ...added('both', amount),
  stream: `counter-${stream}`,
  revision: 0,
  position,
});

async function applied(document: Counter, events: readonly RecordedEvent[], isReplay = false) {
  const readModels = { getMany: async () => [document] } as unknown as ReadModels;
  const { writes } = await applyBatch(projection, events, readModels, {
    catalogue: COUNTER_CATALOGUE,
    now: '2026-01-01T00:00:00.000Z',
    parkedStreams: new Map(),
    isReplay,
  });
  const [write] = writes;
  return write && 'put' in write ? (write.put as Counter) : document;
}

it('applies what was parked although another stream has gone on, and nothing of that twice afterwards', async () => {
  const later = event('b', 2n, 20);
  const before: Counter = { id: 'both', sum: 20, amounts: [20], _revision: 0, _position: '2' };
  expect(await applied(before, [event('a', 1n, 1)])).toEqual(before);
  const after = await applied(before, [event('a', 1n, 1)], true);
  expect(after).toMatchObject({ sum: 21, _position: '2' });
  expect(await applied(after, [later])).toEqual(after);
});
