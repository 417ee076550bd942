import type { BacktestRequest, FlipPrice } from '@quantloom/domain/contracts/backtest';
import type { PriceSeries } from '@quantloom/domain/ports/market-data';
import type { ConditionNode } from '@quantloom/domain/strategy/tree';
import { describe, expect, it } from 'vitest';
import { asset, condition, ifThenElse, root } from '../../../testing/fixtures.ts';
import { runBacktest } from './backtest.ts';

const FIRST = 18_000;
const DAYS = 300;
const dayText = (day: number) => new Date(day * 86_400_000).toISOString().slice(0, 10);
const END = dayText(FIRST + DAYS - 1);
const TODAY = dayText(FIRST + DAYS + 10);

/** A walk that is the same at every run. */
function walk(seed: number, start: number): number[] {
  let state = seed;
  let price = start;
  return Array.from({ length: DAYS }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    price *= 1 + (state / 2 ** 31 - 0.5) / 25;
    return price;
  });
}
const CLOSES: Readonly<Record<string, readonly number[]>> = {
  SPY: walk(1, 400),
  TLT: walk(2, 90),
  GLD: walk(3, 170),
};
/** The closes, each ticker's followed by one more. */
function prices(next: Readonly<Record<string, number>> = {}): Map<string, PriceSeries> {
  return new Map(
    Object.entries(CLOSES).map(([ticker, closes]) => {
      const more = Object.keys(next).length > 0 ? [next[ticker] ?? (closes.at(-1) as number)] : [];
      const all = Float64Array.from([...closes, ...more]);
      return [ticker, { days: Int32Array.from(all, (_, i) => FIRST + i), closes: all } as PriceSeries];
    }),
  );
}
const request = (node: ConditionNode, end: string): BacktestRequest => ({
  start_date: dayText(FIRST),
  end_date: end,
  include: { history: true, explanation: true, flips: true },
  trading_bot: root(ifThenElse([node], [asset('SPY')], [asset('TLT')])),
});
const run = (node: ConditionNode, next: Readonly<Record<string, number>> = {}, end = END) =>
  runBacktest(request(node, end), prices(next), { today: TODAY });
const lastOf = (list: readonly boolean[] | undefined) => list?.at(-1);
const flipOf = (node: ConditionNode): FlipPrice | null | undefined => run(node).flips?.[node.id];

const fixed = (fn: ConditionNode['lhs_fn'], window: number, rhs: number, more: Partial<ConditionNode> = {}) =>
  condition({ lhs_fn: fn, lhs_fn_params: { window }, rhs_val: rhs, ...more });
const against = (
  fn: ConditionNode['lhs_fn'],
  window: number,
  other: ConditionNode['rhs_fn'],
  otherWindow: number,
  ticker = 'SPY',
  more: Partial<ConditionNode> = {},
) =>
  condition({
    lhs_fn: fn,
    lhs_fn_params: { window },
    rhs_fixed_val: false,
    rhs_fn: other,
    rhs_fn_params: { window: otherWindow },
    rhs_val: ticker,
    ...more,
  });

const CASES: readonly (readonly [name: string, node: ConditionNode])[] = [
  ['a price and a number', fixed('current-price', 1, 400)],
  ['a price and its average', against('current-price', 1, 'moving-average-price', 50)],
  ['two averages', against('moving-average-price', 10, 'moving-average-price', 40)],
  [
    'two exponential averages',
    against('exponential-moving-average-price', 12, 'exponential-moving-average-price', 26),
  ],
  ['an index and a number', fixed('relative-strength-index', 10, 50)],
  ['an index below a number', fixed('relative-strength-index', 5, 60, { comparator: 'lt' })],
  [
    'an index and that of another ticker',
    against('relative-strength-index', 10, 'relative-strength-index', 10, 'GLD'),
  ],
  ['a return and a number', fixed('cumulative-return', 20, 1, { comparator: 'gte' })],
  [
    'a return and the deviation of another ticker',
    against('cumulative-return', 20, 'standard-deviation-return', 20, 'TLT'),
  ],
  [
    'mean returns of two tickers',
    against('moving-average-return', 20, 'moving-average-return', 30, 'TLT', { comparator: 'lte' }),
  ],
  [
    'a share of an average',
    against('current-price', 1, 'moving-average-price', 100, 'SPY', { rhs_scale: 0.97, rhs_offset: 1 }),
  ],
  [
    'a price and that of ten days ago',
    against('current-price', 1, 'current-price', 1, 'SPY', { rhs_days_ago: 10 }),
  ],
  [
    'an average of yesterday and the price',
    against('moving-average-price', 20, 'current-price', 1, 'SPY', { lhs_days_ago: 1 }),
  ],
];

describe('the price at which a condition flips', () => {
  it.each(CASES)('is one with the decision on either side of it: %s', (_, node) => {
    const now = run(node);
    const flip = now.flips?.[node.id];
    if (!flip) throw new Error('No price was found');
    expect(flip.ticker).toBe('SPY');
    const isNow = lastOf(now.explanation?.conditions[node.id]?.holds);
    const decided = (close: number) => {
      const next = run(node, { SPY: close }, dayText(FIRST + DAYS));
      expect(next.history?.timestamps).toHaveLength((now.history?.timestamps.length ?? 0) + 1);
      // Held by what the condition says: the decision itself, not only the comparison.
      const isThen = (next.history?.tickers.SPY?.at(-1) ?? 0) > 0;
      expect(lastOf(next.explanation?.conditions[node.id]?.holds)).toBe(isThen);
      return isThen;
    };
    const [below, above] = [decided(flip.price * (1 - 1e-7)), decided(flip.price * (1 + 1e-7))];
    expect([below, above]).toEqual(flip.side === 'below' ? [!isNow, isNow] : [isNow, !isNow]);
    // The whole way: nothing else is on the same side.
    const further = flip.side === 'below' ? flip.price / 2 : flip.price * 2;
    expect(decided(further)).toBe(!isNow);
  });

  it('counts the days on which it must have been true already', () => {
    const spy = CLOSES.SPY as readonly number[];
    const [today, yesterday] = [spy.at(-1) as number, spy.at(-2) as number];
    const isTrue = fixed('current-price', 1, Math.min(today, yesterday) - 1, { for_days: 2 });
    expect(flipOf(isTrue)).toMatchObject({ ticker: 'SPY', side: 'below' });
    expect(flipOf(isTrue)?.price).toBeCloseTo(Math.min(today, yesterday) - 1, 6);
    // Today's close is too low already: tomorrow's cannot make two days of it.
    expect(flipOf(fixed('current-price', 1, today + 1, { for_days: 2 }))).toBeNull();
  });

  it('is none where no single price decides', () => {
    const none: readonly ConditionNode[] = [
      fixed('current-price', 1, 400, { comparator: 'eq' }),
      fixed('current-price', 1, 4, { lhs_val: 'SPY/TLT' }),
      against('current-price', 1, 'current-price', 1, 'GLD/TLT'),
      fixed('max-drawdown', 20, 5),
      fixed('standard-deviation-return', 20, 1),
      against('relative-strength-index', 10, 'relative-strength-index', 20),
      fixed('relative-strength-index', 10, 100),
      fixed('current-price', 1, 400, { lhs_days_ago: 3 }),
    ];
    for (const node of none) expect(flipOf(node)).toBeNull();
  });

  it('reads nothing of the days after the last one, and is there for who asks', () => {
    const node = against('current-price', 1, 'moving-average-price', 50);
    const before = flipOf(node);
    expect(run(node, { SPY: 1, TLT: 1, GLD: 1 }).flips?.[node.id]).toEqual(before);
    const quiet = { ...request(node, END), include: { explanation: true } };
    expect(runBacktest(quiet, prices(), { today: TODAY }).flips).toBeUndefined();
  });

  it('is missing where a strategy does not decide anew at every close', () => {
    const asked = request(fixed('current-price', 1, 400), END);
    const weekly = { ...asked, trading_bot: { ...asked.trading_bot, rebalance: 'weekly' as const } };
    expect(runBacktest(weekly, prices(), { today: TODAY })).not.toHaveProperty('flips');
    expect(runBacktest(asked, prices(), { today: TODAY })).toHaveProperty('flips');
  });

  it('is worked out for the first fifty conditions of a tree', () => {
    const nodes = Array.from({ length: 60 }, (_, i) => fixed('current-price', 1, 300 + i));
    const tree = root(ifThenElse(nodes, [asset('SPY')], [asset('TLT')]));
    const asked = { ...request(nodes[0] as ConditionNode, END), trading_bot: tree };
    expect(Object.keys(runBacktest(asked, prices(), { today: TODAY }).flips ?? {})).toEqual(
      nodes.slice(0, 50).map(({ id }) => id),
    );
  });
});
