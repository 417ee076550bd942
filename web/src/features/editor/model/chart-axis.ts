/**
 * Axes of the curve chart: ticks that can be read at any span, and what lies in sight of a zoom. Pure
 * functions of series by day.
 */

export interface Ticks {
  readonly values: readonly number[];
  readonly texts: readonly string[];
}

/** Most ticks that stand on a value axis. */
const MOST = 5;

/**
 * The sets of leading digits from which a log axis takes its ticks, finest first; each gives fewer than the
 * one before.
 */
const LEADS: readonly (readonly number[])[] = [[1, 2, 3, 5], [1, 2, 5], [1, 3], [1]];

/** `0.5 ×`, `20 ×`, `1,000 ×`: growth as it stands at a tick. */
function growthText(value: number): string {
  return `${GROWTH.format(value)} ×`;
}

const GROWTH = new Intl.NumberFormat('en-US', { maximumFractionDigits: 12 });

/**
 * At most five ticks of a log axis from `low` to `high` (both above 0): round growth factors, evenly spread.
 * A short span, which holds too few powers and halves, gets round steps as on a linear axis.
 */
export function logTicks(low: number, high: number): Ticks {
  const inSight = (values: readonly number[]) => values.filter((value) => value >= low && value <= high);
  const [from, to] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))];
  const powers = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  for (const leads of LEADS) {
    const found = inSight(powers.flatMap((power) => leads.map((lead) => Number(`${lead}e${power}`))));
    if (found.length <= MOST)
      return found.length >= 3 ? ticksOf(found) : ticksOf(inSight(roundSteps(low, high)));
  }
  for (let every = 2; ; every++) {
    const found = inSight(powers.filter((power) => power % every === 0).map((power) => Number(`1e${power}`)));
    if (found.length <= MOST) return ticksOf(found);
  }
}

const ticksOf = (values: readonly number[]): Ticks => ({ values, texts: values.map(growthText) });

/** Multiples of 1, 2 or 5 times a power of ten, at most five of them. */
function roundSteps(low: number, high: number): number[] {
  for (let power = Math.floor(Math.log10((high - low) / MOST)); ; power++)
    for (const lead of [1, 2, 5]) {
      const step = Number(`${lead}e${power}`);
      const first = Math.ceil(low / step - 1e-9);
      const last = Math.floor(high / step + 1e-9);
      if (last - first < MOST)
        return Array.from({ length: last - first + 1 }, (_, index) =>
          Number(((first + index) * step).toPrecision(12)),
        );
    }
}

/** The days in sight as indexes, both included. */
export interface DayRange {
  readonly from: number;
  readonly to: number;
}

/** Fewest days that a zoom shows. */
const FEWEST_DAYS = 5;

/**
 * The days from `start` to `end` (`YYYY-MM-DD`, or with a time behind) of a list of days; null where that is
 * all of them.
 */
export function rangeBetween(days: readonly string[], start: string, end: string): DayRange | null {
  const last = days.length - 1;
  let from = days.findIndex((day) => day >= start.slice(0, 10));
  if (from === -1) from = last;
  let to = days.findLastIndex((day) => day <= end.slice(0, 10));
  if (to - from < FEWEST_DAYS) {
    to = Math.min(last, Math.max(from, 0) + FEWEST_DAYS);
    from = Math.max(0, to - FEWEST_DAYS);
  }
  return from <= 0 && to >= last ? null : { from: Math.max(0, from), to };
}

/** A range moved by a share of its own length, kept inside; positive is later. */
export function movedRange(range: DayRange, share: number, count: number): DayRange {
  const length = range.to - range.from;
  const by = Math.round(share * length) || Math.sign(share);
  const from = Math.min(Math.max(0, range.from + by), count - 1 - length);
  return { from, to: from + length };
}

/** A range made shorter (`factor` < 1) or longer around its middle; null where it then shows everything. */
export function scaledRange(range: DayRange | null, factor: number, count: number): DayRange | null {
  const { from, to } = range ?? { from: 0, to: count - 1 };
  const length = Math.max(FEWEST_DAYS, Math.round((to - from) * factor));
  if (length >= count - 1) return null;
  const start = Math.min(Math.max(0, Math.round((from + to - length) / 2)), count - 1 - length);
  return { from: start, to: start + length };
}

/** Lowest and highest of some series over a range; null where there is nothing to see. */
export function extentOf(
  series: readonly (readonly number[])[],
  { from, to }: DayRange,
): readonly [low: number, high: number] | null {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const values of series)
    for (let day = from; day <= to; day++) {
      const value = values[day] ?? Number.NaN;
      if (value < low) low = value;
      if (value > high) high = value;
    }
  return low <= high ? [low, high] : null;
}

/**
 * How many times the largest growth stands above the smallest before a linear axis shows half of the days as
 * a flat line.
 */
const FLAT_FROM = 20;

/**
 * Whether a linear axis would draw growth (1 at the start) as a line along the bottom: then a log axis is the
 * one to begin with.
 */
export function isFlatOnLinear(growth: readonly (readonly number[])[]): boolean {
  const count = Math.max(0, ...growth.map(({ length }) => length));
  const extent = extentOf(growth, { from: 0, to: count - 1 });
  return extent !== null && extent[0] > 0 && extent[1] / extent[0] >= FLAT_FROM;
}
