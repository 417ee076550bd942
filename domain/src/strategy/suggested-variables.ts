import { INDICATORS } from './indicator.ts';
import type { TreeValue } from './tree-values.ts';
import { boundsOf } from './value-bounds.ts';
import type { ValueKind } from './value-place.ts';

/** Names of the kinds in variables. */
const WORDS: Readonly<Record<Exclude<ValueKind, 'function'>, string>> = {
  threshold: 'LEVEL',
  window: 'DAYS',
  held: '',
  signal: 'SIGNAL',
  weight: 'WEIGHT',
  count: 'COUNT',
  corridor: 'CORRIDOR',
  parameter: 'PARAMETER',
  days: 'DAYS',
  scale: 'SCALE',
};

/** Where a kind has several numbers, the field says more: `MACD_FAST_12`, `DAYS_AGO_3`, `WEIGHT_RANK_1_60`. */
const wordOf = ({ kind, field }: TreeValue): string => {
  if (kind === 'function') return 'FUNCTION';
  return field === undefined ? WORDS[kind] : kind === 'weight' ? `WEIGHT ${field}` : field;
};

/** A name for a variable, `$RSI_LEVEL_79`, that none of the others has. */
export function suggestedName(of: TreeValue, taken: ReadonlySet<string>): string {
  const fn = of.fn === null ? '' : INDICATORS[of.fn].shortLabel;
  const value = typeof of.value === 'number' ? String(of.value).replace('-', 'minus ') : of.value;
  const base = [fn, wordOf(of), value]
    .join(' ')
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 40);
  let name = `$${base}`;
  for (let count = 2; taken.has(name); count += 1) name = `$${base}_${count}`;
  return name;
}

/** Values to try around one: eight steps for most, the value alone where a range means nothing. */
export function suggestedValues(of: TreeValue): readonly (number | string)[] {
  const { kind, fn, value } = of;
  if (typeof value === 'string') return [value];
  const { isWhole, min, max } = boundsOf(of);
  switch (kind) {
    case 'count':
      return around(value, 1, 1, value + 2);
    case 'weight':
      return around(value, 5, min, max);
    case 'corridor':
      return around(value, Math.max(1, roundStep(value / 5)), 1, max);
    case 'threshold':
      return fn === 'relative-strength-index'
        ? around(value, 2, 0, 100)
        : around(value, stepOf(value), min, max);
    default:
      return around(
        value,
        isWhole ? Math.max(1, roundStep(Math.max(1, value) / 5)) : stepOf(value),
        min,
        max,
      );
  }
}

/** So many steps to either side, by default four, within bounds; the value itself is always one of them. */
export function around(
  value: number,
  step: number,
  min: number | null,
  max: number | null,
  steps = 4,
): number[] {
  const places = Math.max(decimals(step), decimals(value));
  const values = Array.from({ length: 2 * steps + 1 }, (_, index) => index - steps).map((times) =>
    times === 0 ? value : Number((value + times * step).toFixed(places)),
  );
  return [...new Set(values)].filter(
    (one) => one === value || ((min === null || one >= min) && (max === null || one <= max)),
  );
}

/** 1, 2 or 5 times a power of ten, near a tenth of the value. */
export function stepOf(value: number): number {
  if (value === 0) return 1;
  return roundStep(Math.abs(value) / 10);
}

/** 1, 2 or 5 times a power of ten that is near. */
export function roundStep(step: number): number {
  const exponent = Math.floor(Math.log10(step));
  const digit = step / 10 ** exponent;
  const rounded = digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10;
  return Number((rounded * 10 ** exponent).toPrecision(3));
}

function decimals(value: number): number {
  return Math.min(12, /\.(\d+)/.exec(String(value))?.[1]?.length ?? 0);
}
