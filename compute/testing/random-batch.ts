import type { BatchRequest } from '@quantloom/domain/contracts/backtest';
import type { PriceSeries } from '@quantloom/domain/ports/market-data';
import type {
  Algorithm,
  BlockNode,
  Comparator,
  ConditionNode,
  FilterSortName,
  IndicatorName,
} from '@quantloom/domain/strategy/tree';

/** Whole numbers in [0, n). */
export type Dice = (n: number) => number;

/** The same throws for the same seed. */
export function dice(seed: number): Dice {
  let state = seed >>> 0;
  return (n) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) % n;
  };
}

export const TICKERS = ['SPY', 'AAA', 'BBB', 'CCC', 'BRK-B', 'LATE', 'GONE', 'FLAT', 'SAME'] as const;
const FIRST_DAY = 16_000;

/**
 * Prices with everything that is awkward: a late listing, a delisting, gaps, days that the benchmark lacks,
 * flat stretches, and a ticker with the prices of another.
 */
export function awkwardPrices(days: number, throwDice: Dice): Map<string, PriceSeries> {
  const prices = new Map<string, PriceSeries>();
  for (const ticker of TICKERS) {
    const kept: number[] = [];
    const closes: number[] = [];
    let price = 20 + throwDice(100);
    for (let i = 0; i < days; i++) {
      const isFlat = ticker === 'FLAT' ? i % 90 < 45 : ticker === 'BBB' && i % 200 < 30;
      if (!isFlat) price *= 1 + (throwDice(4001) - 1990) / 100_000;
      if (ticker === 'LATE' && i < days / 4) continue;
      if (ticker === 'GONE' && i > (days * 3) / 4) continue;
      if (ticker !== 'SPY' && throwDice(25) === 0) continue;
      if (ticker === 'SPY' && i % 83 === 40) continue;
      kept.push(FIRST_DAY + i + 2 * Math.floor(i / 5));
      closes.push(price);
    }
    prices.set(ticker, { ticker, days: Int32Array.from(kept), closes: Float64Array.from(closes) });
  }
  const same = prices.get('AAA') as PriceSeries;
  prices.set('SAME', { ...same, ticker: 'SAME' });
  return prices;
}

/** First and last day of `awkwardPrices` as dates. */
export function datesOf(days: number): { start: string; end: string } {
  const date = (i: number) =>
    new Date((FIRST_DAY + i + 2 * Math.floor(i / 5)) * 86_400_000).toISOString().slice(0, 10);
  return { start: date(0), end: date(days - 1) };
}

const FUNCTIONS: readonly IndicatorName[] = [
  'relative-strength-index',
  'moving-average-price',
  'exponential-moving-average-price',
  'current-price',
  'cumulative-return',
  'standard-deviation-price',
  'max-drawdown',
  'moving-average-return',
  'standard-deviation-return',
  'z-score',
];
const SORTS: readonly FilterSortName[] = [
  'relative-strength-index',
  'cumulative-return',
  'max-drawdown',
  'moving-average-return',
  'standard-deviation-return',
];
const COMPARATORS: readonly Comparator[] = ['gt', 'lt', 'eq'];
const VARIABLES = ['$A', '$B', '$W'] as const;

class RandomTree {
  private readonly throwDice: Dice;
  private readonly used = new Set<string>();
  private ids = 0;

  constructor(throwDice: Dice) {
    this.throwDice = throwDice;
  }

  request(days: number): BatchRequest {
    const depth = 1 + this.throwDice(5);
    const algorithm: Algorithm = {
      ...this.base(),
      node_type: 'root',
      name: 'random',
      description: '',
      rebalance: 'daily',
      version: 'v1',
      children: this.rootChildren(depth),
    };
    const values = {
      $A: ['AAA', 'BBB', 'LATE', this.throwDice(12) === 0 ? 'NONE' : 'SAME'],
      $B: ['CCC', 'AAA', 'FLAT', 'GONE'],
      $W: [3, '7', this.throwDice(12) === 0 ? 1 : 15],
    };
    const variables = VARIABLES.filter((name) => this.used.has(name));
    const { start, end } = datesOf(days);
    const early = this.throwDice(4) === 0 ? start : datesOf(Math.floor(days / 3)).end;
    return {
      template_bot: { name: 'random', variables, algorithm },
      variables: Object.fromEntries(variables.map((name) => [name, values[name]])),
      backtest_config: {
        start_date: early,
        end_date: end,
        slippage_bps: this.pick([0, 10, 35]),
        ...(this.throwDice(2) === 0 ? { out_of_sample_date: datesOf(Math.floor((days * 2) / 3)).end } : {}),
      },
    };
  }

  private rootChildren(depth: number): BlockNode[] {
    const children = [this.block(depth, true)];
    if (this.throwDice(5) === 0) children.push(this.block(depth - 1));
    return JSON.stringify(children).includes('"asset"') ? children : [...children, this.block(0, true)];
  }

  private pick<T>(list: readonly T[]): T {
    return list[this.throwDice(list.length)] as T;
  }

  private variable(name: (typeof VARIABLES)[number]): string {
    this.used.add(name);
    return name;
  }

  private base() {
    return { id: `node_${this.ids++}`, weight: { num: 100, den: 100 }, is_collapsed: false };
  }

  private ticker(): string {
    if (this.throwDice(3) === 0) return this.variable(this.pick(['$A', '$B']));
    return this.throwDice(6) === 0
      ? this.pick(TICKERS)
      : this.pick(['SPY', 'AAA', 'BBB', 'CCC', 'SAME', 'FLAT']);
  }

  private window(): number | string {
    return this.throwDice(4) === 0 ? this.variable('$W') : 2 + this.throwDice(20);
  }

  private blocks(depth: number, most: number): BlockNode[] {
    return Array.from({ length: 1 + this.throwDice(most) }, () => this.block(depth));
  }

  private block(depth: number, isFirst = false): BlockNode {
    const kind = depth <= 0 ? this.throwDice(isFirst ? 9 : 10) : 10 + this.throwDice(8);
    if (kind < 9) {
      const ticker = this.ticker();
      return { ...this.base(), node_type: 'asset', ticker, name: ticker };
    }
    switch (kind) {
      case 9:
        return { ...this.base(), node_type: 'empty' };
      case 10:
        return { ...this.base(), node_type: 'group', name: 'g', children: this.blocks(depth - 1, 2) };
      case 11:
        return { ...this.base(), node_type: 'wt-cash-equal', children: this.blocks(depth - 1, 3) };
      case 12: {
        const children = this.blocks(depth - 1, 3).map((child) => ({
          ...child,
          weight: { num: this.pick([0, 10, 25, '33']), den: 100 },
        }));
        return { ...this.base(), node_type: 'wt-cash-specified', children };
      }
      case 13:
        return {
          ...this.base(),
          node_type: 'wt-inverse-volatility',
          params: { window: this.window() },
          children: this.blocks(depth - 1, 3),
        };
      case 14:
        return {
          ...this.base(),
          node_type: 'filter',
          sort: { fn: this.pick(SORTS), params: { window: this.window() } },
          select: { fn: this.pick(['top', 'bottom']), num: 1 + this.throwDice(3) },
          children: this.blocks(depth - 1, 5),
        };
      default:
        return {
          ...this.base(),
          node_type: 'if-then-else',
          condition_type: this.pick(['allOf', 'anyOf']),
          conditions: Array.from({ length: 1 + this.throwDice(2) }, () => this.condition()),
          then_children: this.blocks(depth - 1, 2),
          else_children: this.throwDice(8) === 0 ? [] : this.blocks(depth - 1, 1),
          is_conditions_collapsed: false,
          is_then_collapsed: false,
          is_else_collapsed: false,
        };
    }
  }

  private condition(): ConditionNode {
    const fn = this.pick(FUNCTIONS);
    const isFixed = this.throwDice(2) === 0;
    return {
      ...this.base(),
      node_type: 'condition',
      lhs_fn: fn,
      lhs_fn_params: { window: this.window() },
      lhs_val: this.series(),
      comparator: this.throwDice(6) === 0 ? 'eq' : this.pick(COMPARATORS),
      rhs_fn: this.throwDice(2) === 0 ? fn : this.pick(FUNCTIONS),
      rhs_fn_params: { window: this.window() },
      rhs_val: isFixed ? this.pick<number | string>([0, 1, '50', 2.5, 30]) : this.series(),
      rhs_fixed_val: isFixed,
    };
  }

  private series(): string {
    return this.throwDice(6) === 0 ? `${this.ticker()}/${this.ticker()}` : this.ticker();
  }
}

/** A valid batch of a random tree, with variables in any place that takes one. */
export function randomBatch(days: number, throwDice: Dice): BatchRequest {
  return new RandomTree(throwDice).request(days);
}
