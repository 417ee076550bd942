import { usualDistance } from './bar-period.ts';

/** What the names of series begin with that conditions may look at and nobody can trade: `@VIXCLS`. */
export const SERIES_PREFIX = '@';

/** The spelling a series is stored under, or null for a text that names none. */
export function seriesName(text: string): string | null {
  const name = text.trim().toUpperCase();
  return /^@[A-Z0-9](?:[A-Z0-9_-]{0,17}[A-Z0-9])?$/.test(name) ? name : null;
}

/** Whether a ticker of a tree or of settings names such a series. */
export function isSeriesName(text: string): boolean {
  return text.trimStart().startsWith(SERIES_PREFIX);
}

/** What is known of a series beside its values. */
export interface ConditionSeries {
  readonly name: string;
  readonly title: string;
  /** File or provider. */
  readonly source: string;
  /** Days of the first and last observation, `YYYY-MM-DD`. */
  readonly firstDay: string;
  readonly lastDay: string;
  /** Observations; with vintages each revision counts. */
  readonly count: number;
  /** Calendar days between the day of an observation and the day on which it is known. */
  readonly lagDays: number;
  /**
   * Whether the source tells on which day each value was published; the lag then only serves what is older
   * than that.
   */
  readonly hasVintages: boolean;
}

/** Observations by the day they are of, then by the day on which they are known; several of one day are revisions. */
export interface Observations {
  /** The day (since 1970) that a value is of: of a month or quarter its first one. */
  readonly days: Int32Array;
  /** The day from whose close on the value can be used. */
  readonly known: Int32Array;
  /** Any finite number. */
  readonly values: Float64Array;
}

/**
 * Publication lags in calendar days by how far observations are apart, on the careful side: a day may be the
 * first of its period.
 */
const LAGS: readonly (readonly [mostDistance: number, lag: number])[] = [
  [4, 1],
  [20, 14],
  [60, 62],
  [200, 185],
  [Number.POSITIVE_INFINITY, 550],
];

/**
 * The publication lag of a series of which nobody has said one: a daily value is known on the next day;
 * values of weeks, months, quarters and years long after their end. A single observation may be one of a month.
 */
export function usualLag(days: Int32Array): number {
  const distance = days.length < 2 ? 31 : usualDistance(days);
  return LAGS.find(([most]) => distance <= most)?.[1] ?? 550;
}

/**
 * What somebody knew of a series on each of the sessions given: the newest observation among those known by
 * then, in its newest revision. Starts on the first session on which anything is known.
 */
export function asKnownOn(
  { days, known, values }: Observations,
  sessions: Int32Array,
): { readonly days: Int32Array; readonly values: Float64Array } {
  const order = Int32Array.from(days.keys()).sort(
    (a, b) => at(known, a) - at(known, b) || at(days, a) - at(days, b),
  );
  const first = order.length === 0 ? Number.POSITIVE_INFINITY : at(known, at(order, 0));
  const shown = sessions.subarray(sessions.findIndex((day) => day >= first));
  if (!(first <= (sessions.at(-1) ?? Number.NEGATIVE_INFINITY)))
    return { days: new Int32Array(0), values: new Float64Array(0) };
  const column = new Float64Array(shown.length);
  let next = 0;
  let newest = at(order, 0);
  for (let i = 0; i < shown.length; i++) {
    while (next < order.length && at(known, at(order, next)) <= at(shown, i)) {
      const candidate = at(order, next++);
      if (at(days, candidate) >= at(days, newest)) newest = candidate;
    }
    column[i] = at(values, newest);
  }
  return { days: shown, values: column };
}

/**
 * Observations with a lag instead of days of publication. `days` may come in any order; the last of several
 * values of a day counts.
 */
export function withLag(days: readonly number[], values: readonly number[], lag: number): Observations {
  const byDay = new Map(days.map((day, i) => [day, values[i] as number]));
  const sorted = Int32Array.from(byDay.keys()).sort();
  return {
    days: sorted,
    known: sorted.map((day) => day + lag),
    values: Float64Array.from(sorted, (day) => byDay.get(day) ?? Number.NaN),
  };
}

/** A value with the day on which it was published. */
export interface Vintage {
  readonly day: number;
  readonly published: number;
  readonly value: number;
}

/**
 * Observations from vintages. Archives begin late: what was there in the oldest of them had been published
 * before, and counts as known after the lag, if that is earlier.
 */
export function withVintages(vintages: readonly Vintage[], lag: number): Observations {
  const oldest = vintages.reduce(
    (least, { published }) => Math.min(least, published),
    Number.POSITIVE_INFINITY,
  );
  const known = ({ day, published }: Vintage) =>
    published === oldest ? Math.min(published, day + lag) : published;
  const sorted = [...vintages].sort((a, b) => a.day - b.day || known(a) - known(b));
  return {
    days: Int32Array.from(sorted, ({ day }) => day),
    known: Int32Array.from(sorted, known),
    values: Float64Array.from(sorted, ({ value }) => value),
  };
}

/**
 * What stays of stored observations when newer ones come: those of days that did not come. With the numbers
 * of what changes.
 */
export function mergeObservations(
  stored: Observations,
  incoming: Observations,
): {
  readonly merged: Observations;
  readonly added: number;
  readonly changed: number;
  readonly kept: number;
} {
  const newest = (series: Observations) => {
    const byDay = new Map<number, number>();
    for (const [i, day] of series.days.entries()) byDay.set(day, at(series.values, i));
    return byDay;
  };
  const before = newest(stored);
  const after = newest(incoming);
  let added = 0;
  let changed = 0;
  for (const [day, value] of after)
    if (!before.has(day)) added++;
    else if (before.get(day) !== value) changed++;
  const rows = [...rowsOf(stored).filter(({ day }) => !after.has(day)), ...rowsOf(incoming)].sort(
    (a, b) => a.day - b.day || a.known - b.known,
  );
  const kept = [...before.keys()].filter((day) => !after.has(day)).length;
  return {
    merged: {
      days: Int32Array.from(rows, ({ day }) => day),
      known: Int32Array.from(rows, ({ known }) => known),
      values: Float64Array.from(rows, ({ value }) => value),
    },
    added,
    changed,
    kept,
  };
}

/**
 * The first day (since 1970) on which somebody knows something else by the second series than by the first;
 * null: never. A value that is published anew matters from that day on, not from the one that it is of.
 */
export function firstDayKnownOtherwise(before: Observations | null, after: Observations): number | null {
  const rows = (series: Observations) =>
    rowsOf(series).map(({ day, known, value }) => [`${day} ${known} ${value}`, known] as const);
  const [old, now] = [new Map(before ? rows(before) : []), new Map(rows(after))];
  let first = Number.POSITIVE_INFINITY;
  for (const [row, known] of old) if (!now.has(row)) first = Math.min(first, known);
  for (const [row, known] of now) if (!old.has(row)) first = Math.min(first, known);
  return Number.isFinite(first) ? first : null;
}

function rowsOf({ days, known, values }: Observations): { day: number; known: number; value: number }[] {
  return Array.from(days, (day, i) => ({ day, known: at(known, i), value: at(values, i) }));
}

function at(numbers: Int32Array | Float64Array, index: number): number {
  return numbers[index] as number;
}
