import type { FilterSortName, IndicatorName } from './tree.ts';

/** What the editor shows and the engine computes of one indicator function (`docs/engine.md`, section 2). */
export interface IndicatorInfo {
  readonly label: string;
  /** Abbreviation used in chart legends and tables. */
  readonly shortLabel: string;
  /** Smallest window with a value; every window is at most `MAX_WINDOW`. */
  readonly minWindow: number;
  /** False where the window plays no part. */
  readonly usesWindow: boolean;
}

export const MAX_WINDOW = 2000;
/** The bounds of an inverse-volatility window: a sample deviation needs two returns. */
export const MIN_INVERSE_VOLATILITY_WINDOW = 2;
export const DEFAULT_WINDOW = 10;

export const INDICATORS: Readonly<Record<IndicatorName, IndicatorInfo>> = {
  'relative-strength-index': info('Relative Strength Index', 'RSI', 1),
  'moving-average-price': info('Moving Average of Price', 'MA Price', 1),
  'exponential-moving-average-price': info('Exponential Moving Average of Price', 'EMA Price', 1),
  'current-price': { label: 'Current Price', shortLabel: 'Current Price', minWindow: 1, usesWindow: false },
  'cumulative-return': info('Cumulative Return', 'CR', 1),
  'standard-deviation-price': info('Standard Deviation of Price', 'StdDev Price', 2),
  'max-drawdown': info('Max Drawdown', 'MD', 1),
  'moving-average-return': info('Moving Average of Return', 'MA Return', 1),
  'standard-deviation-return': info('Standard Deviation of Return', 'StdDev Return', 2),
  'z-score': info('Z-Score', 'Z-Score', 2),
};

export const INDICATOR_NAMES = Object.keys(INDICATORS) as readonly IndicatorName[];

export const FILTER_SORT_NAMES: readonly FilterSortName[] = [
  'relative-strength-index',
  'cumulative-return',
  'max-drawdown',
  'moving-average-return',
  'standard-deviation-return',
];

function info(label: string, shortLabel: string, minWindow: number): IndicatorInfo {
  return { label, shortLabel, minWindow, usesWindow: true };
}

/** Whether a value names an indicator function. Own keys only: `constructor` is not one. */
export function isIndicatorName(value: unknown): value is IndicatorName {
  return typeof value === 'string' && Object.hasOwn(INDICATORS, value);
}

/** Whether a value names a function that a filter can sort by. */
export function isFilterSortName(value: unknown): value is FilterSortName {
  return (FILTER_SORT_NAMES as readonly unknown[]).includes(value);
}

/** Available bars up to and including a day that the value of that day needs. */
export function barsNeeded(fn: IndicatorName, window: number): number {
  switch (fn) {
    case 'current-price':
      return 1;
    case 'cumulative-return':
    case 'moving-average-return':
    case 'standard-deviation-return':
    case 'relative-strength-index':
      return window + 1;
    default:
      return window;
  }
}

/** `SPY-relative-strength-index-10`; the series is a ticker, a ratio `A/B`, or the id of a block. */
export function indicatorKey(series: string, fn: IndicatorName, window: number | string): string {
  return `${series}-${fn}-${window}`;
}

export interface ParsedIndicatorKey {
  readonly series: string;
  readonly fn: IndicatorName;
  readonly window: string;
}

/**
 * Reads an indicator key from the right, since tickers may hold hyphens (`BRK-B`). The longest function name that fits wins
 * (`exponential-moving-average-price` ends with another name). Null for anything that is not a key.
 */
export function parseIndicatorKey(key: string): ParsedIndicatorKey | null {
  let best: ParsedIndicatorKey | null = null;
  for (const fn of INDICATOR_NAMES) {
    const at = key.lastIndexOf(`-${fn}-`);
    if (at <= 0) continue;
    const window = key.slice(at + fn.length + 2);
    if (window === '' || window.includes('/')) continue;
    const isLater = best === null || window.length < best.window.length;
    const isLonger = best !== null && window.length === best.window.length && fn.length > best.fn.length;
    if (isLater || isLonger) best = { series: key.slice(0, at), fn, window };
  }
  return best;
}
