/**
 * A saved strategy as a block: a group that is a copy of one of its revisions and says so. What is computed,
 * counted and checked is the copy, so that a strategy runs the same whatever becomes of its sources (decision 0195).
 */
import { isSameDocument } from '../kernel/same-document.ts';
import { updateNode } from './edit.ts';
import { type NewNodeId, percent, withNewIds } from './node-factory.ts';
import type { Algorithm, BlockNode, GroupNode, StrategySource } from './tree.ts';
import { nodesOf } from './tree-walk.ts';
import { isRecord } from './values.ts';

/** Letters of an id. */
const MAX_ID_LENGTH = 100;

export function isStrategySource(value: unknown): value is StrategySource {
  if (!isRecord(value)) return false;
  const { strategy_id: id, revision } = value;
  return (
    typeof id === 'string' &&
    id !== '' &&
    id.length <= MAX_ID_LENGTH &&
    Number.isSafeInteger(revision) &&
    (revision as number) >= 0
  );
}

export const HOLDS_ITSELF = 'A strategy cannot hold itself';

/** A saved strategy, as far as a block of it needs it. */
export interface SavedStrategy {
  readonly id: string;
  readonly revision: number;
  readonly name: string;
  readonly algorithm: Algorithm;
}

/**
 * The block of a saved strategy, with ids of its own. Its root's rule of trading stays behind: the whole
 * strategy has one.
 */
export function strategyBlock({ id, revision, name, algorithm }: SavedStrategy, newId: NewNodeId): GroupNode {
  return {
    id: newId(),
    node_type: 'group',
    weight: percent(100),
    is_collapsed: true,
    name,
    source: { strategy_id: id, revision },
    children: algorithm.children.map((child) => withNewIds(child, newId)),
  };
}

/** The strategies that a tree or a block holds blocks of, those inside them included. */
export function strategiesIn(top: Algorithm | BlockNode): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { node } of nodesOf(top))
    if (node.node_type === 'group' && node.source) found.add(node.source.strategy_id);
  return found;
}

/**
 * Why a strategy cannot be a block of another; null where it can. A copy has an end, so nothing would run for
 * ever; but a strategy that holds itself would be one revision behind with each save.
 */
export function blockFault(
  inside: Pick<SavedStrategy, 'id' | 'name' | 'algorithm'>,
  ownerId: string,
): string | null {
  if (inside.id === ownerId) return HOLDS_ITSELF;
  return strategiesIn(inside.algorithm).has(ownerId)
    ? `“${inside.name}” holds this strategy already, so it cannot stand in it`
    : null;
}

/** Why a copied block cannot be pasted into a strategy; null where it can. */
export function pasteFault(block: BlockNode, ownerId: string): string | null {
  return strategiesIn(block).has(ownerId) ? HOLDS_ITSELF : null;
}

/** Whether a block holds what a saved strategy holds now; ids, and what is folded on screen, aside. */
export function isCopyOf(block: GroupNode, { algorithm }: Pick<SavedStrategy, 'algorithm'>): boolean {
  const plain = (children: readonly BlockNode[]) =>
    JSON.parse(
      JSON.stringify(children, (key, value) => (isBesideContent(key) ? undefined : value)),
    ) as unknown;
  return isSameDocument(plain(block.children), plain(algorithm.children));
}

const isBesideContent = (key: string): boolean => key === 'id' || /^is_.*collapsed$/.test(key);

/**
 * Puts another revision in the place of a block's copy; the block keeps its id, its weight and whether it is
 * folded.
 */
export function updateStrategyBlock(
  algorithm: Algorithm,
  blockId: string,
  saved: SavedStrategy,
  newId: NewNodeId,
): Algorithm {
  return updateNode(algorithm, blockId, (node) => {
    if (node.node_type !== 'group' || node.source?.strategy_id !== saved.id) return node;
    if (node.source.revision === saved.revision) return node;
    const { name, source, children } = strategyBlock(saved, newId);
    return { ...node, name, ...(source && { source }), children };
  });
}

/**
 * Makes a group of one's own of a strategy's block: its blocks can then be edited, and nothing follows the
 * source any more.
 */
export function detachStrategy(algorithm: Algorithm, blockId: string): Algorithm {
  return updateNode(algorithm, blockId, (node) => {
    if (node.node_type !== 'group' || !node.source) return node;
    const { source, ...group } = node;
    return group;
  });
}
