import type { BlockPlan } from '../compile/plan.ts';

const KINDS: readonly BlockPlan['kind'][] = ['cash', 'asset', 'if', 'filter', 'mix', 'inverse'];

/** A child of a block and its share; 0 where shares follow from something else. */
interface Child {
  readonly block: BlockPlan;
  readonly share: number;
}

/**
 * The places of children whose order does not matter, in an order that follows from what they are bound to:
 * bindings that name the same children in another order then add up the same numbers in the same order, and
 * have the same result to the bit. Trees that are the same here are so in `DistinctTrees`.
 */
export function canonicalOrder(
  blocks: readonly BlockPlan[],
  shares: readonly number[],
  digits: Int32Array,
  codeOf: (ticker: string) => number,
): number[] {
  const children = blocks.map((block, i) => ({ block, share: shares[i] ?? 0 }));
  const compare = comparison(digits, codeOf);
  return blocks.map((_, i) => i).sort((a, b) => compare(children[a] as Child, children[b] as Child) || a - b);
}

function comparison(digits: Int32Array, codeOf: (ticker: string) => number) {
  const sorted = (block: BlockPlan): Child[] => {
    if (!('children' in block)) return [];
    const weights = block.kind === 'mix' ? block.weights : null;
    return block.children
      .map((child, i) => {
        const weight = weights?.[i];
        const share = weight === undefined ? 0 : weight.num.number(digits) / weight.den.number(digits);
        return { block: child, share };
      })
      .sort(compare);
  };
  const compare = (a: Child, b: Child): number => trees(a.block, b.block) || a.share - b.share;
  const trees = (a: BlockPlan, b: BlockPlan): number => {
    const kind = KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind);
    if (kind !== 0 || a === b) return kind;
    if (a.kind === 'asset' && b.kind === 'asset')
      return codeOf(a.ticker.text(digits)) - codeOf(b.ticker.text(digits));
    // Those of two blocks are never taken for the same.
    if (a.kind === 'if' || a.kind === 'filter') return a.number - b.number;
    const [x, y] = [sorted(a), sorted(b)];
    if (x.length !== y.length) return x.length - y.length;
    for (let i = 0; i < x.length; i++) {
      const one = compare(x[i] as Child, y[i] as Child);
      if (one !== 0) return one;
    }
    const window = (block: BlockPlan) =>
      block.kind === 'inverse' ? (block.deviations[0]?.params[0]?.number(digits) ?? 0) : 0;
    return window(a) - window(b);
  };
  return compare;
}
