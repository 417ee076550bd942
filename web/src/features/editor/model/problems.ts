import type { Problem } from '@quantloom/domain/kernel/refusal';
import { weightSum } from '@quantloom/domain/strategy/edit';
import type { Algorithm } from '@quantloom/domain/strategy/tree';
import { nodesOf } from '@quantloom/domain/strategy/tree-walk';
import { validateAlgorithm } from '@quantloom/domain/strategy/validation';

/** The sentence of a specified-weight block whose children do not sum to 100 %. */
export const WEIGHT_SUM_WARNING = 'The specified weights must add up to 100% for this block';

/** What keeps a strategy from running, in the order of the tree. An untouched new strategy has none: it only waits to be filled. */
export function problemsOf(
  algorithm: Algorithm,
  isKnownTicker?: (ticker: string) => boolean,
): readonly Problem[] {
  const nodes = [...nodesOf(algorithm)].map(({ node }) => node);
  const isUntouched = nodes.every(({ node_type }) =>
    ['root', 'empty', 'wt-cash-equal', 'group'].includes(node_type),
  );
  if (isUntouched) return [];
  const sums = nodes
    .filter((node) => node.node_type === 'wt-cash-specified')
    .filter(({ children }) => !hasVariableWeight(children))
    .map((node) => ({ nodeId: node.id, sum: weightSum(node) }))
    .filter(({ sum }) => sum !== 100)
    .map(
      ({ nodeId, sum }): Problem => ({
        code: sum > 100 ? 'weights_above_100' : 'weights_not_100',
        message: WEIGHT_SUM_WARNING,
        nodeId,
      }),
    );
  const faults = validateAlgorithm(algorithm, isKnownTicker ? { isKnownTicker } : {});
  return [...faults.filter(({ code }) => code !== 'weights_above_100'), ...sums];
}

function hasVariableWeight(children: readonly { readonly weight: { readonly num: unknown } }[]): boolean {
  return children.some(({ weight }) => typeof weight.num === 'string' && weight.num.startsWith('$'));
}

/** Faults that the engine refuses; weights below 100 % only leave the rest in cash. */
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
