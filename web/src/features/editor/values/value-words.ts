import { INDICATORS } from '@quantloom/domain/strategy/indicator';
import type { TreeValue, ValueKind } from '@quantloom/domain/strategy/tree-values';

const KINDS: Readonly<Record<ValueKind, string>> = {
  threshold: 'threshold',
  window: 'window',
  held: 'held',
  signal: 'in conditions',
  weight: 'weight in percent',
  count: 'chosen by a filter',
  corridor: 'corridor',
  parameter: 'parameter',
  days: 'days',
  scale: 'scale or offset',
  function: 'function',
};

/** What a value is, in a few words: "RSI threshold". */
export function valueWords({ kind, fn }: Pick<TreeValue, 'kind' | 'fn'>): string {
  return fn === null ? KINDS[kind] : `${INDICATORS[fn].shortLabel} ${KINDS[kind]}`;
}
