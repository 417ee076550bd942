import { isWhole } from './factored-plan.ts';
import type { BlockPlan, IfPlan, Plan } from './plan.ts';
import type { Key } from './variables.ts';

/** A column that decisions follow from: the mask of an if, or what a block holds whole. */
export type StretchInput =
  | { readonly kind: 'mask'; readonly block: IfPlan; readonly key: Key }
  | { readonly kind: 'codes'; readonly block: BlockPlan; readonly key: Key };

/** Number of an input, or of the step whose result it is. */
export type Operand = { readonly input: number } | { readonly step: number };

/** An if that depends on too many variables to have a column for each binding. */
export interface StretchStep {
  readonly mask: Operand;
  readonly then: Operand;
  readonly otherwise: Operand;
}

/** How a tree's decisions follow from columns that depend on few variables each. */
export interface StretchPlan {
  readonly inputs: readonly StretchInput[];
  /** Per input the group it belongs to: one whose variables contain its own. */
  readonly groupOf: readonly number[];
  readonly groups: readonly Key[];
  /** Each after those it uses. */
  readonly steps: readonly StretchStep[];
  readonly answer: Operand;
}

/** A block is an input where it has at most this share of the tree's bindings. */
const FEW = 0.5;

/** Null where the tree may hold several tickers at the same time, or has no variable. */
export function stretchPlan({ root }: Plan): StretchPlan | null {
  if (!isWhole(root) || root.key.variables.length === 0) return null;
  const inputs: StretchInput[] = [];
  const steps: StretchStep[] = [];
  const input = (kind: 'mask' | 'codes', block: BlockPlan): Operand => {
    if (kind === 'codes') inputs.push({ kind, block, key: block.key });
    else inputs.push({ kind, block: block as IfPlan, key: (block as IfPlan).conditionKey });
    return { input: inputs.length - 1 };
  };
  const visit = (block: BlockPlan): Operand => {
    if (block.kind !== 'if' || block.key.size <= FEW * root.key.size) return input('codes', block);
    const step = {
      mask: input('mask', block),
      then: visit(block.then),
      otherwise: visit(block.otherwise),
    };
    steps.push(step);
    return { step: steps.length - 1 };
  };
  const answer = visit(root);
  const groups = largestKeys(inputs.map(({ key }) => key));
  const groupOf = inputs.map(({ key }) => groups.findIndex((group) => contains(group, key)));
  return { inputs, groupOf, groups, steps, answer };
}

/** The keys whose variables are in no other one. */
function largestKeys(keys: readonly Key[]): Key[] {
  const largest: Key[] = [];
  const bySize = [...keys].sort((a, b) => b.variables.length - a.variables.length);
  for (const key of bySize) if (!largest.some((other) => contains(other, key))) largest.push(key);
  return largest;
}

function contains(outer: Key, inner: Key): boolean {
  return inner.variables.every((variable) => outer.variables.includes(variable));
}
