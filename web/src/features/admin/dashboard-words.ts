import type { getAdminDashboard } from '@quantloom/domain/contracts/http/calls';
import type { AnswerOf } from '@quantloom/domain/contracts/http/route';
import { formatCount, plural } from '../../lib/format.ts';

type Dashboard = Pick<AnswerOf<typeof getAdminDashboard>, 'nodes' | 'batches'>;

/** What the number of compute nodes means: none is well as long as there is nothing to compute. */
export function nodesWords({ nodes, batches }: Dashboard): string {
  if (nodes.length > 0)
    return `${formatCount(nodes.reduce((sum, { rate }) => sum + rate, 0))} backtests a second`;
  const waiting = batches.queued + batches.running;
  return waiting === 0
    ? 'All well: a node shows itself while it computes, and nothing waits.'
    : `Not well if it stays: ${plural(waiting, 'batch waits', 'batches wait')} and no node has given ` +
        'a sign of life for a minute.';
}

/** What the number of parked events means. */
export function parkedWords(count: number): string {
  return count === 0
    ? 'All well: every event was applied.'
    : 'Not well: lists lack what these say. Look at the reasons, then replay them.';
}
