import type { BatchRequest } from '@quantloom/domain/contracts/backtest';
import type { Algorithm } from '@quantloom/domain/strategy/tree';
import { expect, test } from 'vitest';
import { differences } from '../../../testing/compare-blocks.ts';
import { asset, batchOf, condition, equal, ifThenElse, marketOf, root } from '../../../testing/fixtures.ts';
import { allocateColumns, blockView, rowFormOf } from '../figures/result-columns.ts';
import { runBatchRange } from './batch-reference.ts';
import { planBatch } from './compile/batch-plan.ts';
import { type EngineParts, FastBatchEngine, MOST_SLOTS, supportedPlan } from './fast-batch.ts';
import { compileFastBatch } from './fast-path.ts';
import { Workspace } from './memory/workspace.ts';

const TODAY = { today: '2030-01-01' };
const TICKERS = ['SPY', 'AAA', 'BBB', 'CCC', 'DDD'];

function market(bars: number, firstDay = 15_000) {
  return marketOf(
    Object.fromEntries(TICKERS.map((ticker, i) => [ticker, { seed: i + 1, firstDay, bars, step: 0.03 }])),
  );
}

/** Rows of a batch on the fast path that are not those of the reference. */
function apartFromReference(
  request: BatchRequest,
  prices: ReturnType<typeof market>,
  force?: EngineParts['force'],
) {
  const plan = planBatch(request, prices, TODAY);
  const fast = compileFastBatch(request, prices, { ...TODAY, ...(force === undefined ? {} : { force }) });
  if (fast === null) throw new Error('The fast path does not take the tree');
  const found = fast.run(0, plan.combinations);
  fast.dispose();
  return differences(found, runBatchRange(plan, 0, plan.combinations));
}

const hot = condition({ lhs_fn_params: { window: '$W' } });
const switching = root(ifThenElse([hot], [asset('$A')], [asset('$B')]));
const VALUES = { $A: ['AAA', 'BBB'], $B: ['CCC', 'DDD'], $W: [5, 10, 20] };

test('a portfolio of more tickers than it has slots for is left to the reference', () => {
  const isFast = (tree: Algorithm) => supportedPlan(planBatch(batchOf(tree, {}), market(50), TODAY)) !== null;
  const some = (count: number) => equal(...Array.from({ length: count }, () => asset('AAA')));
  expect(isFast(root(some(MOST_SLOTS)))).toBe(true);
  expect(isFast(root(some(MOST_SLOTS + 1)))).toBe(false);
  // Few children each, many slots together.
  expect(isFast(root(equal(some(80), some(80), some(80))))).toBe(true);
  expect(isFast(root(equal(some(80), some(80), some(91))))).toBe(false);
});

test('a condition for some days knows the days before the batch begins', () => {
  const prices = market(400);
  const days = prices.get('SPY')?.days as Int32Array;
  const dateOf = (bar: number) => new Date((days[bar] as number) * 86_400_000).toISOString().slice(0, 10);
  const lasting = condition({ lhs_fn_params: { window: '$W' }, comparator: 'gt', rhs_val: 40, for_days: 3 });
  const tree: Algorithm = {
    ...root(ifThenElse([lasting], [asset('$A')], [asset('$B')])),
    version: 'v2',
  };
  // Whatever the day: of some of them the condition has held for one or two days only.
  for (let bar = 200; bar < 232; bar++) {
    const request = batchOf(tree, VALUES, { start_date: dateOf(bar), end_date: dateOf(399) });
    expect(apartFromReference(request, prices), dateOf(bar)).toEqual([]);
  }
});

test.each(['summed', 'stretches'] as const)('trading by a rule goes day by day, %s or not', (force) => {
  for (const rule of [{ rebalance: 'monthly' }, { rebalance: 'corridor', corridor: 5 }] as const) {
    const request = batchOf({ ...switching, version: 'v2', ...rule }, VALUES);
    expect(apartFromReference(request, market(400), force), rule.rebalance).toEqual([]);
  }
});

test('calendars that no batch uses any more give their memory back', () => {
  const workspace = new Workspace();
  const run = (firstDay: number) => {
    const prices = market(300, firstDay);
    const plan = planBatch(batchOf(switching, VALUES), prices, TODAY);
    const tree = supportedPlan(plan);
    if (tree === null) throw new Error('The fast path does not take the tree');
    new FastBatchEngine(plan, tree, workspace, { cacheBytes: 1 << 24 }).dispose();
    return workspace.used;
  };
  const used = Array.from({ length: 12 }, (_, night) => run(15_000 + 7 * night));
  expect(used[2]).toBeGreaterThan(used[0] as number);
  expect(used.slice(2)).toEqual(used.slice(2).map(() => used[2]));
});

test('a table that two batches use stays until the second is done', () => {
  const workspace = new Workspace();
  const prices = market(400);
  const engineOf = (slippageBps: number) => {
    const plan = planBatch(batchOf(switching, VALUES, { slippage_bps: slippageBps }), prices, TODAY);
    const tree = supportedPlan(plan);
    if (tree === null) throw new Error('The fast path does not take the tree');
    return new FastBatchEngine(plan, tree, workspace, { cacheBytes: 1 });
  };
  const [one, other] = [engineOf(10), engineOf(10)];
  one.dispose();
  for (const slippage of [20, 30, 40, 50]) {
    const next = engineOf(slippage);
    runAll(next);
    next.dispose();
  }
  expect(differences(runAll(other), runBatchRange(other.plan, 0, other.plan.combinations))).toEqual([]);
  other.dispose();
});

function runAll(engine: FastBatchEngine) {
  const columns = allocateColumns(0, engine.plan.combinations, rowFormOf(engine.plan));
  const failures = engine.run(columns, 0, engine.plan.combinations);
  return blockView(columns, '', engine.plan.space, failures);
}
