import { stateAt } from '@quantloom/domain/kernel/history';
import { type HeldTree, heldTreeOf } from '@quantloom/domain/strategy/stored-tree';
import { strategyStream } from '@quantloom/domain/strategy/strategy';
import type { ReadDeps } from './deps.ts';

/** A strategy's name and tree as they were at a revision; null where there is no such revision, or where it was deleted then. */
export async function treeAt(
  { eventStore }: Pick<ReadDeps, 'eventStore'>,
  strategyId: string,
  revision: number,
): Promise<{ readonly name: string; readonly held: HeldTree } | null> {
  const then = await stateAt(eventStore, strategyStream, strategyId, revision);
  if (!then || then.state.status === 'none') return null;
  return { name: then.state.name, held: heldTreeOf(then.state) };
}
