import type { BacktestAnswer } from '@quantloom/domain/contracts/backtest';
import type { Algorithm, ConditionNode, IfThenElseNode } from '@quantloom/domain/strategy/tree';
import { nodesOf } from '@quantloom/domain/strategy/tree-walk';

/** One condition on one day: its two values, how far it was from turning, and whether it held. */
export interface ConditionOnDay {
  readonly condition: ConditionNode;
  readonly parent: IfThenElseNode;
  readonly left: number;
  readonly right: number;
  readonly holds: boolean;
}

/** Ids of the nodes that had a share of the portfolio on a day: the path through the tree that gave that day's weights. */
export function pathOnDay(algorithm: Algorithm, answer: BacktestAnswer, day: number): ReadonlySet<string> {
  const shares = answer.explanation?.shares;
  if (!shares) return new Set();
  const path = new Set<string>();
  for (const { node } of nodesOf(algorithm)) if ((shares[node.id]?.[day] ?? 0) > 0) path.add(node.id);
  return path;
}

/** The conditions that were asked on a day (those of ifs with a share), in reading order. */
export function conditionsOnDay(
  algorithm: Algorithm,
  answer: BacktestAnswer,
  day: number,
): readonly ConditionOnDay[] {
  const { explanation } = answer;
  if (!explanation) return [];
  const found: ConditionOnDay[] = [];
  for (const { node, parent } of nodesOf(algorithm)) {
    if (node.node_type !== 'condition' || parent?.node_type !== 'if-then-else') continue;
    const values = explanation.conditions[node.id];
    const left = values?.lhs[day];
    const right = values?.rhs[day];
    if (!values || left === undefined || right === undefined) continue;
    if ((explanation.shares[parent.id]?.[day] ?? 0) <= 0) continue;
    found.push({ condition: node, parent, left, right, holds: values.holds[day] ?? false });
  }
  return found;
}
