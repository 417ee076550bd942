import type { IndicatorName } from '../strategy/tree.ts';
import { field, isRecord } from '../strategy/values.ts';
import { sourceNumber } from './numbers.ts';
import { Pairs } from './syntax/datum.ts';

/** An indicator value that an answer of another tool names. */
export interface AnswerIndicator {
  /** As that tool calls it. */
  readonly feature: string;
  readonly ticker: string;
  readonly window: number | null;
  /** The value with the digits that it was given with. */
  readonly said: string;
  /** Our function; null where there is none that says the same. */
  readonly fn: IndicatorName | null;
  /** What its value is multiplied by to be ours: fractions are percent here. */
  readonly factor: number;
}

export interface AnswerIndicators {
  /** `YYYY-MM-DD`, the day that the values are of. */
  readonly date: string;
  readonly values: readonly AnswerIndicator[];
}

const FEATURES: Readonly<Record<string, readonly [IndicatorName, number]>> = {
  'relative-strength-index': ['relative-strength-index', 1],
  'mean-price': ['moving-average-price', 1],
  'moving-average-price': ['moving-average-price', 1],
  'exponential-moving-average-price': ['exponential-moving-average-price', 1],
  'moving-average-return': ['moving-average-return', 100],
  'standard-deviation-return': ['standard-deviation-return', 100],
  'standard-deviation-price': ['standard-deviation-price', 1],
  'cum-return-pct': ['cumulative-return', 100],
  'cumulative-return': ['cumulative-return', 100],
  'max-drawdown': ['max-drawdown', 100],
  'daily-return': ['cumulative-return', 100],
  price: ['current-price', 1],
};
const DAY = 86_400_000;

/** Whether a value is an answer with indicator values. */
export function hasAnswerIndicators(datum: unknown): boolean {
  return isRecord(datum) && field(datum, 'latest-feat-vals') instanceof Pairs;
}

/** The indicator values of an answer, those of its last day; null where there are none. */
export function readAnswerIndicators(datum: unknown): AnswerIndicators | null {
  if (!isRecord(datum)) return null;
  const pairs = field(datum, 'latest-feat-vals');
  const day = sourceNumber(field(datum, 'last-market-day'));
  if (!(pairs instanceof Pairs) || day === null) return null;
  const values = pairs.entries.flatMap(([key, value]): AnswerIndicator[] => {
    const feature = isRecord(key) ? field(key, 'feature') : undefined;
    const ticker = isRecord(key) ? field(key, 'ticker') : undefined;
    if (!isRecord(key) || typeof feature !== 'string' || typeof ticker !== 'string' || value === null)
      return [];
    if (sourceNumber(value) === null) return [];
    const [fn, factor] = (Object.hasOwn(FEATURES, feature) ? FEATURES[feature] : undefined) ?? [null, 1];
    const window = feature === 'daily-return' ? 1 : sourceNumber(field(key, 'window-days'));
    return [{ feature, ticker, window, said: String(value), fn, factor }];
  });
  return values.length === 0 ? null : { date: new Date(day * DAY).toISOString().slice(0, 10), values };
}
