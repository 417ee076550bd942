// @vitest-environment happy-dom
import type { BatchDetail } from '@quantloom/domain/contracts/http/batches';
import { getRobustOrder } from '@quantloom/domain/contracts/http/calls';
import { METRIC_COLUMNS } from '@quantloom/domain/contracts/result-block';
import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient, setApi } from '../../../lib/api.ts';
import { NEIGHBOURHOOD, readableColumns, useResults } from './use-results.ts';

const batch = (more: Partial<BatchDetail> = {}) =>
  ({
    id: 'b1',
    status: 'Running',
    combinations: 1_000,
    partitions: 4,
    job_names: [1, 2, 3].map((part) => `b1-${part}`),
    variable_names: ['$A'],
    backtest_config: { both_fills: false },
    out_of_sample: null,
    ...more,
  }) as unknown as BatchDetail;
const LOCKED = { date: '2020-01-01', opened: null } as unknown as BatchDetail['out_of_sample'];
const OPENED = {
  date: '2020-01-01',
  opened: { at: '2026-01-01' },
} as unknown as BatchDetail['out_of_sample'];

let asked: unknown[];
beforeEach(() => {
  vi.useFakeTimers();
  vi.setSystemTime(new Date('2026-01-05T12:00:00Z'));
  asked = [];
  queryClient.clear();
  const answer = async (route: unknown, { query }: { readonly query?: object } = {}) => {
    asked.push(route === getRobustOrder ? { robust: query } : query);
    if (route === getRobustOrder)
      return {
        rows: [
          {
            combination: 7,
            values: { $A: 'SPY' },
            neighbourhood_median: 0.4,
            metrics: { sharpe_ratio: 0.5 },
          },
        ],
      };
    return { columns: ['combination'], rows: [[1]], total: 1 };
  };
  const request = async (route: unknown, input: never) => ({
    body: await answer(route, input),
    headers: new Headers(),
  });
  setApi({ call: answer, request } as never);
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const START = { order: null, filters: [] };
const show = (of: BatchDetail) =>
  renderHook((given: BatchDetail) => useResults(given, START), { initialProps: of });
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

describe('columns that may be read', () => {
  it('are those of the part that is locked away only once it is opened', () => {
    const all = readableColumns(batch({ out_of_sample: OPENED }));
    const locked = readableColumns(batch({ out_of_sample: LOCKED }));
    const without = readableColumns(batch());
    expect(all.length).toBeGreaterThan(without.length);
    expect(without.length).toBeGreaterThan(locked.length);
    expect(locked.every((name) => without.includes(name))).toBe(true);
    expect(all.filter((name) => name.startsWith('out_')).length).toBe(all.length - without.length);
  });
});

describe('rows of a running batch', () => {
  it('are read as soon as there are any, then not at every part', async () => {
    const first = batch({ job_names: ['b1-0', 'b1-1'] });
    const { rerender } = show(first);
    await pass(60_000);
    expect(asked).toHaveLength(0);
    rerender(batch());
    await pass(0);
    expect(asked).toHaveLength(1);
    // 500 rows are there: four seconds and five milliseconds after the last look.
    rerender(batch({ job_names: ['b1-2', 'b1-3'] }));
    await pass(4_004);
    expect(asked).toHaveLength(1);
    await pass(1);
    expect(asked).toHaveLength(2);
    // The same parts say nothing new.
    rerender(batch({ job_names: ['b1-2', 'b1-3'] }));
    await pass(60_000);
    expect(asked).toHaveLength(2);
  });

  it('are read once more when it is done, and from then on kept', async () => {
    const { rerender, result } = show(batch());
    await pass(0);
    rerender(batch({ status: 'CompilingResults', job_names: [] }));
    await pass(0);
    // All rows are there before they are ranked and judged.
    expect(result.current[0].context.isPartial).toBe(false);
    rerender(batch({ status: 'Finished', job_names: [] }));
    await pass(0);
    expect(asked).toHaveLength(2);
    for (const column of ['$A', 'sharpe_ratio', '$A']) {
      act(() => result.current[1]({ type: 'user.sort', column }));
      await pass(0);
    }
    // The order that was asked for before comes from the cache.
    expect(asked).toHaveLength(4);
    act(() => result.current[1]({ type: 'user.setFilters', filters: [] }));
    await pass(0);
    expect(asked).toHaveLength(4);
    act(() => result.current[1]({ type: 'user.refresh' }));
    await pass(0);
    expect(asked).toHaveLength(5);
  });

  it('are read of one that was stopped, and not of one that failed', async () => {
    show(batch({ status: 'Stopped', job_names: [] }));
    await pass(0);
    expect(asked).toHaveLength(1);
    show(batch({ id: 'b2', status: 'Error', job_names: [] }));
    await pass(60_000);
    expect(asked).toHaveLength(1);
  });
});

it('reads the columns of the other part once it is opened', async () => {
  const finished: Partial<BatchDetail> = { status: 'Finished', job_names: [] };
  const { rerender } = show(batch({ ...finished, out_of_sample: LOCKED }));
  await pass(0);
  expect(asked).toHaveLength(1);
  rerender(batch({ ...finished, out_of_sample: OPENED }));
  await pass(0);
  expect(asked).toHaveLength(2);
  const [before, after] = asked.map((query) => JSON.stringify(query));
  expect(after).toContain('out_');
  expect(before).not.toContain('out_');
});

it('shows the order by neighbourhood with its median, and what a row lacks as nothing', async () => {
  const { result } = show(batch({ status: 'Finished', job_names: [], variable_names: ['$A', '$B'] }));
  await pass(0);
  act(() => result.current[1]({ type: 'user.orderByNeighbourhood', metric: 'sharpe_ratio' }));
  await pass(0);
  expect(asked.at(-1)).toEqual({ robust: { metric: 'sharpe_ratio', limit: 1_000 } });
  const { page } = result.current[0].context;
  const lacking = METRIC_COLUMNS.find((name) => name !== 'sharpe_ratio') ?? '';
  const cell = (name: string) => page?.rows[0]?.[page.columns.indexOf(name)];
  expect(['combination', '$A', '$B', NEIGHBOURHOOD, 'sharpe_ratio', lacking].map(cell)).toEqual([
    7,
    'SPY',
    null,
    0.4,
    0.5,
    null,
  ]);
  expect(page).toMatchObject({ total: 1, nextCursor: null });
});
