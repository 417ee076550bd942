import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteReadModels } from '@quantloom/adapters/read-models/sqlite/sqlite-read-models';
import { openSqliteDatabase } from '@quantloom/adapters/sqlite/database';
import { BATCH_ANALYSES_COLLECTION } from '@quantloom/domain/batch/projections';
import type { BacktestAnswer, BacktestConfig, BacktestRequest } from '@quantloom/domain/contracts/backtest';
import { STATISTICS_BLOCKS } from '@quantloom/domain/contracts/result-block';
import { RefusalError, refuse } from '@quantloom/domain/kernel/refusal';
import { Random } from '@quantloom/domain/market-data/demo/deterministic';
import type { BacktestRunner } from '@quantloom/domain/ports/backtest-runner';
import type { ColumnReading, ResultQuery, ResultStore } from '@quantloom/domain/ports/result-store';
import { medianOf, momentsOf, shapeOf } from '@quantloom/domain/statistics/describe';
import type { Algorithm } from '@quantloom/domain/strategy/tree';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { SOME_ANSWER, tickers } from '../../testing/batch-api.ts';
import { asset, root } from '../../testing/blocks.ts';
import { dailyRowsOf } from '../../testing/daily-rows.ts';
import type { AnalysisThreads } from './analysis-threads.ts';
import { crossValidate } from './cross-validation.ts';
import { storedBlockSums } from './stored-block-sums.ts';
import { runTask } from './tasks.ts';
import { type JudgedBatch, VerdictCores } from './verdict-core.ts';

const DAY_MS = 86_400_000;
const ROWS = 12;
const START = '2010-01-01';
const DAYS = 600;
const dayAt = (n: number) => new Date(Date.parse(START) + n * DAY_MS).toISOString().slice(0, 10);
const CONFIG: BacktestConfig = { start_date: START, end_date: dayAt(DAYS - 1), slippage_bps: 0 };
const BILLS = 0.02 / 252;
const YEAR = Math.sqrt(252);
const ALL = Array.from({ length: ROWS }, (_, k) => k);

const returnsOf = (seed: string, make: (random: Random) => number) => {
  const random = new Random(seed);
  return Float64Array.from({ length: DAYS }, () => make(random));
};
const MARKET = returnsOf('market', (random) => BILLS + 0.0002 + 0.01 * random.normal());
/** Rows of very different risk, so that cash changes their order; and the tenth is the best in the beginning alone. */
const EARNED = ALL.map((k) =>
  returnsOf(`row ${k}`, (random) => 0.0003 + k * 0.0001 + 0.002 * (k + 1) * random.normal()).map((r, day) =>
    k === 9 ? r + (day < 420 ? 0.003 : -0.006) : r,
  ),
);
const earnedBy = (k: number) => EARNED[k] as Float64Array;

/** Columns as the engine stores them of these returns, with a shape that is not theirs, to be told apart. */
function columnsOf(split = DAYS): Map<string, Float64Array> {
  const columns = new Map<string, Float64Array>();
  const put = (name: string, value: (k: number) => number) =>
    columns.set(name, Float64Array.from(ALL, value));
  for (const [prefix, from, to] of [
    ['', 0, DAYS],
    ['in_', 0, split],
    ['out_', split, DAYS],
  ] as const) {
    const moments = (k: number) => momentsOf(earnedBy(k).slice(from, to));
    put(`${prefix}sharpe_ratio`, (k) => (moments(k).mean / moments(k).deviation) * YEAR);
    put(`${prefix}standard_deviation`, (k) => moments(k).deviation * YEAR);
  }
  put('correlation', () => 0.1);
  put('n', () => DAYS);
  put('skewness', (k) => k / 10);
  put('kurtosis', (k) => 4 + k / 10);
  for (let block = 0; block < STATISTICS_BLOCKS; block += 1) {
    const size = DAYS / STATISTICS_BLOCKS;
    const own = (k: number) => earnedBy(k).slice(block * size, (block + 1) * size);
    put(`block_count_${block}`, () => size);
    put(`block_sum_${block}`, (k) => own(k).reduce((sum, r) => sum + r, 0));
    put(`block_sum_squares_${block}`, (k) => own(k).reduce((sum, r) => sum + r * r, 0));
  }
  return columns;
}

const threads: AnalysisThreads = { run: async (task) => runTask(task), close: async () => {} };
const folder = mkdtempSync(join(tmpdir(), 'verdict-core-'));
const database = openSqliteDatabase(join(folder, 'app.db'));
const readModels = openSqliteReadModels(database);
afterAll(() => {
  database.close();
  rmSync(folder, { recursive: true });
});
/** A batch for each test, of the same rows. */
let number = 0;
let id: string;
let columns: Map<string, Float64Array>;
/** How often columns were read. */
let reads: number;
/** What a reading of columns waits for. */
let reading: () => Promise<void>;
/** Requests for rows and tickers that the engine was asked for, and why it answers none of them. */
let asked: BacktestRequest[];
let away: ((ticker: string) => boolean) | null;
/** A ticker that the data do not have. */
let unknown: string | null;
let rows: (k: number) => Float64Array;
beforeEach(async () => {
  number += 1;
  id = `b${number}`;
  await readModels.ensureCollection(BATCH_ANALYSES_COLLECTION);
  columns = columnsOf();
  [reads, asked, away, unknown, rows] = [0, [], null, null, earnedBy];
  reading = async () => {};
});

const column = (name: string) => columns.get(name) as Float64Array;
const store = {
  countRows: async () => ROWS,
  readColumns: async (_: string, wanted: readonly ColumnReading[]) => {
    reads += 1;
    await reading();
    for (const { name, into } of wanted) into.set(column(name) ?? new Float64Array(ROWS).fill(Number.NaN));
  },
  query: async (_: string, { columns: names = [], filters }: ResultQuery) => {
    const [{ value }] = filters as unknown as [{ value: number[] }];
    return {
      rows: value.map((k) => names.map((name) => (name === 'combination' ? k : column(name)[k]))),
    };
  },
} as unknown as ResultStore;

async function run(request: BacktestRequest): Promise<BacktestAnswer> {
  const [, ticker = ''] = /"ticker":"([^"]+)"/.exec(JSON.stringify(request.trading_bot)) ?? [];
  asked.push(request);
  if (ticker === unknown) throw new RefusalError(refuse(400, 'unknown_ticker', `${ticker} is not there`));
  if (away?.(ticker)) throw new Error('the pool is gone');
  const earned = /^R\d+$/.test(ticker)
    ? rows(Number(ticker.slice(1)))
    : ticker === 'SIM:BIL'
      ? MARKET.map(() => BILLS)
      : MARKET;
  const days = Math.min(DAYS, (Date.parse(request.end_date) - Date.parse(START)) / DAY_MS + 1);
  const timestamps = Array.from({ length: days + 1 }, (_, n) => Date.parse(START) / 1_000 + (n - 1) * 86_400);
  let value = 10_000;
  return {
    ...SOME_ANSWER,
    history: {
      timestamps,
      value: [value, ...Array.from(earned.subarray(0, days), (r) => (value *= 1 + r))],
      benchmark_value: [],
      tickers: { SPY: timestamps.map(() => 50) },
      indicators: {},
      turnover: [],
    },
  };
}

const runner = { run, dailyRows: dailyRowsOf(run) } as BacktestRunner;
const openCores = (others?: VerdictCores) => new VerdictCores({ readModels, store, threads, runner, others });
const batchOf = (config: Partial<BacktestConfig> = {}): JudgedBatch => ({
  id,
  combinations: ROWS,
  algorithm: root(asset('node_a', '$A')) as unknown as Algorithm,
  variables: [{ name: '$A', values: tickers('R', ROWS) }],
  config: { ...CONFIG, ...config },
  dataVersion: 'v1',
});
const bestBy = (value: (k: number) => number) => ALL.reduce((best, k) => (value(k) > value(best) ? k : best));
const overCash = (k: number, daily: number, prefix = '') =>
  (column(`${prefix}sharpe_ratio`)[k] as number) -
  (252 * daily) / (column(`${prefix}standard_deviation`)[k] as number);
const kept = () => readModels.get(BATCH_ANALYSES_COLLECTION.name, id);

describe('the dear part of a verdict', () => {
  it('ranks rows by the Sharpe ratio over cash, and shows the stored one', async () => {
    const daily = 1.08 ** (1 / 252) - 1;
    const { best, cash, count, median, distinct } = await openCores().core(batchOf({ cash: { rate: 8 } }));
    const combination = bestBy((k) => overCash(k, daily));
    expect(combination).not.toBe(bestBy((k) => column('sharpe_ratio')[k] as number));
    expect(best).toEqual({
      combination,
      sharpe: column('sharpe_ratio')[combination],
      overCash: expect.closeTo(overCash(combination, daily), 9),
      n: DAYS,
      skewness: combination / 10,
      kurtosis: 4 + combination / 10,
    });
    expect(cash).toMatchObject({ name: 'cash at 8% a year', isLasting: true });
    expect(cash.daily).toEqual(Array.from({ length: STATISTICS_BLOCKS }, () => expect.closeTo(daily, 12)));
    expect([count, distinct]).toEqual([ROWS, ROWS]);
    expect(median).toBeCloseTo(medianOf(Float64Array.from(ALL, (k) => overCash(k, daily))), 9);
  });

  it('tells how the best of one half did in the other, a year', async () => {
    const core = await openCores().core(batchOf({ cash: { rate: 8 } }));
    const sums = await storedBlockSums(store, id, ROWS, STATISTICS_BLOCKS);
    const cross = await crossValidate(threads, { ...sums, cash: core.cash.daily }, new Uint8Array(ROWS));
    expect(core).toMatchObject({
      pbo: cross.pbo,
      splits: cross.splits,
      blocks: STATISTICS_BLOCKS,
      rows: ROWS,
    });
    expect(core.points).toHaveLength(cross.inSample.length);
    for (const [i, point] of core.points.entries())
      expect(point).toEqual({
        in: (cross.inSample[i] as number) * YEAR,
        out: (cross.outOfSample[i] as number) * YEAR,
      });
    expect(core.split).toBeNull();
  });

  it('takes the days before the out-of-sample date alone, and compares them with those from it on', async () => {
    // The first day of the eighth block.
    const split = 0.7 * DAYS;
    columns = columnsOf(split);
    const config = { out_of_sample_date: dayAt(split), cash: { rate: 8 } };
    const core = await openCores().core(batchOf(config));
    const daily = 1.08 ** (1 / 252) - 1;
    const combination = bestBy((k) => overCash(k, daily, 'in_'));
    expect(combination).not.toBe(bestBy((k) => overCash(k, daily)));
    // The shape that is stored is that of all days.
    expect(core.best).toEqual({
      combination,
      sharpe: column('in_sharpe_ratio')[combination],
      overCash: expect.closeTo(overCash(combination, daily, 'in_'), 9),
      n: split,
      skewness: 0,
      kurtosis: 3,
    });
    expect(core.blocks).toBe(6);
    expect(core.split).toMatchObject({
      best: combination,
      medianIn: medianOf(column('in_sharpe_ratio')),
      medianOut: medianOf(column('out_sharpe_ratio')),
    });
  });

  it('runs rows again up to the day before the out-of-sample date', async () => {
    columns = columnsOf(500);
    const { core, skill } = await openCores().judged(batchOf({ out_of_sample_date: dayAt(500) }));
    expect(skill.outcome).toBe('tested');
    const ofRows = asked.filter(({ trading_bot }) => /"R\d+"/.test(JSON.stringify(trading_bot)));
    expect(new Set(ofRows.map(({ end_date }) => end_date))).toEqual(new Set([dayAt(499)]));
    expect(core.best?.n).toBe(500);
  });

  it('has nothing to tell where no row has a result', async () => {
    for (const name of columns.keys()) columns.set(name, new Float64Array(ROWS).fill(Number.NaN));
    const core = await openCores().core(batchOf());
    expect(core).toMatchObject({ best: null, count: 0, median: null, deviation: null });
    expect(core).toMatchObject({ pbo: null, slope: null, probabilityOfLoss: null, points: [] });
  });

  it('says of the first row that it is the best where it is', async () => {
    column('sharpe_ratio')[0] = 9;
    expect((await openCores().core(batchOf())).best?.combination).toBe(0);
  });

  it('is computed once and kept for other processes, and computed anew in place of an older version', async () => {
    const core = await openCores().core(batchOf());
    const before = reads;
    expect(await openCores().core(batchOf())).toEqual(core);
    expect(reads).toBe(before);
    const { name } = BATCH_ANALYSES_COLLECTION;
    await readModels.put(name, { ...(await kept()), version: 1, core: { best: null } } as never);
    expect(await openCores().core(batchOf())).toEqual(core);
  });

  it('is computed once for those who want it at the same time, also through others of this process', async () => {
    const cores = openCores();
    const wanted = [cores.core(batchOf()), openCores(cores).core(batchOf()), cores.core(batchOf())];
    const [core, ...same] = await Promise.all(wanted);
    expect(same).toEqual([core, core]);
    const before = reads;
    await openCores().core({ ...batchOf(), id: 'another' });
    expect(reads - before).toBe(before);
  });

  it('is tried again after it failed', async () => {
    const cores = openCores();
    reading = async () => {
      throw new Error('the results are away');
    };
    await expect(cores.core(batchOf())).rejects.toThrow('the results are away');
    reading = async () => {};
    expect((await cores.core(batchOf())).count).toBe(ROWS);
  });

  it('is what another process has kept meanwhile, with more in it', async () => {
    const first = await openCores().judged(batchOf());
    const stored = await kept();
    await readModels.delete(BATCH_ANALYSES_COLLECTION.name, id);
    const other = { ...stored, core: { ...first.core, count: 7 } };
    reading = () => readModels.put(BATCH_ANALYSES_COLLECTION.name, other as never);
    expect((await openCores().core(batchOf())).count).toBe(7);
    expect(await kept()).toMatchObject({ skill: { outcome: 'tested' } });
  });
});

describe('rows that are ranked by the stored ratio', () => {
  it('lack a deviation: that lasts, and nothing is taken off', async () => {
    column('standard_deviation')[5] = Number.NaN;
    const { best, cash } = await openCores().core(batchOf({ cash: { rate: 8 } }));
    const combination = bestBy((k) => column('sharpe_ratio')[k] as number);
    const sharpe = column('sharpe_ratio')[combination];
    expect(best).toMatchObject({ combination, sharpe, overCash: sharpe });
    expect(cash).toMatchObject({ name: null, isLasting: true, daily: Array(STATISTICS_BLOCKS).fill(0) });
    await openCores().judged(batchOf({ cash: { rate: 8 } }));
    expect(await kept()).toMatchObject({ skill: { outcome: 'tested' } });
  });

  it('wait for cash that cannot be run just now: the next look ranks them over it, and keeps that', async () => {
    away = (ticker) => ticker === 'SIM:BIL';
    const without = await openCores().judged(batchOf());
    expect(without.core.cash).toMatchObject({ name: null, isLasting: false });
    expect(without.skill).toMatchObject({ outcome: 'untested', isLasting: false });
    expect(await kept()).not.toHaveProperty('skill');
    away = null;
    const { core } = await openCores().judged(batchOf());
    const combination = bestBy((k) => overCash(k, BILLS));
    expect(core.cash).toMatchObject({ name: 'Treasury bills (SIM:BIL)', isLasting: true });
    expect(core.best).toMatchObject({ combination, sharpe: column('sharpe_ratio')[combination] });
    expect(core.best?.overCash).toBeCloseTo(overCash(combination, BILLS), 3);
    asked = [];
    expect((await openCores().judged(batchOf())).core).toEqual(core);
    expect(asked).toEqual([]);
  });

  it('are not kept as tested while cash is away, however the test came out', async () => {
    // Away while rows are ranked, and there again when they are tested.
    let times = 0;
    away = (ticker) => {
      if (ticker !== 'SIM:BIL') return false;
      times += 1;
      return times <= 2;
    };
    const { core, skill } = await openCores().judged(batchOf());
    expect([core.cash.name, skill.outcome]).toEqual([null, 'tested']);
    expect(await kept()).not.toHaveProperty('skill');
  });
});

describe('the row that is judged', () => {
  it('has the length and shape of the days that it was run again on, at every look', async () => {
    const first = await openCores().judged(batchOf());
    const combination = bestBy((k) => overCash(k, BILLS));
    const shape = shapeOf(earnedBy(combination));
    expect(first.core.best).toMatchObject({ combination, n: shape.n });
    expect(first.core.best?.skewness).toBeCloseTo(shape.skewness, 6);
    expect(first.core.best?.kurtosis).toBeCloseTo(shape.kurtosis, 6);
    asked = [];
    expect(await openCores().judged(batchOf())).toEqual(first);
    expect(asked).toEqual([]);
    // What follows from the stored rows alone is as it is stored.
    expect((await openCores().core(batchOf())).best?.skewness).toBe(combination / 10);
  });

  it('is the next one where the daily returns of the best are those of no strategy', async () => {
    const best = bestBy((k) => overCash(k, BILLS));
    const next = bestBy((k) => (k === best ? Number.NEGATIVE_INFINITY : overCash(k, BILLS)));
    rows = (k) => (k === best ? MARKET.map((r) => (r + BILLS) / 2) : earnedBy(k));
    const before = await openCores().core(batchOf());
    const { core, skill } = await openCores().judged(batchOf());
    expect(skill).toMatchObject({ outcome: 'tested', result: { combination: next } });
    expect(before.best?.combination).toBe(best);
    expect(core.best).toMatchObject({ combination: next, sharpe: column('sharpe_ratio')[next] });
    expect(core.best?.overCash).toBeCloseTo(overCash(next, BILLS), 3);
    expect(await openCores().judged(batchOf())).toEqual({ core, skill });
  });

  it('is tested once where what forbids the test lasts, and again where it may pass', async () => {
    away = (ticker) => /^R/.test(ticker);
    const failed = await openCores().judged(batchOf());
    expect(failed.skill).toMatchObject({ outcome: 'untested', isLasting: false });
    expect(await kept()).not.toHaveProperty('skill');
    away = null;
    expect((await openCores().judged(batchOf())).skill.outcome).toBe('tested');
  });

  it('keeps the shape that is stored of it where the row that was run again is another one', async () => {
    // Bills are shown on top, and are no strategy; without a benchmark nothing is tested.
    column('sharpe_ratio')[0] = 20;
    column('standard_deviation')[0] = 0.0001;
    unknown = 'SPY';
    const { core, skill } = await openCores().judged(batchOf());
    expect(skill).toMatchObject({ outcome: 'untested', isLasting: true, record: { combination: 0 } });
    const combination = bestBy((k) => (k === 0 ? Number.NEGATIVE_INFINITY : overCash(k, BILLS)));
    expect(core.best).toMatchObject({ combination, skewness: combination / 10 });
    expect(await kept()).toHaveProperty('skill');
  });
});
