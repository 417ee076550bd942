import type { EventStore } from '@quantloom/domain/ports/event-store';
import { type TreeStored, treeStreamOf } from '@quantloom/domain/strategy/stored-tree';
import { LRUCache } from 'lru-cache';

/** Room for ten of the largest strategies. */
const KEPT_BYTES = 32 * 2 ** 20;
const KEPT_MS = 60_000;

/** By the log that they were read from. */
const kept = new WeakMap<EventStore, LRUCache<string, Buffer>>();

/**
 * JSON of a stored tree in UTF-8. Those that were asked for in the last minute are kept: to read three
 * megabytes out of the log takes the thread that serves everybody eight milliseconds, and whoever copies a
 * strategy or opens it asks for the same again. A tree's name is the hash of its text, so that what is kept
 * is never out of date.
 *
 * @returns shared bytes, which nobody may change
 * @throws Error where the log does not hold the tree, which no command leaves
 */
export async function bytesOfTree(eventStore: EventStore, hash: string): Promise<Buffer> {
  const ofLog = kept.get(eventStore) ?? newKept(eventStore);
  const known = ofLog.get(hash);
  if (known) return known;
  for await (const { data } of eventStore.readStream(treeStreamOf(hash), { maxCount: 1 })) {
    const bytes = Buffer.from((data as TreeStored['data']).text);
    ofLog.set(hash, bytes);
    return bytes;
  }
  throw new Error(`The tree ${hash} is not in the log`);
}

function newKept(eventStore: EventStore): LRUCache<string, Buffer> {
  const made = new LRUCache<string, Buffer>({
    maxSize: KEPT_BYTES,
    sizeCalculation: (bytes) => bytes.length,
    ttl: KEPT_MS,
  });
  kept.set(eventStore, made);
  return made;
}
