/** Reading of the loosely typed values that a stored tree may hold: numbers as text, variables, ratios. */

/**
 * A digit can be matched in one way only: a text of a hundred thousand of them, which comes from anybody, is
 * looked through once.
 */
const NUMBER = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?\s*$/;

/** A finite number, or the number that a text such as `"10"` spells; null for everything else. */
export function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'string' || !NUMBER.test(value)) return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

/** Whether a whole value is a variable: `$` and at least one more character, no slash. */
export function isVariable(value: unknown): value is string {
  return typeof value === 'string' && /^\$[^/]+$/.test(value);
}

/** The sides of a ticker value: one for a ticker, two for a ratio `A/B` (more where the text is malformed). */
export function sidesOf(value: string): string[] {
  return value.split('/');
}

/** Whether a value is a ratio with both sides filled in. */
export function isRatio(value: string): boolean {
  const sides = sidesOf(value);
  return sides.length === 2 && sides.every((side) => side.trim() !== '');
}

/** An object with string keys, as opposed to null, an array or a scalar. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Own property of a record; never one of its prototype. */
export function field(record: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/** A list property; a missing one is an empty list, null is returned for anything that is not a list. */
export function listOf(record: Record<string, unknown>, name: string): readonly unknown[] | null {
  const value = field(record, name);
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : null;
}

/** The `window` of `lhs_fn_params`, `rhs_fn_params`, `params` or `sort.params`; undefined where none is stored. */
export function windowIn(params: unknown): unknown {
  return isRecord(params) ? field(params, 'window') : undefined;
}

/** A stored value as it appears in a sentence; long and structured ones shortened. */
export function quote(value: unknown): string {
  if (typeof value === 'string') return `"${value.length > 60 ? `${value.slice(0, 60)}…` : value}"`;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (value === null || value === undefined) return 'nothing';
  return Array.isArray(value) ? 'a list' : 'an object';
}
