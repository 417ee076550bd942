import { type FieldChange, fieldChanges } from './field-changes.ts';
import { blockName, conditionText, placedName, slotName } from './node-names.ts';
import type { Algorithm, ConditionGroupNode, ConditionItem, IfThenElseNode, TreeNode } from './tree.ts';
import { nodesOf, type PlacedNode, SLOTS, slotOf } from './tree-walk.ts';

/** A difference between two revisions that a person would name. */
export interface StrategyChange {
  readonly kind: 'added' | 'removed' | 'moved' | 'changed';
  /** Of the newer tree; of the older one for what was removed. */
  readonly nodeId: string;
  /** A sentence, for example `RSI window 10 → 14 in condition 2 of If`. */
  readonly text: string;
  /** The fields of a changed node. */
  readonly fields?: readonly FieldChange[];
}

type Places = ReadonlyMap<string, PlacedNode>;

/**
 * The differences between two trees by the ids of their nodes, in the order of the newer tree, removals
 * first. A block that came or went with everything in it is one change. Two conditions at the same place of
 * the same block count as one that was edited, because editing a condition gives it a new id.
 */
export function diffStrategies(before: Algorithm, after: Algorithm): StrategyChange[] {
  const [all, now] = [placesOf(before), placesOf(after)];
  const replaced = new Set(
    [...now.keys()].filter((id) => isOtherRevision(all.get(id)?.node, now.get(id)?.node)),
  );
  const [left, right] = [outside(all, replaced), outside(now, replaced)];
  const renamed = editedConditions(left, right);
  const oldId = (id: string) => renamed.get(id) ?? id;
  const kept = new Set([...right.keys()].map(oldId).filter((id) => left.has(id)));
  const moved = movedIds(left, right, oldId);
  const changes: StrategyChange[] = [];
  for (const [id, place] of left)
    if (!kept.has(id) && isTop(place, (parent) => !kept.has(parent))) changes.push(removed(id, place));
  for (const [id, place] of right) {
    const earlier = left.get(oldId(id));
    if (!earlier) {
      if (isTop(place, (parent) => !left.has(oldId(parent)))) changes.push(added(id, place));
      continue;
    }
    if (moved.has(id)) changes.push(movedChange(id, earlier, place));
    const fields = fieldChanges(earlier, place);
    for (const field of fields) changes.push(changed(id, place, field));
  }
  return changes.filter(({ text }) => text !== '');
}

function placesOf(algorithm: Algorithm): Places {
  return new Map([...nodesOf(algorithm)].map((place) => [place.node.id, place]));
}

/** Whether a block of a saved strategy took another revision: its inside is then another copy, with ids of its own. */
function isOtherRevision(before: TreeNode | undefined, after: TreeNode | undefined): boolean {
  if (before?.node_type !== 'group' || after?.node_type !== 'group') return false;
  const [from, to] = [before.source, after.source];
  return Boolean(from && to) && (from?.revision !== to?.revision || from?.strategy_id !== to?.strategy_id);
}

/** Without what is inside of some blocks. */
function outside(places: Places, closed: ReadonlySet<string>): Places {
  if (closed.size === 0) return places;
  const inside = new Set<string>();
  const kept = new Map<string, PlacedNode>();
  // Parents come before their children.
  for (const [id, place] of places) {
    const { parent } = place;
    if (parent && (closed.has(parent.id) || inside.has(parent.id))) inside.add(id);
    else kept.set(id, place);
  }
  return kept;
}

/** Whether a node is the topmost of what came or went, so that what is inside need not be told. */
function isTop({ parent }: PlacedNode, isSame: (parentId: string) => boolean): boolean {
  return parent === null || !isSame(parent.id);
}

function hasConditions(node: TreeNode): node is IfThenElseNode | ConditionGroupNode {
  return node.node_type === 'if-then-else' || node.node_type === 'condition-group';
}

function isCondition(node: TreeNode): node is ConditionItem {
  return node.node_type === 'condition' || node.node_type === 'condition-group';
}

/** New id → old id of conditions that were replaced in place. */
function editedConditions(left: Places, right: Places): Map<string, string> {
  const renamed = new Map<string, string>();
  for (const [id, { node }] of right) {
    const earlier = left.get(id)?.node;
    if (!hasConditions(node) || !earlier || !hasConditions(earlier)) continue;
    const gone = earlier.conditions.map((condition) => (right.has(condition.id) ? null : condition.id));
    for (const [index, condition] of node.conditions.entries()) {
      const old = gone[index];
      if (old && !left.has(condition.id)) renamed.set(condition.id, old);
    }
  }
  return renamed;
}

/**
 * Nodes with another parent or list, and of those that stayed in their list the fewest whose moving explains
 * the new order (all but a longest increasing subsequence of the old places).
 */
function movedIds(left: Places, right: Places, oldId: (id: string) => string): Set<string> {
  const moved = new Set<string>();
  for (const { node } of right.values()) {
    for (const slot of SLOTS) {
      const stayed: { id: string; index: number }[] = [];
      for (const child of slotOf(node, slot)) {
        const earlier = left.get(oldId(child.id));
        if (!earlier) continue;
        if (earlier.parent?.id === oldId(node.id) && earlier.slot === slot)
          stayed.push({ id: child.id, index: earlier.index });
        else moved.add(child.id);
      }
      const inOrder = longestIncreasing(stayed.map(({ index }) => index));
      for (const [place, { id }] of stayed.entries()) if (!inOrder.has(place)) moved.add(id);
    }
  }
  return moved;
}

/** Places of one longest increasing subsequence (patience sorting, n log n). */
function longestIncreasing(values: readonly number[]): Set<number> {
  const tails: number[] = [];
  const previous = new Array<number>(values.length).fill(-1);
  for (const [place, value] of values.entries()) {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((values[tails[middle] as number] as number) < value) low = middle + 1;
      else high = middle;
    }
    previous[place] = low > 0 ? (tails[low - 1] as number) : -1;
    tails[low] = place;
  }
  const result = new Set<number>();
  for (let place = tails.at(-1) ?? -1; place >= 0; place = previous[place] as number) result.add(place);
  return result;
}

/** Number of blocks below a node, placeholders apart. */
function blocksInside(node: TreeNode): number {
  let count = 0;
  for (const slot of SLOTS)
    for (const child of slotOf(node, slot))
      count += (child.node_type === 'empty' ? 0 : 1) + blocksInside(child);
  return count;
}

function described({ node }: PlacedNode): string {
  if (isCondition(node)) return `condition ${conditionText(node)}`;
  const inside = blocksInside(node);
  if (inside === 0) return blockName(node);
  return `${blockName(node)} with ${inside} ${inside === 1 ? 'block' : 'blocks'} inside`;
}

function whereOf({ parent, slot }: PlacedNode): string {
  return parent && slot ? slotName(parent, slot) : '';
}

function added(nodeId: string, place: PlacedNode): StrategyChange {
  // A placeholder appears where something else went; only that is worth telling.
  const text = place.node.node_type === 'empty' ? '' : `Added ${described(place)} to ${whereOf(place)}`;
  return { kind: 'added', nodeId, text };
}

function removed(nodeId: string, place: PlacedNode): StrategyChange {
  const text = place.node.node_type === 'empty' ? '' : `Removed ${described(place)} from ${whereOf(place)}`;
  return { kind: 'removed', nodeId, text };
}

function movedChange(nodeId: string, before: PlacedNode, after: PlacedNode): StrategyChange {
  if (after.node.node_type === 'empty') return { kind: 'moved', nodeId, text: '' };
  const what = isCondition(after.node) ? `condition ${conditionText(after.node)}` : blockName(after.node);
  const isSameList = before.parent?.id === after.parent?.id && before.slot === after.slot;
  const text = isSameList
    ? `Moved ${what} from place ${before.index + 1} to ${after.index + 1} in ${whereOf(after)}`
    : `Moved ${what} from ${whereOf(before)} to ${whereOf(after)}`;
  return { kind: 'moved', nodeId, text };
}

function changed(nodeId: string, place: PlacedNode, field: FieldChange): StrategyChange {
  const { what, from, to } = field;
  // The ticker is the asset's name already.
  const name = what === 'ticker' ? whereOf(place) : placedName(place);
  const subject = place.node.node_type === 'root' ? '' : ` ${relation(what)} ${name}`;
  return { kind: 'changed', nodeId, text: `${capital(what)} ${from} → ${to}${subject}`, fields: [field] };
}

/** "RSI window … in condition 2 of If", "weight … of SPY in Specified Weight". */
function relation(what: string): string {
  return ['weight', 'name', 'type', 'rule', 'revision'].includes(what) ? 'of' : 'in';
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
