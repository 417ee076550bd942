import { FLOAT_COLUMNS, NO_DAY } from '@quantloom/domain/contracts/result-block';
import { describe, expect, test } from 'vitest';
import { differences } from '../../../testing/compare-blocks.ts';
import {
  asset,
  batchOf,
  condition,
  ifThenElse,
  inverseVolatility,
  marketOf,
  root,
} from '../../../testing/fixtures.ts';
import { awkwardPrices, dice, randomBatch } from '../../../testing/random-batch.ts';
import { allocateColumns, blockView, columnViews } from '../figures/result-columns.ts';
import { createMemory } from '../kernels/kernels.ts';
import { runBatchRange } from './batch-reference.ts';
import { planBatch } from './compile/batch-plan.ts';
import { FastBatchEngine, supportedPlan } from './fast-batch.ts';
import { compileFastBatch, type FastOptions } from './fast-path.ts';
import { Workspace } from './memory/workspace.ts';

const TODAY = { today: '2030-01-01' };

function randomCase(seed: number) {
  const throwDice = dice(seed);
  const days = 150 + throwDice(300);
  const prices = awkwardPrices(days, throwDice);
  return { prices, request: randomBatch(days, throwDice) };
}

function fastBatch({ prices, request }: ReturnType<typeof randomCase>, options: FastOptions = {}) {
  const fast = compileFastBatch(request, prices, { ...TODAY, ...options });
  if (fast === null) throw new Error('The fast path does not take the tree');
  return fast;
}

describe.each(['daily', 'summed', 'stretches'] as const)('the fast path is the reference (%s)', (force) => {
  test.each(Array.from({ length: 24 }, (_, i) => i))('random batch %i', (seed) => {
    const random = randomCase(seed);
    const plan = planBatch(random.request, random.prices, TODAY);
    const expected = runBatchRange(plan, 0, plan.combinations);
    const fast = fastBatch(random, { force });
    expect(differences(fast.run(0, plan.combinations), expected)).toEqual([]);
    fast.dispose();
  });
});

test('rows do not depend on how a batch is cut, on what ran before, or on the size of the caches', () => {
  for (const seed of [3, 14, 25, 36]) {
    const random = randomCase(seed);
    const fast = fastBatch(random);
    const count = fast.engine.plan.combinations;
    const whole = fast.run(0, count);
    const small = fastBatch(random, { cacheBytes: 1 });
    for (let from = 0; from < count; from += 5) {
      const size = Math.min(5, count - from);
      for (const block of [fast.run(from, size), small.run(from, size)]) {
        for (const name of FLOAT_COLUMNS) {
          const [a, b] = [block.floats[name], whole.floats[name]?.subarray(from, from + size)];
          expect(Array.from(a ?? []), name).toEqual(
            Array.from(b ?? [], (value) => (Number.isNaN(value) ? value : expect.closeTo(value, 9))),
          );
        }
      }
    }
    fast.dispose();
    small.dispose();
  }
});

test.each([
  ['$A', '$B', '$W'],
  ['$B', '$W', '$A'],
  ['$W', '$A', '$B'],
])(
  'branches summed up that make room for others, whatever the order of the variables (%s, %s, %s)',
  (...variables) => {
    const throwDice = dice(8);
    const prices = awkwardPrices(400, throwDice);
    const isHot = condition({
      lhs_fn: 'relative-strength-index',
      lhs_fn_params: { window: '$W' },
      lhs_val: 'SPY',
      comparator: 'gt',
      rhs_val: 55,
      rhs_fixed_val: true,
    });
    const values = {
      $A: ['AAA', 'BBB', 'LATE', 'FLAT'],
      $B: ['CCC', 'SAME', 'BRK-B', 'GONE'],
      $W: [3, 4, 5, 7, 10, 15, 20, 30],
    };
    const request = {
      ...randomCase(8).request,
      template_bot: {
        name: 'order',
        variables,
        algorithm: root(ifThenElse([isHot], [asset('$A')], [asset('$B')])),
      },
      variables: Object.fromEntries(variables.map((name) => [name, values[name as keyof typeof values]])),
      backtest_config: { start_date: '1990-01-01', end_date: '2029-12-31', slippage_bps: 10 },
    };
    const plan = planBatch(request, prices, TODAY);
    const expected = runBatchRange(plan, 0, plan.combinations);
    for (const options of [{ force: 'summed' }, {}] as const) {
      // A quarter is for the sums: those of one group fit, those of two do not.
      const fast = fastBatch({ prices, request }, { ...options, cacheBytes: 200_000 });
      const columns = allocateColumns(0, plan.combinations);
      const failures = Array.from({ length: Math.ceil(plan.combinations / 6) }, (_, i) =>
        fast.engine.run(columns, i * 6, Math.min(6, plan.combinations - i * 6)),
      ).flat();
      expect(differences(blockView(columns, '', plan.space, failures), expected)).toEqual([]);
      fast.dispose();
    }
  },
);

test('stops soon after it is cancelled, and runs again afterwards', () => {
  const random = Array.from({ length: 50 }, (_, seed) => randomCase(seed)).find(
    ({ request }) => request.template_bot.variables.length === 3,
  ) as ReturnType<typeof randomCase>;
  const fast = fastBatch(random);
  const { combinations } = fast.engine.plan;
  expect(combinations).toBeGreaterThan(40);
  const columns = allocateColumns(0, combinations);
  let asked = 0;
  fast.engine.run(columns, 0, combinations, () => ++asked > 1);
  const filled = columnViews(columns).startDay.filter((day) => day !== NO_DAY).length;
  expect(filled).toBeLessThan(combinations);
  expect(fast.run(0, combinations).failures.length).toBeLessThan(combinations);
  fast.dispose();
});

test('a batch of sums stops between two masks as well', () => {
  const walk = (seed: number) => ({ seed, firstDay: 15_000, bars: 400 });
  const prices = new Map(marketOf({ SPY: walk(1), AAA: walk(2), BBB: walk(3), CCC: walk(4), DDD: walk(5) }));
  const hot = condition({ lhs_fn_params: { window: '$W' } });
  const request = batchOf(root(ifThenElse([hot], [asset('$A')], [asset('$B')])), {
    $A: ['AAA', 'BBB'],
    $B: ['CCC', 'DDD'],
    $W: [5, 10, 20],
  });
  const fast = fastBatch({ prices, request }, { force: 'summed' });
  const columns = allocateColumns(0, 12);
  // Asked once in four combinations, then before each of the three masks.
  let asked = 0;
  fast.engine.run(columns, 0, 12, () => ++asked > 4);
  expect(columnViews(columns).startDay.filter((day) => day !== NO_DAY)).toHaveLength(4);
  fast.dispose();
});

test('memory comes back: batch after batch fits where the first ones did', () => {
  const workspace = new Workspace();
  const options = { memory: workspace.memory };
  const run = (seed: number) => {
    const random = randomCase(seed % 7);
    const fast = fastBatch(random, options);
    fast.run(0, fast.engine.plan.combinations);
    fast.dispose();
  };
  for (let i = 0; i < 14; i++) run(i);
  const before = workspace.memory.buffer.byteLength;
  for (let i = 0; i < 70; i++) run(i);
  expect(workspace.memory.buffer.byteLength).toBe(before);
});

test.each(['daily', 'summed', 'stretches'] as const)('a batch gives back all it took (%s)', (force) => {
  const workspace = new Workspace();
  const run = (seed: number) => {
    const { prices, request } = randomCase(seed);
    const plan = planBatch(request, prices, TODAY);
    const tree = supportedPlan(plan);
    if (tree === null) throw new Error('The fast path does not take the tree');
    const engine = new FastBatchEngine(plan, tree, workspace, { cacheBytes: 1 << 24, force });
    engine.run(allocateColumns(0, plan.combinations), 0, plan.combinations);
    engine.dispose();
    return workspace.used;
  };
  for (let seed = 0; seed < 8; seed++) {
    // What the market keeps for the next batch stays; the same batch again adds nothing to it.
    const once = run(seed);
    expect(run(seed), `batch ${seed}`).toBe(once);
  }
});

test('a corridor that is a variable tells trees apart that hold the same', () => {
  const walk = (seed: number) => ({ seed, firstDay: 15_000, bars: 400 });
  const prices = new Map(marketOf({ SPY: walk(1), AAA: walk(2), BBB: walk(3), CCC: walk(4) }));
  const tickers = ['AAA', 'BBB', 'CCC'];
  const tree = root(inverseVolatility(20, asset('$A'), asset('$B')));
  const request = batchOf(
    { ...tree, version: 'v2', rebalance: 'corridor', corridor: '$C' },
    { $C: [1, 5, 20], $A: tickers, $B: tickers },
  );
  const plan = planBatch(request, prices, TODAY);
  const fast = fastBatch({ prices, request });
  const block = fast.run(0, plan.combinations);
  expect(differences(block, runBatchRange(plan, 0, plan.combinations))).toEqual([]);
  expect(new Set(block.floats.turnover_per_year).size).toBeGreaterThan(9);
  fast.dispose();
});

test('a workspace hands out areas that do not overlap and joins what is given back', () => {
  const workspace = new Workspace();
  const throwDice = dice(1);
  const live = new Map<number, number>();
  for (let i = 0; i < 2000; i++) {
    if (live.size > 0 && throwDice(2) === 0) {
      const at = [...live.keys()][throwDice(live.size)] as number;
      workspace.free(at);
      live.delete(at);
      continue;
    }
    const bytes = 1 + throwDice(5000);
    const at = workspace.allocate(bytes);
    expect(at % 64).toBe(0);
    for (const [other, size] of live) expect(at + bytes <= other || other + size <= at).toBe(true);
    live.set(at, bytes);
  }
  for (const at of live.keys()) workspace.free(at);
  expect(workspace.used).toBe(0);
  expect(() => workspace.free(64)).toThrow('was not allocated');
  const pages = workspace.memory.buffer.byteLength;
  workspace.allocate(3_900_000);
  expect(workspace.memory.buffer.byteLength).toBe(pages);
});

describe('more tickers than a byte can tell apart', () => {
  const throwDice = dice(77);
  const days = 260;
  const prices = awkwardPrices(days, throwDice);
  const sample = prices.get('CCC');
  if (sample === undefined) throw new Error('No sample prices');
  const extra = Array.from({ length: 95 }, (_, i) => `X${i}`);
  for (const ticker of extra) {
    let factor = 1;
    const closes = sample.closes.map((close) => {
      factor *= 1 + (throwDice(2001) - 1000) / 100_000;
      return close * factor;
    });
    prices.set(ticker, { ticker, days: sample.days, closes });
  }

  test.each(['daily', 'summed', 'stretches'] as const)('codes of two bytes (%s)', (force) => {
    let compared = 0;
    for (let seed = 0; seed < 60 && compared < 12; seed++) {
      const random = randomBatch(days, dice(seed));
      if (!random.template_bot.variables.includes('$A')) continue;
      const request = { ...random, variables: { ...random.variables, $A: [...extra, 'AAA', 'NONE'] } };
      const plan = planBatch(request, prices, TODAY);
      const fast = fastBatch({ prices, request }, { force });
      for (const share of [0, 0.31, 0.74]) {
        const from = Math.floor(plan.combinations * share);
        const count = Math.min(3, plan.combinations - from);
        expect(differences(fast.run(from, count), runBatchRange(plan, from, count)), `seed ${seed}`).toEqual(
          [],
        );
      }
      fast.dispose();
      compared++;
    }
    expect(compared).toBe(12);
  });
});

test("threads that share a memory stay out of each other's way", () => {
  const memory = createMemory();
  const random = randomCase(3);
  const plan = planBatch(random.request, random.prices, TODAY);
  const tree = supportedPlan(plan);
  if (tree === null) throw new Error('The fast path does not take the tree');
  const expected = runBatchRange(plan, 0, plan.combinations);
  // A workspace is what a thread has of a memory; here two of them take turns.
  const engines = [0, 1].map(() => {
    const workspace = new Workspace(memory);
    return new FastBatchEngine(plan, tree, workspace, { cacheBytes: 1 << 24 });
  });
  const blocks = engines.map(() => allocateColumns(0, plan.combinations));
  for (let from = 0; from < plan.combinations; from += 3) {
    engines.forEach((engine, i) => {
      engine.run(blocks[i] as (typeof blocks)[0], from, Math.min(3, plan.combinations - from));
    });
  }
  for (const columns of blocks) {
    const block = blockView(columns, '', plan.space, expected.failures);
    expect(differences(block, expected)).toEqual([]);
  }
});

test('a filter whose count is a variable, down to one and up to all', () => {
  const random = randomCase(5);
  const leaf = (ticker: string) => ({
    id: ticker,
    weight,
    is_collapsed: false,
    node_type: 'asset' as const,
    ticker,
    name: ticker,
  });
  const weight = { num: 100, den: 100 };
  const children = ['AAA', 'BBB', '$B', 'SPY'].map(leaf);
  const filter = {
    id: 'filter',
    weight,
    is_collapsed: false,
    node_type: 'filter' as const,
    sort: { fn: 'cumulative-return' as const, params: { window: '$W' } },
    select: { fn: 'top' as const, num: '$N' },
    children,
  };
  const { algorithm } = random.request.template_bot;
  const request = {
    ...random.request,
    template_bot: {
      name: 'count',
      variables: ['$N', '$B', '$W'],
      algorithm: { ...algorithm, children: [filter] },
    },
    variables: { $N: [1, '2', 3, 4, 9, 0], $B: ['CCC', 'AAA'], $W: [5, 10] },
  };
  const plan = planBatch(request, random.prices, TODAY);
  const fast = fastBatch({ prices: random.prices, request });
  const expected = runBatchRange(plan, 0, plan.combinations);
  expect(expected.failures).toHaveLength(4);
  expect(differences(fast.run(0, plan.combinations), expected)).toEqual([]);
  fast.dispose();
});

test.each(['close', 'next-close'] as const)('days too few for a run by the %s, on both paths', (fill) => {
  const walk = (seed: number) => ({ seed, firstDay: 20_000, bars: 30 });
  const prices = new Map(marketOf({ SPY: walk(1), AAA: walk(2), BBB: walk(3) }));
  const dateOf = (bar: number) =>
    new Date((prices.get('SPY')?.days[bar] as number) * 86_400_000).toISOString().slice(0, 10);
  const [end, fewest] = [29, fill === 'close' ? 1 : 2];
  for (const returns of [0, 1, 2, 3]) {
    const request = batchOf(
      root(asset('$A')),
      { $A: ['AAA', 'BBB'] },
      { start_date: dateOf(end - returns), end_date: dateOf(end), fill },
    );
    const plan = planBatch(request, prices, TODAY);
    const fast = fastBatch({ prices, request });
    const block = fast.run(0, 2);
    expect(block.failures, `${returns} returns`).toHaveLength(returns < fewest ? 2 : 0);
    expect(differences(block, runBatchRange(plan, 0, 2))).toEqual([]);
    fast.dispose();
  }
});
