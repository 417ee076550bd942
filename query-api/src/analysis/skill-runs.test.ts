import type { BacktestConfig, BacktestRequest } from '@quantloom/domain/contracts/backtest';
import { RefusalError, refuse } from '@quantloom/domain/kernel/refusal';
import type { BacktestRunner, DailyRows } from '@quantloom/domain/ports/backtest-runner';
import { STARTERS } from '@quantloom/domain/strategy/starters';
import type { Algorithm } from '@quantloom/domain/strategy/tree';
import { ulid } from 'ulid';
import { beforeEach, describe, expect, it } from 'vitest';
import { isMissing, returnsOf, SkillRuns } from './skill-runs.ts';

let now: number;
/** What the engine fails with, and how often it was asked. */
let fault: unknown;
let asked: number;
/** What it was asked for last, and what rows it cannot run. */
let request: BacktestRequest | null;
let failures: DailyRows['failures'];

beforeEach(() => {
  [now, fault, asked, request, failures] = [0, null, 0, null, []];
});

function runs(over: Partial<BacktestConfig> = {}): SkillRuns {
  const runner = {
    dailyRows: async (_: unknown, __: unknown, onRows: (rows: DailyRows) => void) => {
      onRows({ rows: [], failures });
      if (fault) throw fault;
    },
    run: async (wanted: BacktestRequest) => {
      asked += 1;
      request = wanted;
      if (fault) throw fault;
      return { history: { timestamps: [0, 86_400, 172_800], value: [100, 101, 101] } };
    },
  } as unknown as BacktestRunner;
  const config = { start_date: '2020-01-02', end_date: '2020-12-31', ...over };
  const algorithm = STARTERS[0]?.build(ulid) as Algorithm;
  return new SkillRuns(
    runner,
    { algorithm, variables: [], config, dataVersion: 'v1' },
    { milliseconds: 1_000, signal: new AbortController().signal, now: () => now },
  );
}

describe('what the engine refuses to run', () => {
  it.each([
    ['has no prices', refuse(422, 'unknown_tickers', 'There are no prices of SIM:BIL')],
    ['does not exist any more', refuse(404, 'unknown_version', 'The version is gone')],
  ])('stays away where it %s', async (_, refusal) => {
    fault = new RefusalError(refusal);
    expect(await runs().asset('SIM:BIL')).toEqual({ reason: refusal.detail, isLasting: true });
  });

  it.each([
    ['others have their turn', new RefusalError(refuse(429, 'too_many_at_once', 'Too many'))],
    ['it took too long', new RefusalError(refuse(422, 'took_too_long', 'It took too long'))],
    ['the engine breaks', new Error('division by zero')],
  ])('is to be had later where %s', async (_, error) => {
    fault = error;
    const reason = 'the rows could not be run again just now';
    expect(await runs().asset('SIM:BIL')).toEqual({ reason, isLasting: false });
  });
});

describe('the time for runs', () => {
  it('is over at its end, and begins anew', async () => {
    const some = runs();
    now = 1_000;
    expect([some.isOutOfTime, await some.asset('SPY')]).toMatchObject([true, { isLasting: false }]);
    expect(asked).toBe(0);
    now = 1_200;
    some.begin(500);
    now = 1_699;
    expect(some.isOutOfTime).toBe(false);
    expect(isMissing(await some.asset('SPY'))).toBe(false);
    // What is left of it is not added to the next.
    some.begin(500);
    now = 2_199;
    expect(some.isOutOfTime).toBe(true);
  });
});

describe('what cash earns', () => {
  const days = Float64Array.of(86_400, 172_800);
  const earned = async (some: SkillRuns) => {
    const cash = await some.cash();
    return isMissing(cash) ? cash : [cash.name, [...cash.on(days).returns]];
  };

  it('is what the run says: a rate by the trading day, or a ticker', async () => {
    const daily = expect.closeTo(1.05 ** (1 / 252) - 1, 15);
    expect(await earned(runs({ cash: { rate: 5 } }))).toEqual(['cash at 5% a year', [daily, daily]]);
    const returns = [expect.closeTo(0.01, 12), 0];
    expect(await earned(runs({ cash: { ticker: 'SHY' } }))).toEqual(['SHY', returns]);
    expect(await earned(runs())).toEqual(['Treasury bills (SIM:BIL)', returns]);
  });

  it('is nothing only where there never will be prices of it', async () => {
    fault = new RefusalError(refuse(422, 'unknown_tickers', 'There are no prices of SIM:BIL'));
    expect(await earned(runs())).toEqual(['cash that earns nothing', [0, 0]]);
    fault = new RefusalError(refuse(429, 'too_many_at_once', 'Too many'));
    expect(await earned(runs())).toMatchObject({ isLasting: false });
  });
});

it('holds a ticker without costs, over the period of the batch', async () => {
  await runs({ slippage_bps: 25 }).asset('SPY');
  expect(request).toMatchObject({ start_date: '2020-01-02', end_date: '2020-12-31', slippage_bps: 0 });
});

it('earns returns on the day that ends them', () => {
  const { days, returns } = returnsOf([0, 86_400, 172_800], [100, 101, 101]);
  expect([[...days], [...returns]]).toEqual([
    [86_400, 172_800],
    [expect.closeTo(0.01, 12), 0],
  ]);
});

describe('why rows are missing', () => {
  it('is what the first of them says, and lasts; an engine that failed may have recovered', async () => {
    const some = runs();
    failures = [{ combination: 3, reason: 'A1 is not in the data' }];
    fault = new Error('division by zero');
    await some.rows([3, 4]);
    expect(some.failure).toEqual({ reason: 'A1 is not in the data', isLasting: true });
    const others = runs();
    failures = [{ combination: 3, reason: null }];
    await others.rows([3]);
    expect(others.failure).toMatchObject({ isLasting: false });
  });
});
