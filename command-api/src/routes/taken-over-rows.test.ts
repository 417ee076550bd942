import type { BatchEvent } from '@quantloom/domain/batch/events';
import { batchesProjection } from '@quantloom/domain/batch/projections';
import { isRefusal } from '@quantloom/domain/kernel/refusal';
import { StateCache } from '@quantloom/domain/kernel/state-cache';
import { USE_LIMITS } from '@quantloom/domain/limits/limits';
import { created } from '@quantloom/domain/testing/batch-builders';
import { countedLimits } from '@quantloom/domain/testing/counted-limits';
import { MemoryEventStore } from '@quantloom/domain/testing/memory-event-store';
import type { ReadModelProgress } from '@quantloom/http/read-own-writes';
import { ulid } from 'ulid';
import { describe, expect, it } from 'vitest';
import { refuseGoneSources, refuseHeldSource, takeCopiedRows } from './taken-over-rows.ts';

const MONTH = '2026-11';
const ADA = { userId: 'ada', planId: 'free' } as const;
const MOST = USE_LIMITS.free.copiedRowsPerMonth;
const KEY = `copied:ada:${MONTH}`;

describe('rows that are taken over in a month', () => {
  const rateLimits = countedLimits();
  const take = async (rows: number) => await takeCopiedRows({ rateLimits }, ADA, MONTH, rows);

  it('are as many as the plan has, and not one more', async () => {
    expect(isRefusal(await take(MOST))).toBe(false);
    expect(rateLimits.hits.get(KEY)).toBe(MOST);
    expect(await take(1)).toMatchObject({
      status: 429,
      code: 'copied_rows_limit',
      data: { rows: 1, left: 0, limit: MOST },
    });
    // What was refused was not taken.
    expect(rateLimits.hits.get(KEY)).toBe(MOST);
    rateLimits.hits.set(KEY, MOST - 5);
    expect(await take(8)).toMatchObject({ data: { rows: 8, left: 5 } });
  });

  it('are given back for a batch that is not created after all', async () => {
    rateLimits.hits.set(KEY, 5);
    const giveBack = await take(7);
    if (isRefusal(giveBack)) throw new Error(giveBack.detail);
    expect(rateLimits.hits.get(KEY)).toBe(12);
    await giveBack();
    expect(rateLimits.hits.get(KEY)).toBe(5);
  });

  it('are not counted where there are none, even where none are left', async () => {
    rateLimits.hits.set(KEY, MOST + 1);
    expect(isRefusal(await take(0))).toBe(false);
    expect(isRefusal(await takeCopiedRows({}, ADA, MONTH, 5))).toBe(false);
  });
});

/** A log with these batches, and read models that know them as they are given. */
async function batches(streams: Readonly<Record<string, readonly BatchEvent[]>>) {
  const eventStore = new MemoryEventStore();
  for (const [id, events] of Object.entries(streams)) {
    const by = { commandId: id, correlationId: 'test', causationId: id };
    const actor = { kind: 'system', name: 'test' } as const;
    const metadata = { ...by, actor, schemaVersion: 1, recordedAt: '2026-11-21T00:00:00.000Z' };
    const stored = events.map((event) => ({ ...event, id: ulid(), metadata }));
    await eventStore.append(`batch-${id}`, stored, 'noStream');
  }
  return { eventStore, stateCache: new StateCache() };
}

const finished: BatchEvent = {
  type: 'BatchBacktestFinished',
  data: { batchId: 'old', summary: {} as never },
};
const begun: BatchEvent = {
  type: 'PartitionStarted',
  data: { batchId: 'new', partition: 0, attempt: 1, node: 'n1' },
};
const removed: BatchEvent = {
  type: 'BatchBacktestDeleted',
  data: { batchId: 'old', userId: 'ada', quotaMonth: MONTH, quotaReleased: 0 },
};

describe('batches that rows are to be taken from', () => {
  it('have to be finished and there still, every one of them', async () => {
    const deps = await batches({
      old: [created(), finished],
      gone: [created(), finished, removed],
      again: [created()],
      begun: [created(), begun],
      broken: [created(), begun, { type: 'BatchBacktestFailed', data: { batchId: 'old' } as never }],
    });
    const refused = async (...ids: readonly string[]) =>
      (
        await refuseGoneSources(
          deps,
          ids.map((batchId) => ({ batchId })),
        )
      )?.code ?? null;
    expect(await refused()).toBeNull();
    expect(await refused('old')).toBeNull();
    for (const id of ['gone', 'again', 'begun', 'broken', 'never'])
      expect(await refused('old', id), id).toBe('too_many_changes');
  });
});

describe('deleting a batch', () => {
  const reuse = [{ batchId: 'old', count: 10 }];
  /** Whether one is refused, where the read models know of it and of one that waits. */
  const refused = async (
    waiting: readonly BatchEvent[],
    { source = {}, userId = 'ada' }: { readonly source?: object; readonly userId?: string } = {},
  ) => {
    const deps = await batches({ new: waiting });
    const asked: unknown[] = [];
    const readModels = {
      get: async () => ({ id: 'old', userId: 'ada', status: 'Finished', fingerprint: 'f', ...source }),
      find: async (_: string, query: object) => {
        asked.push(query);
        return [{ id: 'new', name: 'Waits' }];
      },
    } as never;
    const refusal = await refuseHeldSource({ ...deps, readModels }, 'old', userId);
    return { refusal, asked };
  };

  it('waits for those that are still to take rows over, and for no others', async () => {
    const { refusal, asked } = await refused([created({ reuse })]);
    expect(refusal).toMatchObject({ status: 409, code: 'batch_in_use', data: { batch_id: 'new' } });
    expect(refusal?.detail).toContain('"Waits"');
    expect(asked).toEqual([{ where: { userId: 'ada', fingerprint: 'f', status: 'Queued' } }]);
    const others = [{ batchId: 'older', count: 10 }];
    expect((await refused([created({ reuse: others })])).refusal).toBeNull();
  });

  it('asks who waits as soon as the read models know of the last one that was created', async () => {
    const { eventStore, stateCache } = await batches({ new: [created({ reuse })] });
    let isKnown = false;
    const consistency: ReadModelProgress = {
      whenReached: async (position, { projections }) => {
        isKnown = position === (await eventStore.head()) && projections.includes(batchesProjection);
        return true;
      },
    };
    const readModels = {
      get: async () => ({ id: 'old', userId: 'ada', status: 'Finished', fingerprint: 'f' }),
      find: async () => (isKnown ? [{ id: 'new', name: 'Waits' }] : []),
    } as never;
    const refusal = await refuseHeldSource({ eventStore, stateCache, readModels, consistency }, 'old', 'ada');
    expect(refusal?.code).toBe('batch_in_use');
  });

  it('waits no longer where the log has gone on', async () => {
    expect((await refused([created({ reuse }), begun])).refusal).toBeNull();
    expect((await refused([created({ reuse }), removed])).refusal).toBeNull();
  });

  it('tells a stranger nothing of who waits, and asks only of finished ones', async () => {
    const cases = [{ userId: 'bob' }, { source: { status: 'Running' } }];
    for (const one of cases)
      expect(await refused([created({ reuse })], one)).toEqual({ refusal: null, asked: [] });
  });
});
