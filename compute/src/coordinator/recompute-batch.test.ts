import type { BatchEvent } from '@quantloom/domain/batch/events';
import { resultHash } from '@quantloom/domain/batch/result-hash';
import { ENGINE_VERSION } from '@quantloom/domain/kernel/product';
import type { ResultStore } from '@quantloom/domain/ports/result-store';
import { created, createdData } from '@quantloom/domain/testing/batch-builders';
import { MemoryEventStore } from '@quantloom/domain/testing/memory-event-store';
import { describe, expect, it } from 'vitest';
import type { BlockRunner } from './block-runner.ts';
import { recomputeBatch } from './recompute-batch.ts';

const clock = { now: () => new Date('2026-11-28T00:00:00.000Z') };

/** A log that holds one batch, finished by an engine of this version. */
async function finishedBy(engineVersion: string, hash?: string): Promise<MemoryEventStore> {
  const eventStore = new MemoryEventStore();
  const summary = { rows: 40, failures: 0, best: null, medians: {}, ...(hash !== undefined && { hash }) };
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
    const eventStore = await finishedBy('0', 'h');
    const touched: PropertyKey[] = [];
    const untouchable = new Proxy({}, { get: (_, name) => () => touched.push(name) });
    const recomputing = recomputeBatch(
      {
        eventStore,
        results: untouchable as ResultStore,
        runner: untouchable as BlockRunner,
        clock,
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

describe('the rows of a finished batch', () => {
  const ROWS = 40;
  const right = (combination: number) => `row ${combination}`;
  const hashOf = (rows: Iterable<string>) => [...rows].join();
  const HASH = resultHash({
    ...createdData({ engineVersion: ENGINE_VERSION }),
    rows: hashOf(Array.from({ length: ROWS }, (_, combination) => right(combination))),
  });
  /** Computes them again beside those that are still there. */
  async function recompute(
    kept: Readonly<Record<number, string>>,
    {
      isAnew = false,
      hash = HASH,
      compute = right,
    }: { isAnew?: boolean; hash?: string | null; compute?: typeof right } = {},
  ) {
    const rows = new Map(Object.entries(kept).map(([combination, row]) => [Number(combination), row]));
    const results = {
      createBatch: async () => undefined,
      deleteBatch: async () => rows.clear(),
      countRows: async () => rows.size,
      storedRanges: async () =>
        [...rows.keys()].sort((a, b) => a - b).map((from) => ({ from, to: from + 1 })),
      hashRows: async () => hashOf([...rows].sort(([a], [b]) => a - b).map(([, row]) => row)),
      append: async ({ from, count }: { readonly from: number; readonly count: number }) => {
        for (let row = from; row < from + count; row++) if (!rows.has(row)) rows.set(row, compute(row));
      },
    };
    const runner = {
      capacity: 1,
      runBlock: async (_: unknown, { from, to }: { readonly from: number; readonly to: number }) => ({
        from,
        count: to - from,
      }),
      release: () => undefined,
    };
    const deps = {
      eventStore: await finishedBy(ENGINE_VERSION, hash ?? undefined),
      results: results as unknown as ResultStore,
      runner: runner as unknown as BlockRunner,
      clock,
    };
    return await recomputeBatch(deps, 'b1', { isAnew });
  }

  it('are computed as far as they are missing, or all of them when told to', async () => {
    expect(await recompute({})).toEqual({ computed: ROWS, rows: ROWS, isSame: true });
    const kept = { 0: right(0), 25: right(25) };
    expect(await recompute(kept)).toEqual({ computed: ROWS - 2, rows: ROWS, isSame: true });
    expect(await recompute(kept, { isAnew: true })).toEqual({ computed: ROWS, rows: ROWS, isSame: true });
  });

  it('are refused where one that was left is damaged, and right again once all are computed', async () => {
    const kept = { 25: 'damaged' };
    await expect(recompute(kept)).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining('Compute all of them with --anew'),
    });
    expect(await recompute(kept, { isAnew: true })).toMatchObject({ rows: ROWS, isSame: true });
  });

  it('are refused where they come out different although all were computed: nothing more helps', async () => {
    const compute = (combination: number) => `other ${combination}`;
    await expect(recompute({}, { isAnew: true, compute })).rejects.toMatchObject({
      status: 422,
      message: expect.stringMatching(/are these the prices and the release that it was computed with\?$/),
    });
    // Nobody knows of a batch that finished before hashes were kept.
    expect(await recompute({}, { hash: null, compute })).toMatchObject({ rows: ROWS, isSame: null });
  });

  it('are refused where there are more of them than the batch has', async () => {
    await expect(recompute({ 40: right(40) })).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining('has 41 rows where it finished with 40'),
    });
  });
});
