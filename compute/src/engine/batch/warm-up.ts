import type { BacktestRequest } from '@quantloom/domain/contracts/backtest';
import type { BacktestColumns } from '@quantloom/domain/contracts/backtest-columns';
import type { PriceSeries } from '@quantloom/domain/ports/market-data';
import { FIRST_SORT_NAMES, WINDOW_INDICATOR_NAMES } from '@quantloom/domain/strategy/indicator';
import type {
  Algorithm,
  BlockNode,
  Comparator,
  ConditionNode,
  FilterSortName,
  IndicatorName,
} from '@quantloom/domain/strategy/tree';
import { runBacktestInColumns } from '../answers/backtest.ts';
import { compileFastBatch, touchMemory } from './fast-path.ts';

/** Enough days for every window used here, few enough that a run takes a millisecond or two. */
const DAYS = 300;
/**
 * After so many runs the engine's functions are optimised: the first backtest of a user then takes as long as
 * later ones.
 */
const RUNS = 20;
/** Answers that are used: there is much more in them than what computes them. */
const USED_EVERY = 6;
/** The same of batches. */
const ROUNDS = 3;
/** Once more on few days: functions that are called for every combination need more calls than those that loop. */
const SHORT_ROUNDS = 8;
/** Values of a list: as many combinations as make loops over them long enough to be optimised. */
const LISTED = 8;
/** Nearly what real prices have: memory is touched for the first time, and loops become long enough to be optimised. */
const DAYS_OF_BATCHES = 3000;
/** Memory that a batch of a thousand combinations takes, or one of some hundred that each need columns of their own. */
const TOUCHED_BYTES = 32 * 1024 * 1024;
const FIRST_DAY = 14_610;
const TODAY = '2030-01-01';
const TICKERS = ['SPY', 'A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J'];

/**
 * Runs made-up backtests and batches, so that code is loaded, compiled and optimised before a user waits for
 * it. Yields after every step of a few milliseconds, so that a thread can look for work in between.
 * @param use what is done with an answer, so that this is quick as well
 */
export function* warmUp(use: (answer: BacktestColumns) => void = () => undefined): Generator<void> {
  const prices = madeUpPrices();
  const request: BacktestRequest = {
    start_date: dateOf(100),
    end_date: dateOf(DAYS - 1),
    include: { history: true, explanation: true },
    trading_bot: tree('A'),
  };
  for (let run = 0; run < RUNS; run++) {
    const answer = runBacktestInColumns(request, prices, { today: TODAY });
    if (run % USED_EVERY === 0) use(answer);
    yield;
  }
  for (let round = 0; round < ROUNDS; round++) {
    // Other prices each time: what is known of them is kept, and there would be nothing left to do.
    const long = madeUpPrices(DAYS_OF_BATCHES, round);
    runBatch(tree('$A'), DAYS, prices);
    yield;
    for (const algorithm of templates()) {
      runBatch(algorithm, DAYS_OF_BATCHES, long);
      yield;
    }
  }
  for (let round = 0; round < SHORT_ROUNDS; round++) {
    const short = madeUpPrices(DAYS, 1 + round);
    for (const algorithm of templates()) runBatch(algorithm, DAYS, short);
    yield;
  }
  // All in one piece, which what is free already is too small for.
  yield* touchMemory(TOUCHED_BYTES);
}

/** Plans and runs a batch over some tickers and windows, on so many days of prices. */
function runBatch(algorithm: Algorithm, days: number, prices: ReadonlyMap<string, PriceSeries>): void {
  const lists = { $A: TICKERS.slice(1, 1 + LISTED), $B: TICKERS.slice(3, 3 + LISTED), $W: [5, 10, 14, 20] };
  const text = JSON.stringify(algorithm);
  const variables = Object.fromEntries(Object.entries(lists).filter(([name]) => text.includes(`"${name}"`)));
  const batch = compileFastBatch(
    {
      template_bot: { name: '', variables: Object.keys(variables), algorithm },
      variables,
      backtest_config: { start_date: dateOf(100), end_date: dateOf(days - 1) },
    },
    prices,
    { today: TODAY },
  );
  batch?.run(0, batch.engine.plan.combinations);
  batch?.dispose();
}

/** A template for each of the ways that batches run: what people build most. */
function templates(): Algorithm[] {
  const hot = condition('hot', 'relative-strength-index', 'SPY', 'gt', undefined, '$W');
  const risen = condition('risen', 'cumulative-return', '$A', 'gt', undefined, '$W');
  const above = condition('above', 'current-price', 'SPY', 'gt', 'SPY');
  const strong = condition('strong', 'relative-strength-index', '$B', 'gt');
  const ifAll = (id: string, one: ConditionNode, then: BlockNode, otherwise: BlockNode) =>
    either(id, 'allOf', [one], then, otherwise);
  const weighted = (id: string, ...children: BlockNode[]): BlockNode => ({
    ...base(id),
    node_type: 'wt-inverse-volatility',
    params: { window: WINDOW },
    children,
  });
  const sleeves: BlockNode = {
    ...base('sleeves'),
    node_type: 'wt-cash-specified',
    children: [
      { ...group('core', asset('SPY'), asset('E')), weight: { num: 60, den: 100 } },
      { ...ifAll('satellite', strong, asset('$B'), asset('$A')), weight: { num: 40, den: 100 } },
    ],
  };
  return [
    ifAll('switch', hot, asset('$A'), asset('$B')),
    ifAll(
      'trend',
      above,
      filter('one', 'relative-strength-index', asset('$A'), asset('$B'), asset('F')),
      asset('E'),
    ),
    weighted('weighed', asset('$A'), asset('$B'), asset('F')),
    ifAll(
      'deep',
      above,
      ifAll('deeper', risen, asset('D'), asset('E')),
      ifAll('other', strong, asset('F'), asset('B')),
    ),
    filter(
      'groups',
      'cumulative-return',
      group('left', asset('$A'), asset('$B')),
      weighted('right', asset('D'), asset('E')),
      asset('F'),
    ),
    sleeves,
    filter('rotation', 'cumulative-return', asset('$A'), asset('D'), asset('E'), asset('F'), asset('$B')),
  ].map((block) => rootOf(block));
}

function dateOf(index: number): string {
  return new Date((FIRST_DAY + index) * 86_400_000).toISOString().slice(0, 10);
}

/** Prices that rise and fall at different speeds. */
function madeUpPrices(count = DAYS, more = 0): Map<string, PriceSeries> {
  const days = Int32Array.from({ length: count }, (_, t) => FIRST_DAY + t);
  const series = TICKERS.map((ticker, i): [string, PriceSeries] => {
    const closes = Float64Array.from(days, (_, t) => 100 + i + more + 10 * Math.sin(t / (3 + i)) + 0.02 * t);
    return [ticker, { ticker, days, closes }];
  });
  return new Map(series);
}

const base = (id: string) => ({ id, weight: { num: 100, den: 100 }, is_collapsed: false });

/**
 * A tree with every kind of block, every function on prices, on a ratio and on blocks run alone, and every
 * comparator.
 */
function tree(ticker: string): Algorithm {
  const conditions = WINDOW_INDICATOR_NAMES.flatMap((fn, i) => [
    condition(`${fn} value`, fn, TICKERS[i % TICKERS.length] as string, COMPARATORS[i % 3] as Comparator),
    condition(`${fn} average`, fn, i % 2 === 0 ? 'A/SPY' : 'SPY', 'gt', 'SPY'),
  ]);
  const best = filter('best', 'cumulative-return', asset('B'), asset('C'), asset('D'));
  const calm: BlockNode = {
    ...base('calm'),
    node_type: 'wt-inverse-volatility',
    params: { window: WINDOW },
    children: [asset('D'), asset('E'), group('inner', asset('F'), asset('E'))],
  };
  const parts: BlockNode = {
    ...base('parts'),
    node_type: 'wt-cash-specified',
    children: [best, calm].map((child) => ({ ...child, weight: { num: 40, den: 100 } })),
  };
  const chosen = FIRST_SORT_NAMES.map((fn) =>
    filter(`by ${fn}`, fn, group(`${fn} left`, asset('A'), asset('B')), asset('C'), parts),
  );
  const rest: BlockNode = { ...base('rest'), node_type: 'wt-cash-equal', children: chosen };
  return rootOf(
    either('any', 'anyOf', conditions.slice(0, 3), asset(ticker), rest),
    either('all', 'allOf', conditions, rest, asset(ticker)),
  );
}

function rootOf(...children: BlockNode[]): Algorithm {
  return {
    ...base('root'),
    node_type: 'root',
    name: '',
    description: '',
    rebalance: 'daily',
    version: 'v1',
    children,
  };
}

const WINDOW = 20;
const COMPARATORS: readonly Comparator[] = ['gt', 'lt', 'eq'];

function asset(name: string): BlockNode {
  return { ...base(name), node_type: 'asset', ticker: name, name };
}

function group(id: string, ...children: BlockNode[]): BlockNode {
  return { ...base(id), node_type: 'group', name: id, children };
}

function filter(id: string, fn: FilterSortName, ...children: BlockNode[]): BlockNode {
  const select = { fn: 'top', num: 2 } as const;
  return { ...base(id), node_type: 'filter', sort: { fn, params: { window: WINDOW } }, select, children };
}

/** Compares an indicator with a number, or with the average of a ticker. */
function condition(
  id: string,
  fn: IndicatorName,
  series: string,
  comparator: Comparator,
  average?: string,
  window: number | string = WINDOW,
): ConditionNode {
  return {
    ...base(id),
    node_type: 'condition',
    lhs_fn: fn,
    lhs_fn_params: { window },
    lhs_val: series,
    comparator,
    rhs_fn: average === undefined ? null : 'moving-average-price',
    rhs_fn_params: { window: WINDOW },
    rhs_val: average ?? 50,
    rhs_fixed_val: average === undefined,
  };
}

function either(
  id: string,
  type: 'allOf' | 'anyOf',
  conditions: ConditionNode[],
  then: BlockNode,
  otherwise: BlockNode,
): BlockNode {
  return {
    ...base(id),
    node_type: 'if-then-else',
    condition_type: type,
    conditions,
    then_children: [then],
    else_children: [otherwise],
    is_conditions_collapsed: false,
    is_then_collapsed: false,
    is_else_collapsed: false,
  };
}
