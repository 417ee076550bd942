import type { DailyRows } from '@quantloom/domain/ports/backtest-runner';
import { afterAll, describe, expect, it } from 'vitest';
import { asset, batchOf, condition, ifThenElse, marketOf, root } from '../../testing/fixtures.ts';
import { ReferenceBatch } from '../engine/batch/batch-reference.ts';
import { planBatch } from '../engine/batch/compile/batch-plan.ts';
import { dailyRows } from '../engine/batch/daily-rows.ts';
import { DailyJob } from './daily-job.ts';
import { createWorkerPool } from './worker-pool.ts';

const OPTIONS = { today: '2026-11-21' };
const prices = marketOf({
  SPY: { seed: 1, firstDay: 12_000, bars: 1500 },
  AAA: { seed: 2, firstDay: 12_000, bars: 1500 },
});
const batch = batchOf(
  root(
    ifThenElse(
      [condition({ lhs_val: 'SPY', lhs_fn_params: { window: '$W' } })],
      [asset('$A')],
      [asset('SPY')],
    ),
  ),
  { $A: ['AAA', 'ZZZ'], $W: Array.from({ length: 40 }, (_, i) => i + 2) },
);
const input = { batch, prices, ...OPTIONS, owner: 'ann' };
const pool = createWorkerPool({ threads: 2, cacheBytes: 64 << 20 });
afterAll(() => pool.close());

describe('rows day by day on threads', () => {
  it('are those of the engine, and its failures', async () => {
    const combinations = Array.from({ length: 80 }, (_, k) => 79 - k);
    const parts: DailyRows[] = [];
    await pool.runDaily({ ...input, combinations }, (part) => parts.push(part));
    const expected = dailyRows(new ReferenceBatch(planBatch(batch, prices, OPTIONS)), combinations);
    const byCombination = <T extends { readonly combination: number }>(all: readonly T[]) =>
      all.toSorted((a, b) => b.combination - a.combination);
    expect(byCombination(parts.flatMap(({ rows }) => rows))).toEqual(expected.rows);
    expect(byCombination(parts.flatMap(({ failures }) => failures))).toEqual(expected.failures);
  });

  it('are none where none is asked for', async () => {
    const parts: DailyRows[] = [];
    await pool.runDaily({ ...input, combinations: [] }, (part) => parts.push(part));
    expect(parts).toEqual([]);
  });

  it('refuse a batch that cannot run, in the words of the plan', async () => {
    const backtest_config = { ...batch.backtest_config, start_date: '2009-01-01', end_date: '2001-01-01' };
    const impossible = { ...input, batch: { ...batch, backtest_config }, combinations: [0] };
    await expect(pool.runDaily(impossible, () => {})).rejects.toMatchObject({ refusal: { status: 400 } });
  });

  it('stop coming once nobody waits for them any more', async () => {
    const leaving = new AbortController();
    const combinations = Array.from({ length: 40 }, (_, k) => k);
    let parts = 0;
    const running = pool.runDaily(
      { ...input, combinations },
      () => {
        parts += 1;
        leaving.abort(new Error('left'));
      },
      { signal: leaving.signal },
    );
    await expect(running).rejects.toThrow('left');
    expect(parts).toBe(1);
    // The threads are free for others.
    await pool.runDaily({ ...input, combinations: [0] }, () => {
      parts += 1;
    });
    expect(parts).toBe(2);
  });
});

describe('a job of rows day by day', () => {
  const rows: DailyRows = { rows: [], failures: [] };
  const answered = (cpuMilliseconds: number) =>
    ({ type: 'daily-done', task: 1, rows, milliseconds: cpuMilliseconds, cpuMilliseconds }) as const;
  const of = (more: { readonly expectedMs?: number; readonly deadlineMs?: number }) =>
    new DailyJob({ ...input, combinations: Array.from({ length: 100 }, (_, k) => k), ...more }, () => {});
  const rowsOf = (task: ReturnType<DailyJob['take']>) => (task.type === 'daily' ? task.combinations : []);

  it('begins with few rows and grows with the speed that it sees', () => {
    const job = of({});
    const first = job.take();
    expect(rowsOf(first)).toEqual([0, 1, 2, 3]);
    job.accept(first, answered(2));
    expect(rowsOf(job.take())).toHaveLength(16);
  });

  it('hands out an eighth of that where others are at work, and a row at least', () => {
    const job = of({});
    const first = job.take(0.125);
    expect(rowsOf(first)).toEqual([0]);
    job.accept(first, answered(0.5));
    expect(rowsOf(job.take(0.125))).toEqual([1, 2]);
    expect(rowsOf(job.take())).toHaveLength(16);
  });

  it('hands out one row at a time of what is expected to be slow, and is long', () => {
    const job = of({ expectedMs: 3_000 });
    expect(job.isLong).toBe(true);
    const task = job.take();
    expect(rowsOf(task)).toEqual([0]);
    // It was not.
    job.accept(task, answered(1));
    expect(job.isLong).toBe(false);
  });

  it('ends with a refusal once it has taken what it may', async () => {
    const job = of({ deadlineMs: 100 });
    job.accept(job.take(), answered(60));
    expect(job.isSettled).toBe(false);
    // To the millisecond.
    job.accept(job.take(), answered(40));
    await expect(job.settled).rejects.toMatchObject({ refusal: { code: 'took_too_long' } });
    expect(job.isReady()).toBe(false);
  });
});
