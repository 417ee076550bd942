import type { BacktestAnswer, BacktestRequest } from '@quantloom/domain/contracts/backtest';
import { RefusalError, refuse } from '@quantloom/domain/kernel/refusal';
import { Random } from '@quantloom/domain/market-data/demo/deterministic';
import type { BacktestRunner, RunOptions } from '@quantloom/domain/ports/backtest-runner';
import type { Algorithm } from '@quantloom/domain/strategy/tree';
import { describe, expect, it } from 'vitest';
import { SOME_ANSWER, tickers } from '../../testing/batch-api.ts';
import { asset, root } from '../../testing/blocks.ts';
import { dailyRowsOf } from '../../testing/daily-rows.ts';
import type { AnalysisThreads } from './analysis-threads.ts';
import { testSkill } from './skill-test.ts';
import { type AnalysisTask, runTask } from './tasks.ts';

const DAYS = 800;
/** The day of the first price of what is listed later than the others. */
const LISTED = 400;
const ROWS = 12;
const BILLS = 0.02 / 252;
const returnsOf = (seed: string, make: (random: Random) => number) => {
  const random = new Random(seed);
  return Array.from({ length: DAYS }, () => make(random));
};
const MARKET = returnsOf('market', (random) => BILLS + 0.05 / 252 + 0.01 * random.normal());
/** What a ticker earns: something of its own beyond the market, and all of them an alpha. */
const earnedBy = (ticker: string) =>
  ticker === 'SIM:BIL'
    ? Array<number>(DAYS).fill(BILLS)
    : ticker === 'SPY'
      ? MARKET
      : returnsOf(ticker, (random) => BILLS + 0.0008 + 0.04 * random.normal());
const noise = (k: number) => returnsOf(`row ${k}`, (random) => BILLS + 0.01 * random.normal());

const curve = (returns: readonly number[]) => {
  let value = 10_000;
  return [value, ...returns.map((daily) => (value *= 1 + daily))];
};

function answered(
  returns: readonly number[],
  shares: Readonly<Record<string, number>>,
  listed = 0,
): BacktestAnswer {
  const timestamps = Array.from({ length: DAYS + 1 }, (_, day) => 1_262_563_200 + day * 86_400);
  return {
    ...SOME_ANSWER,
    history: {
      timestamps,
      value: curve(returns).map((value, day) => (day < listed ? null : value)) as number[],
      benchmark_value: curve(MARKET),
      tickers: Object.fromEntries(
        Object.entries(shares).map(([ticker, share]) => [ticker, timestamps.map(() => 100 * share)]),
      ),
      indicators: {},
      turnover: timestamps.map(() => 0),
    },
  };
}

interface Row {
  readonly returns: readonly number[];
  /** By ticker, 0..1. */
  readonly shares: Readonly<Record<string, number>>;
}

/**
 * The test of a batch of a dozen rows, the first of which is the best, on an engine that does as it is told.
 * Time passes only where the engine needs all that it is given.
 */
function test(
  row: (combination: number) => Row | 'hangs' | 'refused' | 'fails',
  ticker: (name: string) => 'answers' | 'hangs' | 'unknown' | 'is listed later',
) {
  let time = 0;
  const asked: string[] = [];
  const deadlines = new Map<string, number>();
  const tasks: AnalysisTask[] = [];
  const hang = (deadlineMs: number) => {
    time += deadlineMs;
    throw new RefusalError(refuse(422, 'took_too_long', 'It took too long'));
  };
  const run = async (request: BacktestRequest, { deadlineMs = 0 }: RunOptions = {}) => {
    const [, name = ''] = /"ticker":"([^"]+)"/.exec(JSON.stringify(request.trading_bot)) ?? [];
    asked.push(name);
    deadlines.set(name, deadlineMs);
    if (/^R\d+$/.test(name)) {
      const does = row(Number(name.slice(1)));
      if (does === 'hangs') return hang(deadlineMs);
      if (does === 'refused') throw new RefusalError(refuse(422, 'no_data', 'It has no prices'));
      return does === 'fails' ? SOME_ANSWER : answered(does.returns, does.shares);
    }
    const does = ticker(name);
    if (does === 'unknown') throw new RefusalError(refuse(400, 'unknown_ticker', `${name} is not there`));
    if (does === 'hangs') return hang(deadlineMs);
    return answered(earnedBy(name), { [name]: 1 }, does === 'answers' ? 0 : LISTED);
  };
  const runner = { run, dailyRows: dailyRowsOf(run) } as BacktestRunner;
  const threads: AnalysisThreads = {
    run: async (task) => {
      tasks.push(task);
      return runTask(task);
    },
    close: async () => {},
  };
  const sharpes = Float64Array.from({ length: ROWS }, (_, k) => 2 - k / 10);
  const outcome = testSkill(
    {
      id: 'b1',
      algorithm: root(asset('node_a', '$A')) as unknown as Algorithm,
      variables: [{ name: '$A', values: tickers('R', ROWS) }],
      config: { start_date: '2010-01-04', end_date: '2013-03-01', slippage_bps: 0 },
      dataVersion: 'v1',
    },
    { sharpes, shown: sharpes, marks: new Uint8Array(ROWS) },
    { runner, threads, milliseconds: 20_000, signal: new AbortController().signal, now: () => time },
  );
  return { outcome, asked, deadlines, tasks };
}

const all = () => 'answers' as const;
/** The first row has an edge; all hold two tickers. */
const edge = (k: number): Row => ({
  returns: noise(k).map((daily) => daily + (k === 0 ? 0.003 : 0)),
  shares: { A: 0.5, B: 0.5 },
});

describe('what time does not suffice for', () => {
  it('is not taken for nothing: without bills nothing is tested, and the next look tries again', async () => {
    const { outcome, asked } = test(edge, (name) => (name === 'SIM:BIL' ? 'hangs' : 'answers'));
    expect(await outcome).toMatchObject({
      outcome: 'untested',
      isLasting: false,
      reason: expect.stringContaining('time for running rows again was over'),
    });
    // First of all, so that rows do not take its time.
    expect(asked).toEqual(['SIM:BIL']);
  });

  it('leaves a row untested whose holdings could not be looked at, where it would be called skill', async () => {
    const late = (name: string) => (name === 'B' ? 'hangs' : 'answers');
    expect(await test(edge, late).outcome).toMatchObject({ outcome: 'untested', isLasting: false });
    // What luck explains is luck, whatever it held.
    const luck = (k: number) => ({ ...edge(k), returns: noise(k) });
    expect(await test(luck, late).outcome).toMatchObject({ outcome: 'tested', held: { kind: 'unknown' } });
  });

  it('is another thing than bills that the data do not have: cash then earns nothing', async () => {
    const { outcome } = test(edge, (name) => (name === 'SIM:BIL' ? 'unknown' : 'answers'));
    expect(await outcome).toMatchObject({ outcome: 'tested', cash: 'cash that earns nothing' });
  });
});

describe('what a row held', () => {
  it('is looked at however small its parts are', async () => {
    const held = tickers('H', 250);
    const mix = held
      .map(earnedBy)
      .reduce(
        (sum, one) => sum.map((daily, day) => daily + (one[day] as number) / 250),
        Array<number>(DAYS).fill(0),
      );
    const rotation = (k: number): Row =>
      k === 0
        ? { returns: mix, shares: Object.fromEntries(held.map((name) => [name, 1 / 250])) }
        : { returns: noise(k), shares: { A: 1 } };
    const { outcome, asked } = test(rotation, all);
    // All of its alpha is that of what it held.
    expect(await outcome).toMatchObject({
      outcome: 'tested',
      result: { combination: 0 },
      held: { kind: 'several', isStatic: true },
    });
    expect(asked.filter((name) => name.startsWith('H'))).toHaveLength(250);
  });

  it('is one thing where all else together is next to nothing', async () => {
    const row = (k: number): Row => ({ ...edge(k), shares: { A: 0.997, B: 0.002 } });
    expect(await test(row, all).outcome).toMatchObject({ outcome: 'tested', held: { kind: 'one' } });
  });

  it('is not known where it is more than can be looked at', async () => {
    const row = (k: number): Row => ({
      ...edge(k),
      shares: Object.fromEntries(tickers('H', 500).map((name) => [name, 1 / 500])),
    });
    const { outcome, asked } = test(row, all);
    expect(await outcome).toMatchObject({ outcome: 'tested', held: { kind: 'unknown' } });
    expect(asked.filter((name) => name.startsWith('H'))).toEqual([]);
  });

  it('takes the smallest of many holdings for what the others are', async () => {
    const names = tickers('H', 320);
    const row = (k: number): Row => ({
      ...edge(k),
      shares: Object.fromEntries(names.map((name, i) => [name, i < 300 ? 0.0032 : 0.002])),
    });
    expect(await test(row, all).outcome).toMatchObject({ held: { kind: 'several', isStatic: false } });
  });
});

describe('a row that held one mix all the time', () => {
  /** The first row earns this; what it held explains all of it, also what cash earned beside. */
  const expectAllExplained = async (
    returns: readonly number[],
    shares: Row['shares'],
    ticker: Parameters<typeof test>[1] = all,
  ) => {
    const row = (k: number): Row => (k === 0 ? { returns, shares } : { returns: noise(k), shares: { A: 1 } });
    const outcome = await test(row, ticker).outcome;
    expect(outcome).toMatchObject({ result: { combination: 0 }, held: { kind: 'several', isStatic: true } });
    if (outcome.outcome === 'tested' && outcome.held.kind === 'several')
      expect(Math.abs(outcome.held.alpha)).toBeLessThan(1e-6);
  };

  it('has earned what bills do by the share that was idle', async () => {
    await expectAllExplained(
      earnedBy('A').map((daily) => 0.5 * daily + 0.5 * BILLS),
      { A: 0.5 },
    );
  });

  it('has earned what bills do by the share of a holding that was not listed yet', async () => {
    const late = earnedBy('LATE');
    await expectAllExplained(
      earnedBy('A').map((daily, day) => 0.5 * daily + 0.5 * (day < LISTED ? BILLS : (late[day] as number))),
      { A: 0.5, LATE: 0.5 },
      (name) => (name === 'LATE' ? 'is listed later' : 'answers'),
    );
  });

  it('has earned by its smallest holdings, past three hundred, what the others earned', async () => {
    const names = tickers('H', 320);
    const largest = names.slice(0, 300).map(earnedBy);
    await expectAllExplained(
      MARKET.map((_, day) => largest.reduce((sum, one) => sum + (one[day] as number), 0) / 300),
      Object.fromEntries(names.map((name, i) => [name, i < 300 ? 0.0032 : 0.002])),
    );
  });
});

describe('rows that are missing', () => {
  const skillRows = (tasks: readonly AnalysisTask[]) => {
    const task = tasks.find(({ kind }) => kind === 'skill');
    return task?.kind === 'skill' ? [task.rows.chosen.length, task.rows.random.length] : [];
  };

  it('make a sample of what would be the whole batch', async () => {
    const whole = test(edge, all);
    await whole.outcome;
    expect(skillRows(whole.tasks)).toEqual([ROWS, 0]);
    const part = test((k) => (k === ROWS - 1 ? 'refused' : edge(k)), all);
    expect(await part.outcome).toMatchObject({ outcome: 'tested' });
    expect(skillRows(part.tasks)).toEqual([ROWS - 1, ROWS - 1]);
  });

  it('leave nothing to be tested where the best of them may be there at the next look', async () => {
    const { outcome } = test((k) => (k === 0 ? 'fails' : edge(k)), all);
    expect(await outcome).toMatchObject({ outcome: 'untested', isLasting: false });
    // One that is refused again each time holds up none of the others.
    const refused = test((k) => (k === 0 ? 'refused' : edge(k)), all);
    expect(await refused.outcome).toMatchObject({ outcome: 'tested' });
  });

  it('are asked for again only where another try may end otherwise', async () => {
    expect(await test(() => 'refused', all).outcome).toMatchObject({
      outcome: 'untested',
      reason: 'It has no prices',
      isLasting: true,
    });
    expect(await test(() => 'hangs', all).outcome).toMatchObject({ outcome: 'untested', isLasting: false });
  });
});

describe('a benchmark without prices', () => {
  const unknown = (name: string) => (name === 'SPY' ? ('unknown' as const) : ('answers' as const));

  it('leaves a batch untested for good, with the record of its best row', async () => {
    expect(await test(edge, unknown).outcome).toMatchObject({
      outcome: 'untested',
      reason: 'the benchmark SPY has no prices in this period',
      isLasting: true,
      record: { combination: 0 },
    });
  });

  it('leaves it untested for now where time was over as well', async () => {
    const { outcome } = test((k) => (k === ROWS - 1 ? 'hangs' : edge(k)), unknown);
    expect(await outcome).toMatchObject({ outcome: 'untested', isLasting: false });
  });
});

it('keeps two fifths of its time for what the best row held', async () => {
  const { outcome, deadlines } = test(edge, all);
  await outcome;
  expect(['SIM:BIL', 'SPY', 'R0', 'A', 'B'].map((name) => deadlines.get(name))).toEqual([
    12_000, 12_000, 12_000, 8_000, 8_000,
  ]);
});
