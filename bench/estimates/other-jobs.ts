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
import type { Dates, Job, Values } from './jobs.ts';
import { windows } from './jobs.ts';

/**
 * A second set of batches, of other templates, sizes and dates than those the estimate was made with:
 * whatever it says of these, it was not fitted to them.
 */
export function otherJobs(tickers: readonly string[], dates: Dates): Job[] {
  const make = (name: string, tree: BlockNode, variables: Values, from = dates.start): Job => {
    const [, start = from] = [from, dates.start].sort();
    return { name, request: batch(root(tree), variables, { start, end: dates.end }) };
  };
  const take = (from: number, count: number) => tickers.slice(from, from + count);
  const [a = 'SPY', b = 'SPY', c = 'SPY', d = 'SPY'] = take(0, 4);
  const leaves = (from: number, count: number) => take(from, count).map(asset);
  const strength = (window: number | string, series: string): Side => [
    'relative-strength-index',
    window,
    series,
  ];
  const trend = (window: number | string, series: string) =>
    condition(['current-price', 1, series], 'gt', ['exponential-moving-average-price', window, series]);
  return [
    make(
      '5: few windows, few years',
      inverse('$W', ...leaves(0, 6)),
      { $W: windows(20, 5, 20) },
      '2018-01-02',
    ),
    make(
      '40: groups of groups',
      filter(
        'cumulative-return',
        '$W',
        'top',
        1,
        group(filter('max-drawdown', 30, 'bottom', 1, group(asset('$A'), asset(a)), group(asset(b)))),
        group(inverse(40, asset(c), asset('$A'))),
      ),
      { $A: take(4, 10), $W: windows(20, 4, 30) },
    ),
    make(
      '300: crossing an average, ten years',
      either(trend('$W', '$A'), asset('$A'), asset(a)),
      { $A: take(0, 30), $W: windows(10, 10, 15) },
      '2014-01-02',
    ),
    make(
      '2,000: two of six',
      filter('moving-average-return', '$W', 'top', 2, asset('$A'), asset('$B'), ...leaves(2, 4)),
      { $A: take(6, 10), $B: take(16, 10), $W: windows(10, 20, 5) },
    ),
    make('24,000: volatility windows', inverse('$W', asset('$A'), asset('$B'), asset('SPY')), {
      $A: take(0, 24),
      $B: take(5, 25),
      $W: windows(5, 40, 3),
    }),
    make(
      '120,000: two switches, six years',
      equal(
        either(condition(strength('$W', 'SPY'), 'gt', '$X'), asset('$A'), asset(b)),
        either(trend(100, '$B'), asset('$B'), asset(c)),
      ),
      { $A: take(0, 20), $B: take(8, 20), $W: windows(5, 15), $X: windows(50, 20, 2) },
      '2019-01-02',
    ),
    make(
      '9,000: weights of switches',
      specified(
        [40, either(condition(strength('$V', '$A'), 'lt', '$X'), asset('$A'), asset(d))],
        [35, either(condition(['standard-deviation-return', '$W', a], 'gt', 1.5), asset(b), asset('$B'))],
        [25, asset(c)],
      ),
      { $A: take(4, 10), $B: take(14, 10), $V: [5, 10, 20], $W: [10, 30, 60], $X: windows(25, 10, 4) },
    ),
    make(
      '200,000: thresholds',
      either(condition(strength('$W', '$A'), 'gt', '$X'), asset('$B'), asset('$A')),
      { $A: take(0, 20), $B: take(12, 20), $W: windows(2, 10, 3), $X: windows(30, 50) },
    ),
    make(
      '3,000: volatility of groups',
      inverse(
        '$W',
        group(asset('$A'), asset('$B')),
        group(asset(a), either(trend('$V', 'SPY'), asset('$A'), asset(c))),
      ),
      { $A: take(4, 10), $B: take(14, 10), $V: [50, 100, 150, 200, 250], $W: windows(10, 6, 10) },
    ),
    make(
      '63,000: z-score of a ratio, and',
      either(
        [
          condition(['z-score', '$W', '$A/SPY'], 'lt', '$X'),
          condition(['max-drawdown', 120, '$B'], 'lt', 20),
          condition(['cumulative-return', '$V', '$A'], 'gt', ['cumulative-return', '$V', '$B']),
        ],
        equal(asset('$A'), asset('$B')),
        asset(a),
      ),
      {
        $A: take(2, 15),
        $B: take(12, 15),
        $V: windows(20, 7, 20),
        $W: windows(20, 8, 10),
        $X: windows(-2, 5),
      },
    ),
    make(
      '1,200: filters in both branches',
      either(
        condition(['cumulative-return', '$W', 'SPY'], 'gt', 0),
        filter('standard-deviation-return', 20, 'bottom', 1, asset('$A'), ...leaves(4, 8)),
        filter('relative-strength-index', '$V', 'bottom', 3, asset('$B'), ...leaves(12, 6)),
      ),
      { $A: take(20, 6), $B: take(20, 5), $V: windows(5, 5, 5), $W: windows(40, 8, 20) },
    ),
    make(
      '500: nine deep',
      take(0, 9).reduce<BlockNode>(
        (inner, ticker, i) =>
          either(condition(strength(i % 2 ? '$W' : 10 + i, ticker), 'gt', 45 + i), inner, asset(ticker)),
        asset('$A'),
      ),
      { $A: take(9, 20), $W: windows(5, 25) },
    ),
  ];
}
