import type { BacktestRequest } from '@quantloom/domain/contracts/backtest';
import type { PriceSeries } from '@quantloom/domain/ports/market-data';
import type {
  Algorithm,
  BlockNode,
  ConditionItem,
  ConditionNode,
  FunctionParams,
  IndicatorName,
} from '@quantloom/domain/strategy/tree';
import { firstOf, indicatorOf, lastOf, type Series, same, sum } from './indicators.ts';
import { isTradingDay } from './trading-days.ts';

type Node = BlockNode | Algorithm;
type Weights = ReadonlyMap<string, number>;

/** What a strategy does day by day. */
interface Course {
  readonly days: readonly number[];
  readonly value: readonly number[];
  /** After the day's trade. */
  readonly weights: readonly Weights[];
  readonly turnover: readonly number[];
}

/**
 * Both parts of the specification, read by somebody who had not seen the engine: every window from scratch,
 * nothing shared with it. Slow, and right only for trees that are valid. Null where there are too few days.
 */
export function readBacktest(
  request: BacktestRequest,
  prices: ReadonlyMap<string, PriceSeries>,
): Course | null {
  return new Reading(request, prices).course();
}

class Reading {
  readonly #request: BacktestRequest;
  readonly #root: Algorithm;
  readonly #prices: ReadonlyMap<string, PriceSeries>;
  readonly #calendar: readonly number[];
  readonly #tickers = new Map<string, Series>();
  readonly #own = new Map<BlockNode, Series>();
  readonly #ownIndicators = new Map<BlockNode, Map<string, Series>>();
  readonly #sides = new Map<string, Series>();

  constructor(request: BacktestRequest, prices: ReadonlyMap<string, PriceSeries>) {
    this.#request = request;
    this.#root = request.trading_bot as Algorithm;
    this.#prices = prices;
    const benchmark = prices.get(request.benchmark_ticker ?? 'SPY');
    const days = benchmark
      ? [...benchmark.days]
      : [...this.#tickersIn(this.#root)].flatMap((name) => [...(prices.get(name)?.days ?? [])]);
    this.#calendar = [...new Set(days)].sort((a, b) => a - b);
  }

  course(): Course | null {
    const { fill, slippage_bps: slippage, starting_balance: balance, start_date, end_date } = this.#request;
    const day = (date: string) => Date.parse(`${date}T00:00:00Z`) / 86_400_000;
    const cash = this.#cashTicker().map((name) => this.#priceOf(name));
    const from = this.#calendar.findIndex((date) => date >= day(start_date));
    const to = this.#calendar.findLastIndex((date) => date <= day(end_date));
    const first = Math.max(from, this.#firstDay(this.#root), ...cash.map(firstOf));
    const last = Math.min(to, this.#lastDay(this.#root), ...cash.map(lastOf));
    if (from < 0 || last - first + 1 < (fill === 'next-close' ? 3 : 2)) return null;
    return this.#simulate(first, last, (slippage ?? 10) / 10_000, balance ?? 10_000);
  }

  #simulate(first: number, last: number, slippage: number, balance: number): Course {
    const isNext = this.#request.fill === 'next-close';
    const course = {
      days: [] as number[],
      value: [] as number[],
      weights: [] as Weights[],
      turnover: [] as number[],
    };
    let value = balance;
    let held: Weights = new Map();
    let order: Weights | null = null;
    for (let t = first; t <= last; t++) {
      const gain =
        t === first ? 0 : this.#gain(held, t) + (1 - sum([...held.values()])) * this.#cashReturn(t);
      value *= 1 + gain;
      const drifted: Weights = new Map(
        [...held].map(([name, weight]) => [name, (weight * (1 + this.#change(name, t))) / (1 + gain)]),
      );
      const decided = this.#isTradingDay(t, first) ? this.#weightsOf(this.#root, t) : null;
      const ordered: Weights | null = isNext
        ? order
        : decided && (t === first || this.#isOutside(decided, drifted))
          ? decided
          : null;
      held = ordered ?? drifted;
      const turnover = ordered ? distance(ordered, drifted) : 0;
      value *= 1 - slippage * turnover;
      if (isNext) order = decided && (t === first || this.#isOutside(decided, held)) ? decided : null;
      course.days.push(this.#calendar[t] as number);
      course.value.push(value);
      course.weights.push(held);
      course.turnover.push(turnover);
    }
    return course;
  }

  #isTradingDay(t: number, first: number): boolean {
    const { rebalance, rebalance_on: on } = this.#root;
    return t === first || isTradingDay(this.#calendar, t, rebalance ?? 'daily', on ?? 'last');
  }

  /** Whether a target is farther from what is held than a corridor allows; any is, without one. */
  #isOutside(target: Weights, held: Weights): boolean {
    if (this.#root.rebalance !== 'corridor') return true;
    const width = Number(this.#root.corridor) / 100;
    const names = new Set([...target.keys(), ...held.keys()]);
    const away = [...names].map((name) => Math.abs((target.get(name) ?? 0) - (held.get(name) ?? 0)));
    const cash = Math.abs(sum([...target.values()]) - sum([...held.values()]));
    return [...away, cash].some((distance) => distance > width && !same(distance, width));
  }

  #cashTicker(): string[] {
    const { cash } = this.#request;
    return cash && 'ticker' in cash && cash.ticker ? [cash.ticker] : [];
  }

  #cashReturn(t: number): number {
    const [name] = this.#cashTicker();
    if (name !== undefined) return this.#change(name, t);
    const { cash } = this.#request;
    return cash && 'rate' in cash ? (1 + Number(cash.rate) / 100) ** (1 / 252) - 1 : 0;
  }

  #change(name: string, t: number): number {
    const prices = this.#priceOf(name);
    return t === 0 ? 0 : (prices[t] as number) / ((prices[t - 1] ?? prices[t]) as number) - 1;
  }

  #gain(held: Weights, t: number): number {
    return sum([...held].map(([name, weight]) => weight * this.#change(name, t)));
  }

  #priceOf(ticker: string): Series {
    const known = this.#tickers.get(ticker);
    if (known) return known;
    const series = this.#prices.get(ticker);
    const bars = new Map(Array.from(series?.days ?? [], (day, i) => [day, series?.closes[i] as number]));
    const exact = this.#calendar.map((day) => bars.get(day) ?? null);
    const [first, last] = [firstOf(exact), lastOf(exact)];
    let price: number | null = null;
    const filled = exact.map((close, t) => {
      if (t < first || t > last) return null;
      price = close ?? price;
      return price;
    });
    this.#tickers.set(ticker, filled);
    return filled;
  }

  /** A ticker or a ratio. */
  #series(name: string): Series {
    const [a = '', b] = name.split('/');
    if (b === undefined) return this.#priceOf(a);
    const [above, below] = [this.#priceOf(a), this.#priceOf(b)];
    return above.map((price, t) => {
      const other = below[t] ?? null;
      return price === null || other === null ? null : price / other;
    });
  }

  /** The value of a block run alone: every day, without slippage, from the first day on that it can. */
  #ownSeries(block: BlockNode): Series {
    if (block.node_type === 'asset') return this.#priceOf(block.ticker);
    const known = this.#own.get(block);
    if (known) return known;
    const [first, last] = [this.#firstDay(block), this.#lastDay(block)];
    let value = 1;
    let held: Weights = new Map();
    const series = this.#calendar.map((_, t) => {
      if (t < first || t > last) return null;
      if (t > first) value *= 1 + this.#gain(held, t);
      held = this.#weightsOf(block, t);
      return value;
    });
    this.#own.set(block, series);
    return series;
  }

  #ownIndicator(block: BlockNode, fn: IndicatorName, params: FunctionParams): Series {
    const kept = this.#ownIndicators.get(block) ?? new Map<string, Series>();
    this.#ownIndicators.set(block, kept);
    const key = JSON.stringify([fn, params]);
    const series = kept.get(key) ?? indicatorOf(fn, params, this.#ownSeries(block));
    kept.set(key, series);
    return series;
  }

  #side(fn: IndicatorName | null, params: FunctionParams, name: unknown): Series {
    const key = JSON.stringify([fn, params, name]);
    const known = this.#sides.get(key);
    if (known) return known;
    const second = params.with === undefined ? undefined : this.#series(String(params.with));
    const series = indicatorOf(fn as IndicatorName, params, this.#series(String(name)), second);
    this.#sides.set(key, series);
    return series;
  }

  /** First day on which everything named in a block is there; Infinity: never. */
  #firstDay(node: Node): number {
    let first = 0;
    const wait = (day: number) => {
      first = Math.max(first, day);
    };
    for (const name of this.#named(node)) wait(firstOf(this.#series(name)));
    for (const name of this.#tickersIn(node)) wait(firstOf(this.#priceOf(name)));
    for (const block of blocksOf(node)) {
      for (const c of conditionsOf(block)) {
        const longer = Number(c.for_days ?? 1) - 1;
        wait(
          firstOf(this.#side(c.lhs_fn, c.lhs_fn_params, c.lhs_val)) + Number(c.lhs_days_ago ?? 0) + longer,
        );
        if (!c.rhs_fixed_val)
          wait(
            firstOf(this.#side(c.rhs_fn, c.rhs_fn_params, c.rhs_val)) + Number(c.rhs_days_ago ?? 0) + longer,
          );
      }
      const windows = [
        ...(block.node_type === 'wt-inverse-volatility' ? [block.params.window] : []),
        ...(block.node_type === 'filter' && block.weighting?.type === 'inverse-volatility'
          ? [block.weighting.window]
          : []),
      ];
      for (const child of windows.length > 0 || block.node_type === 'filter' ? solid(block) : []) {
        for (const window of windows)
          wait(firstOf(this.#ownIndicator(child, 'standard-deviation-return', { window })));
        if (block.node_type === 'filter')
          wait(firstOf(this.#ownIndicator(child, block.sort.fn, block.sort.params)));
      }
    }
    return first;
  }

  #lastDay(node: Node): number {
    const ends = [...this.#tickersIn(node)].map((name) => lastOf(this.#priceOf(name)));
    return Math.min(this.#calendar.length - 1, ...ends);
  }

  /** Tickers and ratios that are named in a block. */
  #named(node: Node): ReadonlySet<string> {
    const names = blocksOf(node).flatMap((block) => [
      ...(block.node_type === 'asset' ? [block.ticker] : []),
      ...conditionsOf(block).flatMap((c) => [
        ...[c.lhs_val, c.lhs_fn_params.with],
        ...(c.rhs_fixed_val ? [] : [c.rhs_val, c.rhs_fn_params.with]),
      ]),
    ]);
    return new Set(names.filter((name) => typeof name === 'string'));
  }

  #tickersIn(node: Node): ReadonlySet<string> {
    return new Set([...this.#named(node)].flatMap((name) => name.split('/')));
  }

  #weightsOf(node: Node, t: number): Weights {
    const found = new Map<string, number>();
    const add = (child: BlockNode, share: number) => {
      for (const [name, weight] of this.#weightsOf(child, t))
        found.set(name, (found.get(name) ?? 0) + weight * share);
    };
    const equally = (children: readonly BlockNode[]) => {
      for (const child of children) add(child, 1 / children.length);
    };
    const byDeviation = (children: readonly BlockNode[], window: number | string) => {
      const deviations = children.map(
        (child) => this.#ownIndicator(child, 'standard-deviation-return', { window })[t] as number,
      );
      const isStill = deviations.includes(0);
      const parts = deviations.map((deviation) => (isStill ? Number(deviation === 0) : 1 / deviation));
      for (const [i, child] of children.entries()) add(child, (parts[i] as number) / sum(parts));
    };
    switch (node.node_type) {
      case 'asset':
        found.set(node.ticker, 1);
        break;
      case 'root':
      case 'group':
      case 'wt-cash-equal':
        equally(solid(node));
        break;
      case 'wt-cash-specified':
        for (const child of node.children) add(child, Number(child.weight.num) / Number(child.weight.den));
        break;
      case 'wt-inverse-volatility':
        byDeviation(solid(node), node.params.window);
        break;
      case 'if-then-else': {
        const isTrue = this.#holds(node.conditions, node.condition_type, t);
        equally((isTrue ? node.then_children : node.else_children).filter(isSolid));
        break;
      }
      case 'filter': {
        const children = solid(node);
        const ranks = children.map(
          (child) => this.#ownIndicator(child, node.sort.fn, node.sort.params)[t] as number,
        );
        const chosen = chosenOf(ranks, Number(node.select.num), node.select.fn === 'top').map(
          (i) => children[i] as BlockNode,
        );
        const { weighting } = node;
        if (weighting?.type === 'inverse-volatility') byDeviation(chosen, weighting.window);
        else if (weighting?.type === 'by-rank')
          for (const [i, { num, den }] of weighting.weights.entries()) {
            const child = chosen[i];
            if (child) add(child, Number(num) / Number(den));
          }
        else equally(chosen);
        break;
      }
      default:
    }
    return found;
  }

  #holds(items: readonly ConditionItem[], type: string, t: number): boolean {
    const holds = (item: ConditionItem) =>
      item.node_type === 'condition-group'
        ? this.#holds(item.conditions, item.condition_type, t)
        : Array.from({ length: Number(item.for_days ?? 1) }, (_, back) => t - back).every((day) =>
            this.#isTrue(item, day),
          );
    return type === 'allOf' ? items.every(holds) : items.some(holds);
  }

  #isTrue(c: ConditionNode, t: number): boolean {
    const left = this.#side(c.lhs_fn, c.lhs_fn_params, c.lhs_val)[t - Number(c.lhs_days_ago ?? 0)] as number;
    const right = c.rhs_fixed_val
      ? Number(c.rhs_val)
      : (this.#side(c.rhs_fn, c.rhs_fn_params, c.rhs_val)[t - Number(c.rhs_days_ago ?? 0)] as number) *
          Number(c.rhs_scale ?? 1) +
        Number(c.rhs_offset ?? 0);
    const isEqual = same(left, right);
    switch (c.comparator) {
      case 'eq':
        return isEqual;
      case 'gt':
        return !isEqual && left > right;
      case 'lt':
        return !isEqual && left < right;
      case 'gte':
        return isEqual || left > right;
      default:
        return isEqual || left < right;
    }
  }
}

function distance(a: Weights, b: Weights): number {
  const names = new Set([...a.keys(), ...b.keys()]);
  return sum([...names].map((name) => Math.abs((a.get(name) ?? 0) - (b.get(name) ?? 0))));
}

/** Indexes of the best, the best first; of equal ones the first. */
function chosenOf(ranks: readonly number[], count: number, isTop: boolean): number[] {
  const left = [...ranks.keys()];
  const chosen: number[] = [];
  while (chosen.length < count && left.length > 0) {
    const best = left.reduce((before, i) => {
      const [a, b] = [ranks[before] as number, ranks[i] as number];
      return !same(a, b) && b > a === isTop ? i : before;
    });
    chosen.push(best);
    left.splice(left.indexOf(best), 1);
  }
  return chosen;
}

function isSolid(block: BlockNode): boolean {
  return block.node_type !== 'empty';
}

function solid(node: Node): readonly BlockNode[] {
  return 'children' in node ? node.children.filter(isSolid) : [];
}

/** A block and all in it. */
function blocksOf(node: Node): readonly Node[] {
  const children =
    node.node_type === 'if-then-else'
      ? [...node.then_children, ...node.else_children]
      : 'children' in node
        ? node.children
        : [];
  return [node, ...children.flatMap(blocksOf)];
}

function conditionsOf(node: Node): readonly ConditionNode[] {
  const plain = (items: readonly ConditionItem[]): readonly ConditionNode[] =>
    items.flatMap((item) => (item.node_type === 'condition-group' ? plain(item.conditions) : [item]));
  return node.node_type === 'if-then-else' ? plain(node.conditions) : [];
}
