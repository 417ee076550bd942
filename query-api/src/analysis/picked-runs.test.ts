import { RefusalError, refuse } from '@quantloom/domain/kernel/refusal';
import { costOfRun } from '@quantloom/domain/limits/cost';
import { sizeOf } from '@quantloom/domain/strategy/size';
import { STARTERS } from '@quantloom/domain/strategy/starters';
import { ulid } from 'ulid';
import { beforeEach, describe, expect, it } from 'vitest';
import { type PickedBatch, runPicked } from './picked-runs.ts';

const ALGORITHM = STARTERS[0]?.build(ulid);
const CONFIG = { start_date: '2010-01-04', end_date: '2020-12-31', slippage_bps: 10 };
const DAYS = (Date.parse(CONFIG.end_date) - Date.parse(CONFIG.start_date)) / 86_400_000;

/** A batch of three combinations, with changes to its settings. */
const batchOf = (config: object = {}, isLocked = false) =>
  ({
    batch: { combinations: 3, dataVersion: 'v7' },
    definition: {
      templateBot: { algorithm: ALGORITHM },
      backtestConfig: { ...CONFIG, ...config },
    },
    variables: [{ name: '$A', values: ['SPY', 'TLT', 'GLD'] }],
    isLocked,
  }) as unknown as PickedBatch;

describe('picked rows that are run again', () => {
  let expected: number[];
  let settled: number[];
  let budget: number;
  let asked: { readonly request: Record<string, unknown>; readonly options: Record<string, unknown> }[];
  beforeEach(() => {
    [expected, settled, budget, asked] = [[], [], Number.POSITIVE_INFINITY, []];
  });

  const run = (picked: PickedBatch, combinations: readonly number[]) => {
    const cost = {
      limits: { deadlineSeconds: 60 },
      expect: async (milliseconds: number) => {
        expected.push(milliseconds);
        return milliseconds > budget ? refuse(429, 'cost_limit', 'The budget is spent.') : null;
      },
      settle: async (milliseconds: number) => void settled.push(milliseconds),
    };
    const backtestRunner = {
      run: async (request: Record<string, unknown>, options: { onSpent?: (ms: number) => void }) => {
        asked.push({ request, options: options as never });
        options.onSpent?.(100 * asked.length);
        if (asked.length === 2) throw new RefusalError(refuse(400, 'no_common_days', 'There are no days'));
        return { metrics: {} };
      },
    };
    const call = { cost, principal: { userId: 'ann' } };
    return runPicked(call as never, { backtestRunner } as never, picked, combinations, { history: true });
  };

  it('cost what all of them are expected to take, and then what all of them took', async () => {
    const runs = await run(batchOf(), [2, 0, 1]);
    const one = costOfRun(sizeOf(ALGORITHM), DAYS);
    expect(expected).toEqual([3 * one]);
    expect(settled).toEqual([600]);
    expect(runs).toMatchObject([
      { combination: 2, values: { $A: 'GLD' }, answer: { metrics: {} } },
      // What cannot be run is told beside the others.
      { combination: 0, values: { $A: 'SPY' }, answer: { code: 'no_common_days' } },
      { combination: 1, values: { $A: 'TLT' }, answer: { metrics: {} } },
    ]);
    expect(asked[0]?.options).toMatchObject({ dataVersion: 'v7', owner: 'ann', expectedMs: one });
    expect(asked[0]?.options).toMatchObject({ deadlineMs: 60_000 });
  });

  it('are none where the budget is spent, or one of them is not of the batch', async () => {
    budget = 0;
    expect(await run(batchOf(), [0])).toMatchObject({ status: 429 });
    expect(await run(batchOf(), [2, 3])).toMatchObject({ status: 400, code: 'unknown_combination' });
    expect(asked).toEqual([]);
  });

  it('end before the part that is locked away, and go on to the end where it was opened', async () => {
    const split = { out_of_sample_date: '2016-01-04' };
    await run(batchOf(split, true), [0]);
    await run(batchOf(split, false), [0]);
    await run(batchOf({}, true), [0]);
    expect(asked.map(({ request }) => request.end_date)).toEqual(['2016-01-03', '2020-12-31', '2020-12-31']);
    for (const { request } of asked) expect(request).not.toHaveProperty('out_of_sample_date');
  });
});
