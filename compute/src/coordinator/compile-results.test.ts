import { inSampleColumn, METRIC_COLUMNS } from '@quantloom/domain/contracts/result-block';
import type { ResultQuery, ResultStore } from '@quantloom/domain/ports/result-store';
import { describe, expect, it } from 'vitest';
import { compileResults } from './compile-results.ts';

type Row = Readonly<Record<string, string | number | null>>;

/** Rows in memory; null stands for what failed or cannot be computed. */
function storeOf(rows: readonly Row[]): ResultStore {
  return {
    countRows: async () => rows.length,
    hashRows: async () => 'of the rows',
    medians: async (_: string, columns: readonly string[]) =>
      Object.fromEntries(columns.map((name) => [name, name.startsWith('in_') ? 1 : 2])),
    query: async (_: string, { filters = [], sort, columns = [], limit }: ResultQuery) => {
      const found = rows.filter((row) =>
        filters.every(({ column, op }) => (op === 'isNull') === ((row[column] ?? null) === null)),
      );
      if (sort) found.sort((a, b) => Number(b[sort.column] ?? Infinity) - Number(a[sort.column] ?? Infinity));
      const page = found.slice(0, limit).map((row) => columns.map((name) => row[name] ?? null));
      return { columns, rows: page, total: found.length };
    },
  } as unknown as ResultStore;
}

const batchOf = (combinations: number, config: object = {}) =>
  ({
    batchId: 'b1',
    combinations,
    variables: [{ name: '$A', values: ['SPY', 'QQQ', 'IWM'] }],
    config,
    dataVersion: 'v1',
    engineVersion: '4',
  }) as unknown as Parameters<typeof compileResults>[1];

const row = (combination: number, A: string, sharpe: number | null, more: Row = {}): Row => ({
  combination,
  $A: A,
  start_date: sharpe === null ? null : '2020-01-02',
  sharpe_ratio: sharpe,
  cumulative_return: sharpe,
  ...more,
});

describe('the sum of a batch', () => {
  it('names the best row, what failed, medians and a hash', async () => {
    const rows = [row(0, 'SPY', 0.5), row(1, 'QQQ', null), row(2, 'IWM', 1.5)];
    const sum = await compileResults(storeOf(rows), batchOf(3));
    expect(sum).toMatchObject({ rows: 3, failures: 1 });
    expect(sum.best).toMatchObject({ combination: 2, values: { $A: 'IWM' }, metrics: { sharpe_ratio: 1.5 } });
    expect(sum.medians).toEqual(Object.fromEntries(METRIC_COLUMNS.map((name) => [name, 2])));
    expect(sum.hash).toMatch(/^[0-9a-f]{64}$/);
    expect(sum).not.toHaveProperty('part');
  });

  it('has no best row where none has a Sharpe ratio, though they ran', async () => {
    const flat = { start_date: '2020-01-02', cumulative_return: 0 };
    const sum = await compileResults(storeOf([row(0, 'SPY', null, flat), row(1, 'QQQ', null)]), batchOf(2));
    expect(sum).toMatchObject({ failures: 1, best: null });
  });

  it('is of the days before the out-of-sample date where there is one, and says so', async () => {
    const part = (inside: number) =>
      Object.fromEntries(METRIC_COLUMNS.map((name) => [inSampleColumn(name), inside]));
    const rows = [row(0, 'SPY', 9, part(0.1)), row(1, 'QQQ', 0.2, part(0.7))];
    const sum = await compileResults(storeOf(rows), batchOf(2, { out_of_sample_date: '2015-01-02' }));
    expect(sum).toMatchObject({
      part: 'in_sample',
      best: { combination: 1, metrics: { sharpe_ratio: 0.7 } },
    });
    expect(sum.medians.sharpe_ratio).toBe(1);
  });

  it.each([1, 3])('is none of %s rows of two', async (count) => {
    const rows = Array.from({ length: count }, (_, i) => row(i, 'SPY', 1));
    await expect(compileResults(storeOf(rows), batchOf(2))).rejects.toMatchObject({
      code: 'row_count',
      message: `Batch b1 has ${count} rows where 2 combinations were to be computed`,
    });
  });
});
