import { INDICATORS, indicatorKey, pairName } from '@quantloom/domain/strategy/indicator';
import type { FunctionParams, IndicatorName } from '@quantloom/domain/strategy/tree';
import { numberOf } from '@quantloom/domain/strategy/values';

/** A function with its numbers, in the order of its parameters, the defaults filled in. */
export interface FunctionCall<Name extends IndicatorName = IndicatorName> {
  readonly fn: Name;
  readonly params: readonly number[];
  /** The end of its key in the answer: of `current-price` the window as it is stored. */
  readonly keyParams: readonly (number | string)[];
}

/** An indicator of a ticker or a ratio, or of two of them. */
export interface Indicator extends FunctionCall {
  /** Ticker or `A/B`. */
  readonly series: string;
  /** What `correlation` and `beta` compare with; null for all others. */
  readonly second: string | null;
  readonly key: string;
}

/** Reads a function whose parameters are validated. */
export function parseCall<Name extends IndicatorName>(
  fn: Name,
  params: FunctionParams | null | undefined,
): FunctionCall<Name> {
  if (fn === 'current-price') {
    const stored = params?.window;
    const isNone = stored === undefined || stored === null || stored === '';
    return { fn, params: [], keyParams: [isNone ? 1 : (numberOf(stored) ?? stored)] };
  }
  const numbers = INDICATORS[fn].parameters.map(({ name, default: preset }) =>
    readNumber(params?.[name] ?? preset),
  );
  return { fn, params: numbers, keyParams: numbers };
}

/** Reads one side of a validated condition. */
export function parseIndicator(
  fn: IndicatorName | null,
  series: string | number | null,
  params: FunctionParams | null | undefined,
): Indicator {
  if (fn === null || typeof series !== 'string') throw new Error('An incomplete condition passed validation');
  const call = parseCall(fn, params);
  const second = INDICATORS[fn].isPair ? (params?.with ?? null) : null;
  const name = second === null ? series : pairName(series, second);
  return { ...call, series, second, key: indicatorKey(name, fn, ...call.keyParams) };
}

/** The tickers and ratios that an indicator reads. */
export function seriesOf({ series, second }: Indicator): readonly string[] {
  return second === null ? [series] : [series, second];
}

/** A validated number, or text that holds one. */
export function readNumber(value: unknown): number {
  const number = numberOf(value);
  if (number === null) throw new Error(`The value ${String(value)} passed validation but is not a number`);
  return number;
}
