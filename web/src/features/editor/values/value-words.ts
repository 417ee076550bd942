import { INDICATORS } from '@quantloom/domain/strategy/indicator';
import type { TreeValue } from '@quantloom/domain/strategy/tree-values';
import type { ValueField, ValueKind } from '@quantloom/domain/strategy/value-place';

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

const FIELDS: Readonly<Record<Exclude<ValueField, `rank ${number}`>, string>> = {
  fast: 'fast window',
  slow: 'slow window',
  signal: 'signal window',
  deviations: 'deviations',
  days_ago: 'days ago',
  for_days: 'days to hold',
  scale: 'times the right side',
  offset: 'added to the right side',
};

const isRank = (field: ValueField): field is `rank ${number}` => field.startsWith('rank ');

type Named = Pick<TreeValue, 'kind' | 'fn' | 'field'>;

/** What a value is, in a few words: "RSI threshold", "MACD slow window", "percent for rank 1". */
export function valueWords({ kind, fn, field }: Named): string {
  const words = field === undefined ? KINDS[kind] : isRank(field) ? `percent for ${field}` : FIELDS[field];
  return fn === null ? words : `${INDICATORS[fn].shortLabel} ${words}`;
}

/** The same for each of several numbers of one line, with the side where both have such a number. */
export function wordsOfEach(
  numbers: readonly (Named & { readonly side?: 'left' | 'right' })[],
): readonly string[] {
  const all = numbers.map(valueWords);
  return numbers.map(({ side }, index) => {
    const words = all[index] ?? '';
    const isAlone = all.indexOf(words) === all.lastIndexOf(words);
    return isAlone || side === undefined ? words : `${words}, ${side}`;
  });
}
