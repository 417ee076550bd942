import type { Algorithm, TreeNode } from '@quantloom/domain/strategy/tree';
import { nodesOf } from '@quantloom/domain/strategy/tree-walk';
import { isStrategyBlock } from './rows.ts';
import { blockWords, kindWords } from './words.ts';

/** Everything that a line says, for a search: `SPY asset`, `RSI(SPY, 10) ≥ 79 condition`, `“Safe” group`. */
const searched = (node: TreeNode): string => plain(`${blockWords(node)} ${kindWords(node)}`);

/** Signs as they are typed, without the difference of upper and lower case. */
const plain = (text: string): string =>
  text.toLowerCase().replaceAll('≥', '>=').replaceAll('≤', '<=').replaceAll(/\s+/g, ' ').trim();

/**
 * Ids of the blocks and conditions whose line holds the text, in the order of the lines, also of those within what is collapsed. What stands inside a saved
 * strategy has no lines. Nothing is found by an empty text.
 */
export function nodesWith(algorithm: Algorithm, text: string): string[] {
  const wanted = plain(text);
  if (wanted === '') return [];
  const found: string[] = [];
  const elsewhere = new Set<string>();
  for (const { node, parent } of nodesOf(algorithm)) {
    if (parent && (isStrategyBlock(parent) || elsewhere.has(parent.id))) elsewhere.add(node.id);
    else if (searched(node).includes(wanted)) found.push(node.id);
  }
  return found;
}

/**
 * The found line to go to.
 *
 * @param from the id of the line that one is on; null: none
 * @param step 1 for the next, -1 for the one before
 * @returns null where nothing was found
 */
export function nextFound(found: readonly string[], from: string | null, step: 1 | -1): string | null {
  const at = from === null ? -1 : found.indexOf(from);
  if (at === -1) return found.at(step === 1 ? 0 : -1) ?? null;
  return found[(at + step + found.length) % found.length] ?? null;
}
