import { INDICATORS, isIndicatorName } from '../../strategy/indicator.ts';
import type { ParameterName } from '../../strategy/indicator-table.ts';
import type { FunctionParams, IndicatorName } from '../../strategy/tree.ts';
import { field, isRecord } from '../../strategy/values.ts';
import { numberOrVariable, sourceNumber } from '../numbers.ts';
import { sourceWords } from '../source-words.ts';
import { functionNamed, nearestFunction } from '../text/words.ts';
import type { TreeWriter } from '../tree-writer.ts';
import { isSet } from './fields.ts';

const UNKNOWN = 'Not known here: what it changes there is unknown';

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
  fast: ['fast-window', 'short-window', 'fast'],
  slow: ['slow-window', 'long-window', 'slow'],
  signal: ['signal-window', 'smooth-window', 'signal'],
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

/** A function with its parameters, as our tree holds it; null, and told, where there is none like it here. */
export interface ReadFunction {
  readonly fn: IndicatorName | null;
  readonly params: FunctionParams;
}

/**
 * A function of that tool by its name, with its parameters: from an object of them, or a single number of
 * days beside it.
 * @param days `window-days`-like field, the older form
 */
export function readFunction(
  writer: TreeWriter,
  name: unknown,
  given: unknown,
  days: unknown,
  path: string,
  id: string,
): ReadFunction {
  const fn = functionOf(name);
  if (fn === null) return unknownFunction(writer, name, given, days, path, id);
  if (!isExact(name))
    writer.tell(
      'guessed',
      path,
      `the function ${sourceWords(name)}`,
      INDICATORS[fn].label,
      'The figures, if another function was meant',
      id,
    );
  return { fn, params: readParams(writer, fn, given, days, path, id) };
}

const hyphenated = (name: unknown) =>
  typeof name === 'string' ? name.trim().toLowerCase().replaceAll('_', '-') : '';

function functionOf(name: unknown): IndicatorName | null {
  const known = hyphenated(name);
  if (Object.hasOwn(COMPOSER_FUNCTIONS, known)) return COMPOSER_FUNCTIONS[known] ?? null;
  // Functions of ours that an export carries, and names that people write.
  return isIndicatorName(known) ? known : functionNamed(known);
}

function isExact(name: unknown): boolean {
  const known = hyphenated(name);
  return Object.hasOwn(COMPOSER_FUNCTIONS, known) || isIndicatorName(known);
}

/** Its window stays in the tree, so that choosing a function is all there is to do. */
function unknownFunction(
  writer: TreeWriter,
  name: unknown,
  given: unknown,
  days: unknown,
  path: string,
  id: string,
): ReadFunction {
  const source = isRecord(given) ? given : {};
  const window = numberOrVariable(
    COMPOSER_PARAMETERS.window.map((key) => field(source, key)).find(isSet) ?? days,
  );
  const numbers = [isRecord(given) && Object.keys(given).length === 0 ? null : given, days].filter(isSet);
  const words = [name ?? 'that is missing', ...numbers].map((value) =>
    value === name || isRecord(value) || typeof value === 'number' ? sourceWords(value) : String(value),
  );
  const near = typeof name === 'string' ? nearestFunction(name) : null;
  writer.tell(
    'lost',
    path,
    `the function ${words.join(' ')}`,
    window === null ? 'no function' : `no function, over ${window} days`,
    `The block cannot run until one is chosen${near === null ? '' : `; the nearest name here is ${near}`}`,
    id,
  );
  return { fn: null, params: window === null ? {} : { window } };
}

function readParams(
  writer: TreeWriter,
  fn: IndicatorName,
  given: unknown,
  days: unknown,
  path: string,
  id: string,
): FunctionParams {
  const source: Record<string, unknown> = isRecord(given) ? given : {};
  if (isSet(given) && !isRecord(given))
    writer.tell('lost', path, `the parameters ${sourceWords(given)} of ${fn}`, 'none', UNKNOWN, id);
  const known = new Set<string>();
  const params: Record<string, number | string> = {};
  const { parameters } = INDICATORS[fn];
  for (const { name, label } of parameters) {
    const keys = COMPOSER_PARAMETERS[name];
    const key = keys.find((candidate) => isSet(field(source, candidate)));
    const value = key === undefined ? (name === 'window' ? days : undefined) : field(source, key);
    tellSecond(writer, source, keys, value, path, id);
    for (const candidate of keys) known.add(candidate);
    if (name === 'window' && key !== undefined && isSet(days) && sourceNumber(days) !== sourceNumber(value))
      writer.tell(
        'taken',
        path,
        `window-days ${sourceWords(days)} beside a window of ${sourceWords(value)}`,
        String(value),
        'None: a leftover of an earlier form',
        id,
      );
    const number = writer.number(value, label, path, id);
    if (number !== null) params[name] = number;
    else if (isSet(value))
      writer.tell(
        'lost',
        path,
        `the ${label} ${sourceWords(value)}`,
        'none',
        'The block cannot run until it is set',
        id,
      );
    else tellMissing(writer, fn, name, label, path, id);
  }
  const second = INDICATORS[fn].isPair ? field(source, 'with') : undefined;
  if (second !== undefined) {
    params.with = writer.ticker(second, path, id);
    known.add('with');
  }
  const hasWindow = parameters.some(({ name }) => name === 'window');
  for (const [key, value] of Object.entries(source)) {
    if (known.has(key) || !isSet(value)) continue;
    const said = `${key} ${sourceWords(value)} of ${fn}`;
    if (COMPOSER_PARAMETERS.window.includes(key))
      writer.tell('taken', path, said, 'left out', 'None: the function has no window', id);
    else if (COMPOSER_PARAMETERS.signal.includes(key))
      writer.tell('taken', path, said, 'left out', 'None: the line itself does not depend on its signal', id);
    else writer.tell('lost', path, said, 'left out', UNKNOWN, id);
  }
  if (!hasWindow && isSet(days))
    writer.tell(
      'taken',
      path,
      `${fn} with a window of ${sourceWords(days)}`,
      'left out',
      'None: the function has no window',
      id,
    );
  tellDifferences(writer, fn, params, path, id);
  return params;
}

/** Two spellings of one parameter that say different things. */
function tellSecond(
  writer: TreeWriter,
  source: Readonly<Record<string, unknown>>,
  keys: readonly string[],
  value: unknown,
  path: string,
  id: string,
): void {
  for (const key of keys) {
    const other = field(source, key);
    if (isSet(other) && sourceNumber(other) !== sourceNumber(value))
      writer.tell(
        'guessed',
        path,
        `${key} ${sourceWords(other)}`,
        sourceWords(value),
        'Which one counts',
        id,
      );
  }
}

function tellMissing(
  writer: TreeWriter,
  fn: IndicatorName,
  name: ParameterName,
  label: string,
  path: string,
  id: string,
): void {
  const preset = INDICATORS[fn].parameters.find((parameter) => parameter.name === name)?.default;
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
  fn: IndicatorName,
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
      'Measured on one answer: 0.01% of the value at 210 days, 3% at 360',
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
    `${value}%`,
    `If a fraction was meant, it should be ${Number((value * 100).toPrecision(12))}%`,
    id,
  );
}
