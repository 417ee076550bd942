import { INDICATORS, isIndicatorName, type ParameterName } from '../../strategy/indicator.ts';
import type { FunctionParams, IndicatorName } from '../../strategy/tree.ts';
import { field, isRecord } from '../../strategy/values.ts';
import { numberOrVariable, sourceNumber } from '../numbers.ts';
import type { TreeWriter } from '../tree-writer.ts';

/** Names of JSON and EDN, and of the text form. */
export const COMPOSER_FUNCTIONS: Readonly<Record<string, IndicatorName>> = {
  'relative-strength-index': 'relative-strength-index',
  'cumulative-return': 'cumulative-return',
  'moving-average-price': 'moving-average-price',
  'moving-average-return': 'moving-average-return',
  'exponential-moving-average-price': 'exponential-moving-average-price',
  'standard-deviation-price': 'standard-deviation-price',
  'standard-deviation-return': 'standard-deviation-return',
  'max-drawdown': 'max-drawdown',
  'current-price': 'current-price',
  'lower-bollinger': 'bollinger-lower',
  'upper-bollinger': 'bollinger-upper',
  'moving-average-convergence-divergence': 'macd',
  'moving-average-convergence-divergence-signal': 'macd-signal',
  'percentage-price-oscillator': 'ppo',
  'percentage-price-oscillator-signal': 'ppo-signal',
  rsi: 'relative-strength-index',
  'stdev-price': 'standard-deviation-price',
  'stdev-return': 'standard-deviation-return',
  'ema-price': 'exponential-moving-average-price',
  macd: 'macd',
  'macd-signal': 'macd-signal',
  ppo: 'ppo',
  'ppo-signal': 'ppo-signal',
};

/** What that tool calls our parameters; the first is the one that an export writes. */
export const COMPOSER_PARAMETERS: Readonly<Record<ParameterName, readonly string[]>> = {
  window: ['window', 'window-days', 'window_days'],
  deviations: ['std-dev', 'standard-deviation', 'num-std-dev', 'deviations'],
  fast: ['short-window', 'fast-window', 'fast'],
  slow: ['long-window', 'slow-window', 'slow'],
  signal: ['smooth-window', 'signal-window', 'signal'],
};

/** Functions whose thresholds are percentages: one between -1 and 1 may have been meant as a fraction. */
const RETURN_LIKE: ReadonlySet<IndicatorName> = new Set([
  'cumulative-return',
  'moving-average-return',
  'standard-deviation-return',
  'max-drawdown',
]);

/** Days from which on the short history of the other tool was measured to show in an EMA. */
const LONG_EMA = 200;

/** Our function for a name of that tool; null, and told, where there is none. */
export function readFunction(
  writer: TreeWriter,
  name: unknown,
  path: string,
  id: string,
): IndicatorName | null {
  const known = typeof name === 'string' ? name.replaceAll('_', '-') : '';
  if (Object.hasOwn(COMPOSER_FUNCTIONS, known)) return COMPOSER_FUNCTIONS[known] ?? null;
  // Functions of ours that an export carries.
  if (isIndicatorName(known)) return known;
  const said = name === undefined || name === null ? 'no function' : `the function ${JSON.stringify(name)}`;
  writer.tell('lost', path, said, 'no function', 'The block cannot run until one is chosen', id);
  return null;
}

/**
 * The parameters of a function: from an object of them, or a single number of days beside it.
 * @param days `window-days`-like field, the older form
 */
export function readParams(
  writer: TreeWriter,
  fn: IndicatorName | null,
  given: unknown,
  days: unknown,
  path: string,
  id: string,
): FunctionParams {
  const source: Record<string, unknown> = isRecord(given) ? given : {};
  const known = new Set<string>();
  const params: Record<string, number | string> = {};
  for (const { name, label } of fn ? INDICATORS[fn].parameters : []) {
    const keys = COMPOSER_PARAMETERS[name];
    const key = keys.find(
      (candidate) => field(source, candidate) !== undefined && field(source, candidate) !== null,
    );
    for (const candidate of keys) known.add(candidate);
    const value = key === undefined ? (name === 'window' ? days : undefined) : field(source, key);
    if (
      name === 'window' &&
      key !== undefined &&
      days !== undefined &&
      days !== null &&
      sourceNumber(days) !== sourceNumber(value)
    )
      writer.tell(
        'taken',
        path,
        `window-days ${JSON.stringify(days)} beside a window of ${JSON.stringify(value)}`,
        String(value),
        'None: a leftover of an earlier form',
        id,
      );
    const number = numberOrVariable(value);
    if (number !== null) params[name] = number;
    else if (value !== undefined && value !== null)
      writer.tell(
        'lost',
        path,
        `the ${label} ${JSON.stringify(value)}`,
        'none',
        'The block cannot run until it is set',
        id,
      );
    else tellMissing(writer, fn, name, label, path, id);
  }
  const second = fn !== null && INDICATORS[fn].isPair ? field(source, 'with') : undefined;
  if (second !== undefined) params.with = writer.ticker(second, path, id);
  known.add('with');
  const isWindowless = fn !== null && INDICATORS[fn].parameters.length === 0;
  for (const [key, value] of Object.entries(source)) {
    if (known.has(key) || value === null) continue;
    const said = `${key} ${JSON.stringify(value)}`;
    if (isWindowless && COMPOSER_PARAMETERS.window.includes(key))
      writer.tell('taken', path, `${said} of ${fn}`, 'left out', 'None: the function has no window', id);
    else if (fn !== null)
      writer.tell('lost', path, said, 'left out', 'Not known here: what it changes there is unknown', id);
  }
  if (isWindowless && days !== undefined && days !== null)
    writer.tell(
      'taken',
      path,
      `${fn} with a window of ${JSON.stringify(days)}`,
      'left out',
      'None: the function has no window',
      id,
    );
  tellDifferences(writer, fn, params, path, id);
  return params;
}

function tellMissing(
  writer: TreeWriter,
  fn: IndicatorName | null,
  name: ParameterName,
  label: string,
  path: string,
  id: string,
): void {
  const preset = fn ? INDICATORS[fn].parameters.find((parameter) => parameter.name === name)?.default : null;
  if (preset === null || preset === undefined)
    writer.tell('lost', path, `no ${label} of ${fn}`, 'none', 'The block cannot run until it is set', id);
  else
    writer.tell(
      'guessed',
      path,
      `no ${label} of ${fn}`,
      `${preset}, the usual one`,
      'The indicator, if another was meant',
      id,
    );
}

function tellDifferences(
  writer: TreeWriter,
  fn: IndicatorName | null,
  params: Readonly<Record<string, number | string>>,
  path: string,
  id: string,
): void {
  const { window } = params;
  if (fn === 'exponential-moving-average-price' && typeof window === 'number' && window >= LONG_EMA)
    writer.tell(
      'differs',
      path,
      `an exponential average over ${window} days, from a short history`,
      'the same average over the whole history',
      'Measured on one answer: 0.01 % of the value at 210 days, 3 % at 360',
      id,
    );
  if (fn === 'relative-strength-index')
    writer.report.once(
      'rsi',
      'differs',
      path,
      'RSI, cut to 4 decimals',
      'RSI, not cut',
      'Ties and equalities only',
      id,
    );
}

/** Tells of a threshold that may have been meant as a fraction. */
export function checkThreshold(
  writer: TreeWriter,
  fn: IndicatorName | null,
  value: number | string | null,
  path: string,
  id: string,
): void {
  if (fn === null || typeof value !== 'number' || !RETURN_LIKE.has(fn) || value === 0 || Math.abs(value) >= 1)
    return;
  writer.tell(
    'guessed',
    path,
    `${fn} against ${value}`,
    `${value} %`,
    `If a fraction was meant, it should be ${Number((value * 100).toPrecision(12))} %`,
    id,
  );
}
