import type { PriceSeries } from '@quantloom/domain/ports/market-data';
import { sidesOf } from '@quantloom/domain/strategy/values';
import type { ResultColumns } from '../figures/result-columns.ts';
import { calendarOf } from '../model/calendar.ts';
import type { BatchEngine, Failure } from './batch-engine.ts';
import { ReferenceBatch } from './batch-reference.ts';
import type { BatchPlan } from './compile/batch-plan.ts';
import type { IndicatorPlan, Plan } from './compile/plan.ts';
import { conditionsIn } from './compile/plan-facts.ts';
import { Key, Place, writeDigits } from './compile/variables.ts';
import { type EngineParts, FastBatchEngine } from './fast-batch.ts';
import { fingerprintOf } from './memory/fingerprint.ts';
import type { Workspace } from './memory/workspace.ts';

/** Calendars that have an engine of their own; combinations of further ones go the reference's way. */
const MOST_CALENDARS = 8;
/** Bindings of tickers that are looked at to find them. */
const LOOKED_AT = 4096;

/**
 * A batch whose benchmark has no prices: the calendar of a combination is then the union of the dates of its
 * own tickers. Most combinations have the same one, so that there is an engine per calendar, which runs the
 * combinations of that calendar.
 */
export class OwnCalendars implements BatchEngine {
  readonly path = 'fast';
  readonly plan: BatchPlan;
  private readonly tree: Plan;
  private readonly workspace: Workspace;
  private readonly options: EngineParts;
  private readonly places: readonly Place[];
  private readonly key: Key;
  /** Engine by the combination of values that stand for tickers, by the dates these have, and by calendar. */
  private readonly byValues = new Map<number, BatchEngine>();
  private readonly byDates = new Map<string, BatchEngine>();
  private readonly byCalendar = new Map<string, FastBatchEngine>();
  private readonly dates = new Map<string, string>();
  private reference: ReferenceBatch | null = null;
  private areChosen = false;

  constructor(plan: BatchPlan, tree: Plan, workspace: Workspace, options: EngineParts) {
    this.plan = plan;
    this.tree = tree;
    this.workspace = workspace;
    this.options = options;
    this.places = tickerPlaces(tree);
    const variables = this.places.flatMap((place) => place.variables);
    this.key = new Key(variables, plan.space.radices);
  }

  run(
    columns: ResultColumns,
    from: number,
    count: number,
    isCancelled: () => boolean = () => false,
    isWanted: (combination: number) => boolean = () => true,
  ): Failure[] {
    this.chooseCalendars();
    const engines = new Map<BatchEngine, Set<number>>();
    const { radices } = this.plan.space;
    const digits = new Int32Array(radices.length);
    for (let combination = from; combination < from + count; combination++) {
      if (!isWanted(combination)) continue;
      writeDigits(digits, radices, combination);
      const engine = this.engineFor(digits);
      const own = engines.get(engine);
      if (own === undefined) engines.set(engine, new Set([combination]));
      else own.add(combination);
    }
    const failures: Failure[] = [];
    for (const [engine, own] of engines) {
      if (engine instanceof FastBatchEngine) {
        failures.push(
          ...engine.run(columns, from, count, isCancelled, (combination) => own.has(combination)),
        );
      } else for (const one of own) failures.push(...engine.run(columns, one, 1, isCancelled));
    }
    return failures.sort((a, b) => a.combination - b.combination);
  }

  /**
   * Which calendars have an engine follows from the batch, not from which of its combinations this thread
   * meets first.
   */
  private chooseCalendars(): void {
    if (this.areChosen) return;
    const digits = new Int32Array(this.plan.space.radices.length);
    const { size } = this.key;
    for (let index = 0; index < Math.min(size, LOOKED_AT) && this.byCalendar.size < MOST_CALENDARS; index++) {
      this.key.write(index, digits);
      this.engineFor(digits);
    }
    this.areChosen = true;
  }

  private engineFor(digits: Int32Array): BatchEngine {
    const index = this.key.of(digits);
    const known = this.byValues.get(index);
    if (known !== undefined) return known;
    const { prices } = this.plan;
    const tickers = new Set(this.places.flatMap((place) => sidesOf(place.text(digits))));
    const traded = [...tickers].filter((ticker) => (prices.get(ticker)?.days.length ?? 0) > 0);
    const dates = traded.map((ticker) => this.datesOf(prices.get(ticker) as PriceSeries));
    const name = [...new Set(dates)].sort().join();
    const engine = this.byDates.get(name) ?? this.newEngine(traded);
    this.byDates.set(name, engine);
    this.byValues.set(index, engine);
    return engine;
  }

  private newEngine(tickers: readonly string[]): BatchEngine {
    const { plan, tree, workspace, options } = this;
    const days = calendarOf(undefined, tickers, plan.prices);
    // The dates alone matter; a series is what the market's columns are kept under.
    const calendar = { ticker: '', days, closes: new Float64Array(days.length) };
    const name = fingerprintOf(calendar);
    const known = this.byCalendar.get(name);
    if (known !== undefined) return known;
    if (days.length === 0 || this.areChosen || this.byCalendar.size === MOST_CALENDARS) {
      this.reference ??= new ReferenceBatch(plan, options.cacheBytes);
      return this.reference;
    }
    const engine = new FastBatchEngine(plan, tree, workspace, { ...options, calendar });
    this.byCalendar.set(name, engine);
    return engine;
  }

  /** Tells the dates of series apart. */
  private datesOf({ ticker, days }: PriceSeries): string {
    const known = this.dates.get(ticker);
    if (known !== undefined) return known;
    const dates = fingerprintOf({ ticker: '', days, closes: new Float64Array(0) });
    this.dates.set(ticker, dates);
    return dates;
  }

  dispose(): void {
    for (const engine of this.byCalendar.values()) engine.dispose();
    this.byCalendar.clear();
    this.byDates.clear();
    this.byValues.clear();
  }
}

/** Everything in a tree that names a ticker or a ratio. */
function tickerPlaces({ blocks }: Plan): Place[] {
  const sides = (indicator: IndicatorPlan | Place) => {
    if (indicator instanceof Place || indicator.series.kind !== 'series') return [];
    return [...indicator.series.sides, ...(indicator.second?.sides ?? [])];
  };
  return blocks.flatMap((block) => {
    if (block.kind === 'asset') return [block.ticker];
    if (block.kind !== 'if') return [];
    return [...conditionsIn(block.conditions)].flatMap(({ left, right }) => [
      ...sides(left),
      ...sides(right),
    ]);
  });
}
