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

/** A number times a power of ten, without the rounding that a multiplication may add: 0.07 by 2 is 7. */
export function shifted(value: number, places: number): number {
  const [digits = '', exponent = '0'] = value.toExponential().split('e');
  return Number(`${digits}e${Number(exponent) + places}`);
}

/** A fraction in hundredths: its digits moved where it is decimal, numerator and denominator where it is a ratio. */
export function weightOf(value: unknown): { readonly num: number; readonly den: number } | null {
  const fraction = typeof value === 'string' ? FRACTION.exec(value) : null;
  if (fraction) {
    const [num, den] = [Number(fraction[1]), Number(fraction[2])];
    return den > 0 ? { num, den } : null;
  }
  const percent = typeof value === 'string' ? numberOf(value.replace(/%\s*$/, '')) : null;
  if (percent !== null && String(value).includes('%')) return { num: percent, den: 100 };
  const number = sourceNumber(value);
  return number === null ? null : { num: shifted(number, 2), den: 100 };
}

/** A number, or a variable of ours that an export carries; null for everything else. */
export function numberOrVariable(value: unknown): number | string | null {
  return isVariable(value) ? value : sourceNumber(value);
}
