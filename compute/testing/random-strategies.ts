import type { BatchRequest } from '@quantloom/domain/contracts/backtest';
import type { PriceSeries } from '@quantloom/domain/ports/market-data';
import { FIRST_SORT_NAMES, WINDOW_INDICATOR_NAMES } from '@quantloom/domain/strategy/indicator';
import type { BlockNode, Comparator, ConditionNode, IndicatorName } from '@quantloom/domain/strategy/tree';
import {
  asset,
  condition,
  empty,
  equal,
  filter,
  group,
  ifThenElse,
  inverseVolatility,
  marketOf,
  randomFrom,
  root,
  specified,
  weighted,
} from './fixtures.ts';

/**
 * A small market with everything that makes dates difficult: late listings, delistings, gaps, flat stretches,
 * prices over many magnitudes.
 */
export function difficultMarket(seed: number, firstDay = 12_000): ReadonlyMap<string, PriceSeries> {
  return marketOf({
    SPY: { seed, firstDay, bars: 420, gaps: 0.01 },
    AAA: { seed: seed + 1, firstDay: firstDay - 40, bars: 460 },
    'B-B': { seed: seed + 2, firstDay, bars: 400, gaps: 0.1 },
    LATE: { seed: seed + 3, firstDay: firstDay + 150, bars: 300 },
    GONE: { seed: seed + 4, firstDay, bars: 330 },
    FLAT: { seed: seed + 5, firstDay, bars: 420, flat: 0.9 },
    TINY: { seed: seed + 6, firstDay, bars: 420, step: 0.06, startPrice: 1e-8 },
    HUGE: { seed: seed + 7, firstDay, bars: 420, step: 0.06, startPrice: 8e10 },
    'SIM:X': { seed: seed + 8, firstDay, bars: 420, step: 0.001, startPrice: 1 },
  });
}

const TICKERS = ['SPY', 'AAA', 'B-B', 'LATE', 'GONE', 'FLAT', 'TINY', 'HUGE', 'SIM:X'];
const COMPARATORS: readonly Comparator[] = ['gt', 'lt', 'eq'];

export interface RandomOptions {
  readonly depth: number;
  /** Whether places that allow a variable may hold one. */
  readonly variables: boolean;
}

/** A random tree with the values of the variables it uses, ready to be run as a batch. */
export function randomBatch(seed: number, options: RandomOptions): BatchRequest {
  const tree = new RandomTree(seed, options);
  return tree.batch();
}

class RandomTree {
  private readonly random: () => number;
  private readonly options: RandomOptions;
  private readonly variables = new Map<string, (string | number)[]>();

  constructor(seed: number, options: RandomOptions) {
    this.random = randomFrom(seed * 2_654_435_761 + 17);
    this.options = options;
  }

  batch(): BatchRequest {
    const children = this.list(this.options.depth, 1);
    if (!children.some((child) => child.node_type !== 'empty')) children.push(asset(this.ticker()));
    const algorithm = root(...children, ...(this.chance(0.3) ? [] : [asset(this.ticker())]));
    const start = this.int(0, 380);
    const day = (offset: number) => new Date((11_950 + offset) * 86_400_000).toISOString().slice(0, 10);
    const end = start + this.int(30, 500);
    return {
      template_bot: { name: 'Random', type: 'template', variables: [...this.variables.keys()], algorithm },
      variables: Object.fromEntries(this.variables),
      backtest_config: {
        start_date: day(start),
        end_date: day(end),
        starting_balance: this.pick([10_000, 1, 2500.5]),
        slippage_bps: this.pick([0, 1, 10, 1000]),
        benchmark_ticker: this.pick(['SPY', 'SPY', 'SPY', 'AAA', 'NOPE']),
        ...(this.chance(0.5) ? { out_of_sample_date: day(start + this.int(-20, end - start + 20)) } : {}),
      },
    };
  }

  private block(depth: number): BlockNode {
    const kind = depth <= 0 ? this.pick(['asset', 'asset', 'asset', 'empty']) : this.pick(KINDS);
    switch (kind) {
      case 'asset':
        return asset(this.ticker());
      case 'empty':
        return empty();
      case 'group':
        return group(...this.list(depth - 1, 0));
      case 'equal':
        return equal(...this.list(depth - 1, 0));
      case 'specified':
        return specified(...this.weightedList(depth - 1));
      case 'inverse':
        return inverseVolatility(this.window(2), ...this.list(depth - 1, 1));
      case 'filter': {
        const sort = { fn: this.pick(FIRST_SORT_NAMES), window: this.window(2) };
        const num = this.number('$N', [1, 2, 3]);
        return filter(sort, { fn: this.pick(['top', 'bottom']), num }, ...this.list(depth - 1, 1));
      }
      default:
        return ifThenElse(
          Array.from({ length: this.int(1, 3) }, () => this.condition()),
          this.list(depth - 1, 0),
          this.list(depth - 1, 0),
          this.pick(['allOf', 'anyOf']),
        );
    }
  }

  private list(depth: number, least: number): BlockNode[] {
    return Array.from({ length: this.int(least, 3) }, () => this.block(depth));
  }

  private weightedList(depth: number): BlockNode[] {
    const children = this.list(depth, 1);
    const den = this.pick([100, 3, 7, '100']);
    const limit = Number(den) / children.length;
    return children.map((child) => weighted(child, Math.floor(this.random() * (limit + 1)), den as number));
  }

  private condition(): ConditionNode {
    const fn = this.pick(WINDOW_INDICATOR_NAMES);
    const right = this.pick(WINDOW_INDICATOR_NAMES);
    const isFixed = this.chance(0.5);
    const level = fn === 'relative-strength-index' ? 50 : fn.includes('price') ? 100 : this.pick([0, 1, 2]);
    return condition({
      lhs_fn: fn,
      lhs_fn_params: fn === 'current-price' && this.chance(0.5) ? {} : { window: this.window(2) },
      lhs_val: this.series(),
      comparator: this.pick(COMPARATORS),
      rhs_fn: isFixed ? null : right,
      rhs_fn_params: isFixed ? {} : { window: apart(fn, right, this.window(2)) },
      rhs_val: isFixed ? this.number('$L', [level, level + 3]) : this.series(),
      rhs_fixed_val: isFixed,
    });
  }

  private window(least: number): number | string {
    if (this.chance(0.02)) return 2001;
    return this.number('$W', [least, this.int(least, 12), this.int(10, 40)]);
  }

  /** A number, the same as text, or a variable that takes a few numbers. */
  private number(name: string, values: readonly number[]): number | string {
    if (this.options.variables && this.chance(0.25))
      return this.variable(
        name,
        values.map((value) => this.pick([value, String(value)])),
      );
    const value = this.pick(values);
    return this.chance(0.2) ? String(value) : value;
  }

  private ticker(): string {
    if (this.options.variables && this.chance(0.35)) {
      const values = Array.from({ length: this.int(1, 4) }, () => this.pick(TICKERS));
      if (this.chance(0.1)) values.push('ZZZZ');
      return this.variable(this.pick(['$A', '$B', '$A2']), values);
    }
    return this.pick(TICKERS);
  }

  private series(): string {
    return this.chance(0.3) ? `${this.ticker()}/${this.ticker()}` : this.ticker();
  }

  private variable(name: string, values: readonly (string | number)[]): string {
    if (!this.variables.has(name)) this.variables.set(name, [...values]);
    return name;
  }

  private pick<T>(choices: readonly T[]): T {
    return choices[Math.floor(this.random() * choices.length)] as T;
  }
  private int(least: number, most: number): number {
    return least + Math.floor(this.random() * (most - least + 1));
  }
  private chance(probability: number): boolean {
    return this.random() < probability;
  }
}

/**
 * The window of a condition's right side. Every z-score over two days is √½ or -√½, so that two of them are
 * tied by definition. Which one comes out larger depends on how sums were rounded, by more than the tolerance
 * of ties where prices hardly move, and two correct engines may differ. So the right one of two z-scores
 * looks at three days at least, and at no variable, which might be two.
 */
function apart(left: IndicatorName, right: IndicatorName, window: number | string): number | string {
  if (left !== 'z-score' || right !== 'z-score') return window;
  const days = Number(window);
  return Number.isNaN(days) || days < 3 ? 3 : window;
}

const KINDS = [
  'asset',
  'asset',
  'empty',
  'group',
  'equal',
  'specified',
  'inverse',
  'filter',
  'filter',
  'if',
  'if',
] as const;
