import type { RecordedEvent } from '@quantloom/domain/kernel/event';
import { BEFORE_FIRST, type EventStore } from '@quantloom/domain/ports/event-store';
import type { PersonKeys } from '@quantloom/domain/ports/person-keys';
import { importLog } from '@quantloom/projectors/log/import-log';
import { type LogHead, logHead } from '@quantloom/projectors/log/log-head';
import type { LogLine } from '@quantloom/projectors/log/log-lines';

/** What was moved cannot be told from what stands at the target; the message says what differs and what to do. */
export class MigrationError extends Error {
  readonly code = 'migration';
}

/** Keys handed over in one call. */
const KEYS_AT_ONCE = 1_000;

/** Copies the keys of personal data; those that are there stay. */
export async function copyKeys(source: PersonKeys, target: PersonKeys): Promise<number> {
  let count = 0;
  let some = [];
  for await (const key of source.all()) {
    some.push(key);
    count += 1;
    if (some.length < KEYS_AT_ONCE) continue;
    await target.add(some);
    some = [];
  }
  if (some.length > 0) await target.add(some);
  return count;
}

async function* linesOf(events: AsyncIterable<RecordedEvent>): AsyncGenerator<LogLine> {
  yield* events;
}

/**
 * Copies a log as it is written, event by event, and compares the hashes of both as a whole. What is there
 * already stays, so that a copy that broke off goes on where it was.
 *
 * @param appends appends to the target in the order of the calls, many of which are under way at a time
 */
export async function copyLog(
  source: EventStore,
  target: EventStore,
  appends: Pick<EventStore, 'append'>,
  onProgress: (events: number) => void,
): Promise<{ readonly events: number; readonly head: LogHead | null }> {
  const end = await target.last();
  const { events } = await importLog(appends, linesOf(source.readAll(BEFORE_FIRST)), { onProgress, end });
  const [before, after] = [await logHead(source), await logHead(target)];
  if (before?.hash !== after?.hash)
    throw new MigrationError(
      `The log at EVENTSTORE_URL has the hash ${after?.hash ?? 'of an empty one'}, this one ` +
        `${before?.hash ?? 'of an empty one'}: it holds events of something else, or a copy broke ` +
        'off and events changed places. Take an empty server',
    );
  return { events, head: after };
}
