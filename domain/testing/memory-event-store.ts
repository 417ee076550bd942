import type { NewEvent, RecordedEvent } from '../src/kernel/event.ts';
import {
  type AppendResult,
  type EventReference,
  type EventStore,
  type ExpectedRevision,
  WrongExpectedRevisionError,
} from '../src/ports/event-store.ts';

/** A log in memory, for tests of what stands above the port; reads and appends take turns as real ones do. */
export class MemoryEventStore implements EventStore {
  readonly events: RecordedEvent[] = [];

  async append(
    stream: string,
    events: readonly NewEvent[],
    expected: ExpectedRevision,
  ): Promise<AppendResult> {
    await Promise.resolve();
    const own = this.events.filter((event) => event.stream === stream);
    const from = expected === 'any' ? own.length : expected === 'noStream' ? 0 : expected + 1;
    const there = own.slice(from, from + events.length);
    if (there.length === events.length && there.every((event, index) => event.id === events[index]?.id)) {
      const last = there.at(-1);
      return { revision: last?.revision ?? -1, position: last?.position ?? -1n };
    }
    if (from !== own.length) throw new WrongExpectedRevisionError(stream, expected, own.length - 1);
    for (const [index, event] of events.entries())
      this.events.push({
        ...structuredClone(event),
        stream,
        revision: own.length + index,
        position: BigInt(this.events.length),
      });
    return { revision: own.length + events.length - 1, position: BigInt(this.events.length - 1) };
  }

  async *readStream(
    stream: string,
    options: { fromRevision?: number; maxCount?: number; direction?: 'forwards' | 'backwards' } = {},
  ): AsyncGenerator<RecordedEvent> {
    await Promise.resolve();
    const isBackwards = options.direction === 'backwards';
    const own = this.events.filter((event) => event.stream === stream);
    const from = options.fromRevision ?? (isBackwards ? own.length - 1 : 0);
    const part = isBackwards ? own.slice(0, from + 1).reverse() : own.slice(from);
    yield* part.slice(0, options.maxCount);
  }

  async *readAll(after: bigint): AsyncGenerator<RecordedEvent> {
    await Promise.resolve();
    yield* this.events.filter(({ position }) => position > after);
  }

  // biome-ignore lint/correctness/useYield: nothing in `domain` follows the log.
  async *subscribe(): AsyncGenerator<never> {
    throw new Error('A log in memory has no subscriptions');
  }

  async head(): Promise<bigint> {
    return BigInt(this.events.length) - 1n;
  }

  async last(): Promise<EventReference | null> {
    const event = this.events.at(-1);
    return event ? { stream: event.stream, revision: event.revision, id: event.id } : null;
  }

  async reaches(position: bigint, reference: EventReference | null): Promise<boolean> {
    const isThere = (event: RecordedEvent) =>
      event.stream === reference?.stream &&
      event.revision === reference.revision &&
      event.id === reference.id;
    return (await this.head()) >= position && (reference === null || this.events.some(isThere));
  }

  async close(): Promise<void> {}
}
