import type { ResultBlock } from '@quantloom/domain/contracts/result-block';
import { describe, expect, it } from 'vitest';
import { asset, batchOf, condition, ifThenElse, marketOf, root } from '../../testing/fixtures.ts';
import { BlockMemory } from './block-memory.ts';
import { BatchJob, type BatchJobHooks, type BatchJobInput, BLOCK_ROWS, type Task } from './jobs.ts';

const prices = marketOf({ SPY: { seed: 1, firstDay: 12_000, bars: 300 } });
/** So small a part of a task's usual length that it has one row, as it always has at least. */
const ONE_ROW = 0;
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i + 2);
/** 90,000 combinations. */
const batch = batchOf(
  root(
    ifThenElse(
      [
        condition({
          ...{ lhs_val: 'SPY', lhs_fn_params: { window: '$W' }, comparator: 'gt' },
          ...{ rhs_fixed_val: true, rhs_val: '$V' },
        }),
      ],
      [asset('SPY')],
      [],
    ),
  ),
  { $W: numbers(300), $V: numbers(300) },
);
const input = { batch, prices, today: '2026-11-21', from: 0, count: 90_000, batchId: 'b1', owner: 'ann' };

function jobOf(more: Partial<BatchJobInput> = {}, hooks: Partial<BatchJobHooks> = {}): BatchJob {
  const job = new BatchJob(
    { ...input, ...more },
    { onBlock: async () => undefined, onReady: () => undefined, memory: new BlockMemory(), ...hooks },
  );
  // Whoever wants to know of its end asks.
  job.settled.catch(() => undefined);
  return job;
}

function done(
  job: BatchJob,
  task: Task,
  more: { cpuMilliseconds?: number; failed?: readonly number[] } = {},
) {
  const { cpuMilliseconds = 1, failed = [] } = more;
  const failures = failed.map((combination) => ({ combination, reason: `no ${combination}` }));
  job.accept(task, { type: 'range-done', task: 1, failures, milliseconds: 1, cpuMilliseconds });
}

describe('a range of a batch', () => {
  it('hands out no more than four blocks ahead of what is stored, however slow the store is', async () => {
    const stored: ResultBlock[] = [];
    const waiting: (() => void)[] = [];
    const job = jobOf(
      {},
      {
        onBlock: (block) => {
          stored.push(block);
          return new Promise((resolve) => waiting.push(resolve));
        },
      },
    );
    const takeAll = () => {
      let rows = 0;
      while (job.isReady(0)) {
        const task = job.take();
        if (task.type !== 'range') throw new Error('This is no range');
        for (const { from, to } of task.ranges) rows += to - from;
        done(job, task);
      }
      return rows;
    };
    expect(takeAll()).toBe(4 * BLOCK_ROWS);
    waiting.shift()?.();
    await expect.poll(() => stored.length).toBe(2);
    expect(takeAll()).toBe(BLOCK_ROWS);
  });

  it('tells what cannot run in the order of the combinations, whichever thread was the first', async () => {
    const stored: ResultBlock[] = [];
    const job = jobOf({ count: 40 }, { onBlock: async (block) => void stored.push(block) });
    const tasks: Task[] = [];
    while (job.isReady(0)) tasks.push(job.take(ONE_ROW));
    expect(tasks).toHaveLength(40);
    for (const task of tasks.toReversed()) {
      if (task.type !== 'range') throw new Error('This is no range');
      done(job, task, { failed: task.ranges.map(({ from }) => from) });
    }
    await job.settled;
    const told = stored.flatMap(({ failures }) => failures.map(({ combination }) => combination));
    expect(told).toEqual(Array.from(tasks, (_, i) => i));
  });

  it('begins with a few rows, and with a single one where the template is large', () => {
    const rowsOfFirst = (name: string) => {
      const named = { ...batch, template_bot: { ...batch.template_bot, name } };
      const task = jobOf({ batch: named }).take();
      if (task.type !== 'range') throw new Error('This is no range');
      return task.ranges.reduce((rows, { from, to }) => rows + to - from, 0);
    };
    expect(rowsOfFirst('small')).toBe(16);
    expect(rowsOfFirst('x'.repeat(200_000))).toBe(1);
  });

  it('is long as soon as a row of it was, but not on the thread that it was given for a measurement', () => {
    for (const more of [{}, { thread: 1 }]) {
      const job = jobOf({ count: 2, ...more });
      expect(job.isLong).toBe(false);
      const slow = { failures: [], milliseconds: 5_000, cpuMilliseconds: 5_000 };
      job.accept(job.take(ONE_ROW), { type: 'range-done', task: 1, ...slow });
      expect(job.isLong).toBe(!('thread' in more));
      expect([job.isReady(0), job.isReady(1)]).toEqual([!('thread' in more), true]);
    }
  });

  it('is ended at its deadline, but not where that comes with its last row', async () => {
    const deadlineMs = 100;
    const job = jobOf({ count: 2, deadlineMs });
    done(job, job.take(ONE_ROW), { cpuMilliseconds: 99 });
    done(job, job.take(ONE_ROW), { cpuMilliseconds: 1 });
    await expect(job.settled).resolves.toEqual({ cpuMilliseconds: 100, busyMilliseconds: 2 });
    const late = jobOf({ count: 2, deadlineMs });
    done(late, late.take(ONE_ROW), { cpuMilliseconds: 100 });
    await expect(late.settled).rejects.toMatchObject({ refusal: { code: 'took_too_long' } });
  });

  it('is what a thread has open already only where batch, prices and day are the same', () => {
    const { key } = jobOf().open;
    expect(jobOf().open.key).toBe(key);
    expect(jobOf({ batch: structuredClone(batch) }).open.key).toBe(key);
    const others: Partial<BatchJobInput>[] = [
      { prices: marketOf({ SPY: { seed: 2, firstDay: 12_000, bars: 300 } }) },
      { today: '2026-11-22' },
      { force: 'reference' },
      { batch: batchOf(root(asset('$A')), { $A: ['SPY'] }), count: 1 },
    ];
    for (const other of others) {
      // What was worked out for the last one is kept.
      jobOf();
      const { open } = jobOf(other);
      expect(open.key).not.toBe(key);
      expect(open.options.today).toBe(other.today ?? input.today);
      if (other.prices) expect(open.prices.get('SPY')?.closes).toEqual(other.prices.get('SPY')?.closes);
    }
  });
});
