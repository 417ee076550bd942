import { combinationDigits, combinationSpace } from '../strategy/combinations.ts';
import { numberOf } from '../strategy/values.ts';

/** A value of a variable: a ticker, or a number (a window or a threshold). */
export type VariableValue = string | number;

/** A variable with its distinct values in the user's order. */
export interface BatchVariable {
  /** With its `$`. */
  readonly name: string;
  readonly values: readonly VariableValue[];
}

/** What one line of the text mode could not be read as. */
export interface ValueProblem {
  /** 1-based. */
  readonly line: number;
  readonly text: string;
  readonly message: string;
}

export interface ParsedValues {
  /** All values as written, duplicates included, ranges expanded. */
  readonly raw: readonly VariableValue[];
  /** Without duplicates, in order. */
  readonly values: readonly VariableValue[];
  readonly problems: readonly ValueProblem[];
}

/** Most values that one range may expand to, so that a slip of the keyboard does not fill the memory. */
export const MAX_RANGE_VALUES = 10_000;

const NUMBER_PATTERN = String.raw`[+-]?(?:\d+(?:\.\d+)?|\.\d+)`;
const RANGE = new RegExp(
  String.raw`^(${NUMBER_PATTERN})\s*(?:\.\.|…)\s*(${NUMBER_PATTERN})(?:\s+(?:step|by)\s+(${NUMBER_PATTERN}))?$`,
  'i',
);

/** Digits become a number, everything else an upper-case ticker without surrounding space. */
export function normaliseValue(value: VariableValue): VariableValue {
  const number = numberOf(value);
  if (number !== null) return number === 0 ? 0 : number;
  return String(value).trim().toUpperCase();
}

/**
 * Normalised values without duplicates, in the user's order (`engine.md` section 7: digits become numbers
 * before duplicates are dropped).
 */
export function distinctValues(values: readonly VariableValue[]): VariableValue[] {
  return [...new Set(values.map(normaliseValue))];
}

/** Decimal places that a number was written with. */
function decimalsOf(text: string): number {
  return text.split('.')[1]?.length ?? 0;
}

/**
 * The numbers of a range such as `5..50 step 5` (step 1 where none is given; the end is included where a step
 * lands on it), computed in whole steps so that `0..1 step 0.1` gives 0.3 and not 0.30000000000000004. A text
 * that is no range gives null.
 * @throws never; a range that cannot be expanded gives a sentence instead.
 */
export function expandRange(text: string): readonly number[] | string | null {
  const match = RANGE.exec(text.trim());
  if (!match) return null;
  const [, fromText = '', toText = '', stepText = '1'] = match;
  const [from, to, step] = [Number(fromText), Number(toText), Math.abs(Number(stepText))];
  if (step === 0) return 'The step of a range must not be 0';
  const scale = 10 ** Math.max(decimalsOf(fromText), decimalsOf(toText), decimalsOf(stepText));
  const [first, last, stride] = [from, to, step].map((n) => Math.round(n * scale)) as [
    number,
    number,
    number,
  ];
  if (![first, last, stride].every(Number.isSafeInteger)) return 'The numbers of this range are too large';
  const count = Math.floor(Math.abs(last - first) / stride) + 1;
  if (count > MAX_RANGE_VALUES)
    return (
      `This range has ${count.toLocaleString('en-US')} values; at most ` +
      `${MAX_RANGE_VALUES.toLocaleString('en-US')} are possible`
    );
  const direction = last >= first ? 1 : -1;
  return Array.from({ length: count }, (_, i) => {
    const value = (first + direction * i * stride) / scale;
    return value === 0 ? 0 : value;
  });
}

const TICKER = /^[A-Z0-9][A-Z0-9:.\-^=_]{0,19}$/;

/** Why an entry that is neither a number nor a range is no ticker either; null where it is one. */
function tickerProblem(entry: string, ticker: string): string | null {
  // No ticker has two dots in a row: a range was meant.
  if (/\.\.|…/.test(entry))
    return `'${entry}' is no range: both ends and the step must be numbers, as in 5..50 step 5`;
  return TICKER.test(ticker)
    ? null
    : `'${entry}' is neither a ticker, a number nor a range such as 5..50 step 5`;
}

/**
 * Reads the text mode: one value a line (commas and semicolons separate as well), blank lines ignored,
 * numbers and ranges beside tickers.
 */
export function parseValueText(text: string): ParsedValues {
  const raw: VariableValue[] = [];
  const problems: ValueProblem[] = [];
  for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
    for (const part of line.split(/[,;]/)) {
      const entry = part.trim();
      if (entry === '') continue;
      const range = expandRange(entry);
      if (typeof range === 'string') problems.push({ line: index + 1, text: entry, message: range });
      else if (range) raw.push(...range);
      else {
        const value = normaliseValue(entry);
        const message = typeof value === 'string' ? tickerProblem(entry, value) : null;
        if (message) problems.push({ line: index + 1, text: entry, message });
        else raw.push(value);
      }
    }
  }
  return { raw, values: distinctValues(raw), problems };
}

/** Product of the numbers of values; 1 where there are no variables. */
export function combinationCount(variables: readonly { readonly values: readonly unknown[] }[]): number {
  return variables.reduce((product, { values }) => product * values.length, 1);
}

/**
 * The variables of a batch in the template's order with their distinct values. Values given for a name that
 * the template does not list are left out. A variable without values comes back empty: `validateVariables` names it.
 */
export function batchVariables(
  names: readonly string[],
  values: Readonly<Record<string, readonly VariableValue[]>>,
): BatchVariable[] {
  return names.map((name) => ({
    name,
    values: distinctValues(Object.hasOwn(values, name) ? (values[name] ?? []) : []),
  }));
}

/** The raw product, duplicates counted. */
export function requestedCombinations(
  names: readonly string[],
  values: Readonly<Record<string, readonly VariableValue[]>>,
): number {
  return combinationCount(
    names.map((name) => ({ values: Object.hasOwn(values, name) ? (values[name] ?? []) : [] })),
  );
}

/** Indexes into the variables' values of combination `k`. */
export function combinationIndexes(variables: readonly BatchVariable[], k: number): number[] {
  return combinationDigits(combinationSpace(variables.map(({ values }) => values.length)), k);
}

/** The values of combination `k` by variable name. */
export function combinationValues(
  variables: readonly BatchVariable[],
  k: number,
): Readonly<Record<string, VariableValue>> {
  const indexes = combinationIndexes(variables, k);
  return Object.fromEntries(
    variables.map(({ name, values }, v) => [name, values[indexes[v] ?? 0] as VariableValue]),
  );
}
