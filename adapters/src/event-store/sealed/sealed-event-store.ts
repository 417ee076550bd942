import type { RecordedEvent } from '@quantloom/domain/kernel/event';
import type { EventStore } from '@quantloom/domain/ports/event-store';
import type { PersonKeys } from '@quantloom/domain/ports/person-keys';
import { openEvent, sealEvent } from './sealing.ts';

/**
 * A log that keeps personal data under a key for each person. Everything that works with events uses this
 * one; what looks after the log itself (its chain, its copies) uses the log inside: links are of events as
 * they are written.
 */
export function openSealedEventStore(log: EventStore, keys: PersonKeys): EventStore {
  async function* opened(events: AsyncIterable<RecordedEvent>): AsyncGenerator<RecordedEvent> {
    for await (const event of events) yield await openEvent(keys, event);
  }
  return {
    append: async (stream, events, expected) =>
      await log.append(
        stream,
        await Promise.all(events.map((event) => sealEvent(keys, stream, event))),
        expected,
      ),
    readStream: (stream, options) => opened(log.readStream(stream, options)),
    readAll: (after, options) => opened(log.readAll(after, options)),
    async *subscribe(after, options) {
      for await (const batch of log.subscribe(after, options)) {
        const events: RecordedEvent[] = [];
        for (const event of batch.events) events.push(await openEvent(keys, event));
        yield { ...batch, events };
      }
    },
    head: () => log.head(),
    last: () => log.last(),
    reaches: (position, event) => log.reaches(position, event),
    close: () => log.close(),
  };
}
