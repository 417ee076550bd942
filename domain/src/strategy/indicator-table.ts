/**
 * What is said of each indicator function in one place, but for the words of the list that it is chosen from
 * (`indicator-explanations.ts`); what computes it is the engine's.
 */

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
  },
  'moving-average-price': {
    label: 'Moving Average of Price',
    shortLabel: 'MA Price',
    parameters: [lookBack(1)],
    bars: (window) => window,
    unit: 'price',
    group: 'Price and trend',
  },
  'exponential-moving-average-price': {
    label: 'Exponential Moving Average of Price',
    shortLabel: 'EMA Price',
    parameters: [lookBack(1)],
    bars: (window) => window,
    unit: 'price',
    group: 'Price and trend',
  },
  'current-price': {
    label: 'Current Price',
    shortLabel: 'Current Price',
    parameters: [],
    bars: () => 1,
    unit: 'price',
    group: 'Price and trend',
  },
  'cumulative-return': {
    label: 'Cumulative Return',
    shortLabel: 'CR',
    parameters: [lookBack(1)],
    bars: (window) => window + 1,
    unit: 'percent',
    group: 'Return and momentum',
  },
  'standard-deviation-price': {
    label: 'Standard Deviation of Price',
    shortLabel: 'StdDev Price',
    parameters: [lookBack(2)],
    bars: (window) => window,
    unit: 'price',
    group: 'Risk',
  },
  'max-drawdown': {
    label: 'Max Drawdown',
    shortLabel: 'MD',
    parameters: [lookBack(1)],
    bars: (window) => window,
    unit: 'percent',
    group: 'Risk',
  },
  'moving-average-return': {
    label: 'Moving Average of Return',
    shortLabel: 'MA Return',
    parameters: [lookBack(1)],
    bars: (window) => window + 1,
    unit: 'percent',
    group: 'Return and momentum',
  },
  'standard-deviation-return': {
    label: 'Standard Deviation of Return',
    shortLabel: 'StdDev Return',
    parameters: [lookBack(2)],
    bars: (window) => window + 1,
    unit: 'percent',
    group: 'Risk',
  },
  'z-score': {
    label: 'Z-Score',
    shortLabel: 'Z-Score',
    parameters: [lookBack(2)],
    bars: (window) => window,
    unit: 'number',
    group: 'Risk',
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
  },
  'bollinger-upper': {
    label: 'Upper Bollinger Band',
    shortLabel: 'Upper Band',
    parameters: [lookBack(2), DEVIATIONS],
    bars: (window) => window,
    unit: 'price',
    group: 'Price and trend',
  },
  'bollinger-lower': {
    label: 'Lower Bollinger Band',
    shortLabel: 'Lower Band',
    parameters: [lookBack(2), DEVIATIONS],
    bars: (window) => window,
    unit: 'price',
    group: 'Price and trend',
  },
  macd: {
    label: 'MACD',
    shortLabel: 'MACD',
    parameters: FAST_AND_SLOW,
    bars: (_fast, slow) => slow,
    unit: 'price',
    group: 'Price and trend',
  },
  'macd-signal': {
    label: 'MACD Signal',
    shortLabel: 'MACD Signal',
    parameters: WITH_SIGNAL,
    bars: (_fast, slow, signal) => slow + signal - 1,
    unit: 'price',
    group: 'Price and trend',
  },
  'macd-histogram': {
    label: 'MACD Histogram',
    shortLabel: 'MACD Histogram',
    parameters: WITH_SIGNAL,
    bars: (_fast, slow, signal) => slow + signal - 1,
    unit: 'price',
    group: 'Price and trend',
  },
  ppo: {
    label: 'Percentage Price Oscillator',
    shortLabel: 'PPO',
    parameters: FAST_AND_SLOW,
    bars: (_fast, slow) => slow,
    unit: 'percent',
    group: 'Price and trend',
  },
  'ppo-signal': {
    label: 'Percentage Price Oscillator Signal',
    shortLabel: 'PPO Signal',
    parameters: WITH_SIGNAL,
    bars: (_fast, slow, signal) => slow + signal - 1,
    unit: 'percent',
    group: 'Price and trend',
  },
  'ppo-histogram': {
    label: 'Percentage Price Oscillator Histogram',
    shortLabel: 'PPO Histogram',
    parameters: WITH_SIGNAL,
    bars: (_fast, slow, signal) => slow + signal - 1,
    unit: 'percent',
    group: 'Price and trend',
  },
  'aroon-up': {
    label: 'Aroon Up',
    shortLabel: 'Aroon Up',
    parameters: [lookBack(1)],
    bars: (window) => window + 1,
    unit: 'number',
    group: 'Price and trend',
  },
  'aroon-down': {
    label: 'Aroon Down',
    shortLabel: 'Aroon Down',
    parameters: [lookBack(1)],
    bars: (window) => window + 1,
    unit: 'number',
    group: 'Price and trend',
  },
  'momentum-13612w': {
    label: 'Momentum 13612W, weighted',
    shortLabel: 'Momentum 13612W',
    parameters: [],
    bars: () => 1 + MOMENTUM_SPANS[3],
    unit: 'percent',
    group: 'Return and momentum',
  },
  'momentum-13612u': {
    label: 'Momentum 13612U, unweighted',
    shortLabel: 'Momentum 13612U',
    parameters: [],
    bars: () => 1 + MOMENTUM_SPANS[3],
    unit: 'percent',
    group: 'Return and momentum',
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
  },
  beta: {
    label: 'Beta of Returns',
    shortLabel: 'Beta',
    parameters: [lookBack(2)],
    bars: (window) => window + 1,
    unit: 'number',
    group: 'Two tickers',
  },
} as const satisfies Entries;
