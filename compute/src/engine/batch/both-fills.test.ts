import type { BatchRequest } from '@quantloom/domain/contracts/backtest';
import {
  COMMON_COLUMNS,
  OTHER_FILL_COLUMNS,
  type ResultBlock,
} from '@quantloom/domain/contracts/result-block';
import { RefusalError } from '@quantloom/domain/kernel/refusal';
import type { PriceSeries } from '@quantloom/domain/ports/market-data';
import { describe, expect, test } from 'vitest';
import { isClose } from '../../../testing/compare-blocks.ts';
import { awkwardPrices, dice, randomBatch } from '../../../testing/random-batch.ts';
import { runBacktest } from '../answers/backtest.ts';
import { allocateColumns, blockView, columnViews } from '../figures/result-columns.ts';
import type { BatchEngine, BatchEngineOptions } from './batch-engine.ts';
import { BothFills } from './both-fills.ts';
import { bindCombination } from './compile/batch-plan.ts';
import { createBatchEngine } from './create-batch-engine.ts';

const OPTIONS = { today: '2030-01-01' };
/** `FC_RUNS` tries more batches. */
const RUNS = Number(process.env.FC_RUNS ?? 8);
const DAYS = 400;

function made(seed: number): { request: BatchRequest; prices: ReadonlyMap<string, PriceSeries> } | null {
  const throwDice = dice(seed + 5000);
  const prices = awkwardPrices(DAYS, throwDice);
  const request = randomBatch(DAYS, throwDice);
  try {
    createBatchEngine(request, prices, OPTIONS).dispose?.();
    return { request, prices };
  } catch (error) {
    if (error instanceof RefusalError) return null;
    throw error;
  }
}

const withConfig = (
  request: BatchRequest,
  config: Partial<BatchRequest['backtest_config']>,
): BatchRequest => ({
  ...request,
  backtest_config: { ...request.backtest_config, ...config },
});

/** All rows, run in pieces of some size, the last piece first. */
function rowsOf(
  request: BatchRequest,
  prices: ReadonlyMap<string, PriceSeries>,
  { size = 1 << 30, ...options }: Partial<BatchEngineOptions> & { size?: number } = {},
): ResultBlock {
  const engine = createBatchEngine(request, prices, { ...OPTIONS, ...options });
  const { combinations, space } = engine.plan;
  const columns = allocateColumns(0, combinations);
  const failures = [];
  for (let from = Math.floor((combinations - 1) / size) * size; from >= 0; from -= size)
    failures.push(...engine.run(columns, from, Math.min(size, combinations - from)));
  engine.dispose?.();
  failures.sort((a, b) => a.combination - b.combination);
  return blockView(columns, '', space, failures);
}

/** The bits of a column; every NaN is the same one. */
const bits = (column: Float64Array | undefined) =>
  Buffer.from(
    Float64Array.from(column ?? [], (value) => (Number.isNaN(value) ? Number.NaN : value)).buffer,
  ).toString('base64');
const bitsOf = (block: ResultBlock, names: readonly string[]) =>
  names.map((name) => bits(block.floats[name]));

describe('a batch of both fills', () => {
  test('has beside its own rows what a batch of the other fill has, bit for bit', () => {
    let rows = 0;
    for (let seed = 0; seed < RUNS; seed++) {
      const batch = made(seed);
      if (batch === null) continue;
      const { request, prices } = batch;
      const [own, other] =
        seed % 2 === 0 ? (['close', 'next-close'] as const) : (['next-close', 'close'] as const);
      const alone = rowsOf(withConfig(request, { fill: own }), prices);
      const others = rowsOf(withConfig(request, { fill: other }), prices);
      const both = rowsOf(withConfig(request, { fill: own, both_fills: true }), prices);
      expect(bitsOf(both, COMMON_COLUMNS), `seed ${seed}`).toEqual(bitsOf(alone, COMMON_COLUMNS));
      expect(both.failures).toEqual(alone.failures);
      const failed = new Set(alone.failures.map(({ combination }) => combination));
      const part = request.backtest_config.out_of_sample_date ? 'in_' : '';
      for (const name of OTHER_FILL_COLUMNS) {
        const expected = others.floats[name.replace('other_fill_', part)]?.map((value, row) =>
          failed.has(row) ? Number.NaN : value,
        );
        expect(bits(both.floats[name]), `seed ${seed}, ${name}`).toBe(bits(expected));
        expect(bits(alone.floats[name])).toBe(bits(new Float64Array(alone.count).fill(Number.NaN)));
      }
      rows += both.count;
    }
    expect(rows).toBeGreaterThan(RUNS);
  });

  test('has the same bits however it is cut, whatever may be kept, and but for rounding on either path', () => {
    const names = [...COMMON_COLUMNS, ...OTHER_FILL_COLUMNS];
    for (let seed = 0; seed < RUNS / 2; seed++) {
      const batch = made(seed);
      if (batch === null) continue;
      const request = withConfig(batch.request, { both_fills: true });
      const whole = rowsOf(request, batch.prices);
      for (const way of [{ size: 1 }, { size: 7, cacheBytes: 1 }, { size: 5, cacheBytes: 1 << 22 }])
        expect(bitsOf(rowsOf(request, batch.prices, way), names), `seed ${seed}`).toEqual(
          bitsOf(whole, names),
        );
      const reference = rowsOf(request, batch.prices, { force: 'reference' });
      for (const name of OTHER_FILL_COLUMNS)
        for (let row = 0; row < whole.count; row++)
          expect(
            isClose(whole.floats[name]?.[row] as number, reference.floats[name]?.[row] as number),
            `seed ${seed}, row ${row}, ${name}`,
          ).toBe(true);
    }
  });

  test('has in each row what a single backtest with the other fill answers', () => {
    let compared = 0;
    for (let seed = 0; seed < RUNS; seed++) {
      const batch = made(seed);
      if (batch === null) continue;
      const { out_of_sample_date: _split, ...config } = batch.request.backtest_config;
      const request = { ...batch.request, backtest_config: { ...config, both_fills: true } };
      const engine = createBatchEngine(request, batch.prices, OPTIONS);
      const columns = allocateColumns(0, engine.plan.combinations);
      const failures = engine.run(columns, 0, engine.plan.combinations);
      const { floats, count } = blockView(columns, '', engine.plan.space, failures);
      engine.dispose?.();
      for (let k = 0; k < count; k += 5) {
        if (failures.some(({ combination }) => combination === k)) continue;
        const single = {
          ...config,
          fill: 'next-close' as const,
          include: {},
          trading_bot: bindCombination(engine.plan, k),
        };
        const { metrics } = runBacktest(single, batch.prices, OPTIONS);
        for (const [name, value] of [
          ['other_fill_annualized_return', metrics.annualized_return],
          ['other_fill_cumulative_return', metrics.cumulative_return],
          ['other_fill_max_drawdown', metrics.max_drawdown],
          ['other_fill_sharpe_ratio', metrics.sharpe],
        ] as const)
          expect(
            isClose(floats[name]?.[k] as number, value ?? Number.NaN),
            `seed ${seed}, row ${k}, ${name}`,
          ).toBe(true);
        compared++;
      }
    }
    expect(compared).toBeGreaterThan(RUNS);
  });

  test('computes only the rows that are wanted, and stops when it is told to', () => {
    const batch = Array.from({ length: 50 }, (_, seed) => made(seed)).find((one) => one !== null);
    if (!batch) throw new Error('No batch can run');
    const { request, prices } = batch;
    const engine = createBatchEngine(withConfig(request, { both_fills: true }), prices, OPTIONS);
    const count = engine.plan.combinations;
    const columns = allocateColumns(0, count);
    engine.run(columns, 0, count, undefined, (combination) => combination % 2 === 0);
    const all = rowsOf(withConfig(request, { both_fills: true }), prices);
    const name = 'other_fill_cumulative_return';
    const { floats } = blockView(columns, '', engine.plan.space, []);
    const expected = all.floats[name]?.map((value, row) => (row % 2 === 0 ? value : Number.NaN));
    expect(bits(floats[name])).toBe(bits(expected));
    const none = allocateColumns(0, count);
    engine.run(none, 0, count, () => true);
    engine.dispose?.();
    expect(bits(blockView(none, '', engine.plan.space, []).floats[name])).toBe(
      bits(new Float64Array(count).fill(Number.NaN)),
    );
  });

  test('leaves the figures out where either fill cannot run, says why only its own cannot, and gives both back', () => {
    const [batch] = Array.from({ length: 50 }, (_, seed) => made(seed)).filter((one) => one !== null);
    if (!batch) throw new Error('No batch can run');
    const { plan } = createBatchEngine(batch.request, batch.prices, OPTIONS);
    const disposed: string[] = [];
    const stub = (name: string, fails: number, value: number): BatchEngine => ({
      plan: { ...plan, outOfSampleDay: null },
      path: 'fast',
      run: (columns, from, count, _isCancelled, isWanted = () => true) => {
        const column = columnViews(columns).floats.sharpe_ratio as Float64Array;
        for (let k = from; k < from + count; k++)
          if (k !== fails && isWanted(k)) column[k - columns.from] = value + k;
        return isWanted(fails) ? [{ combination: fails, reason: `${name} cannot` }] : [];
      },
      dispose: () => disposed.push(name),
    });
    const engine = new BothFills(stub('own', 11, 100), stub('other', 12, 200));
    const columns = allocateColumns(10, 4);
    expect(engine.run(columns, 10, 4)).toEqual([{ combination: 11, reason: 'own cannot' }]);
    const { floats } = columnViews(columns);
    expect(Array.from(floats.sharpe_ratio ?? [])).toEqual([110, Number.NaN, 112, 113]);
    expect(Array.from(floats.other_fill_sharpe_ratio ?? [])).toEqual([210, Number.NaN, Number.NaN, 213]);
    engine.dispose();
    expect(disposed).toEqual(['own', 'other']);
  });
});
