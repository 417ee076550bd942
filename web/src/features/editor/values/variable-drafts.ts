import { suggestedName, suggestedValues } from '@quantloom/domain/strategy/suggested-variables';
import type { Algorithm } from '@quantloom/domain/strategy/tree';
import {
  type NewVariable,
  type TreeValue,
  valueKey,
  valuesOfTree,
} from '@quantloom/domain/strategy/tree-values';
import { variableNames } from '@quantloom/domain/strategy/variables';
import { readNumber } from '../../../lib/number-entry.ts';
import { readList } from '../../../lib/number-list.ts';

/** A value of the tree that may become a variable, as the user has it before it is one. */
export interface VariableDraft {
  readonly key: string;
  readonly of: TreeValue;
  readonly isChosen: boolean;
  readonly name: string;
  /**
   * Values to try, with commas and spaces, or semicolons between them; ranges such as `5..15 step 5` as in
   * the batch form.
   */
  readonly values: string;
}

/** A line for every number and ticker, none chosen, each with a name of its own and values around it. */
export function draftsOf(algorithm: Algorithm): VariableDraft[] {
  const taken = new Set(variableNames(algorithm));
  return valuesOfTree(algorithm)
    .filter(({ kind }) => kind !== 'function')
    .map((of) => {
      const name = suggestedName(of, taken);
      taken.add(name);
      return { key: valueKey(of), of, isChosen: false, name, values: suggestedValues(of).join(', ') };
    });
}

/**
 * Why a name cannot be taken; null where it can. Two lines may share one on purpose: they are then the same
 * variable.
 */
export function nameFault(name: string): string | null {
  return /^\$[A-Za-z0-9_]{1,49}$/.test(name)
    ? null
    : 'A name is $ and up to 49 letters, digits or underscores';
}

/** Why its values cannot be taken: a comma that may be a decimal one; null where they can. */
export function valuesFault(values: string): string | null {
  const list = readList(values);
  return list.isRead ? null : list.reason;
}

export function chosenVariables(drafts: readonly VariableDraft[]): NewVariable[] {
  return drafts.filter(({ isChosen }) => isChosen).map(({ of, name }) => ({ of, name }));
}

/** What the batch form begins with: one value a line, values of lines that share a name together. */
export function textsOf(drafts: readonly VariableDraft[]): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const { isChosen, name, values } of drafts) {
    if (!isChosen) continue;
    const before = texts[name] === undefined ? [] : texts[name].split('\n');
    const list = readList(values);
    if (list.isRead) texts[name] = [...new Set([...before, ...list.values.map(plainNumber)])].join('\n');
  }
  return texts;
}

/** `12.5` for `12,5`; what is no number as it is. */
function plainNumber(value: string): string {
  const entry = value.includes(',') ? readNumber(value) : null;
  return entry?.isRead ? String(entry.value) : value;
}

/** How many rows a batch of the chosen ones has. */
export function combinationsOf(drafts: readonly VariableDraft[]): number {
  return Object.values(textsOf(drafts)).reduce((product, text) => product * text.split('\n').length, 1);
}
