import type { IndicatorName } from '@quantloom/domain/strategy/tree';
import { boundsOf } from '@quantloom/domain/strategy/value-bounds';
import type { ValueKind } from '@quantloom/domain/strategy/value-place';
import { type NumberLimits, readNumberOrVariable, type ValueEntry } from '../../../lib/number-entry.ts';

/** What find and replace can look for. */
export type What = 'ticker' | 'window' | 'threshold' | 'function';

export const WHAT: readonly {
  readonly value: What;
  readonly label: string;
  readonly kinds: readonly ValueKind[];
}[] = [
  { value: 'ticker', label: 'Ticker', kinds: ['held', 'signal'] },
  { value: 'window', label: 'Window', kinds: ['window'] },
  { value: 'threshold', label: 'Threshold', kinds: ['threshold'] },
  { value: 'function', label: 'Function', kinds: ['function'] },
];

/**
 * What was typed to be found and to take its place, each as it would stand in a tree; null for nothing. What
 * is found may be wrong as it stands, what takes its place may not.
 * @param of the function whose numbers are meant; null: of any
 */
export function typedReplacement({
  what,
  of,
  from,
  to,
}: {
  readonly what: What;
  readonly of: IndicatorName | null;
  readonly from: string;
  readonly to: string;
}): { readonly before: ValueEntry | null; readonly after: ValueEntry | null } {
  return {
    before: typedEntry(what, from, {}),
    after: typedEntry(what, to, what === 'window' ? windowLimits(of) : {}),
  };
}

function windowLimits(fn: IndicatorName | null): NumberLimits {
  const { isWhole, min, max } = boundsOf({ kind: 'window', fn });
  return { isWhole, ...(min !== null && { min }), ...(max !== null && { max }) };
}

function typedEntry(what: What, text: string, limits: NumberLimits): ValueEntry | null {
  const typed = text.trim();
  if (typed === '') return null;
  if (what === 'function') return { isRead: true, value: typed };
  if (what === 'ticker') return { isRead: true, value: typed.startsWith('$') ? typed : typed.toUpperCase() };
  return readNumberOrVariable(typed, limits);
}
