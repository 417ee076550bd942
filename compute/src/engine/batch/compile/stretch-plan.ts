import { isWhole } from './factored-plan.ts';
import type { BlockPlan, IfPlan, Plan } from './plan.ts';
import type { Key } from './variables.ts';

/** A column that decisions follow from: the mask of an if, or what a block holds whole. */
export type StretchInput = {
  readonly key: Key;
  /**
   * Ifs on the way to it that depend on no other variables: on days on which they lead elsewhere its content
   * does not matter.
   */
  readonly path: readonly Turn[];
} & (
  | { readonly kind: 'mask'; readonly block: IfPlan }
  | { readonly kind: 'codes'; readonly block: BlockPlan }
);

/** The branch of an if. */
export interface Turn {
  readonly block: IfPlan;
  readonly isThen: boolean;
}

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
  const input = (one: StretchInput): Operand => {
    const path = one.path.filter(({ block }) => contains(one.key, block.conditionKey));
    return { input: inputs.push({ ...one, path }) - 1 };
  };
  const visit = (block: BlockPlan, path: readonly Turn[]): Operand => {
    if (block.kind !== 'if' || block.key.size <= FEW * root.key.size) {
      return input({ kind: 'codes', block, key: block.key, path });
    }
    const mask = input({ kind: 'mask', block, key: block.conditionKey, path });
    const then = visit(block.then, [...path, { block, isThen: true }]);
    const otherwise = visit(block.otherwise, [...path, { block, isThen: false }]);
    return { step: steps.push({ mask, then, otherwise }) - 1 };
  };
  const answer = visit(root, []);
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
