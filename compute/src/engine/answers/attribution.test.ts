import type { BacktestAnswer, BacktestRequest } from '@quantloom/domain/contracts/backtest';
import { RefusalError } from '@quantloom/domain/kernel/refusal';
import type { PriceSeries } from '@quantloom/domain/ports/market-data';
import type { Algorithm, BlockNode } from '@quantloom/domain/strategy/tree';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asset, condition, equal, ifThenElse, marketOf, root } from '../../../testing/fixtures.ts';
import { difficultMarket, randomBatch } from '../../../testing/random-strategies.ts';
import { bindCombination, planBatch } from '../batch/compile/batch-plan.ts';
import { runBacktest } from './backtest.ts';

const OPTIONS = { today: '2026-11-21' };
const prices = marketOf({
  SPY: { seed: 1, firstDay: 12_000, bars: 300 },
  AAA: { seed: 2, firstDay: 12_000, bars: 300 },
});
const include = { history: true, explanation: true, attribution: true, report: true };

const dates = { start_date: '2002-11-20', end_date: '2004-12-31' };

function run(
  algorithm: Algorithm,
  over: Partial<BacktestRequest> = {},
  market: ReadonlyMap<string, PriceSeries> = prices,
): BacktestAnswer {
  return runBacktest({ ...dates, include, trading_bot: algorithm, ...over }, market, OPTIONS);
}

const blocksOf = (answer: BacktestAnswer) => answer.attribution?.blocks ?? {};

describe('what a block earned', () => {
  test('is the money that its tickers earned while it held them, computed from the answer day by day', () => {
    const [spy, aaa] = [asset('SPY'), asset('AAA')];
    const choice = ifThenElse([condition({ rhs_val: 50 })], [spy], [aaa]);
    const answer = run(root(choice), { slippage_bps: 0 });
    const { value = [], tickers = {} } = answer.history ?? {};
    const closes = prices.get('SPY')?.closes ?? new Float64Array();
    const offset = closes.length - value.length;
    let [earned, won, counted] = [0, 0, 0];
    for (let t = 1; t < value.length; t++) {
      const weight = (tickers.SPY?.[t - 1] ?? 0) / 100;
      const gain =
        weight *
        ((closes[offset + t] as number) / (closes[offset + t - 1] as number) - 1) *
        (value[t - 1] as number);
      earned += gain / 10_000;
      if (weight > 0) counted++;
      if (gain > 0) won++;
    }
    const found = blocksOf(answer)[spy.id];
    expect(found?.earned).toBeCloseTo(earned, 12);
    expect(found?.hit_rate).toBeCloseTo(won / counted, 12);
    expect(found?.days).toBe((tickers.SPY ?? []).filter((weight) => weight > 0).length);
    expect(found?.days).toBe((answer.explanation?.branches[choice.id] ?? []).filter(Boolean).length);
  });

  test('is won on days of a gain alone: one that brings nothing is none', () => {
    const spy = prices.get('SPY') as PriceSeries;
    const still: PriceSeries = { ...spy, ticker: 'STILL', closes: spy.closes.map(() => 20) };
    const one = asset('STILL');
    const answer = run(root(one), {}, new Map([...prices, ['STILL', still]]));
    expect(blocksOf(answer)[one.id]).toMatchObject({ earned: 0, hit_rate: 0 });
  });

  test('is divided between the blocks that hold the same ticker', () => {
    const [one, other] = [asset('SPY'), asset('SPY')];
    const pair = equal(other, asset('AAA'));
    const blocks = blocksOf(run(root(one, pair)));
    expect(blocks[one.id]?.earned).toBeCloseTo(2 * (blocks[other.id]?.earned ?? 0), 12);
  });

  test('says of a branch that was never taken that it held nothing', () => {
    const dead = asset('AAA');
    const blocks = blocksOf(run(root(ifThenElse([condition({ rhs_val: -1 })], [asset('SPY')], [dead]))));
    expect(blocks[dead.id]).toEqual({ days: 0, earned: 0, hit_rate: null });
  });

  test('is told only where it is asked for', () => {
    const answer = run(root(asset('SPY')), { include: { history: true } });
    expect(answer.attribution).toBeUndefined();
  });
});

/** `a` and `b` are equal within 1e-12 of the largest of the numbers that they were summed up from. */
function isSame(a: number, b: number, scale: number): boolean {
  return Math.abs(a - b) <= 1e-12 * Math.max(1, scale);
}

describe('the sum of what was earned', () => {
  const terms = fc.record({
    rebalance: fc.constantFrom('daily', 'weekly', 'monthly', 'corridor', 'quarterly'),
    fill: fc.constantFrom('close', 'next-close'),
    cash: fc.constantFrom(null, { rate: 4 }, { ticker: 'SIM:X' }),
  } as const);
  test('of all blocks, less costs, with cash, is the total return, under every rule, fill and cash', () => {
    let compared = 0;
    fc.assert(
      fc.property(fc.nat(10_000_000), fc.integer({ min: 0, max: 5 }), terms, (seed, depth, chosen) => {
        const market = difficultMarket(seed % 7);
        const batch = randomBatch(seed, { depth, variables: false });
        const { rebalance, fill, cash } = chosen;
        let answer: BacktestAnswer;
        let algorithm: Algorithm;
        try {
          algorithm = bindCombination(planBatch(batch, market, OPTIONS), 0);
          const { out_of_sample_date: _day, ...config } = batch.backtest_config;
          answer = runBacktest(
            {
              ...config,
              fill,
              cash,
              include,
              trading_bot: { ...algorithm, rebalance, ...(rebalance === 'corridor' && { corridor: 5 }) },
            },
            market,
            OPTIONS,
          );
        } catch (error) {
          if (error instanceof RefusalError) return;
          throw error;
        }
        compared++;
        const { blocks, costs, cash: byCash } = answer.attribution ?? { blocks: {}, costs: 0, cash: 0 };
        const start = config(batch).starting_balance;
        const value = answer.history?.value ?? [];
        const total = (value.at(-1) ?? Number.NaN) / start - 1;
        const scale = Math.max(...value) / start;
        expect(isSame((blocks[algorithm.id]?.earned ?? 0) - costs + byCash, total, scale * 10)).toBe(true);
        const held = Object.values(answer.report?.holdings ?? {});
        const byTicker = held.reduce((sum, { contribution }) => sum + contribution, 0);
        expect(isSame(blocks[algorithm.id]?.earned ?? 0, byTicker, scale * 10)).toBe(true);
        for (const [parent, children] of families(algorithm)) {
          const sum = children.reduce((all, id) => all + (blocks[id]?.earned ?? 0), 0);
          expect(isSame(blocks[parent]?.earned ?? 0, sum, scale * 10)).toBe(true);
        }
      }),
      { numRuns: Number(process.env.FC_RUNS ?? 80) },
    );
    expect(compared).toBeGreaterThan(20);
  });
});

const config = (batch: ReturnType<typeof randomBatch>) => ({
  starting_balance: 10_000,
  ...batch.backtest_config,
});

/** Every block that has children, with their ids. */
function families(algorithm: Algorithm): [string, string[]][] {
  const found: [string, string[]][] = [];
  const visit = (node: Algorithm | BlockNode) => {
    const children =
      node.node_type === 'if-then-else'
        ? [...node.then_children, ...node.else_children]
        : 'children' in node
          ? node.children
          : [];
    if (children.length === 0) return;
    found.push([node.id, children.map(({ id }) => id)]);
    for (const child of children) visit(child);
  };
  visit(algorithm);
  return found;
}
