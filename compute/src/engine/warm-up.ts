import type { BacktestRequest } from '@quantloom/domain/contracts/backtest';
import type { PriceSeries } from '@quantloom/domain/ports/market-data';
import type { Algorithm, BlockNode, ConditionNode } from '@quantloom/domain/strategy/tree';
import { runBacktest } from './backtest.ts';
import { compileFastBatch } from './fast/index.ts';

/** Enough days for every window used here, few enough that a run takes a millisecond or two. */
const DAYS = 300;
/** After so many runs the engine's functions are optimised: the first backtest of a user then takes as long as later ones. */
const RUNS = 20;
const FIRST_DAY = 14_610;
const TODAY = '2030-01-01';
const TICKERS = ['SPY', 'A', 'B', 'C', 'D', 'E', 'F'];

/**
 * Runs made-up backtests, and a batch, so that code is loaded, compiled and optimised before a user waits for it. Yields after every
 * step of a few milliseconds, so that a thread can look for work in between.
 */
export function* warmUp(): Generator<void> {
  const prices = madeUpPrices();
  const request: BacktestRequest = {
    start_date: dateOf(100),
    end_date: dateOf(DAYS - 1),
    include: { history: true },
    trading_bot: tree('A'),
  };
  for (let run = 0; run < RUNS; run++) {
    runBacktest(request, prices, { today: TODAY });
    yield;
  }
  const batch = compileFastBatch(
    {
      template_bot: { name: '', variables: ['$T'], algorithm: tree('$T') },
      variables: { $T: ['A', 'B', 'C'] },
      backtest_config: { start_date: request.start_date, end_date: request.end_date },
    },
    prices,
    { today: TODAY },
  );
  batch?.run(0, 3);
  batch?.dispose();
}

function dateOf(index: number): string {
  return new Date((FIRST_DAY + index) * 86_400_000).toISOString().slice(0, 10);
}

/** Prices that rise and fall at different speeds. */
function madeUpPrices(): Map<string, PriceSeries> {
  const days = Int32Array.from({ length: DAYS }, (_, t) => FIRST_DAY + t);
  const series = TICKERS.map((ticker, i): [string, PriceSeries] => {
    const closes = Float64Array.from(days, (_, t) => 100 + i + 10 * Math.sin(t / (3 + i)) + 0.02 * t);
    return [ticker, { ticker, days, closes }];
  });
  return new Map(series);
}

const base = (id: string) => ({ id, weight: { num: 100, den: 100 }, is_collapsed: false });

/** A tree with every kind of block. */
function tree(ticker: string): Algorithm {
  const asset = (name: string): BlockNode => ({ ...base(name), node_type: 'asset', ticker: name, name });
  const strong: ConditionNode = {
    ...base('strong'),
    node_type: 'condition',
    lhs_fn: 'relative-strength-index',
    lhs_fn_params: { window: 10 },
    lhs_val: 'SPY',
    comparator: 'gt',
    rhs_fn: null,
    rhs_fn_params: {},
    rhs_val: 50,
    rhs_fixed_val: true,
  };
  const above: ConditionNode = {
    ...strong,
    ...base('above'),
    lhs_fn: 'current-price',
    rhs_fn: 'moving-average-price',
    rhs_fn_params: { window: 20 },
    rhs_val: 'SPY',
    rhs_fixed_val: false,
  };
  const best: BlockNode = {
    ...base('best'),
    node_type: 'filter',
    sort: { fn: 'cumulative-return', params: { window: 20 } },
    select: { fn: 'top', num: 2 },
    children: [asset('B'), asset('C'), asset('D')],
  };
  const calm: BlockNode = {
    ...base('calm'),
    node_type: 'wt-inverse-volatility',
    params: { window: 20 },
    children: [asset('D'), asset('E'), asset('F')],
  };
  const weights: BlockNode = { ...base('weights'), node_type: 'wt-cash-equal', children: [best, calm] };
  const either: BlockNode = {
    ...base('either'),
    node_type: 'if-then-else',
    condition_type: 'anyOf',
    conditions: [strong, above],
    then_children: [asset(ticker)],
    else_children: [weights],
    is_conditions_collapsed: false,
    is_then_collapsed: false,
    is_else_collapsed: false,
  };
  return {
    ...base('root'),
    node_type: 'root',
    name: '',
    description: '',
    rebalance: 'daily',
    version: 'v1',
    children: [either],
  };
}
