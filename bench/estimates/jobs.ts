import type { BatchRequest } from '@quantloom/domain/contracts/backtest';
import type { BlockNode } from '@quantloom/domain/strategy/tree';
import {
  asset,
  batch,
  condition,
  either,
  equal,
  filter,
  group,
  inverse,
  root,
  type Side,
  specified,
} from '../engine/trees.ts';

export interface Job {
  readonly name: string;
  readonly request: BatchRequest;
}

export type Values = Readonly<Record<string, readonly (string | number)[]>>;

export interface Dates {
  readonly start: string;
  readonly end: string;
}

const rsi = (window: number | string, series: string): Side => ['relative-strength-index', window, series];
const price = (series: string): Side => ['current-price', 1, series];
const average = (window: number | string, series: string): Side => ['moving-average-price', window, series];
const growth = (window: number | string, series: string): Side => ['cumulative-return', window, series];

/** Windows `from`, `from + step`, …, `count` of them. */
export function windows(from: number, count: number, step = 1): number[] {
  return Array.from({ length: count }, (_, i) => from + i * step);
}

const rsiSwitch = () => either(condition(rsi('$W', 'SPY'), 'gt', 70), asset('$A'), asset('$B'));

/** Eleven ifs, six deep, whose variables stand in conditions. */
function deepTree(): BlockNode {
  const fast = condition(rsi(10, 'SPY'), 'gt', 75);
  const trend = condition(price('SPY'), 'gt', average(200, 'SPY'));
  const byA = condition(rsi('$W', '$A'), 'gt', rsi('$W', 'SPY'));
  const byB = condition(growth(20, '$B'), 'gt', 0);
  const calm = condition(['standard-deviation-return', 20, 'SPY'], 'lt', 1);
  const fall = condition(['max-drawdown', 60, 'SPY'], 'gt', 10);
  const five = either(byB, either(fast, asset('SHY'), asset('QQQ')), asset('IEF'));
  const four = either(calm, five, either(fall, asset('GLD'), asset('TLT')));
  const two = either(
    fall,
    either(byB, asset('EFA'), asset('AGG')),
    either(byA, four, either(fast, asset('LQD'), asset('TIP'))),
  );
  const other = either(
    calm,
    either(fast, asset('IYR'), asset('IWM')),
    either(byA, asset('MDY'), asset('EWJ')),
  );
  return either(trend, two, other);
}

/**
 * Batches that cost time in different ways, from one combination to hundreds of thousands, on assets that a
 * data set has.
 */
export function jobs(tickers: readonly string[], dates: Dates): Job[] {
  const make = (name: string, tree: BlockNode, variables: Values): Job => ({
    name,
    request: batch(root(tree), variables, dates),
  });
  const take = (from: number, count: number) => tickers.slice(from, from + count);
  const half = Math.floor(tickers.length / 2);
  return [
    make('1: one combination', rsiSwitch(), { $W: [10], $A: take(0, 1), $B: take(1, 1) }),
    make('1,000: switch', rsiSwitch(), { $W: windows(5, 10), $A: take(0, 10), $B: take(10, 10) }),
    make('400,000: switch, two lists', rsiSwitch(), {
      $W: windows(2, Math.round(400_000 / half ** 2)),
      $A: take(0, half),
      $B: take(half, half),
    }),
    make('50,000: switch, one list twice', rsiSwitch(), {
      $W: windows(2, Math.round(50_000 / tickers.length ** 2)),
      $A: tickers,
      $B: tickers,
    }),
    make(
      '10,000: best of three, else',
      either(
        condition(price('SPY'), 'gt', average(200, 'SPY')),
        filter('relative-strength-index', 10, 'top', 1, asset('$A'), asset('$B'), asset('$C')),
        asset('$D'),
      ),
      { $A: take(0, 10), $B: take(5, 10), $C: take(12, 10), $D: take(20, 10) },
    ),
    make('15,000: inverse volatility, one list', inverse(20, asset('$A'), asset('$B'), asset('$C')), {
      $A: take(0, 25),
      $B: take(0, 25),
      $C: take(0, 25),
    }),
    make('50,000: eleven ifs', deepTree(), {
      $A: take(0, 25),
      $B: take(0, 25),
      $W: windows(5, 80),
    }),
    make(
      '600: filter of groups',
      filter(
        'relative-strength-index',
        '$W',
        'bottom',
        1,
        group(asset('$A'), asset('TLT')),
        group(asset('$B'), asset('IEF')),
        either(condition(rsi(10, 'SPY'), 'gt', 75), asset('BIL'), equal(asset('SPY'), asset('QQQ'))),
      ),
      { $A: take(0, 12), $B: take(12, 10), $W: [5, 10, 15, 20, 30] },
    ),
    make(
      '7,000: a third cannot run',
      either(condition(rsi('$W', '$A'), 'gt', '$X'), asset('$B'), asset('$A')),
      {
        $A: [...take(0, 8), 'NOSUCH1', 'NOSUCH2', 'NOSUCH3', 'NOSUCH4'],
        $B: take(8, 15),
        $W: [2, 5, 10, 14, 20, 30, 50, 100],
        $X: [60, 65, 70, 75, 80],
      },
    ),
    make(
      '1,500: weights within weights',
      specified(
        [30, filter('moving-average-return', '$W', 'top', 1, asset('$A'), asset('EFA'), asset('EEM'))],
        [30, filter('standard-deviation-return', 60, 'bottom', 2, asset('TLT'), asset('GLD'), asset('$B'))],
        [30, inverse(60, asset('SPY'), asset('AGG'))],
      ),
      { $A: take(0, 10), $B: take(10, 15), $W: windows(10, 10, 10) },
    ),
    make(
      '20,000: ratio, anyOf',
      either(
        [
          condition(price('$A/IEF'), 'lt', average('$W', '$A/IEF')),
          condition(['standard-deviation-return', '$V', '$A'], 'gt', '$X'),
          condition(['max-drawdown', 60, 'SPY'], 'gt', 15),
        ],
        equal(asset('IEF'), asset('$B')),
        asset('$A'),
        'anyOf',
      ),
      {
        $A: take(0, 12),
        $B: take(12, 12),
        $W: [50, 100, 200],
        $V: windows(10, 9, 5),
        $X: [1, 1.5, 2, 2.5, 3],
      },
    ),
    make(
      '30: three slow windows',
      inverse(
        '$W',
        asset('$A'),
        group(asset('SPY'), asset('TLT')),
        filter('cumulative-return', 120, 'top', 2, ...take(0, 8).map(asset)),
      ),
      { $A: take(0, 10), $W: [20, 60, 120] },
    ),
  ];
}
