/**
 * A saved strategy as a block: a group that is a copy of one of its revisions and says so. What is computed, counted and checked is the
 * copy, so that a strategy runs the same whatever becomes of its sources (decision 0195).
 */
import { updateNode } from './edit.ts';
import { type NewNodeId, percent, withNewIds } from './node-factory.ts';
import type { Algorithm, GroupNode, StrategySource } from './tree.ts';
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

/** A saved strategy, as far as a block of it needs it. */
export interface SavedStrategy {
  readonly id: string;
  readonly revision: number;
  readonly name: string;
  readonly algorithm: Algorithm;
}

/** The block of a saved strategy, with ids of its own. Its root's rule of trading stays behind: the whole strategy has one. */
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

/** The strategies that a tree holds blocks of, those inside them included. */
export function strategiesIn(algorithm: Algorithm): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { node } of nodesOf(algorithm))
    if (node.node_type === 'group' && node.source) found.add(node.source.strategy_id);
  return found;
}

/**
 * Why a strategy cannot be a block of another; null where it can. A copy has an end, so nothing would run for ever; but a strategy that
 * holds itself would be one revision behind with each save.
 */
export function blockFault(
  inside: Pick<SavedStrategy, 'id' | 'name' | 'algorithm'>,
  ownerId: string,
): string | null {
  if (inside.id === ownerId) return 'A strategy cannot hold itself';
  return strategiesIn(inside.algorithm).has(ownerId)
    ? `“${inside.name}” holds this strategy already, so it cannot stand in it`
    : null;
}

/** Puts another revision in the place of a block's copy; the block keeps its id, its weight and whether it is folded. */
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

/** Makes a group of one's own of a strategy's block: its blocks can then be edited, and nothing follows the source any more. */
export function detachStrategy(algorithm: Algorithm, blockId: string): Algorithm {
  return updateNode(algorithm, blockId, (node) => {
    if (node.node_type !== 'group' || !node.source) return node;
    const { source, ...group } = node;
    return group;
  });
}
