/**
 * Numbers as people type them: `79.5`, `79,5`, `80%`, `1,234.5`. What can be read in two ways, or not at all,
 * is refused with a sentence.
 */

export type NumberEntry =
  | { readonly isRead: true; readonly value: number }
  | { readonly isRead: false; readonly reason: string };

export interface NumberLimits {
  readonly min?: number;
  readonly max?: number;
  readonly isWhole?: boolean;
}

const PLAIN = /^[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:e[+-]?\d+)?$/i;
const THOUSANDS_THEN_POINT = /^[+-]?\d{1,3}(?:,\d{3})+\.\d*$/;
const THOUSANDS_THEN_COMMA = /^[+-]?\d{1,3}(?:\.\d{3})+,\d*$/;
const SEVERAL_COMMAS = /^[+-]?\d{1,3}(?:,\d{3}){2,}$/;
const SEVERAL_POINTS = /^[+-]?\d{1,3}(?:\.\d{3}){2,}$/;
const THOUSANDS_APART = /^[+\u2212-]?\s*\d{1,3}(?:[\s']\d{3})+(?:[.,]\d*)?\s*%?$/;
const ONE_COMMA_OF_THREE = /^[+-]?[1-9]\d{0,2},\d{3}$/;
/**
 * A fraction that ends with a zero after three places: many mean thousands by that, and nobody needs it for a
 * fraction.
 */
const ONE_POINT_BEFORE_ROUND = /^[+-]?[1-9]\d{0,2}\.\d{2}0$/;

const refused = (reason: string): NumberEntry => ({ isRead: false, reason });

/** `from 1 to 2000`, as far as there are limits. */
function rangeWords({ min, max }: NumberLimits): string {
  if (min !== undefined && max !== undefined) return ` from ${min} to ${max}`;
  if (min !== undefined) return ` of at least ${min}`;
  return max === undefined ? '' : ` of at most ${max}`;
}

/**
 * The number that a text stands for, or why it stands for none. A percent sign at its end changes nothing:
 * `80%` is 80.
 */
export function readNumber(entered: string, limits: NumberLimits = {}): NumberEntry {
  const shown = entered.trim();
  // A space or an apostrophe sets thousands apart; anywhere else it stands between two numbers.
  const joined = THOUSANDS_APART.test(shown)
    ? shown.replace(/[\s']/g, '')
    : shown.replace(/^([+\u2212-])\s+/, '$1').replace(/\s+%$/, '%');
  const text = joined.replace('\u2212', '-').replace(/%$/, '');
  if (ONE_COMMA_OF_THREE.test(text)) {
    const [whole = '', rest = ''] = text.split(',');
    return refused(`“${shown}” may be ${whole}.${rest} or ${whole}${rest}: write one of them`);
  }
  if (ONE_POINT_BEFORE_ROUND.test(text))
    return refused(`“${shown}” may be ${Number(text)} or ${text.replace('.', '')}: write one of them`);
  const number = Number(normalized(text));
  const wanted = `${limits.isWhole ? 'a whole number' : 'a number'}${rangeWords(limits)}`;
  if (text === '' || !Number.isFinite(number))
    return refused(shown === '' ? `Enter ${wanted}` : `“${shown}” is not a number: enter ${wanted}`);
  const isWithin = number >= (limits.min ?? -Infinity) && number <= (limits.max ?? Infinity);
  if (!isWithin || (limits.isWhole && !Number.isInteger(number)))
    return refused(`“${shown}” is not ${wanted}`);
  return { isRead: true, value: number };
}

function normalized(text: string): string {
  if (THOUSANDS_THEN_POINT.test(text) || SEVERAL_COMMAS.test(text)) return text.replaceAll(',', '');
  if (THOUSANDS_THEN_COMMA.test(text)) return text.replaceAll('.', '').replace(',', '.');
  if (SEVERAL_POINTS.test(text)) return text.replaceAll('.', '');
  return PLAIN.test(text) ? text.replace(',', '.') : 'NaN';
}

/** What was typed in place of a number: the number or a variable (`$W`), or why it is neither. */
export type ValueEntry =
  | { readonly isRead: true; readonly value: number | string }
  | { readonly isRead: false; readonly reason: string };

export function readNumberOrVariable(entered: string, limits: NumberLimits = {}): ValueEntry {
  const text = entered.trim();
  if (!text.startsWith('$')) return readNumber(text, limits);
  return /^\$\S+$/.test(text)
    ? { isRead: true, value: text }
    : refused(`“${text}” is not the name of a variable: one is written like $W, without spaces`);
}

/** Why a text is refused; null where it is read. */
export function entryFault(entry: NumberEntry | ValueEntry): string | null {
  return entry.isRead ? null : entry.reason;
}
