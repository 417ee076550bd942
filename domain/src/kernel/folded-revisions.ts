import type { EventStore } from '../ports/event-store.ts';
import type { DomainEvent, RecordedEvent } from './event.ts';
import { eventCatalogue, upcast } from './event-type.ts';
import { type StreamKind, streamName } from './handle-command.ts';
import { StateCache } from './state-cache.ts';

/** A state is kept after so many events. */
const EVERY = 500;
/** Places at which a kept state is looked for: of a stream of a hundred thousand events. */
const MOST_LOOKS = 200;

/**
 * Things as earlier revisions left them, folded from the nearest state that is kept: whoever looks through
 * what a thing of ten thousand edits was, reads its stream from the start once. What a revision left never
 * changes, so that what is kept is never out of date.
 */
export class FoldedRevisions<Command, State, Event extends DomainEvent> {
  readonly #kind: StreamKind<Command, State, Event>;
  readonly #kept: StateCache;

  /** @param capacity states that are kept */
  constructor(kind: StreamKind<Command, State, Event>, capacity = 256) {
    this.#kind = kind;
    this.#kept = new StateCache(capacity);
  }

  /** How many events are read to find what a revision left. */
  distance(id: string, revision: number): number {
    return revision - (this.#nearest(streamName(this.#kind, id), revision)?.revision ?? -1);
  }

  /** A thing as a revision left it, or null where there is no such revision. */
  async at(
    eventStore: Pick<EventStore, 'readStream'>,
    id: string,
    revision: number,
  ): Promise<{ readonly state: State; readonly event: RecordedEvent<Event> } | null> {
    const stream = streamName(this.#kind, id);
    const catalogue = eventCatalogue(this.#kind.events);
    const known = this.#nearest(stream, revision);
    let state = known?.state ?? this.#kind.decider.initialState;
    const fromRevision = (known?.revision ?? -1) + 1;
    const options = { fromRevision, maxCount: revision + 1 - fromRevision };
    for await (const recorded of eventStore.readStream(stream, options)) {
      const event = upcast(catalogue, recorded) as unknown as RecordedEvent<Event>;
      state = this.#kind.decider.evolve(state, event as unknown as Event);
      if ((event.revision + 1) % EVERY === 0) this.#keep(stream, state, event);
      if (event.revision === revision) return { state, event };
    }
    return null;
  }

  #keep(stream: string, state: State, { revision, position }: RecordedEvent): void {
    this.#kept.set(placeOf(stream, revision + 1), { state, revision, position, commandIds: new Set() });
  }

  /** Before the revision, whose event is a part of the answer. */
  #nearest(stream: string, revision: number) {
    let events = Math.floor(revision / EVERY) * EVERY;
    // Anybody may ask for a revision that is far beyond all there are.
    for (let looks = 0; events > 0 && looks < MOST_LOOKS; looks += 1, events -= EVERY) {
      const known = this.#kept.get<State>(placeOf(stream, events));
      if (known) return known;
    }
    return undefined;
  }
}

const placeOf = (stream: string, events: number): string => `${stream} after ${events}`;
