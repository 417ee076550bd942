import { BLOCKS, isWeightBlock } from './block-table.ts';
import { OPPOSITE_COMPARATOR } from './comparators.ts';
import type {
  Algorithm,
  BlockNode,
  Comparator,
  ConditionItem,
  ConditionNode,
  FilterNode,
  IfThenElseNode,
  WeightNode,
} from './tree.ts';
import { isVariable, numberOf } from './values.ts';

/** A block or condition that plays no part, with the reason. */
export interface IdleBlock {
  readonly id: string;
  readonly reason: string;
  /** Blocks and conditions that go with it. */
  readonly blocks: number;
}

export interface WithoutIdle {
  readonly algorithm: Algorithm;
  readonly idle: readonly IdleBlock[];
}

/**
 * Takes out what can never be reached and what changes nothing: branches whose condition a condition around
 * them has decided already, conditions that always or never hold, equal branches, weights of 0, the same
 * condition twice, filters that choose all, and blocks that only hold one other. The decision of every day
 * stays the same; fewer indicators may let the strategy begin earlier.
 */
export function withoutIdleBlocks(algorithm: Algorithm): WithoutIdle {
  const sweep = new Sweep();
  const children = sweep.blocks(algorithm.children, NOTHING_KNOWN, false);
  if (sweep.idle.length === 0) return { algorithm, idle: [] };
  return { algorithm: { ...algorithm, children }, idle: sweep.idle };
}

/** What conditions around a block say about it: tests that hold there, and tests that do not. */
interface Known {
  readonly test: ConditionNode;
  readonly holds: boolean;
  readonly outer: Known | null;
}
const NOTHING_KNOWN: Known | null = null;

class Sweep {
  readonly idle: IdleBlock[] = [];

  /** @param isRanked whether their own series are looked at, so that what they are made of must stay */
  blocks(list: readonly BlockNode[], known: Known | null, isRanked: boolean): readonly BlockNode[] {
    const next = list.flatMap((block) => this.#block(block, known, isRanked));
    return next.length === list.length && next.every((block, index) => block === list[index]) ? list : next;
  }

  #tell(node: BlockNode | ConditionItem, reason: string, blocks = sizeOf(node)): void {
    this.idle.push({ id: node.id, reason, blocks });
  }

  /** What stands in the place of a block: itself, another one, or, where its parent weights all alike, several. */
  #block(block: BlockNode, known: Known | null, isRanked: boolean): readonly BlockNode[] {
    switch (block.node_type) {
      case 'if-then-else':
        return this.#if(block, known, isRanked);
      case 'filter':
        return [this.#filter(block)];
      case 'wt-cash-specified':
        return this.#specified(block, known, isRanked);
      case 'wt-cash-equal':
      case 'group': {
        const next = withChildren(block, this.blocks(block.children, known, false));
        const [only] = next.children;
        const isNamed = next.node_type === 'group' && next.name.trim() !== '';
        if (next.children.length !== 1 || !isBlock(only) || isNamed || isRanked) return [next];
        this.#tell(block, 'holds one block alone and weights nothing', 1);
        return [{ ...only, weight: block.weight }];
      }
      default:
        return [isWeightBlock(block) ? this.#weight(block, known) : block];
    }
  }

  #weight(block: WeightNode, known: Known | null): WeightNode {
    const { ranksChildren } = BLOCKS[block.node_type];
    // Own series of the children run every day, whatever stands around them.
    return withChildren(
      block,
      this.blocks(block.children, ranksChildren ? NOTHING_KNOWN : known, ranksChildren),
    );
  }

  #specified(
    block: Extract<BlockNode, { node_type: 'wt-cash-specified' }>,
    known: Known | null,
    isRanked: boolean,
  ): readonly BlockNode[] {
    const kept = block.children.filter(({ weight }) => numberOf(weight.num) !== 0);
    const isIdle = kept.length > 0 && kept.length < block.children.length;
    if (isIdle)
      for (const child of block.children) if (!kept.includes(child)) this.#tell(child, 'has a weight of 0');
    const children = this.blocks(isIdle ? kept : block.children, known, false);
    const next = withChildren(block, children);
    const [only] = children;
    const isWhole =
      isBlock(only) &&
      numberOf(only.weight.num) === numberOf(only.weight.den) &&
      numberOf(only.weight.num) !== null;
    if (children.length !== 1 || !isWhole || isRanked) return [next];
    this.#tell(block, 'gives one block everything', 1);
    return [{ ...only, weight: block.weight }];
  }

  #filter(block: FilterNode): BlockNode {
    const children = this.blocks(block.children, NOTHING_KNOWN, true);
    const next = withChildren(block, children);
    const count = numberOf(block.select.num);
    const isEqual = !block.weighting || block.weighting.type === 'equal';
    if (count === null || count < children.length || !isEqual || children.length === 0) return next;
    this.#tell(block, `chooses ${count} of ${children.length} blocks, which is all of them`, 1);
    const { id, weight, is_collapsed } = block;
    return { id, weight, is_collapsed, node_type: 'wt-cash-equal', children };
  }

  #if(block: IfThenElseNode, known: Known | null, isRanked: boolean): readonly BlockNode[] {
    const verdict = verdictOf(block.condition_type, block.conditions, known);
    if (verdict !== null) {
      const [kept, lost] = verdict
        ? [block.then_children, block.else_children]
        : [block.else_children, block.then_children];
      const size = lost.reduce((sum, child) => sum + sizeOf(child), 1 + block.conditions.length);
      this.#tell(
        block,
        verdict ? 'always holds: its else is never reached' : 'never holds: its then is never reached',
        size,
      );
      return [inPlaceOf(block, this.blocks(kept, known, isRanked), isRanked)];
    }
    const conditions = this.#conditions(block, known);
    const [only] = conditions;
    const single = conditions.length === 1 && only?.node_type === 'condition' ? only : null;
    const all = block.condition_type === 'allOf' ? plainOf(conditions) : single ? [single] : [];
    const any = block.condition_type === 'anyOf' ? plainOf(conditions) : single ? [single] : [];
    const then = this.blocks(block.then_children, knowing(known, all, true), false);
    const otherwise = this.blocks(block.else_children, knowing(known, any, false), false);
    if (isAlike(then, otherwise)) {
      const size = otherwise.reduce((sum, child) => sum + sizeOf(child), 1 + conditions.length);
      this.#tell(block, 'holds the same in both branches', size);
      return [inPlaceOf(block, then, isRanked)];
    }
    const isSame =
      conditions === block.conditions && then === block.then_children && otherwise === block.else_children;
    if (isSame) return [block];
    // One condition alone is joined by nothing.
    const type = conditions.length === 1 ? 'allOf' : block.condition_type;
    return [{ ...block, condition_type: type, conditions, then_children: then, else_children: otherwise }];
  }

  /** Without those that stand twice, and those that are decided and do not decide. */
  #conditions(block: IfThenElseNode, known: Known | null): readonly ConditionItem[] {
    // Some are left: had they all been decided, the block would be.
    const seen = new Set<string>();
    const isAll = block.condition_type === 'allOf';
    const kept = block.conditions.filter((item) => {
      const key = sameness(item);
      const isTwice = seen.has(key);
      seen.add(key);
      const holds = item.node_type === 'condition' ? holdsBy(item, known) : null;
      const isNeutral = holds === isAll && block.conditions.length > 1;
      if (isTwice) this.#tell(item, 'stands there twice');
      else if (isNeutral) this.#tell(item, isAll ? 'always holds there' : 'never holds there');
      return !isTwice && !isNeutral;
    });
    return kept.length === block.conditions.length ? block.conditions : kept;
  }
}

function withChildren<Block extends { readonly children: readonly BlockNode[] }>(
  block: Block,
  children: readonly BlockNode[],
): Block {
  return children === block.children ? block : { ...block, children };
}

/** A placeholder is left out of a list; a block that holds nothing else is cash. */
function isBlock(block: BlockNode | undefined): block is BlockNode {
  return block !== undefined && block.node_type !== 'empty' && block.node_type !== 'pasted';
}

/** The blocks of one branch in the place of the whole block: as one block with its weight. */
function inPlaceOf(block: IfThenElseNode, blocks: readonly BlockNode[], isRanked: boolean): BlockNode {
  const { id, weight, is_collapsed } = block;
  const [only] = blocks;
  if (blocks.length === 1 && isBlock(only) && !isRanked) return { ...only, weight };
  return { id, weight, is_collapsed, node_type: 'wt-cash-equal', children: blocks };
}

const plainOf = (items: readonly ConditionItem[]): readonly ConditionNode[] =>
  items.filter((item) => item.node_type === 'condition');

function knowing(known: Known | null, tests: readonly ConditionNode[], holds: boolean): Known | null {
  return tests.reduce<Known | null>((outer, test) => ({ test, holds, outer }), known);
}

/** Whether the conditions together always hold, never hold, or it depends (null). */
function verdictOf(
  type: IfThenElseNode['condition_type'],
  items: readonly ConditionItem[],
  known: Known | null,
): boolean | null {
  const verdicts = items.map((item) => (item.node_type === 'condition' ? holdsBy(item, known) : null));
  const decisive = type === 'anyOf';
  if (verdicts.includes(decisive)) return decisive;
  return verdicts.length > 0 && verdicts.every((verdict) => verdict === !decisive) ? !decisive : null;
}

/** What the conditions around it say about a condition; null where they leave it open. */
function holdsBy(test: ConditionNode, known: Known | null): boolean | null {
  const always = holdsAlways(test);
  if (always !== null) return always;
  for (let fact = known; fact !== null; fact = fact.outer) {
    const follows = implied(fact.test, fact.holds, test);
    if (follows !== null) return follows;
  }
  return null;
}

/** Both sides the same, or beyond the bounds of an RSI. */
function holdsAlways(test: ConditionNode): boolean | null {
  const { comparator } = test;
  if (comparator === null || isVariable(test.rhs_val) || !isComplete(test)) return null;
  const value = thresholdOf(test);
  if (value !== null) {
    if (test.lhs_fn !== 'relative-strength-index') return null;
    if (comparator === 'gt') return value >= 100 ? false : value < 0 ? true : null;
    if (comparator === 'lt') return value <= 0 ? false : value > 100 ? true : null;
    return null;
  }
  const isMoved = [test.rhs_scale, test.rhs_offset].some((moved) => moved !== undefined && moved !== null);
  const sides = [
    JSON.stringify([test.lhs_fn, test.lhs_val, test.lhs_fn_params, test.lhs_days_ago ?? 0]),
    JSON.stringify([test.rhs_fn, test.rhs_val, test.rhs_fn_params, test.rhs_days_ago ?? 0]),
  ];
  if (isMoved || sides[0] !== sides[1]) return null;
  return comparator === 'gte' || comparator === 'lte' || comparator === 'eq';
}

/** Nothing that has to be set before it can run: what cannot run is left for its owner to see. */
function isComplete(test: ConditionNode): boolean {
  return test.lhs_fn !== null && test.lhs_val !== null && test.rhs_val !== null && test.comparator !== null;
}

function thresholdOf(test: ConditionNode): number | null {
  return test.rhs_fixed_val ? numberOf(test.rhs_val) : null;
}

/** What one test, known to hold or not, says about another. */
function implied(fact: ConditionNode, holds: boolean, test: ConditionNode): boolean | null {
  if (!isComplete(test)) return null;
  if (sameness(fact) === sameness(test)) return holds;
  // A test over several days that fails says nothing about one day.
  if (leftSide(fact) !== leftSide(test) || numberOf(fact.for_days ?? 1) !== 1) return null;
  const [a, b] = [thresholdOf(fact), thresholdOf(test)];
  if (a === null || b === null || fact.comparator === null || test.comparator === null) return null;
  const range = rangeOf(holds ? fact.comparator : OPPOSITE_COMPARATOR[fact.comparator], a);
  const verdict = range && decides(range, test.comparator, b);
  // Over several days, one day that holds is not enough, and one that fails is.
  return verdict === true && numberOf(test.for_days ?? 1) !== 1 ? null : verdict;
}

interface Range {
  readonly low: number;
  readonly high: number;
}

/** Where a value lies of which a comparison holds; bounds count in, which is the careful side. */
function rangeOf(comparator: Comparator | null, value: number): Range | null {
  if (comparator === 'gt' || comparator === 'gte') return { low: value, high: Number.POSITIVE_INFINITY };
  if (comparator === 'lt' || comparator === 'lte') return { low: Number.NEGATIVE_INFINITY, high: value };
  return comparator === 'eq' ? { low: value, high: value } : null;
}

/** Whether everything in a range is on one side of a value, well clear of what counts as equal. */
function decides({ low, high }: Range, comparator: Comparator, value: number): boolean | null {
  const margin = 1e-9 * Math.max(1, Math.abs(value));
  const [isAbove, isBelow] = [low > value + margin, high < value - margin];
  if (!isAbove && !isBelow) return null;
  if (comparator === 'eq') return false;
  return comparator === 'gt' || comparator === 'gte' ? isAbove : isBelow;
}

function leftSide(test: ConditionNode): string {
  return JSON.stringify([
    test.lhs_fn,
    test.lhs_val,
    sortedOf(test.lhs_fn_params),
    numberOf(test.lhs_days_ago ?? 0),
  ]);
}

function sortedOf(params: object): unknown {
  return Object.entries(params).sort(([left], [right]) => left.localeCompare(right));
}

/** The same text for two parts that do the same: ids, names and what is folded play no part. */
function sameness(part: unknown): string {
  return JSON.stringify(part, (key, value: unknown) => (IDLE_FIELDS.has(key) ? undefined : value));
}

const IDLE_FIELDS: ReadonlySet<string> = new Set([
  ...['id', 'name', 'is_collapsed', 'is_conditions_collapsed', 'is_then_collapsed', 'is_else_collapsed'],
]);

/** Whether two lists of blocks, weighted alike, do the same. */
function isAlike(left: readonly BlockNode[], right: readonly BlockNode[]): boolean {
  if (left.length !== right.length || left.length === 0) return false;
  const plain = (blocks: readonly BlockNode[]) =>
    sameness(blocks.map((block) => ({ ...block, weight: null })));
  return plain(left) === plain(right);
}

function sizeOf(node: BlockNode | ConditionItem): number {
  let size = 0;
  const open: (BlockNode | ConditionItem)[] = [node];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    size += 1;
    if ('conditions' in next) open.push(...next.conditions);
    if ('children' in next) open.push(...next.children);
    if ('then_children' in next) open.push(...next.then_children, ...next.else_children);
  }
  return size;
}
