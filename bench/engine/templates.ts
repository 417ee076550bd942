import type { BatchRequest } from '@quantloom/domain/contracts/backtest';
import type { BlockNode } from '@quantloom/domain/strategy/tree';
import {
  asset,
  batch,
  condition,
  either,
  empty,
  equal,
  filter,
  group,
  inverse,
  root,
  type Side,
  specified,
} from './trees.ts';

export interface Template {
  readonly name: string;
  readonly about: string;
  readonly request: BatchRequest;
}

const rsi = (window: number | string, series: string): Side => ['relative-strength-index', window, series];
const price = (series: string): Side => ['current-price', 1, series];
const average = (window: number | string, series: string): Side => ['moving-average-price', window, series];
const growth = (window: number | string, series: string): Side => ['cumulative-return', window, series];

const BROAD = ['SPY', 'QQQ', 'IWM', 'MDY', 'VTI', 'EFA', 'EEM', 'IYR'];
const SAFE = ['TLT', 'IEF', 'SHY', 'AGG', 'LQD', 'TIP', 'GLD', 'BIL'];

/** Ten templates over exchange-traded funds as users build them, each of some hundred to some thousand combinations. */
export function templates(): Template[] {
  const dates = { start: '1993-01-29', end: '2025-06-27' };
  const make = (
    name: string,
    about: string,
    tree: BlockNode,
    variables: Record<string, (string | number)[]>,
  ): Template => ({ name, about, request: batch(root(tree), variables, dates) });
  return [
    make(
      'trend',
      'price above its average: $A, else $B',
      either(condition(price('$A'), 'gt', average('$W', '$A')), asset('$A'), asset('$B')),
      { $A: BROAD, $B: SAFE, $W: [20, 50, 100, 150, 200, 250] },
    ),
    make(
      'core and satellite',
      '60% fixed, 40% an if',
      specified(
        [60, equal(asset('SPY'), asset('IEF'))],
        [40, either(condition(rsi('$W', '$A'), 'gt', '$X'), asset('$B'), asset('$A'))],
      ),
      { $A: BROAD.slice(1), $B: SAFE.slice(2), $W: [5, 10, 14, 21], $X: [60, 65, 70, 75, 80] },
    ),
    make(
      'rotation',
      'top 2 of 8 by return',
      filter('cumulative-return', '$W', 'top', 2, ...BROAD.slice(0, 6).map(asset), asset('$A'), asset('$B')),
      { $A: SAFE, $B: ['GLD', 'DBC', 'VNQ', 'HYG'], $W: [20, 40, 60, 90, 120, 180, 250] },
    ),
    make(
      'two sleeves',
      'equal weight of two independent ifs',
      equal(
        either(condition(rsi(10, '$A'), 'gt', 70), asset('$B'), asset('$A')),
        either(condition(price('$C'), 'gt', average(200, '$C')), asset('$C'), asset('SHY')),
      ),
      { $A: BROAD, $B: SAFE, $C: ['EFA', 'EEM', 'EWJ', 'IEV', 'GLD', 'TLT'] },
    ),
    make(
      'risk parity',
      'inverse volatility of 5, one leg an if',
      inverse(
        '$W',
        asset('SPY'),
        asset('TLT'),
        asset('GLD'),
        asset('$A'),
        either(condition(growth(60, '$B'), 'gt', 0), asset('$B'), asset('SHY')),
      ),
      { $A: ['IYR', 'LQD', 'AGG', 'TIP'], $B: BROAD.slice(1), $W: [20, 40, 60, 90, 120] },
    ),
    make(
      'filter of groups',
      'best of three portfolios by RSI of their own series',
      filter(
        'relative-strength-index',
        '$W',
        'bottom',
        1,
        group(asset('$A'), asset('TLT')),
        group(asset('$B'), asset('IEF')),
        either(condition(rsi(10, 'SPY'), 'gt', 75), asset('BIL'), equal(asset('SPY'), asset('QQQ'))),
      ),
      { $A: BROAD.slice(1, 7), $B: ['EFA', 'EEM', 'IEV', 'EWJ'], $W: [5, 10, 15, 20, 30] },
    ),
    make(
      'ratio and volatility',
      'anyOf over a ratio, a deviation and a drawdown',
      either(
        [
          condition(price('$A/IEF'), 'lt', average('$W', '$A/IEF')),
          condition(['standard-deviation-return', 20, '$A'], 'gt', '$X'),
          condition(['max-drawdown', 60, 'SPY'], 'gt', 15),
        ],
        equal(asset('IEF'), asset('$B')),
        asset('$A'),
        'anyOf',
      ),
      { $A: BROAD, $B: ['GLD', 'SHY', 'TIP'], $W: [50, 100, 200], $X: [1, 1.5, 2, 2.5, 3] },
    ),
    make(
      'leveraged switch',
      'four ifs deep, with cash',
      either(
        condition(rsi('$W', 'QQQ'), 'gt', '$X'),
        asset('UVXY'),
        either(
          condition(rsi('$W', 'QQQ'), 'lt', 31),
          asset('TQQQ'),
          either(
            condition(price('SPY'), 'gt', average('$M', 'SPY')),
            either(condition(['z-score', 20, 'TQQQ'], 'gt', 1.5), asset('$A'), asset('TQQQ')),
            either(condition(growth(10, 'TLT'), 'gt', 0), asset('TMF'), empty()),
          ),
        ),
      ),
      { $A: ['SPXL', 'QQQ', 'SPLV', 'BTAL'], $W: [5, 7, 10, 14], $X: [75, 79, 82], $M: [50, 100, 150, 200] },
    ),
    make(
      'nested weights',
      'weights within weights within filters',
      specified(
        [30, filter('moving-average-return', '$W', 'top', 1, asset('$A'), asset('EFA'), asset('EEM'))],
        [30, filter('standard-deviation-return', 60, 'bottom', 2, asset('TLT'), asset('GLD'), asset('$B'))],
        [30, inverse(60, asset('SPY'), asset('AGG'))],
      ),
      { $A: BROAD.slice(0, 6), $B: ['LQD', 'TIP', 'IYR', 'DBC', 'UUP'], $W: [10, 20, 40, 60, 120] },
    ),
    make(
      'twelve tickers',
      'equal weight of four top-1 filters of three',
      equal(
        filter('relative-strength-index', '$W', 'top', 1, asset('SPY'), asset('QQQ'), asset('$A')),
        filter('relative-strength-index', '$W', 'top', 1, asset('EFA'), asset('EEM'), asset('EWJ')),
        filter('cumulative-return', '$V', 'top', 1, asset('TLT'), asset('IEF'), asset('$B')),
        filter('cumulative-return', '$V', 'top', 1, asset('GLD'), asset('DBC'), asset('VNQ')),
      ),
      {
        $A: ['IWM', 'MDY', 'IYR'],
        $B: ['LQD', 'TIP', 'AGG'],
        $W: [5, 10, 20, 40],
        $V: [20, 40, 60, 120, 180],
      },
    ),
  ];
}
