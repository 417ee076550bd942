import type { BatchDocument } from '@quantloom/domain/batch/projections';
import { describe, expect, it } from 'vitest';
import { amongRows, rowsSoFar } from './rows-so-far.ts';

/** Twelve partitions of ten combinations; the last one has five. */
const batch = (status: BatchDocument['status'], ...openPartitions: number[]) =>
  ({
    id: 'b',
    status,
    openPartitions,
    partitions: 12,
    partitionSize: 10,
    combinations: 115,
  }) as unknown as BatchDocument;
const stored = (...ranges: (readonly [number, number])[]) => ({
  storedRanges: async () => ranges.map(([from, to]) => ({ from, to })),
});
const ALL = stored([0, 115]);

describe('the rows so far', () => {
  it('of a running batch are those before the first open partition', async () => {
    // In the order of numbers, not of their texts.
    expect(await rowsSoFar(ALL, batch('Running', 10, 2, 11))).toEqual({
      rows: 20,
      ranges: [{ from: 0, to: 20 }],
    });
    expect(await rowsSoFar(ALL, batch('Running', 11))).toEqual({ rows: 110, ranges: [{ from: 0, to: 110 }] });
    expect(await rowsSoFar(ALL, batch('Running'))).toEqual({ rows: 115, ranges: [{ from: 0, to: 115 }] });
  });

  it('of a stopped batch are those of every partition that had finished', async () => {
    expect(await rowsSoFar(ALL, batch('Stopped', 10, 0, 3))).toEqual({
      rows: 85,
      ranges: [
        { from: 10, to: 30 },
        { from: 40, to: 100 },
        { from: 110, to: 115 },
      ],
    });
  });

  it('are none where the store has lost some of them', async () => {
    const lost = stored([10, 30], [40, 99], [110, 115]);
    expect(await rowsSoFar(lost, batch('Stopped', 10, 0, 3))).toBeNull();
    const more = stored([0, 30], [40, 100], [105, 115]);
    expect((await rowsSoFar(more, batch('Stopped', 10, 0, 3)))?.rows).toBe(85);
  });

  it('are none where the first partition is open, and where nothing runs or ran', async () => {
    expect(await rowsSoFar(ALL, batch('Running', 0))).toBeNull();
    for (const status of ['Queued', 'CompilingResults', 'Finished', 'Error'] as const)
      expect(await rowsSoFar(ALL, batch(status, 5))).toBeNull();
  });

  it('are none where the store does not have all of them', async () => {
    const running = batch('Running', 3);
    expect(await rowsSoFar(stored([0, 30]), running)).not.toBeNull();
    for (const store of [stored(), stored([0, 29]), stored([1, 40]), stored([0, 15], [16, 40])])
      expect(await rowsSoFar(store, running)).toBeNull();
  });

  it('are asked for besides what is asked for otherwise', () => {
    const filters = [{ column: 'trades', op: 'gt', value: 3 } as const];
    const one = amongRows({ rows: 20, ranges: [{ from: 0, to: 20 }] }, { filters });
    expect(one.filters).toEqual([...filters, { column: 'combination', op: 'lt', value: 20 }]);
    const ranges = [
      { from: 10, to: 30 },
      { from: 40, to: 100 },
    ];
    expect(amongRows({ rows: 80, ranges }, { limit: 5 })).toEqual({
      limit: 5,
      filters: [
        { column: 'combination', op: 'gte', value: 10 },
        { column: 'combination', op: 'outside', value: [30, 40] },
        { column: 'combination', op: 'lt', value: 100 },
      ],
    });
  });
});
