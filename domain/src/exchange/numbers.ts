import { isVariable, numberOf } from '../strategy/values.ts';

const FRACTION = /^\s*([+-]?\d+(?:\.\d+)?)\s*\/\s*(\d+(?:\.\d+)?)\s*$/;

/** A number, or the number that a text spells: digits, or a fraction `1/3`; null for everything else. */
export function sourceNumber(value: unknown): number | null {
  const plain = numberOf(value);
  if (plain !== null || typeof value !== 'string') return plain;
  const fraction = FRACTION.exec(value);
  if (!fraction || Number(fraction[2]) === 0) return null;
  return Number(fraction[1]) / Number(fraction[2]);
}

/** Numerator and denominator of a text such as `1/3`; null for everything else. */
export function ratioOf(value: unknown): { readonly num: number; readonly den: number } | null {
  const fraction = typeof value === 'string' ? FRACTION.exec(value) : null;
  const [num, den] = [Number(fraction?.[1]), Number(fraction?.[2])];
  return fraction && den > 0 ? { num, den } : null;
}

/** A number times a power of ten, without the rounding that a multiplication may add: 0.07 by 2 is 7. */
export function shifted(value: number, places: number): number {
  const [digits = '', exponent = '0'] = value.toExponential().split('e');
  return Number(`${digits}e${Number(exponent) + places}`);
}

/** A fraction in hundredths: its digits moved where it is decimal, numerator and denominator where it is a ratio. */
export function weightOf(value: unknown): { readonly num: number; readonly den: number } | null {
  const ratio = ratioOf(value);
  if (ratio) return ratio;
  const percent = typeof value === 'string' && value.includes('%') ? looseNumber(value) : null;
  if (percent !== null) return { num: percent, den: 100 };
  const number = sourceNumber(value);
  return number === null ? null : { num: shifted(number, 2), den: 100 };
}

const SPACES = /[\s\u00a0\u2009\u202f]+/g;
const LOOSE = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)(%|d|days?|bars?)?$/i;
const GROUPED = /^[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?%?$/;

/**
 * The number that people mean by a text that is not quite one: `79%`, `10 days`, `1,000`, a minus sign of
 * typography. Null where it could be anything.
 */
export function looseNumber(value: unknown): number | null {
  if (typeof value !== 'string' || value.length > 60) return null;
  const text = value.replace(SPACES, '').replace(/[\u2212\u2013]/g, '-');
  const plain = GROUPED.test(text) ? text.replaceAll(',', '') : text;
  return numberOf(LOOSE.exec(plain)?.[1]) ?? null;
}

/** A flag, also one that is spelled out as text; null for everything else. */
export function flagOf(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value;
  const text = typeof value === 'string' ? value.trim().toLowerCase() : '';
  return text === 'true' ? true : text === 'false' ? false : null;
}

/** A number, or a variable of ours that an export carries; null for everything else. */
export function numberOrVariable(value: unknown): number | string | null {
  return isVariable(value) ? value : sourceNumber(value);
}
