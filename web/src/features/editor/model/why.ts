import type { BacktestAnswer } from '@quantloom/domain/contracts/backtest';
import type { Fill } from '@quantloom/domain/strategy/run-settings';
import type { Algorithm, ConditionNode, IfThenElseNode } from '@quantloom/domain/strategy/tree';
import { nodesOf } from '@quantloom/domain/strategy/tree-walk';
import { formatAllocation, formatIndicator } from '../../../lib/format.ts';

/** One condition on one day: its two values, how far it was from turning, and whether it held. */
export interface ConditionOnDay {
  readonly condition: ConditionNode;
  readonly parent: IfThenElseNode;
  readonly left: number;
  readonly right: number;
  readonly holds: boolean;
}

/**
 * The day whose decision was traded on a day: the day itself, or the one before where orders are filled at
 * the next close. On the first day that is -1: nothing was decided before it.
 */
export function decisionOf(day: number, fill: Fill): number {
  return fill === 'next-close' ? day - 1 : day;
}

/** What a day's decision asks for, ticker by ticker in percent, the largest first. */
export function targetsOnDay(
  algorithm: Algorithm,
  { explanation }: BacktestAnswer,
  day: number,
): readonly { readonly ticker: string; readonly percent: number }[] {
  const targets = new Map<string, number>();
  for (const { node } of nodesOf(algorithm)) {
    const share = explanation?.shares[node.id]?.[day] ?? 0;
    if (node.node_type !== 'asset' || share <= 0) continue;
    const ticker = node.ticker.toUpperCase();
    targets.set(ticker, (targets.get(ticker) ?? 0) + 100 * share);
  }
  return Array.from(targets, ([ticker, percent]) => ({ ticker, percent })).sort(
    (a, b) => b.percent - a.percent,
  );
}

/**
 * Ids of the nodes that had a share of the portfolio on a day: the path through the tree that gave that day's
 * weights.
 */
export function pathOnDay({ explanation }: BacktestAnswer, day: number): ReadonlySet<string> {
  const shares = Object.entries(explanation?.shares ?? {});
  return new Set(shares.filter(([, byDay]) => (byDay[day] ?? 0) > 0).map(([id]) => id));
}

/**
 * What a day found at each line of the tree, for reading beside it: a block's share of the whole portfolio, a
 * condition's two values and whether it held. Blocks that had no part in the day have none.
 */
export function reasonsOnDay({ explanation }: BacktestAnswer, day: number): ReadonlyMap<string, string> {
  const reasons = new Map<string, string>();
  if (!explanation) return reasons;
  for (const [id, byDay] of Object.entries(explanation.shares)) {
    const share = byDay[day] ?? 0;
    if (share > 0) reasons.set(id, formatAllocation(100 * share));
  }
  for (const [id, { lhs, rhs, holds }] of Object.entries(explanation.conditions)) {
    const [left, right] = [lhs[day], rhs[day]];
    if (left === undefined || right === undefined) continue;
    reasons.set(
      id,
      `${formatIndicator(left)} against ${formatIndicator(right)}: ${holds[day] ? 'held' : 'did not hold'}`,
    );
  }
  return reasons;
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
  /** The if around each group of conditions: it is the one that has a share. */
  const owners = new Map<string, IfThenElseNode>();
  for (const { node, parent: direct } of nodesOf(algorithm)) {
    const parent = direct?.node_type === 'if-then-else' ? direct : owners.get(direct?.id ?? '');
    if (parent && node.node_type === 'condition-group') owners.set(node.id, parent);
    if (node.node_type !== 'condition' || !parent) continue;
    const values = explanation.conditions[node.id];
    const left = values?.lhs[day];
    const right = values?.rhs[day];
    if (!values || left === undefined || right === undefined) continue;
    if ((explanation.shares[parent.id]?.[day] ?? 0) <= 0) continue;
    found.push({ condition: node, parent, left, right, holds: values.holds[day] ?? false });
  }
  return found;
}
