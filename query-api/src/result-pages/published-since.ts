import { streamName } from '@quantloom/domain/kernel/handle-command';
import type { EventStore } from '@quantloom/domain/ports/event-store';
import type { StrategyEvent } from '@quantloom/domain/strategy/events';
import { isSameComputation } from '@quantloom/domain/strategy/same-backtest';
import { type HeldTree, heldTreeOf } from '@quantloom/domain/strategy/stored-tree';
import { strategyStream } from '@quantloom/domain/strategy/strategy';
import type { Algorithm } from '@quantloom/domain/strategy/tree';
import { breath } from '@quantloom/http/breath';
import { textOf } from '@quantloom/http/documents/trees';

/**
 * Large trees that are read to be compared, and small ones; what was saved before the last of them counts as
 * another strategy.
 */
const MOST_READ = 20;
const MOST_COMPARED = 200;
/**
 * Events that are looked at: visitors make this work, and its owner can have any number of them. What is
 * older does not count.
 */
const MOST_EVENTS = 1_000;
/** Characters: larger ones are the same only where they are so to the last, since reading them would hold others up. */
const LARGEST_READ = 65_536;

/**
 * ISO 8601 of the moment from which on everybody could see a strategy that computes what it computes now;
 * undefined where it is not public. Saving it with other names, or folded in another way, is no new strategy.
 *
 * @param now its tree as it is, wherever it is stored
 */
export async function publishedSince(
  eventStore: Pick<EventStore, 'readStream'>,
  strategyId: string,
  now: HeldTree,
): Promise<string | undefined> {
  const isSame = comparison(eventStore as EventStore, now);
  let sameSince: string | undefined;
  let publishedAt: string | undefined;
  const backwards = { direction: 'backwards', maxCount: MOST_EVENTS } as const;
  let isWhole = false;
  for await (const recorded of eventStore.readStream(streamName(strategyStream, strategyId), backwards)) {
    const { type, data } = recorded as unknown as StrategyEvent;
    isWhole = recorded.revision === 0;
    const at = recorded.metadata.recordedAt;
    if (type === 'StrategyVisibilityChanged' && publishedAt === undefined) {
      if (!data.isPublic) return undefined;
      publishedAt = at;
    }
    const isCreation = type === 'StrategyCreated' || type === 'StrategyCloned';
    if (!isCreation && type !== 'StrategySaved' && type !== 'StrategyRestored') continue;
    if (!(await isSame(heldTreeOf(data)))) return sameSince;
    if (publishedAt !== undefined) return publishedAt;
    sameSince = at;
    if (isCreation) return data.isPublic ? at : undefined;
  }
  // The oldest save that was looked at computes the same, and everybody could see it then.
  return isWhole ? undefined : sameSince;
}

/** Tells whether a tree of the past computes the same; one that was seen already is not read again. */
function comparison(eventStore: EventStore, now: HeldTree): (held: HeldTree) => Promise<boolean> {
  const known = new Map<string, boolean>();
  const read = async (held: HeldTree) =>
    held.algorithm ?? (JSON.parse(await textOf(eventStore, held)) as Algorithm);
  let current: Promise<Algorithm> | undefined;
  let compared = 0;
  return async (held) => {
    if (held.tree && held.tree.hash === now.tree?.hash) return true;
    if (Math.max(held.tree?.size ?? 0, now.tree?.size ?? 0) > LARGEST_READ) return false;
    const seen = held.tree && known.get(held.tree.hash);
    if (seen !== undefined) return seen;
    if (known.size >= MOST_READ || compared >= MOST_COMPARED) return false;
    if (!held.tree) compared += 1;
    current ??= read(now);
    await breath();
    const found = isSameComputation(await read(held), await current);
    if (held.tree) known.set(held.tree.hash, found);
    return found;
  };
}
