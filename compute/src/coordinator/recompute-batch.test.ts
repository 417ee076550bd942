import type { BatchEvent } from '@quantloom/domain/batch/events';
import { ENGINE_VERSION } from '@quantloom/domain/kernel/product';
import type { ResultStore } from '@quantloom/domain/ports/result-store';
import { created } from '@quantloom/domain/testing/batch-builders';
import { MemoryEventStore } from '@quantloom/domain/testing/memory-event-store';
import { expect, it } from 'vitest';
import type { BlockRunner } from './block-runner.ts';
import { recomputeBatch } from './recompute-batch.ts';

/** A log that holds one batch, finished by an engine of this version. */
async function finishedBy(engineVersion: string): Promise<MemoryEventStore> {
  const eventStore = new MemoryEventStore();
  const summary = { rows: 40, failures: 0, best: null, medians: {}, hash: 'h' };
  const events: BatchEvent[] = [
    created({ engineVersion }),
    { type: 'BatchBacktestFinished', data: { batchId: 'b1', summary } },
  ];
  const metadata = {
    ...{ schemaVersion: 1, commandId: 'c', correlationId: 'c', causationId: 'c' },
    actor: { kind: 'system', name: 'test' },
    recordedAt: '2026-11-21T00:00:00.000Z',
  } as const;
  await eventStore.append(
    'batch-b1',
    events.map((event, i) => ({ ...event, id: `e${i}`, metadata })),
    'any',
  );
  return eventStore;
}

it.each([false, true])(
  'touches nothing of a batch that another engine has computed: its rows, its hash and what says which engine it was belong together (anew: %s)',
  async (isAnew) => {
    const eventStore = await finishedBy('0');
    const touched: PropertyKey[] = [];
    const untouchable = new Proxy({}, { get: (_, name) => () => touched.push(name) });
    const recomputing = recomputeBatch(
      {
        eventStore,
        results: untouchable as ResultStore,
        runner: untouchable as BlockRunner,
        clock: { now: () => new Date('2026-11-28T00:00:00.000Z') },
      },
      'b1',
      { isAnew },
    );
    await expect(recomputing).rejects.toMatchObject({
      status: 409,
      message: expect.stringMatching(`engine version 0, this is version ${ENGINE_VERSION}:`),
    });
    expect(touched).toEqual([]);
    expect(eventStore.events).toHaveLength(2);
  },
);
