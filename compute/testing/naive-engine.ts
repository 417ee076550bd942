import type { BacktestRequest } from '@quantloom/domain/contracts/backtest';
import type { PriceSeries } from '@quantloom/domain/ports/market-data';
import type {
  Algorithm,
  BlockNode,
  ConditionItem,
  ConditionNode,
  IndicatorName,
} from '@quantloom/domain/strategy/tree';

/**
 * The specification read aloud: one day at a time, every window summed from scratch, maps instead of columns,
 * nothing shared with the engine. Slow, and only right for trees that are valid and whose benchmark has data
 * or not; what the engine is compared with.
 */

type Values = ReadonlyMap<number, number>;
type Node = BlockNode | Algorithm;

export interface NaiveAnswer {
  readonly days: readonly number[];
  readonly value: readonly number[];
  readonly weights: readonly ReadonlyMap<string, number>[];
}

export function naiveBacktest(
  request: BacktestRequest,
  prices: ReadonlyMap<string, PriceSeries>,
): NaiveAnswer | null {
  const day = (date: string) => Date.parse(`${date}T00:00:00Z`) / 86_400_000;
  const naive = new Naive(request.trading_bot, prices, request.benchmark_ticker ?? 'SPY');
  const first = naive.firstIndex(request.trading_bot);
  const last = naive.lastIndex(request.trading_bot);
  if (first === null || last === null) return null;
  const days: number[] = [];
  for (let t = first; t <= last; t++) {
    const current = naive.calendar[t] as number;
    if (current >= day(request.start_date) && current <= day(request.end_date)) days.push(t);
  }
  if (days.length < 2) return null;
  const slippage = (request.slippage_bps ?? 10) / 10_000;
  const run = naive.run(request.trading_bot, days, request.starting_balance ?? 10_000, slippage);
  return { days: days.map((t) => naive.calendar[t] as number), ...run };
}

class Naive {
  readonly calendar: number[];
  private readonly prices: ReadonlyMap<string, PriceSeries>;
  private readonly tickers = new Map<string, Values>();
  private readonly blocks = new Map<Node, Values>();
  private readonly indicators = new WeakMap<Values, Map<string, Values>>();

  constructor(root: Algorithm, prices: ReadonlyMap<string, PriceSeries>, benchmark: string) {
    this.prices = prices;
    const own = prices.get(benchmark);
    const days =
      own === undefined
        ? [...namedTickers(root)].flatMap((t) => [...(prices.get(t)?.days ?? [])])
        : [...own.days];
    this.calendar = [...new Set(days)].sort((a, b) => a - b);
  }

  run(root: Node, days: readonly number[], balance: number, slippage: number): Omit<NaiveAnswer, 'days'> {
    const weights: ReadonlyMap<string, number>[] = [];
    const value: number[] = [];
    let current = balance;
    let held: ReadonlyMap<string, number> = new Map();
    days.forEach((t, i) => {
      const earned = (ticker: string) => (i === 0 ? 0 : this.change(this.series(ticker), t));
      let gain = 0;
      for (const [ticker, weight] of held) gain += weight * earned(ticker);
      const drifted = (ticker: string) => ((held.get(ticker) ?? 0) * (1 + earned(ticker))) / (1 + gain);
      const target = new Map<string, number>();
      this.allocate(root, 1, t, target);
      let turnover = 0;
      for (const ticker of new Set([...held.keys(), ...target.keys()])) {
        turnover += Math.abs((target.get(ticker) ?? 0) - drifted(ticker));
      }
      current = current * (1 + gain) * (1 - slippage * turnover);
      value.push(current);
      weights.push(target);
      held = target;
    });
    return { value, weights };
  }

  /** First calendar index at which everything named is there; null where that never happens. */
  firstIndex(node: Node): number | null {
    const named = this.named(node);
    const t = this.calendar.findIndex((_, index) => named.every((values) => values.has(index)));
    return t < 0 ? null : t;
  }

  lastIndex(node: Node): number | null {
    const tickers = [...namedTickers(node)].map((ticker) => this.series(ticker));
    for (let t = this.calendar.length - 1; t >= 0; t--)
      if (tickers.every((values) => values.has(t))) return t;
    return null;
  }

  private change(values: Values, t: number): number {
    return (values.get(t) as number) / (values.get(t - 1) as number) - 1;
  }

  private named(node: Node): Values[] {
    const found = [...namedTickers(node)].map((ticker) => this.series(ticker));
    const visit = (block: Node): void => {
      if (block.node_type === 'if-then-else')
        for (const c of plain(block.conditions)) found.push(...this.sides(c));
      if (block.node_type === 'filter')
        for (const child of solid(block.children))
          found.push(this.blockIndicator(child, block.sort.fn, Number(block.sort.params.window)));
      if (block.node_type === 'wt-inverse-volatility')
        for (const child of solid(block.children))
          found.push(this.blockIndicator(child, 'standard-deviation-return', Number(block.params.window)));
      for (const child of childrenOf(block)) visit(child);
    };
    visit(node);
    return found;
  }

  private sides(c: ConditionNode): Values[] {
    const left = this.indicator(
      this.series(c.lhs_val as string),
      c.lhs_fn as IndicatorName,
      Number(c.lhs_fn_params.window ?? 1),
    );
    if (c.rhs_fixed_val) return [left];
    return [
      left,
      this.indicator(
        this.series(c.rhs_val as string),
        c.rhs_fn as IndicatorName,
        Number(c.rhs_fn_params.window),
      ),
    ];
  }

  private series(name: string): Values {
    let known = this.tickers.get(name);
    if (known === undefined) {
      known = name.includes('/') ? this.ratio(name) : this.filledPrices(name);
      this.tickers.set(name, known);
    }
    return known;
  }

  private ratio(name: string): Values {
    const [a, b] = name.split('/').map((side) => this.series(side)) as [Values, Values];
    return new Map([...a].filter(([t]) => b.has(t)).map(([t, price]) => [t, price / (b.get(t) as number)]));
  }

  private filledPrices(ticker: string): Values {
    const series = this.prices.get(ticker);
    const bars = new Map(Array.from(series?.days ?? [], (day, i) => [day, series?.closes[i] as number]));
    const present = this.calendar.flatMap((day, t) => (bars.has(day) ? [t] : []));
    const values = new Map<number, number>();
    for (let t = present[0] ?? 0; t <= (present.at(-1) ?? -1); t++) {
      values.set(t, bars.get(this.calendar[t] as number) ?? (values.get(t - 1) as number));
    }
    return values;
  }

  private blockIndicator(block: BlockNode, fn: IndicatorName, window: number): Values {
    return this.indicator(this.ownSeries(block), fn, window);
  }

  private ownSeries(block: BlockNode): Values {
    if (block.node_type === 'asset') return this.series(block.ticker);
    let known = this.blocks.get(block);
    if (known === undefined) {
      const first = this.firstIndex(block);
      const last = this.lastIndex(block);
      const days: number[] = [];
      if (first !== null && last !== null) for (let t = first; t <= last; t++) days.push(t);
      const { value } = this.run(block, days, 1, 0);
      known = new Map(days.map((t, i) => [t, value[i] as number]));
      this.blocks.set(block, known);
    }
    return known;
  }

  private indicator(values: Values, fn: IndicatorName, window: number): Values {
    const key = `${fn} ${window}`;
    const known = this.indicators.get(values)?.get(key);
    if (known !== undefined) return known;
    const days = [...values.keys()];
    const prices = [...values.values()];
    const found = new Map<number, number>();
    days.forEach((t, i) => {
      const value = indicatorAt(prices.slice(0, i + 1), fn, window);
      if (value !== null) found.set(t, value);
    });
    const kept = this.indicators.get(values) ?? new Map<string, Values>();
    this.indicators.set(values, kept.set(key, found));
    return found;
  }

  private allocate(node: Node, share: number, t: number, into: Map<string, number>): void {
    const spread = (children: readonly BlockNode[]) => {
      const chosen = solid(children);
      for (const child of chosen) this.allocate(child, share / chosen.length, t, into);
    };
    switch (node.node_type) {
      case 'asset':
        into.set(node.ticker, (into.get(node.ticker) ?? 0) + share);
        return;
      case 'root':
      case 'group':
      case 'wt-cash-equal':
        spread(node.children);
        return;
      case 'wt-cash-specified':
        for (const child of node.children)
          this.allocate(child, (share * Number(child.weight.num)) / Number(child.weight.den), t, into);
        return;
      case 'if-then-else': {
        const results = plain(node.conditions).map((c) => this.holds(c, t));
        const isThen = node.condition_type === 'allOf' ? results.every(Boolean) : results.some(Boolean);
        spread(isThen ? node.then_children : node.else_children);
        return;
      }
      case 'wt-inverse-volatility': {
        const children = solid(node.children);
        const deviations = children.map(
          (child) =>
            this.blockIndicator(child, 'standard-deviation-return', Number(node.params.window)).get(
              t,
            ) as number,
        );
        const parts = deviations.includes(0)
          ? deviations.map((s) => (s === 0 ? 1 : 0))
          : deviations.map((s) => 1 / s);
        const sum = parts.reduce((a, b) => a + b, 0);
        children.forEach((child, i) => {
          this.allocate(child, (share * (parts[i] as number)) / sum, t, into);
        });
        return;
      }
      case 'filter': {
        const window = Number(node.sort.params.window);
        const sign = node.select.fn === 'top' ? 1 : -1;
        const ranked = solid(node.children).map((child) => ({
          child,
          rank: sign * (this.blockIndicator(child, node.sort.fn, window).get(t) as number),
        }));
        const order = ranked.map((_, i) => i);
        order.sort((a, b) => {
          const [x, y] = [ranked[a]?.rank as number, ranked[b]?.rank as number];
          return same(x, y) ? a - b : y - x;
        });
        const chosen = order.slice(0, Number(node.select.num)).map((i) => ranked[i]?.child as BlockNode);
        for (const child of chosen) this.allocate(child, share / chosen.length, t, into);
        return;
      }
      default:
    }
  }

  private holds(c: ConditionNode, t: number): boolean {
    const [left, right] = this.sides(c).map((values) => values.get(t) as number) as [number, number?];
    const against = right ?? Number(c.rhs_val);
    if (c.comparator === 'eq') return same(left, against);
    return !same(left, against) && (c.comparator === 'gt' ? left > against : left < against);
  }
}

function plain(items: readonly ConditionItem[]): readonly ConditionNode[] {
  return items.filter((item) => item.node_type === 'condition');
}

function same(a: number, b: number): boolean {
  return a === b || Math.abs(a - b) <= 1e-12 * Math.max(Math.abs(a), Math.abs(b));
}

function solid(children: readonly BlockNode[]): BlockNode[] {
  return children.filter((child) => child.node_type !== 'empty');
}

function childrenOf(node: Node): readonly BlockNode[] {
  if (node.node_type === 'if-then-else') return [...node.then_children, ...node.else_children];
  return 'children' in node ? node.children : [];
}

function namedTickers(node: Node): Set<string> {
  const found = new Set<string>();
  const visit = (block: Node): void => {
    if (block.node_type === 'asset') found.add(block.ticker);
    if (block.node_type === 'if-then-else') {
      for (const c of plain(block.conditions)) {
        for (const side of (c.lhs_val as string).split('/')) found.add(side);
        if (!c.rhs_fixed_val) for (const side of (c.rhs_val as string).split('/')) found.add(side);
      }
    }
    for (const child of childrenOf(block)) visit(child);
  };
  visit(node);
  return found;
}

/** The last of `prices` is day t. Null where there are too few bars. */
function indicatorAt(prices: readonly number[], fn: IndicatorName, window: number): number | null {
  const n = prices.length;
  const p = (back: number) => prices[n - 1 - back] as number;
  const last = prices.slice(Math.max(n - window, 0));
  const returns = Array.from({ length: Math.min(window, n - 1) }, (_, i) => p(i) / p(i + 1) - 1);
  switch (fn) {
    case 'current-price':
      return p(0);
    case 'moving-average-price':
      return n < window ? null : mean(last);
    case 'standard-deviation-price':
      return n < window ? null : deviation(last);
    case 'z-score': {
      if (n < window) return null;
      const s = deviation(last);
      return s === 0 ? 0 : (p(0) - mean(last)) / s;
    }
    case 'max-drawdown': {
      if (n < window) return null;
      let worst = 0;
      last.forEach((high, i) => {
        for (const low of last.slice(i)) worst = Math.max(worst, 1 - low / high);
      });
      return worst * 100;
    }
    case 'exponential-moving-average-price': {
      if (n < window) return null;
      let average = mean(prices.slice(0, window));
      const alpha = 2 / (window + 1);
      for (const price of prices.slice(window)) average = alpha * price + (1 - alpha) * average;
      return average;
    }
    default:
  }
  if (n < window + 1) return null;
  if (fn === 'cumulative-return') return (p(0) / p(window) - 1) * 100;
  if (fn === 'moving-average-return') return mean(returns) * 100;
  if (fn === 'standard-deviation-return') return deviation(returns) * 100;
  const changes = prices.slice(1).map((price, i) => price - (prices[i] as number));
  let gain = mean(changes.slice(0, window).map((change) => Math.max(change, 0)));
  let loss = mean(changes.slice(0, window).map((change) => Math.max(-change, 0)));
  // A day without a change shrinks both averages alike; their quotient stays, and is not lost where both
  // would underflow.
  let still = 0;
  for (const change of changes.slice(window)) {
    if (change === 0 && window > 1) {
      still++;
      continue;
    }
    const kept = ((window - 1) / window) ** (still + 1);
    still = 0;
    gain = gain * kept + Math.max(change, 0) / window;
    loss = loss * kept + Math.max(-change, 0) / window;
  }
  return gain + loss === 0 ? 50 : 100 * (gain / (gain + loss));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function deviation(values: readonly number[]): number {
  if (values.every((value) => value === values[0])) return 0;
  const center = mean(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - center) ** 2, 0) / (values.length - 1));
}
