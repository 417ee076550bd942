import type { BatchRequest } from '@quantloom/domain/contracts/backtest';
import type { BlockNode } from '@quantloom/domain/strategy/tree';
import { asset, batch, condition, either, filter, inverse, root, type Side } from './trees.ts';

/** Backtests per second and core: what the engine must reach, and what it is meant to reach. */
export interface Goals {
  readonly least: number;
  readonly goal: number;
}

export interface Workload {
  readonly name: string;
  readonly about: string;
  readonly request: BatchRequest;
  readonly goals: Goals;
}

/** `count` tickers T… from number `from` on. */
export function tickers(from: number, count: number): string[] {
  return Array.from({ length: count }, (_, i) => `T${String(from + i).padStart(3, '0')}`);
}

const rsi = (window: number | string, series: string): Side => ['relative-strength-index', window, series];
const price = (series: string): Side => ['current-price', 1, series];
const average = (window: number | string, series: string): Side => ['moving-average-price', window, series];

/** The four standard workloads on the synthetic market. */
export function workloads(dates: { start: string; end: string }): Workload[] {
  return [
    {
      name: 'W1',
      about: 'RSI_w(SPY) > 70 ? $A : $B',
      request: batch(
        root(either(condition(rsi('$W', 'SPY'), 'gt', 70), asset('$A'), asset('$B'))),
        { $A: tickers(0, 20), $B: tickers(20, 20), $W: [5, 10, 14, 20] },
        dates,
      ),
      goals: { least: 50_000, goal: 1_000_000 },
    },
    {
      name: 'W2',
      about: 'SPY > SMA_200(SPY) ? top 1 of {$A,$B,$C} by RSI_10 : $D',
      request: batch(
        root(
          either(
            condition(price('SPY'), 'gt', average(200, 'SPY')),
            filter('relative-strength-index', 10, 'top', 1, asset('$A'), asset('$B'), asset('$C')),
            asset('$D'),
          ),
        ),
        { $A: tickers(100, 6), $B: tickers(110, 6), $C: tickers(120, 6), $D: tickers(130, 6) },
        dates,
      ),
      goals: { least: 40_000, goal: 350_000 },
    },
    {
      name: 'W3',
      about: 'inverse volatility (20) of $A,$B,$C',
      request: batch(
        root(inverse(20, asset('$A'), asset('$B'), asset('$C'))),
        { $A: tickers(200, 10), $B: tickers(220, 10), $C: tickers(240, 10) },
        dates,
      ),
      goals: { least: 20_000, goal: 180_000 },
    },
    {
      name: 'W3s',
      about: 'the same, the three variables over one list',
      request: batch(
        root(inverse(20, asset('$A'), asset('$B'), asset('$C'))),
        { $A: tickers(200, 10), $B: tickers(200, 10), $C: tickers(200, 10) },
        dates,
      ),
      goals: { least: 20_000, goal: 180_000 },
    },
    {
      name: 'W4',
      about: '11 ifs, 6 deep, 8 indicators, 12 tickers, 3 variables in conditions',
      request: batch(
        root(deepTree()),
        { $A: tickers(300, 10), $B: tickers(320, 10), $W: windows(10) },
        dates,
      ),
      goals: { least: 24_000, goal: 150_000 },
    },
  ];
}

function windows(count: number): number[] {
  return Array.from({ length: count }, (_, i) => 10 + 5 * i);
}

/**
 * Eleven ifs nested six deep over twelve tickers and eight indicators; two ticker variables and one window
 * stand in conditions.
 */
function deepTree(): BlockNode {
  const leaf = (i: number) => asset(`T${String(400 + i).padStart(3, '0')}`);
  const fast = condition(rsi(10, 'SPY'), 'gt', 75);
  const trend = condition(price('SPY'), 'gt', average(200, 'SPY'));
  const byA = condition(rsi('$W', '$A'), 'gt', rsi('$W', 'SPY'));
  const byB = condition(['cumulative-return', 20, '$B'], 'gt', 0);
  const calm = condition(['standard-deviation-return', 20, 'SPY'], 'lt', 1);
  const fall = condition(['max-drawdown', 60, 'SPY'], 'gt', 10);
  const six = either(fast, leaf(0), leaf(1));
  const five = either(byB, six, leaf(2));
  const four = either(calm, five, either(fall, leaf(3), leaf(4)));
  const three = either(byA, four, leaf(5));
  const two = either(fall, either(byB, leaf(6), leaf(7)), three);
  const other = either(calm, either(fast, leaf(8), leaf(9)), either(byA, leaf(10), leaf(11)));
  return either(trend, two, other);
}
