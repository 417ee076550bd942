import type { BlockPlan, IfPlan, Plan } from './plan.ts';

/** A root if whose branches can be summed up apart from each other. */
export interface FactoredPlan {
  readonly root: IfPlan;
  /** The branch whose variants are taken one at a time, and the one whose variants are taken eight at a time. */
  readonly isThenOuter: boolean;
}

/**
 * Whether a tree is an if between two branches that share no variable and no ticker, each always whole in one
 * ticker at a time (or always in cash): what one branch earns and pays then does not depend on the variant of
 * the other.
 */
export function factoredPlan(
  { root }: Plan,
  tickersOf: (block: BlockPlan) => Set<string>,
): FactoredPlan | null {
  if (root.kind !== 'if') return null;
  const { then, otherwise } = root;
  if (!isWhole(then) || !isWhole(otherwise)) return null;
  if (then.kind === 'cash' && otherwise.kind === 'cash') return null;
  for (const branch of [then, otherwise]) if (branch.kind !== 'cash' && mayBeCash(branch)) return null;
  const variables = new Set(then.key.variables);
  if (otherwise.key.variables.some((variable) => variables.has(variable))) return null;
  const tickers = tickersOf(then);
  for (const ticker of tickersOf(otherwise)) if (tickers.has(ticker)) return null;
  const last = (block: BlockPlan) => Math.max(-1, ...block.key.variables);
  return { root, isThenOuter: last(then) <= last(otherwise) };
}

/** Whether a block holds one ticker (or nothing) as a whole on every day. */
export function isWhole(block: BlockPlan): boolean {
  switch (block.kind) {
    case 'cash':
    case 'asset':
      return true;
    case 'if':
      return isWhole(block.then) && isWhole(block.otherwise);
    case 'filter': {
      const takesOne = block.children.length === 1 || (block.count.variable < 0 && block.count.largest === 1);
      // One that is chosen alone has the whole, unless its rank says otherwise.
      return takesOne && block.weighting?.kind !== 'by-rank' && block.children.every(isWhole);
    }
    case 'inverse':
      return block.children.length === 1 && block.children.every(isWhole);
    case 'mix':
      return false;
  }
}

function mayBeCash(block: BlockPlan): boolean {
  switch (block.kind) {
    case 'cash':
    case 'mix':
      return true;
    case 'asset':
      return false;
    case 'if':
      return mayBeCash(block.then) || mayBeCash(block.otherwise);
    default:
      return block.children.some(mayBeCash);
  }
}
