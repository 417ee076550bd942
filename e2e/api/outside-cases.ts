import { asset, condition, ifThenElse, root } from '../harness/templates.ts';

/**
 * Strategies and batches that nobody of us thought of when the engine was written, on the tickers of the
 * golden panel `main`.
 */

type Tree = ReturnType<typeof root>;
type Values = Readonly<Record<string, readonly (string | number)[]>>;

let next = 0;
const block = (node_type: string, fields: object) => ({
  ...asset('SPY'),
  id: `outside_${next++}`,
  ticker: undefined,
  name: undefined,
  node_type,
  ...fields,
});
export const group = (...children: unknown[]) => block('group', { name: 'Group', children });
export const equal = (...children: unknown[]) => block('wt-cash-equal', { children });
export const inverse = (window: unknown, ...children: unknown[]) =>
  block('wt-inverse-volatility', { params: { window }, children });
export const filter = (fn: string, window: unknown, num: unknown, ...children: unknown[]) =>
  block('filter', { sort: { fn, params: { window } }, select: { fn: 'top', num }, children });
const specified = (...parts: readonly [unknown, unknown, object][]) =>
  block('wt-cash-specified', {
    children: parts.map(([num, den, child]) => ({ ...child, weight: { num, den } })),
  });
export const either = (fields: Record<string, unknown>, then: unknown, otherwise: unknown) =>
  ifThenElse([condition(fields)], [then], [otherwise]);
const tree = (...children: unknown[]): Tree => root('From outside', ...children);

const RSI = { lhs_fn: 'relative-strength-index', lhs_fn_params: { window: 10 }, lhs_val: 'SPY' };
const PRICE = { lhs_fn: 'current-price', lhs_fn_params: { window: 1 } };
const AVERAGE = { rhs_fixed_val: false, rhs_fn: 'moving-average-price', rhs_fn_params: { window: 20 } };
const [QLTY, BOND, SPY] = [asset('QLTY'), asset('BOND'), asset('SPY')];

export interface BatchCase {
  readonly about: string;
  readonly tree: Tree;
  readonly values: Values;
  readonly config?: object;
  /** Over HTTP, where a slip costs quota, the whole batch is refused in these words. */
  readonly refused?: string;
  /** Numbers of the combinations that cannot run. */
  readonly failed?: readonly number[];
}

export const BATCHES: readonly BatchCase[] = [
  {
    about: 'windows as numbers, as text, and both',
    tree: tree(either({ ...RSI, lhs_fn_params: { window: '$W' } }, QLTY, BOND)),
    values: { $W: ['10', 20, 10, '20', '30'] },
  },
  {
    about: 'a ratio with a variable on the left',
    tree: tree(either({ ...PRICE, lhs_val: '$A/SPY', ...AVERAGE, rhs_val: '$A/SPY' }, QLTY, BOND)),
    values: { $A: ['BOND', 'BRK-B', 'SIM:GLD', 'NEWX'] },
  },
  {
    about: 'a ratio with a variable on the right',
    tree: tree(either({ ...PRICE, lhs_val: 'SPY/$A', ...AVERAGE, rhs_val: 'SPY/$A' }, QLTY, BOND)),
    values: { $A: ['BOND', 'NOSUCH', 'OLDX'] },
    failed: [1],
  },
  {
    about: 'a ratio of two variables',
    tree: tree(either({ ...PRICE, lhs_val: '$A/$B', ...AVERAGE, rhs_val: '$B/$A' }, QLTY, BOND)),
    values: { $A: ['SPY', 'BOND'], $B: ['SPY', 'QLTY', 'OLDX'] },
  },
  {
    about: 'a ratio of one variable with itself',
    tree: tree(
      either({ ...PRICE, lhs_val: '$A/$A', comparator: 'eq', rhs_val: 1, rhs_fixed_val: true }, QLTY, BOND),
    ),
    values: { $A: ['SPY', 'NEWX'] },
  },
  {
    about: 'a whole ratio as a value',
    tree: tree(either({ ...PRICE, lhs_val: '$R', ...AVERAGE, rhs_val: '$R' }, QLTY, BOND)),
    values: { $R: ['SPY/BOND', 'QLTY', 'BRK-B/SPY'] },
  },
  {
    about: 'two variables one of whose names begins with the other',
    tree: tree(either(RSI, asset('$T'), asset('$T2'))),
    values: { $T: ['QLTY', 'BOND'], $T2: ['SPY', 'FLAT'] },
  },
  {
    about: 'a variable as the window on the right side',
    tree: tree(
      either(
        { ...PRICE, lhs_val: 'SPY', ...AVERAGE, rhs_val: 'SPY', rhs_fn_params: { window: '$W' } },
        QLTY,
        BOND,
      ),
    ),
    values: { $W: [5, '50', 200] },
  },
  {
    about: 'a variable as the fixed value',
    tree: tree(either({ ...RSI, rhs_val: '$X', rhs_fixed_val: true }, QLTY, BOND)),
    values: { $X: ['70', 45.5, '-3', 1000] },
  },
  {
    about: 'a fixed value that is no number',
    tree: tree(either({ ...RSI, rhs_val: '$X', rhs_fixed_val: true }, QLTY, BOND)),
    values: { $X: ['SPY', 50] },
    refused: 'Variable $X stands for a number',
    failed: [0],
  },
  {
    about: 'a variable as the number of a filter',
    tree: tree(filter('cumulative-return', 20, '$N', QLTY, BOND, SPY)),
    values: { $N: [1, '2', 3, 9, 0, 1.5] },
    failed: [4, 5],
  },
  {
    about: 'variables as window and ticker of a filter over groups',
    tree: tree(
      filter(
        'moving-average-return',
        '$W',
        1,
        group(asset('$A'), BOND),
        group(filter('relative-strength-index', 5, 1, QLTY, SPY)),
        either(RSI, asset('FLAT'), equal(SPY, asset('$A'))),
      ),
    ),
    values: { $W: [10, 40], $A: ['QLTY', 'BRK-B', 'NEWX'] },
  },
  {
    about: 'a filter of filters of groups',
    tree: tree(
      filter(
        'standard-deviation-return',
        30,
        2,
        filter('max-drawdown', '$W', 1, group(QLTY, BOND), group(SPY, asset('$A'))),
        group(inverse(20, BOND, asset('$A'))),
        asset('SIM:GLD'),
      ),
    ),
    values: { $A: ['SPY', 'FLAT', 'BRK-B'], $W: [10, 30] },
  },
  {
    about: 'windows of inverse volatility, a bad one among them',
    tree: tree(inverse('$W', QLTY, BOND, asset('$A'))),
    values: { $W: [1, 2, '30'], $A: ['SPY', 'NEWX'] },
    failed: [0, 1],
  },
  {
    about: 'late and early ends, and two that never meet',
    tree: tree(equal(asset('$A'), asset('$B'))),
    values: { $A: ['NEWX', 'OLDX', 'BRK-B'], $B: ['OLDX', 'SPY'] },
    failed: [0],
  },
  {
    about: 'unknown tickers on either side',
    tree: tree(either({ ...RSI, lhs_val: '$A' }, asset('$B'), BOND)),
    values: { $A: ['SPY', 'FLET'], $B: ['QLTY', 'NOSUCH'] },
    failed: [1, 2, 3],
  },
  {
    about: 'one ticker spelled in three ways',
    tree: tree(either({ ...RSI, lhs_val: '$A' }, asset('$B'), BOND)),
    values: { $A: ['SPY', 'spy', ' Spy'], $B: ['qlty', 'BOND'] },
  },
  {
    about: 'windows that are none',
    tree: tree(either({ ...RSI, lhs_fn_params: { window: '$W' } }, QLTY, BOND)),
    values: { $W: [0, 1, 2.5, 2001, 2000, '14'] },
    failed: [0, 2, 3, 4],
  },
  {
    about: 'a single day',
    tree: tree(asset('$A')),
    values: { $A: ['QLTY', 'BOND'] },
    config: { start_date: '2016-06-01', end_date: '2016-06-01' },
    failed: [0, 1],
  },
  {
    about: 'a benchmark that is not there',
    tree: tree(either(RSI, asset('$A'), BOND)),
    values: { $A: ['QLTY', 'BRK-B', 'OLDX'] },
    config: { benchmark_ticker: 'NOPE' },
  },
  {
    about: 'another benchmark, with a calendar of its own',
    tree: tree(either(RSI, asset('$A'), BOND)),
    values: { $A: ['QLTY', 'NEWX'] },
    config: { benchmark_ticker: 'SIM:GLD' },
  },
  {
    about: 'a variable that stands nowhere',
    tree: tree(asset('$A')),
    values: { $A: ['QLTY', 'BOND'], $NOWHERE: ['SPY', 'FLAT'] },
  },
  {
    about: 'one combination',
    tree: tree(asset('$A')),
    values: { $A: ['BRK-B'] },
  },
  {
    about: 'a variable as a weight',
    tree: tree(specified(['$N', 100, QLTY], [40, '100', BOND])),
    values: { $N: [10, '60', 61] },
    failed: [2],
  },
];

export interface SingleCase {
  readonly about: string;
  readonly tree: unknown;
  readonly request?: object;
  /** What the refusal says; missing: it runs. */
  readonly refused?: readonly string[];
  /** A strategy, and terms, that must come to the same figures. */
  readonly same?: { readonly tree: Tree; readonly request?: object };
  readonly days?: readonly [string, string];
}

const bad = { window: asset('QLTY'), unknown: asset('NOSUCH'), ratio: asset('SPY/BOND'), open: asset('$A') };
const pasted = block('pasted', { children: [QLTY] });
const fallen = condition({ ...RSI, lhs_val: 'SPY/BOND/QLTY' });
const none = condition({ ...RSI, lhs_val: 'SPY/' });

export const SINGLES: readonly SingleCase[] = [
  {
    about: 'a start after the end',
    tree: tree(QLTY),
    request: { start_date: '2018-01-02', end_date: '2018-01-01' },
    refused: ['Start date'],
  },
  {
    about: 'an end in the future',
    tree: tree(QLTY),
    request: { end_date: '2999-01-01' },
    refused: ['2999-01-01'],
  },
  {
    about: 'a single day',
    tree: tree(QLTY),
    request: { start_date: '2016-06-01', end_date: '2016-06-01' },
    refused: ['2016-06-01'],
  },
  {
    about: 'a day that no month has',
    tree: tree(QLTY),
    request: { start_date: '2016-02-30' },
    refused: ['start_date'],
  },
  {
    about: 'a day in another notation',
    tree: tree(QLTY),
    request: { end_date: '01/02/2016' },
    refused: ['end_date'],
  },
  { about: 'a ticker that is not there', tree: tree(bad.unknown), refused: ['NOSUCH', bad.unknown.id] },
  { about: 'a ticker in small letters', tree: tree(asset('qlty')), same: { tree: tree(QLTY) } },
  { about: 'a variable without a value', tree: tree(bad.open), refused: ['$A', bad.open.id] },
  { about: 'a ratio as an asset', tree: tree(bad.ratio), refused: ['SPY/BOND', bad.ratio.id] },
  {
    about: 'a ratio of three',
    tree: tree(ifThenElse([fallen], [QLTY], [BOND])),
    refused: [fallen.id, 'SPY/BOND/QLTY'],
  },
  { about: 'half a ratio', tree: tree(ifThenElse([none], [QLTY], [BOND])), refused: [none.id] },
  { about: 'a type that nobody knows', tree: tree(pasted), refused: [pasted.id, 'pasted'] },
  { about: 'nothing at all', tree: tree(), refused: ['asset'] },
  { about: 'no tree', tree: null, refused: [] },
  { about: 'a word for a tree', tree: 'QLTY', refused: [] },
  { about: 'negative costs', tree: tree(QLTY), request: { slippage_bps: -1 }, refused: ['slippage_bps'] },
  { about: 'no money', tree: tree(QLTY), request: { starting_balance: 0 }, refused: ['starting_balance'] },
  {
    about: 'numbers as text everywhere',
    tree: tree(
      filter(
        'cumulative-return',
        '20',
        '1',
        specified(['50', '100', QLTY], ['25', '50', BOND]),
        either({ ...RSI, lhs_fn_params: { window: '10' }, rhs_val: '55' }, SPY, inverse('30', QLTY, SPY)),
      ),
    ),
    same: {
      tree: tree(
        filter(
          'cumulative-return',
          20,
          1,
          specified([50, 100, QLTY], [25, 50, BOND]),
          either({ ...RSI, rhs_val: 55 }, SPY, inverse(30, QLTY, SPY)),
        ),
      ),
    },
  },
  { about: 'groups around one asset', tree: tree(group(equal(group(QLTY)))), same: { tree: tree(QLTY) } },
  {
    about: 'a ratio of a ticker with itself is 1',
    tree: tree(either({ ...PRICE, lhs_val: 'SPY/SPY', comparator: 'eq', rhs_val: '1' }, QLTY, SPY)),
    same: { tree: tree(QLTY) },
  },
  {
    about: 'the same ticker in many leaves',
    tree: tree(equal(QLTY, group(asset('QLTY'), asset('QLTY')))),
    same: { tree: tree(QLTY) },
  },
  {
    about: 'a range that begins at a weekend before all data',
    tree: tree(QLTY),
    request: { start_date: '1990-01-06' },
    days: ['2015-01-02', '2019-09-30'],
  },
  {
    about: 'the day that a window of a late listing is full',
    tree: tree(either({ ...PRICE, lhs_val: 'NEWX', ...AVERAGE, rhs_val: 'NEWX' }, QLTY, BOND)),
    same: {
      tree: tree(either({ ...PRICE, lhs_val: 'NEWX', ...AVERAGE, rhs_val: 'NEWX' }, QLTY, BOND)),
      request: { start_date: '2017-10-10' },
    },
  },
];
