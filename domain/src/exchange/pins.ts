import type { Algorithm, GroupNode, StrategySource } from '../strategy/tree.ts';
import { nodesOf } from '../strategy/tree-walk.ts';
import { type FidelityReport, ReportWriter } from './fidelity-report.ts';

/** Tells that a saved strategy in a strategy leaves as a plain group: no other text says which one it was. */
export function tellPin(
  report: ReportWriter,
  { id, name }: Pick<GroupNode, 'id' | 'name'>,
  { revision }: StrategySource,
  path: string,
): void {
  const said = `${name.trim() === '' ? 'a saved strategy' : `the saved strategy ${name}`}, revision ${revision}`;
  const effect = 'None on what it holds: it no longer follows that strategy';
  report.add('lost', path, said, 'a group with the same blocks', effect, id);
}

/**
 * What the text language does not say of a strategy: which of its groups are saved strategies. Null where the
 * text says all.
 */
export function textLosses(algorithm: Algorithm): FidelityReport | null {
  const report = new ReportWriter();
  let isWhole = true;
  for (const { node } of nodesOf(algorithm)) {
    report.read();
    if (node.node_type !== 'group' || !node.source) continue;
    isWhole = false;
    tellPin(report, node, node.source, '');
  }
  return isWhole ? null : report.report('text');
}
