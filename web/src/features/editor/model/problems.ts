import type { Problem } from '@quantloom/domain/kernel/refusal';
import { weightSum } from '@quantloom/domain/strategy/edit';
import type { Algorithm, TreeNode } from '@quantloom/domain/strategy/tree';
import { SLOTS, slotOf } from '@quantloom/domain/strategy/tree-walk';
import { validateAlgorithm } from '@quantloom/domain/strategy/validation';
import type { FaultlessBlocks } from '@quantloom/domain/strategy/validation-faults';

/** The sentence of a specified-weight block whose children do not sum to 100%. */
export const WEIGHT_SUM_WARNING = 'The specified weights must add up to 100% for this block';

/** Which tickers exist, and what was found of earlier trees with it. */
export interface ProblemContext {
  readonly isKnownTicker?: (ticker: string) => boolean;
  readonly faultless: FaultlessBlocks;
}

export function problemContext(known: ReadonlySet<string> | undefined): ProblemContext {
  const faultless: FaultlessBlocks = new WeakMap();
  if (!known) return { faultless };
  return { isKnownTicker: (ticker) => ticker.startsWith('SIM:') || known.has(ticker), faultless };
}

/**
 * What keeps a strategy from running, in the order of the tree. An untouched new strategy has none: it only
 * waits to be filled. With the context of the check before, only what has changed since is looked at.
 */
export function problemsOf(
  algorithm: Algorithm,
  context: ProblemContext = problemContext(undefined),
): readonly Problem[] {
  if (isUntouched(algorithm)) return [];
  const faults = validateAlgorithm(algorithm, context);
  const sums = wrongSums(algorithm);
  const told = new Set(sums.map(({ nodeId }) => nodeId));
  // Told once for each block of weights. A filter's percentages by rank have the same code, and are told nowhere else.
  return [...faults.filter(({ code, nodeId }) => code !== 'weights_above_100' || !told.has(nodeId)), ...sums];
}

function isUntouched(node: TreeNode): boolean {
  const isEmpty = ['root', 'empty', 'wt-cash-equal', 'group'].includes(node.node_type);
  return isEmpty && slotOf(node, 'children').every(isUntouched);
}

const NONE: readonly Problem[] = [];
/** What `wrongSums` found: blocks do not change, an edit makes new ones of those around it. */
const knownSums = new WeakMap<TreeNode, readonly Problem[]>();

/** The specified-weight blocks of a tree whose weights do not sum to 100%. */
function wrongSums(node: TreeNode): readonly Problem[] {
  const known = knownSums.get(node);
  if (known) return known;
  const below = SLOTS.flatMap((slot) => slotOf(node, slot).flatMap(wrongSums));
  const own = wrongSum(node);
  const found = own ? [own, ...below] : below.length > 0 ? below : NONE;
  knownSums.set(node, found);
  return found;
}

function wrongSum(node: TreeNode): Problem | null {
  if (node.node_type !== 'wt-cash-specified' || hasVariableWeight(node.children)) return null;
  const sum = weightSum(node);
  if (sum === 100) return null;
  const code = sum > 100 ? 'weights_above_100' : 'weights_not_100';
  return { code, message: WEIGHT_SUM_WARNING, nodeId: node.id };
}

function hasVariableWeight(children: readonly { readonly weight: { readonly num: unknown } }[]): boolean {
  return children.some(({ weight }) => typeof weight.num === 'string' && weight.num.startsWith('$'));
}

/** Faults that the engine refuses; weights below 100% only leave the rest in cash. */
export function isBlocking({ code }: Problem): boolean {
  return code !== 'weights_not_100';
}

/** The problem in words, without the ids that messages carry for programs. */
export function problemWords({ message }: Problem): string {
  return message.replace(/ \((?:node_[^)]*|without id)\)/g, '');
}

/** Problems by the block that they stand on. */
export function problemsByNode(problems: readonly Problem[]): ReadonlyMap<string, readonly Problem[]> {
  return Map.groupBy(
    problems.filter(({ nodeId }) => nodeId !== undefined),
    ({ nodeId }) => nodeId as string,
  );
}
