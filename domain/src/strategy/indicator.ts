import { FURTHER_ENTRIES, type IndicatorEntry, PAIR_ENTRIES, WINDOW_ENTRIES } from './indicator-table.ts';
import type { FilterSortName, IndicatorName, WindowIndicatorName } from './tree.ts';

/** The bounds of an inverse-volatility window: a sample deviation needs two returns. */
export const MIN_INVERSE_VOLATILITY_WINDOW = 2;
export const DEFAULT_WINDOW = 10;

/** What the editor shows and the engine computes of one indicator function (`docs/engine.md`, sections 2 and 10). */
export interface IndicatorInfo extends IndicatorEntry {
  /** Smallest window with a value; every window is at most `MAX_WINDOW`. */
  readonly minWindow: number;
  /** False where the function has no `window`. */
  readonly usesWindow: boolean;
  /** Whether it takes a second series, named in `with`. */
  readonly isPair: boolean;
}

const ENTRIES: Readonly<Record<IndicatorName, IndicatorEntry>> = {
  ...WINDOW_ENTRIES,
  ...FURTHER_ENTRIES,
  ...PAIR_ENTRIES,
};

function infoOf(name: string, entry: IndicatorEntry): IndicatorInfo {
  const window = entry.parameters.find((parameter) => parameter.name === 'window');
  return {
    ...entry,
    minWindow: window?.min ?? 1,
    usesWindow: window !== undefined,
    isPair: Object.hasOwn(PAIR_ENTRIES, name),
  };
}

export const INDICATORS = Object.fromEntries(
  Object.entries(ENTRIES).map(([name, entry]) => [name, infoOf(name, entry)]),
) as Readonly<Record<IndicatorName, IndicatorInfo>>;

export const INDICATOR_NAMES = Object.keys(INDICATORS) as readonly IndicatorName[];

/** The functions that a filter could sort by in version 1 of the language. */
export const FIRST_SORT_NAMES = [
  'relative-strength-index',
  'cumulative-return',
  'max-drawdown',
  'moving-average-return',
  'standard-deviation-return',
] as const satisfies readonly WindowIndicatorName[];

/** The functions of section 2. */
export const WINDOW_INDICATOR_NAMES = INDICATOR_NAMES.filter(isWindowIndicator);

/** The functions that a filter can sort by: all of one series. */
export const FILTER_SORT_NAMES = INDICATOR_NAMES.filter(isFilterSortName);

/** Whether a value names an indicator function. Own keys only: `constructor` is not one. */
export function isIndicatorName(value: unknown): value is IndicatorName {
  return typeof value === 'string' && Object.hasOwn(INDICATORS, value);
}

/** Whether a value names a function of section 2: one series and at most one window. */
export function isWindowIndicator(value: unknown): value is WindowIndicatorName {
  return typeof value === 'string' && Object.hasOwn(WINDOW_ENTRIES, value);
}

/** Whether a value names a function that a filter can sort by. */
export function isFilterSortName(value: unknown): value is FilterSortName {
  return isIndicatorName(value) && !INDICATORS[value].isPair;
}

/** Available bars up to and including a day that the value of that day needs, of a function of section 2. */
export function barsNeeded(fn: WindowIndicatorName, window: number): number {
  return INDICATORS[fn].bars(window, 1, 1);
}

/**
 * As `barsNeeded`, for any function.
 * @param params its numbers in the order of `parameters`; of `current-price` they play no part
 */
export function barsOf(fn: IndicatorName, [first = 1, second = 1, third = 1]: readonly number[]): number {
  return INDICATORS[fn].bars(first, second, third);
}

/**
 * `SPY-relative-strength-index-10`, `SPY-macd-signal-12-26-9`, `SPY-momentum-13612w`; the series is a ticker,
 * a ratio `A/B`, a pair `SPY~TLT` or the id of a block.
 */
export function indicatorKey(
  series: string,
  fn: IndicatorName,
  ...params: readonly (number | string)[]
): string {
  return [series, fn, ...params].join('-');
}

/** The series of a key of `correlation` or `beta`: `SPY~TLT`. */
export function pairName(series: string, second: string): string {
  return `${series}~${second}`;
}

export interface ParsedIndicatorKey {
  readonly series: string;
  readonly fn: IndicatorName;
  /** As they stand, in the order of the function's parameters. */
  readonly params: readonly string[];
}

/**
 * Reads an indicator key from the right, since tickers may hold hyphens (`BRK-B`). The longest function name
 * that fits wins (`exponential-moving-average-price` ends with another name). Null for anything that is not a key.
 */
export function parseIndicatorKey(key: string): ParsedIndicatorKey | null {
  let best: { series: string; fn: IndicatorName; rest: string } | null = null;
  for (const fn of INDICATOR_NAMES) {
    const hasParams = INDICATORS[fn].parameters.length > 0 || fn === 'current-price';
    const at = hasParams
      ? key.lastIndexOf(`-${fn}-`)
      : key.endsWith(`-${fn}`)
        ? key.length - fn.length - 1
        : -1;
    if (at <= 0) continue;
    const rest = key.slice(at + fn.length + 2);
    if (hasParams && (rest === '' || rest.includes('/'))) continue;
    const isLater = best === null || rest.length < best.rest.length;
    const isLonger = best !== null && rest.length === best.rest.length && fn.length > best.fn.length;
    if (isLater || isLonger) best = { series: key.slice(0, at), fn, rest };
  }
  // A hyphen after an e belongs to a number such as 1e-7.
  return (
    best && { series: best.series, fn: best.fn, params: best.rest === '' ? [] : best.rest.split(/(?<!e)-/) }
  );
}
