import type { IndicatorName } from './tree.ts';

/**
 * What the editor's list says of each function. Apart from the rest of `indicator-table.ts`, since every page
 * with a strategy needs that at once, and these words only where somebody chooses a function.
 */
export const EXPLANATIONS: Readonly<
  Record<
    IndicatorName,
    {
      /** One sentence for a newcomer. */
      readonly sentence: string;
      /** `P` is the price, `w` the window in days. */
      readonly formula: string;
    }
  >
> = {
  'relative-strength-index': {
    sentence: 'How one-sided the last days were: near 100 mostly up, near 0 mostly down.',
    formula: '100 × G / (G + L), with Wilder’s averages of gains and losses over w days',
  },
  'moving-average-price': {
    sentence: 'The average price of the last days; a price above it is in an upward trend.',
    formula: 'mean of the last w prices',
  },
  'exponential-moving-average-price': {
    sentence: 'An average price in which recent days count more, so it turns sooner.',
    formula: 'EMA ← EMA + 2 / (w + 1) × (P − EMA)',
  },
  'current-price': {
    sentence: 'The closing price of the day.',
    formula: 'P',
  },
  'cumulative-return': {
    sentence: 'How much the price rose or fell over the window.',
    formula: '100 × (P today / P w days ago − 1)',
  },
  'standard-deviation-price': {
    sentence: 'How far prices strayed from their average.',
    formula: 'sample standard deviation of the last w prices',
  },
  'max-drawdown': {
    sentence: 'The deepest fall from a high to a later low within the window.',
    formula: '100 × largest (1 − P / highest P before it) in w days',
  },
  'moving-average-return': {
    sentence: 'The average daily return of the last days.',
    formula: 'mean of the last w daily returns × 100',
  },
  'standard-deviation-return': {
    sentence: 'How much the daily returns swing: the volatility of a day.',
    formula: 'sample standard deviation of the last w daily returns × 100',
  },
  'z-score': {
    sentence: 'How unusual the price is, in standard deviations from its average.',
    formula: '(P − mean of w prices) / their standard deviation',
  },
  'current-drawdown': {
    sentence: 'How far the price is below its highest of the window.',
    formula: '100 × (1 − P / highest of the last w prices)',
  },
  'bollinger-upper': {
    sentence: 'A line above the average price; a price that crosses it is unusually high.',
    formula: 'mean of w prices + k × their sample deviation',
  },
  'bollinger-lower': {
    sentence: 'A line below the average price; a price that crosses it is unusually low.',
    formula: 'mean of w prices − k × their sample deviation',
  },
  macd: {
    sentence: 'How far a fast average is above a slow one: above 0 the trend points up.',
    formula: 'EMA over fast − EMA over slow',
  },
  'macd-signal': {
    sentence: 'The MACD smoothed; the MACD crossing it is a common signal.',
    formula: 'EMA over signal of the MACD',
  },
  'macd-histogram': {
    sentence: 'How far the MACD is above its signal line: it crosses 0 when they cross.',
    formula: 'MACD − its signal',
  },
  ppo: {
    sentence: 'The MACD in percent of the price, so that tickers can be compared.',
    formula: '100 × (EMA over fast − EMA over slow) / EMA over slow',
  },
  'ppo-signal': {
    sentence: 'The percentage price oscillator smoothed.',
    formula: 'EMA over signal of the oscillator',
  },
  'ppo-histogram': {
    sentence: 'How far the oscillator is above its signal line.',
    formula: 'oscillator − its signal',
  },
  'aroon-up': {
    sentence: 'How recent the highest price is: 100 means today, 0 means a whole window ago.',
    formula: '100 × (w − days since the highest of w + 1 prices) / w',
  },
  'aroon-down': {
    sentence: 'How recent the lowest price is: 100 means today, 0 means a whole window ago.',
    formula: '100 × (w − days since the lowest of w + 1 prices) / w',
  },
  'momentum-13612w': {
    sentence: 'Returns of 1, 3, 6 and 12 months together; the latest month counts most.',
    formula: '(12 r21 + 4 r63 + 2 r126 + r252) / 4, each r the return of so many days in percent',
  },
  'momentum-13612u': {
    sentence: 'The average of the returns of 1, 3, 6 and 12 months.',
    formula: '(r21 + r63 + r126 + r252) / 4, each r the return of so many days in percent',
  },
  correlation: {
    sentence: 'How closely two tickers move together: 1 the same way, −1 the opposite way, 0 unrelated.',
    formula: 'Pearson correlation of the last w daily returns of both',
  },
  beta: {
    sentence: 'How much it moves when the other ticker moves by 1%.',
    formula: 'covariance of the last w daily returns / variance of the other’s',
  },
};
