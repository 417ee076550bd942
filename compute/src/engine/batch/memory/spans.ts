import type { BlockPlan, ConditionPlan, FilterPlan, IndicatorPlan, SeriesPlan } from '../compile/plan.ts';
import { conditionsIn } from '../compile/plan-facts.ts';
import { Key, Place } from '../compile/variables.ts';
import type { CalendarData } from './data.ts';
import { spanOfIndicator } from './data.ts';

/** First day on which everything is defined, and the last on which every ticker and ratio has prices. */
export interface Span {
  first: number;
  last: number;
}

/** Days on which some combination may begin, and days on which some may end. */
export interface Borders {
  readonly firsts: Int32Array;
  readonly lasts: Int32Array;
}

interface Requirement {
  readonly key: Key;
  span(digits: Int32Array): Span;
}

/** Larger tables of spans are not kept but computed each time. */
const LARGEST_TABLE = 1 << 20;
/** Bindings that are gone through to learn where combinations may begin and end. */
const MOST_BINDINGS = 1 << 16;

/** The requirements that depend on the same variables, joined, under the index of those variables. */
class Group {
  readonly key: Key;
  private readonly requirements: readonly Requirement[];
  private readonly firsts: Int32Array;
  private readonly lasts: Int32Array;
  private readonly known: Uint8Array;

  constructor(key: Key, requirements: readonly Requirement[]) {
    this.key = key;
    this.requirements = requirements;
    const size = key.size <= LARGEST_TABLE ? key.size : 0;
    this.firsts = new Int32Array(size);
    this.lasts = new Int32Array(size);
    this.known = new Uint8Array(size);
  }

  narrow(digits: Int32Array, span: Span): void {
    const index = this.key.of(digits);
    if (this.known[index] === 1) {
      const first = this.firsts[index] as number;
      const last = this.lasts[index] as number;
      if (first > span.first) span.first = first;
      if (last < span.last) span.last = last;
      return;
    }
    const own = { first: 0, last: span.last };
    own.last = Number.MAX_SAFE_INTEGER;
    for (const requirement of this.requirements) {
      const { first, last } = requirement.span(digits);
      if (first > own.first) own.first = first;
      if (last < own.last) own.last = last;
    }
    if (index < this.known.length) {
      this.firsts[index] = own.first;
      this.lasts[index] = Math.min(own.last, 0x7fffffff);
      this.known[index] = 1;
    }
    if (own.first > span.first) span.first = own.first;
    if (own.last < span.last) span.last = own.last;
  }
}

/**
 * The days on which a tree can run, for each binding (`engine.md` section 4). Bindings with faults must not
 * be asked for.
 */
export class Spans {
  private readonly data: CalendarData;
  private readonly radices: readonly number[];
  private readonly groups = new Map<BlockPlan, Group[]>();

  constructor(data: CalendarData, radices: readonly number[]) {
    this.data = data;
    this.radices = radices;
  }

  /** The whole calendar where a block requires nothing. */
  of(block: BlockPlan, digits: Int32Array): Span {
    const span = { first: 0, last: this.data.calendar.length - 1 };
    for (const group of this.groupsOf(block)) group.narrow(digits, span);
    return span;
  }

  /**
   * The days on which combinations of a block may begin and end within [start, end], ascending; null where
   * there are too many bindings to go through them. They follow from the plan and the prices alone, and hold
   * for every combination of it.
   */
  borders(
    block: BlockPlan,
    { start, end }: { readonly start: number; readonly end: number },
    isFaulty: (variables: readonly number[], digits: Int32Array) => boolean,
  ): Borders | null {
    const groups = this.groupsOf(block);
    if (groups.reduce((sum, { key }) => sum + key.size, 0) > MOST_BINDINGS) return null;
    const digits = new Int32Array(this.radices.length);
    const [firsts, lasts] = [new Set([start]), new Set([end])];
    let [earliest, latest] = [start, end];
    for (const group of groups) {
      let [least, most] = [Number.MAX_SAFE_INTEGER, -1];
      for (let index = 0; index < group.key.size; index++) {
        group.key.write(index, digits);
        if (isFaulty(group.key.variables, digits)) continue;
        const span = { first: 0, last: Number.MAX_SAFE_INTEGER };
        group.narrow(digits, span);
        firsts.add(span.first);
        lasts.add(span.last);
        least = Math.min(least, span.first);
        most = Math.max(most, span.last);
      }
      // Every combination waits for one binding of each group, and ends with one.
      earliest = Math.max(earliest, least);
      latest = Math.min(latest, most);
    }
    const within = (days: Set<number>) =>
      Int32Array.from([...days].filter((day) => day >= earliest && day <= latest)).sort();
    return { firsts: within(firsts.add(earliest)), lasts: within(lasts.add(latest)) };
  }

  /** Days on which an indicator of a ticker, ratio or block is defined. */
  ofIndicator({ series, fn, params, second }: IndicatorPlan, digits: Int32Array): Span {
    let { first, last } =
      series.kind === 'series'
        ? this.data.decisionDaysOf(nameOf(series, digits))
        : this.ownSeries(series, digits);
    if (second !== null) {
      const other = this.data.decisionDaysOf(nameOf(second, digits));
      first = Math.max(first, other.first);
      last = Math.min(last, other.last);
    }
    const numbers = params.map((place) => place.number(digits));
    return spanOfIndicator(first, last, fn, numbers, this.data.calendar.length);
  }

  /** Days of a block's own series. */
  ownSeries(block: BlockPlan, digits: Int32Array): Span {
    const span = this.of(block, digits);
    return span.first > span.last ? { first: this.data.calendar.length, last: -1 } : span;
  }

  private groupsOf(block: BlockPlan): Group[] {
    const known = this.groups.get(block);
    if (known !== undefined) return known;
    const byVariables = new Map<string, Requirement[]>();
    for (const requirement of this.requirements(block)) {
      const name = requirement.key.variables.join();
      const list = byVariables.get(name);
      if (list === undefined) byVariables.set(name, [requirement]);
      else list.push(requirement);
    }
    const groups = [...byVariables.values()].map(
      (list) => new Group(new Key(list[0]?.key.variables ?? [], this.radices), list),
    );
    this.groups.set(block, groups);
    return groups;
  }

  private *requirements(block: BlockPlan): Generator<Requirement> {
    switch (block.kind) {
      case 'cash':
        return;
      case 'asset':
        yield this.series({ kind: 'series', sides: [block.ticker], key: block.key });
        return;
      case 'if':
        for (const condition of conditionsIn(block.conditions)) {
          yield* this.side(condition, condition.left, condition.leftDaysAgo);
          if (!(condition.right instanceof Place))
            yield* this.side(condition, condition.right, condition.rightDaysAgo);
        }
        yield* this.requirements(block.then);
        yield* this.requirements(block.otherwise);
        return;
      case 'filter':
      case 'inverse': {
        const indicators = block.kind === 'filter' ? indicatorsOf(block) : block.deviations;
        for (const indicator of indicators) yield* this.indicator(indicator);
        for (const child of block.children) yield* this.requirements(child);
        return;
      }
      case 'mix':
        for (const child of block.children) yield* this.requirements(child);
        return;
    }
  }

  /** A side of a condition is there when its indicator was on the days that it looks back on. */
  private *side(
    { forDays, key }: ConditionPlan,
    indicator: IndicatorPlan,
    daysAgo: Place | null,
  ): Generator<Requirement> {
    yield* this.indicator(indicator);
    if (daysAgo === null && forDays === null) return;
    yield {
      key,
      span: (digits) => {
        const { first } = this.ofIndicator(indicator, digits);
        const delay = (daysAgo?.number(digits) ?? 0) + (forDays?.number(digits) ?? 1) - 1;
        return { first: first + delay, last: Number.MAX_SAFE_INTEGER };
      },
    };
  }

  private *indicator(indicator: IndicatorPlan): Generator<Requirement> {
    const { series, second } = indicator;
    if (series.kind === 'series') yield this.readSeries(series);
    if (second !== null) yield this.readSeries(second);
    yield {
      key: indicator.key,
      // Only tickers and ratios end a backtest; an indicator that is never defined starts after every end.
      span: (digits) => {
        const { first } = this.ofIndicator(indicator, digits);
        return { first, last: Number.MAX_SAFE_INTEGER };
      },
    };
  }

  private series(series: SeriesPlan): Requirement {
    return {
      key: series.key,
      span: (digits) => {
        const { first, last } = this.data.daysOf(nameOf(series, digits));
        return { first, last };
      },
    };
  }

  /** What decisions read, and what could be held of it, where these are two. */
  private readSeries(series: SeriesPlan): Requirement {
    return {
      key: series.key,
      span: (digits) => {
        const name = nameOf(series, digits);
        const [held, read] = [this.data.daysOf(name), this.data.decisionDaysOf(name)];
        return { first: Math.max(held.first, read.first), last: Math.min(held.last, read.last) };
      },
    };
  }
}

/** The indicators that a filter sorts and weighs by. */
function indicatorsOf({ ranks, weighting }: FilterPlan): readonly IndicatorPlan[] {
  return weighting?.kind === 'inverse' ? [...ranks, ...weighting.deviations] : ranks;
}

/** `SPY` or `A/B`. */
export function nameOf(series: SeriesPlan, digits: Int32Array): string {
  const [only] = series.sides;
  if (series.sides.length === 1 && only !== undefined) return only.text(digits);
  return series.sides.map((side) => side.text(digits)).join('/');
}
