import { contentAt } from '@quantloom/domain/kernel/history';
import { type StrategyHistoryContent, strategyHistory } from '@quantloom/domain/strategy/history';
import { strategyStream } from '@quantloom/domain/strategy/strategy';
import type { ReadDeps } from './deps.ts';

/** A strategy's name and tree as they were at a revision; null where there is no such revision. */
export async function treeAt(
  { eventStore }: Pick<ReadDeps, 'eventStore'>,
  strategyId: string,
  revision: number,
): Promise<StrategyHistoryContent | null> {
  return await contentAt(eventStore, strategyStream, strategyId, strategyHistory, revision);
}
