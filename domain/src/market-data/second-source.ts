import { formatDay } from './day.ts';
import { splitLike } from './series-checks.ts';
import type { Bars } from './series-comparison.ts';

/** What two sources of one ticker disagree about. Returns are close to close, on days that both have. */
export interface SourceComparison {
  readonly commonDays: number;
  /** Between the first and last common day: days of one that the other lacks. */
  readonly onlyInFirst: readonly string[];
  readonly onlyInSecond: readonly string[];
  /** Returns that differ by more than the threshold, largest difference first. */
  readonly returns: readonly ReturnDifference[];
  /** Correlation of the returns, and where the second is moved by a day against the first. */
  readonly correlation: number;
  /** 1: the second has the first's prices a day later; -1: a day earlier; 0: not shifted. */
  readonly shiftedBy: -1 | 0 | 1;
}

export interface ReturnDifference {
  readonly from: string;
  readonly day: string;
  readonly first: number;
  readonly second: number;
  /** `second` over `first` looks like a split that one source has not adjusted for, as `2:1`; else null. */
  readonly split: string | null;
}

/** A day's shift must explain the returns better by this much. */
const SHIFT_MARGIN = 0.2;
const LEAST_DAYS_OF_A_SHIFT = 20;

/**
 * Compares two sources of one ticker; `threshold` is a difference of daily returns as a fraction (0.005: half
 * a percent).
 */
export function compareSources(first: Bars, second: Bars, threshold: number): SourceComparison {
  const from = Math.max(first.days[0] ?? 0, second.days[0] ?? 0);
  const to = Math.min(first.days.at(-1) ?? -1, second.days.at(-1) ?? -1);
  const byDay = new Map(Array.from(second.days, (day, i) => [day, second.closes[i] as number]));
  const common: { day: number; a: number; b: number }[] = [];
  const onlyInFirst: string[] = [];
  for (const [i, day] of first.days.entries()) {
    const b = byDay.get(day);
    if (b !== undefined) common.push({ day, a: first.closes[i] as number, b });
    else if (day >= from && day <= to) onlyInFirst.push(formatDay(day));
  }
  const ofFirst = new Set(first.days);
  const onlyInSecond = Array.from(second.days)
    .filter((day) => day >= from && day <= to && !ofFirst.has(day))
    .map(formatDay);
  const a: number[] = [];
  const b: number[] = [];
  const returns: ReturnDifference[] = [];
  for (const [i, now] of common.entries()) {
    const before = common[i - 1];
    if (!before) continue;
    const ofA = now.a / before.a - 1;
    const ofB = now.b / before.b - 1;
    a.push(ofA);
    b.push(ofB);
    if (Math.abs(ofA - ofB) > threshold)
      returns.push({
        from: formatDay(before.day),
        day: formatDay(now.day),
        first: ofA,
        second: ofB,
        split: splitLike((1 + ofB) / (1 + ofA)),
      });
  }
  returns.sort((x, y) => Math.abs(y.first - y.second) - Math.abs(x.first - x.second));
  const same = correlation(a, b);
  const later = correlation(a.slice(0, -1), b.slice(1));
  const earlier = correlation(a.slice(1), b.slice(0, -1));
  const canTell = a.length >= LEAST_DAYS_OF_A_SHIFT;
  const shiftedBy =
    canTell && later > same + SHIFT_MARGIN ? 1 : canTell && earlier > same + SHIFT_MARGIN ? -1 : 0;
  return { commonDays: common.length, onlyInFirst, onlyInSecond, returns, correlation: same, shiftedBy };
}

/** Pearson's correlation; 0 where one of them does not vary. */
function correlation(a: readonly number[], b: readonly number[]): number {
  const n = a.length;
  const meanA = a.reduce((sum, x) => sum + x, 0) / n;
  const meanB = b.reduce((sum, x) => sum + x, 0) / n;
  let products = 0;
  let squaresA = 0;
  let squaresB = 0;
  for (let i = 0; i < n; i++) {
    const x = (a[i] as number) - meanA;
    const y = (b[i] as number) - meanB;
    products += x * y;
    squaresA += x * x;
    squaresB += y * y;
  }
  return squaresA === 0 || squaresB === 0 ? 0 : products / Math.sqrt(squaresA * squaresB);
}
