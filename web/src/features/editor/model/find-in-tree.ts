import type { Algorithm, TreeNode } from '@quantloom/domain/strategy/tree';
import { nodesOf } from '@quantloom/domain/strategy/tree-walk';
import { isStrategyBlock } from './rows.ts';
import { blockWords, groupWords, kindWords, rebalancingWords } from './words.ts';

/**
 * What a line says: `SPY`, `RSI(SPY, 10) >= 79`, `any of these`, `“Safe”`; the first line says the strategy's
 * name and when it trades.
 */
function wordsOf(node: TreeNode): string {
  if (node.node_type === 'root') return `${node.name} ${rebalancingWords(node)}`;
  return node.node_type === 'condition-group' ? groupWords(node) : blockWords(node);
}

/** Whether a line says the text, or its kind begins a word with it: `weight`, but not `eight`. */
const holds = (node: TreeNode, wanted: string): boolean =>
  plain(wordsOf(node)).includes(wanted) || ` ${plain(kindWords(node))}`.includes(` ${wanted}`);

/** Signs as they are typed, without the difference of upper and lower case. */
const plain = (text: string): string =>
  text.toLowerCase().replaceAll('≥', '>=').replaceAll('≤', '<=').replaceAll(/\s+/g, ' ').trim();

/**
 * Ids of the blocks and conditions whose line holds the text, in the order of the lines, also of those within
 * what is collapsed. What stands inside a saved strategy has no lines. Nothing is found by an empty text.
 */
export function nodesWith(algorithm: Algorithm, text: string): string[] {
  const wanted = plain(text);
  if (wanted === '') return [];
  const found: string[] = [];
  const elsewhere = new Set<string>();
  for (const { node, parent } of nodesOf(algorithm)) {
    if (parent && (isStrategyBlock(parent) || elsewhere.has(parent.id))) elsewhere.add(node.id);
    else if (holds(node, wanted)) found.push(node.id);
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
