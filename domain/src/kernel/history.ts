import type { EventStore } from '../ports/event-store.ts';
import type { DomainEvent, EventMetadata, RecordedEvent } from './event.ts';
import { eventCatalogue, upcast } from './event-type.ts';
import { type StreamKind, streamName } from './handle-command.ts';

export interface HistoryChange {
  readonly kind: 'added' | 'removed' | 'moved' | 'changed';
  /** A sentence for people. */
  readonly text: string;
  /** The block that it is about, where it is about one. */
  readonly nodeId?: string;
}

/** How the events of one kind of stream are told to people. */
export interface HistoryRules<Event extends DomainEvent, Content extends object, Pair = never> {
  /** What of the thing's content an event carries. */
  readonly contentOf: (event: Event) => Partial<Content>;
  /** The fields that `describe` compares with. */
  readonly fields: readonly (keyof Content)[];
  /** `before` null: the thing began with this event. */
  readonly describe: (
    event: Event,
    before: Content | null,
  ) => {
    readonly summary: string;
    readonly changes: readonly HistoryChange[];
    /** Contents whose differences come on top, where finding them takes more than the events. */
    readonly compare?: Pair;
  };
}

export interface HistoryEntry<Pair = never> {
  readonly revision: number;
  readonly eventId: string;
  readonly type: string;
  readonly metadata: EventMetadata;
  readonly summary: string;
  readonly changes: readonly HistoryChange[];
  readonly compare?: Pair;
}

export interface HistoryPage<Pair = never> {
  /** The newest first. */
  readonly entries: readonly HistoryEntry<Pair>[];
  /** `before` of the next page; null: this was the last one. */
  readonly next: number | null;
}

/**
 * A page of a thing's history, read from its stream backwards: never more than the page and what its oldest
 * entry is compared with.
 *
 * @param before only revisions below this one; default: all
 * @param breath lets others come first, between two entries: comparing large contents takes a while, and a
 *   page has a hundred entries
 */
export async function readHistory<
  Command,
  State,
  Event extends DomainEvent,
  Content extends object,
  Pair = never,
>(
  eventStore: EventStore,
  kind: StreamKind<Command, State, Event>,
  id: string,
  rules: HistoryRules<Event, Content, Pair>,
  { before, limit, breath }: { before?: number; limit: number; breath?: () => Promise<void> },
): Promise<HistoryPage<Pair>> {
  const catalogue = eventCatalogue(kind.events);
  const shown: RecordedEvent<Event>[] = [];
  /** Of every shown event, what is still unknown about the content before it. */
  const contents: Partial<Content>[] = [];
  let next: number | null = null;
  for await (const recorded of backwards(eventStore, streamName(kind, id), before, limit + 1)) {
    const event = upcast(catalogue, recorded) as unknown as RecordedEvent<Event>;
    const content = rules.contentOf(event as unknown as Event);
    for (const earlier of contents)
      for (const field of rules.fields)
        if (earlier[field] === undefined && content[field] !== undefined) earlier[field] = content[field];
    if (shown.length < limit) {
      shown.push(event);
      contents.push({});
    } else {
      next ??= shown.at(-1)?.revision ?? null;
      if (rules.fields.every((field) => contents.every((earlier) => earlier[field] !== undefined))) break;
    }
  }
  const entries: HistoryEntry<Pair>[] = [];
  for (const [index, event] of shown.entries()) {
    const { revision, id: eventId, type, metadata } = event;
    const known = revision === 0 ? null : (contents[index] as Content);
    entries.push({ revision, eventId, type, metadata, ...rules.describe(event as unknown as Event, known) });
    await breath?.();
  }
  return { entries, next };
}

/**
 * Reads of a stream backwards grow up to this many events: what is looked for may lie far back, and a store
 * lets others come first within a long read, not between short ones.
 */
const LARGEST_READ = 5_000;

/** A stream from `before - 1` down, in reads of `size` at first. */
async function* backwards(
  eventStore: EventStore,
  stream: string,
  before: number | undefined,
  size: number,
): AsyncGenerator<RecordedEvent> {
  let from = before === undefined ? undefined : before - 1;
  for (let count = size; from === undefined || from >= 0; count = Math.min(4 * count, LARGEST_READ)) {
    let last: number | null = null;
    const options = {
      direction: 'backwards',
      maxCount: count,
      ...(from !== undefined && { fromRevision: from }),
    } as const;
    for await (const event of eventStore.readStream(stream, options)) {
      yield event;
      last = event.revision;
    }
    if (last === null) return;
    from = last - 1;
  }
}

/** Events that are read at once on the way back to a content: most often the first one has it. */
const STEP = 10;

/**
 * The content of a thing as a revision left it, or null where there is no such revision. Read backwards:
 * never more than what says the fields of `rules`, however long the stream is.
 */
export async function contentAt<Command, State, Event extends DomainEvent, Content extends object, Pair>(
  eventStore: EventStore,
  kind: StreamKind<Command, State, Event>,
  id: string,
  rules: Pick<HistoryRules<Event, Content, Pair>, 'contentOf' | 'fields'>,
  revision: number,
): Promise<Content | null> {
  const catalogue = eventCatalogue(kind.events);
  let found: Partial<Content> = {};
  let isFirst = true;
  for await (const recorded of backwards(eventStore, streamName(kind, id), revision + 1, STEP)) {
    if (isFirst && recorded.revision !== revision) return null;
    isFirst = false;
    const event = upcast(catalogue, recorded) as unknown as RecordedEvent<Event>;
    found = { ...rules.contentOf(event as unknown as Event), ...found };
    if (rules.fields.every((field) => found[field] !== undefined)) return found as Content;
  }
  return null;
}

/**
 * A thing as a revision left it, or null where there is no such revision. Reads all that came before:
 * `contentAt` does not.
 */
export async function stateAt<Command, State, Event extends DomainEvent>(
  eventStore: EventStore,
  kind: StreamKind<Command, State, Event>,
  id: string,
  revision: number,
): Promise<{ readonly state: State; readonly event: RecordedEvent<Event> } | null> {
  const catalogue = eventCatalogue(kind.events);
  let state = kind.decider.initialState;
  const options = { maxCount: revision + 1 };
  for await (const recorded of eventStore.readStream(streamName(kind, id), options)) {
    const event = upcast(catalogue, recorded) as unknown as RecordedEvent<Event>;
    state = kind.decider.evolve(state, event as unknown as Event);
    if (event.revision === revision) return { state, event };
  }
  return null;
}
