import { BATCH_ANALYSES_COLLECTION } from '@quantloom/domain/batch/projections';
import type { BacktestAnswer, BacktestRequest } from '@quantloom/domain/contracts/backtest';
import { RefusalError, refuse } from '@quantloom/domain/kernel/refusal';
import { DEMO_VERSION } from '@quantloom/domain/market-data/demo/demo-data-set';
import { Random } from '@quantloom/domain/market-data/demo/deterministic';
import { fakeSharpe } from '@quantloom/projectors/testing/batch-stack';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type BatchApi, openBatchApi, SOME_ANSWER } from '../../testing/batch-api.ts';

let api: BatchApi;
beforeAll(async () => {
  api = await openBatchApi();
});
afterAll(() => api.close());
afterEach(() => {
  api.engine.answer = null;
  api.engine.defect = null;
  api.engine.stored = null;
});

const DAYS = 1_500;
const BILLS = 0.02 / 252;
const MARKET = returnsOf('market', (random) => BILLS + 0.05 / 252 + 0.01 * random.normal());
/** The combination with the best stored Sharpe ratio; 97 and 194 have failed. */
const BEST = Array.from({ length: 200 }, (_, k) => k)
  .filter((k) => k === 0 || k % 97 !== 0)
  .reduce((best, k) => (fakeSharpe(k) > fakeSharpe(best) ? k : best));

function returnsOf(seed: string, make: (random: Random, day: number) => number): number[] {
  const random = new Random(seed);
  return Array.from({ length: DAYS }, (_, day) => make(random, day));
}

function curve(returns: readonly number[]): number[] {
  let value = 10_000;
  return [value, ...returns.map((daily) => (value *= 1 + daily))];
}

function answered(returns: readonly number[], tickers: Record<string, number>): BacktestAnswer {
  const timestamps = Array.from({ length: DAYS + 1 }, (_, day) => 1_262_563_200 + day * 86_400);
  return {
    ...SOME_ANSWER,
    history: {
      timestamps,
      value: curve(returns),
      benchmark_value: curve(MARKET),
      tickers: Object.fromEntries(
        Object.entries(tickers).map(([ticker, share]) => [ticker, timestamps.map(() => share)]),
      ),
      indicators: {},
      turnover: timestamps.map(() => 0),
    },
  };
}

const tickersOf = ({ trading_bot }: BacktestRequest): string[] =>
  [...JSON.stringify(trading_bot).matchAll(/"ticker":"([^"]+)"/g)].map(([, ticker = '']) => ticker);

/** An engine whose rows earn what `row` says; a ticker alone earns what the market does, bills, or noise of its own. */
function engine(
  row: (combination: number) => readonly number[],
  tickers: Record<string, number> = { A1: 100 },
) {
  const asked: string[] = [];
  api.engine.answer = (request) => {
    const names = tickersOf(request);
    asked.push(names.join(' '));
    const [a = '', b] = names;
    if (b) return answered(row(Number(a.slice(1)) * 10 + Number(b.slice(1))), tickers);
    if (a === 'SPY') return answered(MARKET, { SPY: 100 });
    if (a === 'SIM:BIL') return answered(Array(DAYS).fill(BILLS), { 'SIM:BIL': 100 });
    return answered(
      returnsOf(a, (random) => BILLS + 0.01 * random.normal()),
      { [a]: 100 },
    );
  };
  return asked;
}

const verdictOf = async (id: string) => {
  const answer = await api.call('GET', `/api/v1/batch-backtests/${id}/analysis/verdict`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
};
const noise = (combination: number) =>
  returnsOf(`row ${combination}`, (random) => BILLS + 0.01 * random.normal());
const beside = (combination: number, gift: number) =>
  returnsOf(`row ${combination}`, (random, day) => (MARKET[day] as number) + 0.004 * random.normal() + gift);

/** Rows that hold bills, as they are stored: the highest Sharpe ratio of all, in every part of the period. */
const storesBills =
  (isBills: (combination: number) => boolean): NonNullable<typeof api.engine.stored> =>
  (name, k) => {
    if (!isBills(k)) return undefined;
    if (name.endsWith('sharpe_ratio')) return 20;
    if (name.endsWith('standard_deviation')) return 0.001;
    if (name === 'correlation') return Number.NaN;
    if (name.startsWith('block_sum_squares')) return 250 * (BILLS ** 2 + 1e-9);
    return name.startsWith('block_sum') ? 250 * BILLS : undefined;
  };

describe('the verdict on a batch', () => {
  it('is on strategies alone where bills and the benchmark are among the rows', async () => {
    const plain = await api.finishedBatch();
    engine(noise);
    const without = await verdictOf(plain);
    const others = new Set([3, 150]);
    api.engine.stored = storesBills((k) => others.has(k));
    // Other costs, so that no row of before is used again.
    const id = await api.finishedBatch({
      backtest_config: { start_date: '2010-01-04', end_date: '2020-12-31', slippage_bps: 11 },
    });
    engine((k) => (others.has(k) ? Array(DAYS).fill(BILLS) : noise(k)));
    const verdict = await verdictOf(id);
    expect(verdict.best.combination).toBe(without.best.combination);
    expect(verdict.skill).toMatchObject({ combination: BEST, best_kind: 'cash' });
    // Without what the two rows of bills would have had: 196 of 198.
    expect(verdict.cross_validation).toMatchObject({ rows: without.cross_validation.rows - 2 });
    expect(Math.abs(verdict.cross_validation.pbo - without.cross_validation.pbo)).toBeLessThan(0.1);
    const figure = (of: typeof verdict, name: string) =>
      of.figures.find(({ key }: { key: string }) => key === name).value;
    expect(figure(verdict, 'deflated_sharpe')).toBeCloseTo(figure(without, 'deflated_sharpe'), 2);
    // Somebody tried them all the same; both of them are one trial.
    expect(verdict.trials.lineage).toBe(197);
  });

  it('shows the judged row from the out-of-sample date on, and deflates it', async () => {
    api.engine.stored = (name, k) => {
      if (name === 'in_sharpe_ratio' && k !== 3) return fakeSharpe(k);
      return storesBills((row) => row === 3)(name, k);
    };
    const id = await api.finishedBatch({
      backtest_config: {
        start_date: '2010-01-04',
        end_date: '2020-12-31',
        slippage_bps: 10,
        out_of_sample_date: '2018-01-02',
      },
    });
    // Daily returns show the best of the others to be a mix, which what is stored of it does not.
    const second = Array.from({ length: 200 }, (_, k) => k)
      .filter((k) => k !== 3 && k !== BEST && (k === 0 || k % 97 !== 0))
      .reduce((best, k) => (fakeSharpe(k) > fakeSharpe(best) ? k : best), 0);
    engine((k) => {
      if (k === 3) return Array(DAYS).fill(BILLS);
      return k === BEST ? MARKET.map((daily) => (daily + BILLS) / 2) : noise(k);
    });
    const opened = await api.call('POST', `/api/v1/batch-backtests/${id}/out-of-sample`, {});
    expect(opened.status, opened.text).toBeLessThan(300);
    const verdict = await verdictOf(id);
    expect(verdict.skill).toMatchObject({ combination: second, best_kind: 'cash' });
    expect(verdict.best).toMatchObject({ combination: second, sharpe_ratio: fakeSharpe(second) });
    expect(verdict.out_of_sample).toMatchObject({ combination: second });
  });

  it('calls noise luck, and runs a bounded number of rows for it, once', async () => {
    const id = await api.finishedBatch();
    const asked = engine(noise);
    const verdict = await verdictOf(id);
    expect(verdict.verdict).toBe('likely_luck');
    expect(['lucky_pick', 'noise']).toContain(verdict.cell);
    expect(verdict.tested).toContain('times SPY and beyond Treasury bills (SIM:BIL)');
    // 40 of the best, 80 at random, and the bills.
    expect(asked.length).toBeGreaterThan(80);
    expect(asked.length).toBeLessThanOrEqual(121);
    expect(verdict.skill).toMatchObject({ combination: BEST, best_kind: 'strategy', timing_alpha: null });
    expect(verdict.skill.p).toBeGreaterThan(0.05);
    expect(verdict.figures.map(({ key }: { key: string }) => key)).toEqual(
      expect.arrayContaining(['alpha', 'equivalent_trials', 'confidence_set', 'deflated_sharpe', 'pbo']),
    );
    // Rows that failed are no trials.
    expect(verdict.trials).toMatchObject({ lineage: 198, batch: 200 });
    const runs = asked.length;
    expect(await verdictOf(id)).toEqual(verdict);
    expect(asked.length).toBe(runs);
  });

  it('calls exposure to the market luck, however much it has earned', async () => {
    const id = await api.finishedBatch();
    engine((k) =>
      MARKET.map((daily, day) => BILLS + (1 + k / 100) * (daily - BILLS) + ((day % 7) - 3) * 0.0005),
    );
    const verdict = await verdictOf(id);
    expect(verdict.verdict).toBe('likely_luck');
    expect(verdict.skill.beta).toBeCloseTo(1 + BEST / 100, 1);
  });

  it('calls a real edge skill', async () => {
    const id = await api.finishedBatch();
    engine((k) => beside(k, k === BEST ? 0.2 / 252 : 0));
    const verdict = await verdictOf(id);
    expect(verdict).toMatchObject({ verdict: 'may_be_real', skill: { combination: BEST } });
    expect(verdict.skill.p).toBeLessThan(0.05);
    expect(verdict.skill.alpha).toBeGreaterThan(0.1);
  });

  it('does not call it skill where the alpha is that of what the row holds', async () => {
    const id = await api.finishedBatch();
    const one = returnsOf('A1', (random) => BILLS + 0.01 * random.normal());
    // Half of a ticker with an alpha, half of bills, all the time.
    engine((k) => (k === BEST ? one.map((daily) => 0.5 * daily + 0.5 * BILLS + 0.0008) : noise(k)), {
      A1: 50,
      'SIM:BIL': 50,
    });
    const verdict = await verdictOf(id);
    expect(verdict).toMatchObject({ verdict: 'likely_luck', cell: null });
    expect(verdict.sentence).toContain('alpha of what the row holds');
    expect(verdict.sentence).not.toContain('skill');
  });

  it('judges the best strategy where the best row is like cash', async () => {
    const id = await api.finishedBatch();
    engine((k) => (k === BEST ? Array(DAYS).fill(BILLS) : noise(k)));
    const verdict = await verdictOf(id);
    expect(verdict.skill).toMatchObject({ best_kind: 'cash', not_strategies: 1 });
    expect(verdict.skill.combination).not.toBe(BEST);
    expect(verdict.sentence).toContain('like cash and cannot win');
  });

  it('says that there is no strategy where all rows are mixes of the benchmark and cash', async () => {
    const id = await api.finishedBatch();
    engine((k) => MARKET.map((daily) => BILLS + (k / 400) * (daily - BILLS) + 0.0001));
    const verdict = await verdictOf(id);
    expect(verdict).toMatchObject({ verdict: 'not_tested', cell: null, tested: null, skill: null });
    expect(verdict.sentence).toContain('no strategy to judge');
    expect(verdict.sentence).not.toContain('skill');
  });

  it('says in words what could not be tested, and tries again where that may pass', async () => {
    const id = await api.finishedBatch();
    api.engine.defect = new Error('the pool is gone');
    const failed = await verdictOf(id);
    expect(failed).toMatchObject({ verdict: 'not_tested', skill: null });
    expect(failed.sentence).toContain(
      'could not be tested, because the rows could not be run again just now',
    );
    api.engine.defect = null;
    engine(noise);
    expect((await verdictOf(id)).verdict).toBe('likely_luck');
  });

  it('ranks by the Sharpe ratio over cash: a short bond has the best plain one and is not judged', async () => {
    // It earns little more than the bills of this engine, which has prices of them for four of eleven years.
    const bond: Record<string, number> = { sharpe_ratio: 1.2, standard_deviation: 0.012 };
    api.engine.stored = (name, k) => (k === 5 ? bond[name] : undefined);
    const config = { start_date: '2010-01-04', end_date: '2020-12-31' };
    const id = await api.finishedBatch({ backtest_config: { ...config, slippage_bps: 12 } });
    engine(noise);
    const { best, skill, cash, tested } = await verdictOf(id);
    expect([best.combination, skill.combination]).toEqual([BEST, BEST]);
    expect(best.sharpe_over_cash).toBeLessThan(best.sharpe_ratio);
    expect(cash).toEqual({ name: 'Treasury bills (SIM:BIL)', daily_by_block: expect.any(Array) });
    expect(tested).toMatch(
      /^Ranked by Sharpe ratio over Treasury bills \(SIM:BIL\); tested: alpha, the return of combination \d+ /,
    );
  });

  it('ranks by the plain ratio where a row has no deviation stored, and says so', async () => {
    api.engine.stored = (name, k) => (k === 5 && name === 'standard_deviation' ? Number.NaN : undefined);
    const config = { start_date: '2010-01-04', end_date: '2020-12-31' };
    const id = await api.finishedBatch({ backtest_config: { ...config, slippage_bps: 13 } });
    engine(noise);
    const verdict = await verdictOf(id);
    expect(verdict.tested).toMatch(
      /^Ranked by plain Sharpe ratio, because not all rows have a deviation stored; tested: alpha/,
    );
    expect(verdict.cash).toEqual({ name: null, daily_by_block: Array(10).fill(0) });
    expect(verdict.best).toMatchObject({ combination: BEST, sharpe_over_cash: fakeSharpe(BEST) });
  });

  it('ranks by the plain ratio while cash cannot be looked up, says so, and over cash from the next look on', async () => {
    const id = await api.finishedBatch();
    api.engine.defect = new Error('the pool is gone');
    const without = await verdictOf(id);
    expect(without.cash.name).toBeNull();
    expect(
      without.figures.find(({ key }: { key: string }) => key === 'expected_best_by_luck').explanation,
    ).toContain('no cash is taken off, because what cash earned could not be looked up just now');
    api.engine.defect = null;
    const asked = engine(noise);
    const first = await verdictOf(id);
    expect(first.cash.name).toBe('Treasury bills (SIM:BIL)');
    expect(first.best.sharpe_over_cash).toBeLessThan(first.best.sharpe_ratio);
    const runs = asked.length;
    expect(await verdictOf(id)).toEqual(first);
    expect(asked.length).toBe(runs);
  });

  it('gives none on the simulated prices of the demo, and tells the test as an exercise', async () => {
    const real = api;
    api = await openBatchApi({ dataVersion: DEMO_VERSION });
    try {
      const id = await api.finishedBatch();
      engine((k) => beside(k, k === BEST ? 0.2 / 252 : 0));
      const verdict = await verdictOf(id);
      expect(verdict).toMatchObject({
        verdict: 'simulated_prices',
        cell: null,
        skill: { combination: BEST },
      });
      expect(verdict.sentence).toContain('more than luck explains');
      expect(verdict.sentence).not.toContain('skill');
    } finally {
      await api.close();
      api = real;
    }
  });

  it('does not try again what would be refused again', async () => {
    const id = await api.finishedBatch();
    let tries = 0;
    api.engine.answer = () => {
      tries += 1;
      throw new RefusalError(refuse(400, 'unknown_ticker', 'A1 is not in the data'));
    };
    expect((await verdictOf(id)).sentence).toContain('because A1 is not in the data');
    const before = tries;
    await verdictOf(id);
    expect(tries).toBe(before);
  });

  it('computes again what an earlier version has kept', async () => {
    const id = await api.finishedBatch();
    engine(noise);
    const verdict = await verdictOf(id);
    const { name } = BATCH_ANALYSES_COLLECTION;
    const core = { best: null, count: 7, points: [], split: null };
    await api.stores.readModels.put(name, { id, _revision: 0, _position: '0', version: 1, core } as never);
    expect(await verdictOf(id)).toEqual(verdict);
  });
});
