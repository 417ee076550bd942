/** Everything that is said of each indicator function in one place; what computes it is the engine's. */

export const MAX_WINDOW = 2000;

export type ParameterName = 'window' | 'deviations' | 'fast' | 'slow' | 'signal';

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

/** The lists of functions that the editor shows, in its order. */
export const INDICATOR_GROUPS = ['Return and momentum', 'Price and trend', 'Risk', 'Two tickers'] as const;

/** One function (`docs/engine.md`, sections 2 and 10). */
export interface IndicatorEntry {
  readonly label: string;
  /** Abbreviation used in chart legends and tables. */
  readonly shortLabel: string;
  /** In the order of its key. */
  readonly parameters: readonly ParameterInfo[];
  /**
   * Available bars up to and including a day that the value of that day needs, from the function's numbers in
   * the order of `parameters`.
   */
  readonly bars: (first: number, second: number, third: number) => number;
  /** What its values are. */
  readonly unit: 'percent' | 'price' | 'number';
  readonly group: (typeof INDICATOR_GROUPS)[number];
  /** One sentence for a newcomer. */
  readonly sentence: string;
  /** `P` is the price, `w` the window in days. */
  readonly formula: string;
}

type Entries = Readonly<Record<string, IndicatorEntry>>;

/** The daily returns that `momentum-13612w` and `momentum-13612u` look back over, in days: 1, 3, 6 and 12 months. */
export const MOMENTUM_SPANS = [21, 63, 126, 252] as const;

const days = (name: ParameterName, label: string, min: number, preset: number | null): ParameterInfo => ({
  name,
  label,
  isWhole: true,
  min,
  max: MAX_WINDOW,
  default: preset,
});
/** The `window` of a function, which must be given; `min` is the smallest with a value. */
const lookBack = (min: number): ParameterInfo => days('window', 'window', min, null);
const DEVIATIONS: ParameterInfo = {
  name: 'deviations',
  label: 'deviations',
  isWhole: false,
  min: 0,
  max: null,
  default: 2,
};
const FAST_AND_SLOW = [days('fast', 'fast window', 1, 12), days('slow', 'slow window', 1, 26)];
const WITH_SIGNAL = [...FAST_AND_SLOW, days('signal', 'signal window', 1, 9)];

/** The functions of one series and one window (`docs/engine.md`, section 2). */
export const WINDOW_ENTRIES = {
  'relative-strength-index': {
    label: 'Relative Strength Index',
    shortLabel: 'RSI',
    parameters: [lookBack(1)],
    bars: (window) => window + 1,
    unit: 'number',
    group: 'Return and momentum',
    sentence: 'How one-sided the last days were: near 100 mostly up, near 0 mostly down.',
    formula: '100 × G / (G + L), with Wilder’s averages of gains and losses over w days',
  },
  'moving-average-price': {
    label: 'Moving Average of Price',
    shortLabel: 'MA Price',
    parameters: [lookBack(1)],
    bars: (window) => window,
    unit: 'price',
    group: 'Price and trend',
    sentence: 'The average price of the last days; a price above it is in an upward trend.',
    formula: 'mean of the last w prices',
  },
  'exponential-moving-average-price': {
    label: 'Exponential Moving Average of Price',
    shortLabel: 'EMA Price',
    parameters: [lookBack(1)],
    bars: (window) => window,
    unit: 'price',
    group: 'Price and trend',
    sentence: 'An average price in which recent days count more, so it turns sooner.',
    formula: 'EMA ← EMA + 2 / (w + 1) × (P − EMA)',
  },
  'current-price': {
    label: 'Current Price',
    shortLabel: 'Current Price',
    parameters: [],
    bars: () => 1,
    unit: 'price',
    group: 'Price and trend',
    sentence: 'The closing price of the day.',
    formula: 'P',
  },
  'cumulative-return': {
    label: 'Cumulative Return',
    shortLabel: 'CR',
    parameters: [lookBack(1)],
    bars: (window) => window + 1,
    unit: 'percent',
    group: 'Return and momentum',
    sentence: 'How much the price rose or fell over the window.',
    formula: '100 × (P today / P w days ago − 1)',
  },
  'standard-deviation-price': {
    label: 'Standard Deviation of Price',
    shortLabel: 'StdDev Price',
    parameters: [lookBack(2)],
    bars: (window) => window,
    unit: 'price',
    group: 'Risk',
    sentence: 'How far prices strayed from their average.',
    formula: 'sample standard deviation of the last w prices',
  },
  'max-drawdown': {
    label: 'Max Drawdown',
    shortLabel: 'MD',
    parameters: [lookBack(1)],
    bars: (window) => window,
    unit: 'percent',
    group: 'Risk',
    sentence: 'The deepest fall from a high to a later low within the window.',
    formula: '100 × largest (1 − P / highest P before it) in w days',
  },
  'moving-average-return': {
    label: 'Moving Average of Return',
    shortLabel: 'MA Return',
    parameters: [lookBack(1)],
    bars: (window) => window + 1,
    unit: 'percent',
    group: 'Return and momentum',
    sentence: 'The average daily return of the last days.',
    formula: 'mean of the last w daily returns × 100',
  },
  'standard-deviation-return': {
    label: 'Standard Deviation of Return',
    shortLabel: 'StdDev Return',
    parameters: [lookBack(2)],
    bars: (window) => window + 1,
    unit: 'percent',
    group: 'Risk',
    sentence: 'How much the daily returns swing: the volatility of a day.',
    formula: 'sample standard deviation of the last w daily returns × 100',
  },
  'z-score': {
    label: 'Z-Score',
    shortLabel: 'Z-Score',
    parameters: [lookBack(2)],
    bars: (window) => window,
    unit: 'number',
    group: 'Risk',
    sentence: 'How unusual the price is, in standard deviations from its average.',
    formula: '(P − mean of w prices) / their standard deviation',
  },
} as const satisfies Entries;

/** The functions of section 10 that read one series. A new one is added here, last. */
export const FURTHER_ENTRIES = {
  'current-drawdown': {
    label: 'Current Drawdown',
    shortLabel: 'Drawdown',
    parameters: [lookBack(1)],
    bars: (window) => window,
    unit: 'percent',
    group: 'Risk',
    sentence: 'How far the price is below its highest of the window.',
    formula: '100 × (1 − P / highest of the last w prices)',
  },
  'bollinger-upper': {
    label: 'Upper Bollinger Band',
    shortLabel: 'Upper Band',
    parameters: [lookBack(2), DEVIATIONS],
    bars: (window) => window,
    unit: 'price',
    group: 'Price and trend',
    sentence: 'A line above the average price; a price that crosses it is unusually high.',
    formula: 'mean of w prices + k × their sample deviation',
  },
  'bollinger-lower': {
    label: 'Lower Bollinger Band',
    shortLabel: 'Lower Band',
    parameters: [lookBack(2), DEVIATIONS],
    bars: (window) => window,
    unit: 'price',
    group: 'Price and trend',
    sentence: 'A line below the average price; a price that crosses it is unusually low.',
    formula: 'mean of w prices − k × their sample deviation',
  },
  macd: {
    label: 'MACD',
    shortLabel: 'MACD',
    parameters: FAST_AND_SLOW,
    bars: (_fast, slow) => slow,
    unit: 'price',
    group: 'Price and trend',
    sentence: 'How far a fast average is above a slow one: above 0 the trend points up.',
    formula: 'EMA over fast − EMA over slow',
  },
  'macd-signal': {
    label: 'MACD Signal',
    shortLabel: 'MACD Signal',
    parameters: WITH_SIGNAL,
    bars: (_fast, slow, signal) => slow + signal - 1,
    unit: 'price',
    group: 'Price and trend',
    sentence: 'The MACD smoothed; the MACD crossing it is a common signal.',
    formula: 'EMA over signal of the MACD',
  },
  'macd-histogram': {
    label: 'MACD Histogram',
    shortLabel: 'MACD Histogram',
    parameters: WITH_SIGNAL,
    bars: (_fast, slow, signal) => slow + signal - 1,
    unit: 'price',
    group: 'Price and trend',
    sentence: 'How far the MACD is above its signal line: it crosses 0 when they cross.',
    formula: 'MACD − its signal',
  },
  ppo: {
    label: 'Percentage Price Oscillator',
    shortLabel: 'PPO',
    parameters: FAST_AND_SLOW,
    bars: (_fast, slow) => slow,
    unit: 'percent',
    group: 'Price and trend',
    sentence: 'The MACD in percent of the price, so that tickers can be compared.',
    formula: '100 × (EMA over fast − EMA over slow) / EMA over slow',
  },
  'ppo-signal': {
    label: 'Percentage Price Oscillator Signal',
    shortLabel: 'PPO Signal',
    parameters: WITH_SIGNAL,
    bars: (_fast, slow, signal) => slow + signal - 1,
    unit: 'percent',
    group: 'Price and trend',
    sentence: 'The percentage price oscillator smoothed.',
    formula: 'EMA over signal of the oscillator',
  },
  'ppo-histogram': {
    label: 'Percentage Price Oscillator Histogram',
    shortLabel: 'PPO Histogram',
    parameters: WITH_SIGNAL,
    bars: (_fast, slow, signal) => slow + signal - 1,
    unit: 'percent',
    group: 'Price and trend',
    sentence: 'How far the oscillator is above its signal line.',
    formula: 'oscillator − its signal',
  },
  'aroon-up': {
    label: 'Aroon Up',
    shortLabel: 'Aroon Up',
    parameters: [lookBack(1)],
    bars: (window) => window + 1,
    unit: 'number',
    group: 'Price and trend',
    sentence: 'How recent the highest price is: 100 means today, 0 means a whole window ago.',
    formula: '100 × (w − days since the highest of w + 1 prices) / w',
  },
  'aroon-down': {
    label: 'Aroon Down',
    shortLabel: 'Aroon Down',
    parameters: [lookBack(1)],
    bars: (window) => window + 1,
    unit: 'number',
    group: 'Price and trend',
    sentence: 'How recent the lowest price is: 100 means today, 0 means a whole window ago.',
    formula: '100 × (w − days since the lowest of w + 1 prices) / w',
  },
  'momentum-13612w': {
    label: 'Momentum 13612W, weighted',
    shortLabel: 'Momentum 13612W',
    parameters: [],
    bars: () => 1 + MOMENTUM_SPANS[3],
    unit: 'percent',
    group: 'Return and momentum',
    sentence: 'Returns of 1, 3, 6 and 12 months together; the latest month counts most.',
    formula: '(12 r21 + 4 r63 + 2 r126 + r252) / 4, each r the return of so many days in percent',
  },
  'momentum-13612u': {
    label: 'Momentum 13612U, unweighted',
    shortLabel: 'Momentum 13612U',
    parameters: [],
    bars: () => 1 + MOMENTUM_SPANS[3],
    unit: 'percent',
    group: 'Return and momentum',
    sentence: 'The average of the returns of 1, 3, 6 and 12 months.',
    formula: '(r21 + r63 + r126 + r252) / 4, each r the return of so many days in percent',
  },
} as const satisfies Entries;

/** The functions that compare a series with a second one, named in `with`. */
export const PAIR_ENTRIES = {
  correlation: {
    label: 'Correlation of Returns',
    shortLabel: 'Correlation',
    parameters: [lookBack(2)],
    bars: (window) => window + 1,
    unit: 'number',
    group: 'Two tickers',
    sentence: 'How closely two tickers move together: 1 the same way, −1 the opposite way, 0 unrelated.',
    formula: 'Pearson correlation of the last w daily returns of both',
  },
  beta: {
    label: 'Beta of Returns',
    shortLabel: 'Beta',
    parameters: [lookBack(2)],
    bars: (window) => window + 1,
    unit: 'number',
    group: 'Two tickers',
    sentence: 'How much it moves when the other ticker moves by 1%.',
    formula: 'covariance of the last w daily returns / variance of the other’s',
  },
} as const satisfies Entries;
