import type { BacktestConfig } from '@quantloom/domain/contracts/backtest';
import { describe, expect, it } from 'vitest';
import type { AnalysisThreads } from './analysis-threads.ts';
import {
  daysOfBlock,
  inSampleConfig,
  inSamplePart,
  storedBlockSums,
  storedMarks,
  withBlockSums,
} from './stored-block-sums.ts';
import { runTask } from './tasks.ts';

it('holds the sums of two batches at a time, and reads the next ones when it is their turn', async () => {
  const read: string[] = [];
  const store = { readColumns: async (id: string) => void read.push(id) };
  const gates = new Map(['a', 'b', 'c', 'd'].map((id) => [id, Promise.withResolvers<string>()]));
  const works = [...gates].map(([id, gate]) =>
    withBlockSums(store, { id, combinations: 10 }, 4, async ({ rows, blocks }) => {
      expect([rows, blocks]).toEqual([10, 4]);
      return await gate.promise;
    }),
  );
  await expect.poll(() => read).toEqual(['a', 'b']);
  gates.get('b')?.resolve('done');
  await expect.poll(() => read).toEqual(['a', 'b', 'c']);
  // One that fails makes room as well.
  gates.get('c')?.reject(new Error('no thread'));
  await expect(works[2]).rejects.toThrow('no thread');
  await expect.poll(() => read).toEqual(['a', 'b', 'c', 'd']);
  for (const gate of gates.values()) gate.resolve('done');
  expect((await Promise.allSettled(works)).map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'rejected',
    'fulfilled',
  ]);
});

describe('the blocks of a period', () => {
  // 25 days: ten blocks of two or three days.
  const config = { start_date: '2020-01-01', end_date: '2020-01-25' } as BacktestConfig;
  const split = (out_of_sample_date: string) => ({ ...config, out_of_sample_date });

  it('follow each other without a gap from its first day to its last', () => {
    const blocks = Array.from({ length: 10 }, (_, block) => daysOfBlock(block, config));
    expect(blocks[0]).toEqual({ from: '2020-01-01', to: '2020-01-03' });
    expect(blocks[1]).toEqual({ from: '2020-01-04', to: '2020-01-05' });
    expect(blocks[2]).toEqual({ from: '2020-01-06', to: '2020-01-08' });
    expect(blocks[9]?.to).toBe('2020-01-25');
  });

  it('are in sample as far as they end before the date', () => {
    expect(inSamplePart(config)).toBeNull();
    // The fourth block ends on January 10, the fifth on January 13.
    expect(inSamplePart(split('2020-01-11'))).toEqual({ blocks: 4, share: 0.4 });
    expect(inSamplePart(split('2020-01-13'))).toEqual({ blocks: 4, share: 0.48 });
    // The second block ends on January 5.
    expect(inSamplePart(split('2020-01-06'))).toEqual({ blocks: 2, share: 0.2 });
    expect(inSamplePart(split('2020-01-05'))?.blocks).toBe(1);
    expect(inSamplePart(split('2020-01-25'))).toEqual({ blocks: 9, share: 0.96 });
  });

  it('are run in sample up to the day before the date', () => {
    expect(inSampleConfig(split('2020-01-11'))).toEqual({ ...config, end_date: '2020-01-10' });
    expect(inSampleConfig(config)).toEqual(config);
  });
});

/** A store whose columns have this in each row; NaN where nothing is said of one. */
const storeOf = (columns: Readonly<Record<string, readonly number[]>>) => ({
  readColumns: async (
    _: string,
    wanted: readonly { name: string; into: { set(from: number[]): void } }[],
  ) => {
    for (const { name, into } of wanted) into.set([...(columns[name] ?? [Number.NaN, Number.NaN])]);
  },
});

it('has counts, sums and squares by block and row, and no days of a row that failed', async () => {
  const store = storeOf({
    block_count_0: [20, Number.NaN],
    block_count_1: [21, 22],
    block_sum_0: [0.25, Number.NaN],
    block_sum_1: [0.5, 0.75],
    block_sum_squares_0: [1.25, Number.NaN],
    block_sum_squares_1: [1.5, 1.75],
  });
  const sums = await storedBlockSums(store as never, 'b1', 2, 2);
  expect([...sums.counts]).toEqual([20, 0, 21, 22]);
  expect([...sums.sums]).toEqual([0.25, Number.NaN, 0.5, 0.75]);
  expect([...sums.squares]).toEqual([1.25, Number.NaN, 1.5, 1.75]);
});

it('tells what is like cash by the days that rows are ranked on', async () => {
  const threads: AnalysisThreads = { run: async (task) => runTask(task), close: async () => {} };
  // The second row was in cash until the out-of-sample date.
  const store = storeOf({
    standard_deviation: [0.1, 0.1],
    in_standard_deviation: [0.1, 0.0001],
    correlation: [0.5, 0.5],
  });
  const period = { start_date: '2020-01-01', end_date: '2020-12-31' };
  const marks = (config: object) =>
    storedMarks(store as never, threads, { id: 'b1', combinations: 2, config: { ...period, ...config } });
  expect([...(await marks({}))]).toEqual([0, 0]);
  expect([...(await marks({ out_of_sample_date: '2020-07-01' }))]).toEqual([0, 1]);
});

it('tells a mix with the benchmark by the whole period, whichever days rows are ranked on', async () => {
  const threads: AnalysisThreads = { run: async (task) => runTask(task), close: async () => {} };
  // What the benchmark leaves of the second row is little before the out-of-sample date, and much in all.
  const store = storeOf({
    standard_deviation: [0.2, 0.2],
    in_standard_deviation: [0.2, 0.02],
    correlation: [1, 0.995],
  });
  const period = { start_date: '2020-01-01', end_date: '2020-12-31', out_of_sample_date: '2020-07-01' };
  for (const config of [period, { ...period, out_of_sample_date: undefined }])
    expect([
      ...(await storedMarks(store as never, threads, {
        id: 'b1',
        combinations: 2,
        config: config as BacktestConfig,
      })),
    ]).toEqual([1, 0]);
});
