import { BEFORE_FIRST, type EventStore } from '@quantloom/domain/ports/event-store';
import { EventChain } from './event-chain.ts';

export interface LogHead {
  /** Of the last event, as decimal text. */
  readonly position: string;
  /** SHA-256 of the whole log up to that event, lower-case hex: every change, removal or insertion changes it. */
  readonly hash: string;
}

/**
 * The end of the log as it is now, null for an empty one. Where the store keeps the chain (the data folder),
 * the last event tells it; of another one (EventStoreDB) the whole log is read.
 */
export async function logHead(eventStore: EventStore): Promise<LogHead | null> {
  const head = await eventStore.head();
  if (head === BEFORE_FIRST) return null;
  for await (const first of eventStore.readAll(BEFORE_FIRST, { maxCount: 1 })) {
    if (first.link === undefined) break;
    for await (const { link, position } of eventStore.readAll(head - 1n, { maxCount: 1 }))
      if (link !== undefined) return { position: String(position), hash: link };
  }
  const chain = new EventChain();
  let position = BEFORE_FIRST;
  for await (const event of eventStore.readAll(BEFORE_FIRST)) {
    chain.next(event);
    position = event.position;
  }
  return { position: String(position), hash: chain.last };
}
