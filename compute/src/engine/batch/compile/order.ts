import type { FactoredPlan } from './factored-plan.ts';
import type { Plan } from './plan.ts';
import { conditionsIn } from './plan-facts.ts';

/**
 * Variables from the slowest to the fastest: the one that the fewest blocks depend on varies fastest, so that
 * the least has to be evaluated anew. Equal ones keep the order of the template.
 */
export function evaluationOrder({ blocks }: Plan, variables: number): number[] {
  const touched = new Float64Array(variables);
  for (const block of blocks) {
    const keys = block.kind === 'if' ? [block.key, block.conditionKey] : [block.key];
    for (const key of keys) for (const v of key.variables) touched[v] = (touched[v] as number) + 1;
    if (block.kind !== 'if') continue;
    for (const { key } of conditionsIn(block.conditions)) {
      for (const v of key.variables) touched[v] = (touched[v] as number) + 1;
    }
  }
  return Array.from(touched.keys()).sort((a, b) => (touched[b] as number) - (touched[a] as number) || a - b);
}

/**
 * Variables of the conditions, then of the outer, then of the inner branch: groups and runs of variants as
 * `FactoredRunner` wants them.
 */
export function factoredOrder({ root, isThenOuter }: FactoredPlan, variables: number): number[] {
  const [outer, inner] = isThenOuter ? [root.then, root.otherwise] : [root.otherwise, root.then];
  const all = [root.conditionKey, outer.key, inner.key].flatMap(({ variables }) => variables);
  const order = [...new Set([...all, ...Array.from({ length: variables }, (_, i) => i)])];
  // Groups are told apart by the conditions anyway: where the branches' variables stand in the template's
  // order, that order does.
  const inBranches = order.filter((variable) => !root.conditionKey.variables.includes(variable));
  const isInOrder = inBranches.every((variable, i) => i === 0 || variable > (inBranches[i - 1] as number));
  return isInOrder ? order.sort((a, b) => a - b) : order;
}

/** The combinations `from .. from + count - 1`, sorted so that the last variable of `order` varies fastest. */
export function combinationOrder(
  from: number,
  count: number,
  radices: readonly number[],
  order: readonly number[],
): Float64Array {
  const sorted = new Float64Array(count);
  if (order.every((variable, i) => variable === i)) {
    for (let i = 0; i < count; i++) sorted[i] = from + i;
    return sorted;
  }
  const multipliers = new Float64Array(radices.length);
  let size = 1;
  for (let i = order.length - 1; i >= 0; i--) {
    const variable = order[i] as number;
    multipliers[variable] = size;
    size *= radices[variable] as number;
  }
  const ranks = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    let rest = from + i;
    let rank = 0;
    for (let v = radices.length - 1; v >= 0; v--) {
      const radix = radices[v] as number;
      rank += (rest % radix) * (multipliers[v] as number);
      rest = Math.floor(rest / radix);
    }
    ranks[i] = rank;
  }
  if (size * count < Number.MAX_SAFE_INTEGER) {
    // Rank and position in one number: a typed array sorts without calling back.
    for (let i = 0; i < count; i++) sorted[i] = (ranks[i] as number) * count + i;
    sorted.sort();
    for (let i = 0; i < count; i++) sorted[i] = from + ((sorted[i] as number) % count);
    return sorted;
  }
  for (let i = 0; i < count; i++) sorted[i] = i;
  sorted.sort((a, b) => (ranks[a] as number) - (ranks[b] as number));
  for (let i = 0; i < count; i++) sorted[i] = from + (sorted[i] as number);
  return sorted;
}
