import type { BacktestConfig } from '@quantloom/domain/contracts/backtest';
import type { BacktestRunner } from '@quantloom/domain/ports/backtest-runner';
import { STARTERS } from '@quantloom/domain/strategy/starters';
import type { Algorithm } from '@quantloom/domain/strategy/tree';
import { ulid } from 'ulid';
import { describe, expect, it } from 'vitest';
import { cashEarned, countsOnce } from './cash-earned.ts';

const DAY = 86_400;
/** Twenty days: ten blocks of two days. */
const CONFIG = { start_date: '2020-01-01', end_date: '2020-01-20' } as BacktestConfig;

/** Bills that earn so many percent on the n-th day of the period as the day has: 1% on January 1, and so on. */
function earned(config: Partial<BacktestConfig>, fault?: Error) {
  const first = Date.parse('2019-12-31') / 1_000;
  const timestamps = Array.from({ length: 21 }, (_, day) => first + day * DAY);
  const value = [1];
  for (let day = 1; day < timestamps.length; day += 1) value.push((value.at(-1) ?? 1) * (1 + day / 100));
  const runner = {
    run: async () => {
      if (fault) throw fault;
      return { history: { timestamps, value } };
    },
  } as unknown as BacktestRunner;
  const algorithm = STARTERS[0]?.build(ulid) as Algorithm;
  const batch = { algorithm, variables: [], config: { ...CONFIG, ...config }, dataVersion: 'v1' };
  return cashEarned(runner, batch, new AbortController().signal);
}
const close = (values: readonly number[]) => values.map((value) => expect.closeTo(value, 12));

describe('what cash earned in each block of a period', () => {
  it('is its mean return on the days of the block', async () => {
    const { name, of } = await earned({});
    expect(name).toBe('Treasury bills (SIM:BIL)');
    const { shares, daily } = of('whole');
    expect(shares).toEqual(Array.from({ length: 10 }, () => 1));
    expect(daily).toEqual(close([1.5, 3.5, 5.5, 7.5, 9.5, 11.5, 13.5, 15.5, 17.5, 19.5].map((p) => p / 100)));
    // Without a date that divides it, the whole is on either side.
    expect([of('in'), of('out')]).toEqual([of('whole'), of('whole')]);
  });

  it('ends the day before the out-of-sample date on the one side, and begins with it on the other', async () => {
    // January 6 is the second day of the third block.
    const { of } = await earned({ out_of_sample_date: '2020-01-06' });
    expect(of('in')).toEqual({
      shares: [1, 1, 0.5, 0, 0, 0, 0, 0, 0, 0],
      daily: close([0.015, 0.035, 0.05, 0, 0, 0, 0, 0, 0, 0]),
    });
    expect(of('out')).toEqual({
      shares: [0, 0, 0.5, 1, 1, 1, 1, 1, 1, 1],
      daily: close([0, 0, 0.06, 0.075, 0.095, 0.115, 0.135, 0.155, 0.175, 0.195]),
    });
    expect(of('whole').shares).toEqual(Array.from({ length: 10 }, () => 1));
  });

  it('is the rate of the run on every day, the last one included', async () => {
    const daily = 1.05 ** (1 / 252) - 1;
    // Ten days: each is a block.
    const { name, of } = await earned({ end_date: '2020-01-10', cash: { rate: 5 } });
    const everyDay = Array.from({ length: 10 }, () => daily);
    expect([name, of('whole').daily]).toEqual(['cash at 5% a year', close(everyDay)]);
  });

  it('has no name and earns nothing where it cannot be run just now', async () => {
    const { name, of } = await earned({ out_of_sample_date: '2020-01-06' }, new Error('broken'));
    expect(name).toBeNull();
    expect(of('in')).toEqual({
      shares: [1, 1, 0.5, 0, 0, 0, 0, 0, 0, 0],
      daily: Array.from({ length: 10 }, () => 0),
    });
  });
});

describe('how many returns rows have in each block', () => {
  const batch = { id: 'b', combinations: 2 };
  /** A store that has `block * 10 + row` returns. */
  const store = () => {
    const reads: string[] = [];
    return {
      reads,
      readColumns: async (
        id: string,
        columns: readonly { name: string; into: { [row: number]: number } }[],
      ) => {
        for (const { name, into } of columns) {
          reads.push(`${id} ${name}`);
          for (const row of [0, 1]) into[row] = Number(name.split('_').at(-1)) * 10 + row;
        }
      },
    };
  };
  const sumsOf = (blocks: number) =>
    Promise.resolve({ blocks, counts: Uint16Array.from({ length: 2 * blocks }, () => 7) } as never);

  it('is read once, of all blocks', async () => {
    const counted = store();
    const counts = countsOnce(counted as never, batch);
    expect([...(await counts())]).toEqual(Array.from({ length: 20 }, (_, i) => 10 * (i >> 1) + (i % 2)));
    expect(await counts()).toBe(await counts());
    expect(counted.reads).toEqual(Array.from({ length: 10 }, (_, block) => `b block_count_${block}`));
  });

  it('is taken from sums that are read anyway, where these are of all blocks', async () => {
    const counted = store();
    expect([...(await countsOnce(counted as never, batch, sumsOf(10))())]).toEqual(new Array(20).fill(7));
    expect(counted.reads).toEqual([]);
    expect(await countsOnce(counted as never, batch, sumsOf(4))()).toHaveLength(20);
    expect(counted.reads).toHaveLength(10);
  });
});
