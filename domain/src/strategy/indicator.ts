import type { FilterSortName, FunctionParams, IndicatorName, WindowIndicatorName } from './tree.ts';

export const MAX_WINDOW = 2000;
/** The bounds of an inverse-volatility window: a sample deviation needs two returns. */
export const MIN_INVERSE_VOLATILITY_WINDOW = 2;
export const DEFAULT_WINDOW = 10;

export type ParameterName = Exclude<keyof FunctionParams, 'with'>;

/** A number that a function takes. */
export interface ParameterInfo {
  readonly name: ParameterName;
  /** For forms and sentences: "fast window". */
  readonly label: string;
  readonly isWhole: boolean;
  readonly min: number;
  /** Null: no bound. */
  readonly max: number | null;
  /** What counts where none is given; null: it must be given. */
  readonly default: number | null;
}

/** What the editor shows and the engine computes of one indicator function (`docs/engine.md`, sections 2 and 10). */
export interface IndicatorInfo {
  readonly label: string;
  /** Abbreviation used in chart legends and tables. */
  readonly shortLabel: string;
  /** Smallest window with a value; every window is at most `MAX_WINDOW`. */
  readonly minWindow: number;
  /** False where the function has no `window`. */
  readonly usesWindow: boolean;
  /** In the order of its key. */
  readonly parameters: readonly ParameterInfo[];
  /** Whether it takes a second series, named in `with`. */
  readonly isPair: boolean;
}

const window = (name: ParameterName, label: string, min: number, preset: number | null): ParameterInfo => ({
  name,
  label,
  isWhole: true,
  min,
  max: MAX_WINDOW,
  default: preset,
});
const DEVIATIONS: ParameterInfo = {
  name: 'deviations',
  label: 'deviations',
  isWhole: false,
  min: 0,
  max: null,
  default: 2,
};
const FAST_AND_SLOW = [window('fast', 'fast window', 1, 12), window('slow', 'slow window', 1, 26)];
const WITH_SIGNAL = [...FAST_AND_SLOW, window('signal', 'signal window', 1, 9)];

function info(
  label: string,
  shortLabel: string,
  minWindow: number,
  further: readonly ParameterInfo[] = [],
  isPair = false,
): IndicatorInfo {
  const parameters = [window('window', 'window', minWindow, null), ...further];
  return { label, shortLabel, minWindow, usesWindow: true, parameters, isPair };
}

function withoutWindow(
  label: string,
  shortLabel: string,
  parameters: readonly ParameterInfo[] = [],
): IndicatorInfo {
  return { label, shortLabel, minWindow: 1, usesWindow: false, parameters, isPair: false };
}

export const INDICATORS: Readonly<Record<IndicatorName, IndicatorInfo>> = {
  'relative-strength-index': info('Relative Strength Index', 'RSI', 1),
  'moving-average-price': info('Moving Average of Price', 'MA Price', 1),
  'exponential-moving-average-price': info('Exponential Moving Average of Price', 'EMA Price', 1),
  'current-price': withoutWindow('Current Price', 'Current Price'),
  'cumulative-return': info('Cumulative Return', 'CR', 1),
  'standard-deviation-price': info('Standard Deviation of Price', 'StdDev Price', 2),
  'max-drawdown': info('Max Drawdown', 'MD', 1),
  'moving-average-return': info('Moving Average of Return', 'MA Return', 1),
  'standard-deviation-return': info('Standard Deviation of Return', 'StdDev Return', 2),
  'z-score': info('Z-Score', 'Z-Score', 2),
  'current-drawdown': info('Current Drawdown', 'Drawdown', 1),
  'bollinger-upper': info('Upper Bollinger Band', 'Upper Band', 2, [DEVIATIONS]),
  'bollinger-lower': info('Lower Bollinger Band', 'Lower Band', 2, [DEVIATIONS]),
  macd: withoutWindow('MACD', 'MACD', FAST_AND_SLOW),
  'macd-signal': withoutWindow('MACD Signal', 'MACD Signal', WITH_SIGNAL),
  'macd-histogram': withoutWindow('MACD Histogram', 'MACD Histogram', WITH_SIGNAL),
  ppo: withoutWindow('Percentage Price Oscillator', 'PPO', FAST_AND_SLOW),
  'ppo-signal': withoutWindow('Percentage Price Oscillator Signal', 'PPO Signal', WITH_SIGNAL),
  'ppo-histogram': withoutWindow('Percentage Price Oscillator Histogram', 'PPO Histogram', WITH_SIGNAL),
  'aroon-up': info('Aroon Up', 'Aroon Up', 1),
  'aroon-down': info('Aroon Down', 'Aroon Down', 1),
  'momentum-13612w': withoutWindow('Momentum 13612W, weighted', 'Momentum 13612W'),
  'momentum-13612u': withoutWindow('Momentum 13612U, unweighted', 'Momentum 13612U'),
  correlation: info('Correlation of Returns', 'Correlation', 2, [], true),
  beta: info('Beta of Returns', 'Beta', 2, [], true),
};

export const INDICATOR_NAMES = Object.keys(INDICATORS) as readonly IndicatorName[];

const WINDOW_INDICATORS: Readonly<Record<WindowIndicatorName, true>> = {
  'relative-strength-index': true,
  'moving-average-price': true,
  'exponential-moving-average-price': true,
  'current-price': true,
  'cumulative-return': true,
  'standard-deviation-price': true,
  'max-drawdown': true,
  'moving-average-return': true,
  'standard-deviation-return': true,
  'z-score': true,
};

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
  return typeof value === 'string' && Object.hasOwn(WINDOW_INDICATORS, value);
}

/** Whether a value names a function that a filter can sort by. */
export function isFilterSortName(value: unknown): value is FilterSortName {
  return isIndicatorName(value) && !INDICATORS[value].isPair;
}

/** Available bars up to and including a day that the value of that day needs, of a function of section 2. */
export function barsNeeded(fn: WindowIndicatorName, window: number): number {
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

/** The daily returns that `momentum-13612w` and `momentum-13612u` look back over, in days: 1, 3, 6 and 12 months. */
export const MOMENTUM_SPANS = [21, 63, 126, 252] as const;

/**
 * As `barsNeeded`, for any function.
 * @param params its numbers in the order of `parameters`; of `current-price` they play no part
 */
export function barsOf(fn: IndicatorName, params: readonly number[]): number {
  if (isWindowIndicator(fn)) return barsNeeded(fn, params[0] ?? 1);
  const [first = 1, second = 1, third = 1] = params;
  switch (fn) {
    case 'current-drawdown':
    case 'bollinger-upper':
    case 'bollinger-lower':
      return first;
    case 'macd':
    case 'ppo':
      return second;
    case 'macd-signal':
    case 'macd-histogram':
    case 'ppo-signal':
    case 'ppo-histogram':
      return second + third - 1;
    case 'momentum-13612w':
    case 'momentum-13612u':
      return 1 + MOMENTUM_SPANS[3];
    case 'aroon-up':
    case 'aroon-down':
    case 'correlation':
    case 'beta':
      return first + 1;
    default: {
      const unknown: never = fn;
      return unknown;
    }
  }
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
