import {
  BEFORE_FIRST,
  type EventStore,
  isWrongExpectedRevision,
  type Position,
} from '../ports/event-store.ts';
import type { Decider } from './decider.ts';
import type { Actor, DomainEvent, NewEvent, RecordedEvent } from './event.ts';
import { type EventCatalogue, type EventType, eventCatalogue, upcast } from './event-type.ts';
import { eventId } from './ids.ts';
import { isRefusal, type Refusal, refuse } from './refusal.ts';
import type { StateCache } from './state-cache.ts';

/** One kind of stream: its name's first part, its rules and its events. */
export interface StreamKind<Command, State, Event extends DomainEvent> {
  /** camelCase, without a hyphen: `strategy` makes streams `strategy-<id>`. */
  readonly category: string;
  readonly decider: Decider<Command, State, Event>;
  readonly events: readonly EventType[];
}

/** Who asks for what when; everything that a decider may not find out by itself. */
export interface CommandContext {
  /** ULID. The same id means the same command: it is carried out once, and answers the same however often it comes. */
  readonly commandId: string;
  readonly correlationId: string;
  /** Id of the event that caused the command; default: the command itself. */
  readonly causationId?: string;
  readonly actor: Actor;
  /** ISO 8601, UTC. */
  readonly now: string;
  /**
   * The command may be under way twice at the same instant (an idempotency key): the answer is then taken
   * from the log, not from what this attempt wanted to write.
   */
  readonly mayRepeat?: boolean;
  /** Revision that the caller has seen (`If-Match`): another one is refused. */
  readonly expectedRevision?: number;
  /**
   * What must be there before the events are, which refer to it: done when the command is not refused, and
   * before each attempt to append. A refusal ends the command.
   */
  readonly prepare?: (events: readonly NewEvent[]) => Promise<Refusal | null>;
}

export interface CommandResult<State> {
  /** Revision of the stream after the command; -1 where it is still empty. */
  readonly revision: number;
  /** Where in the log the last event of the command stands (of the stream, when the command changed nothing). */
  readonly position: Position;
  readonly state: State;
  /** What the command added; empty when nothing had to change or the command had been carried out before. */
  readonly events: readonly NewEvent[];
  /** True when this command id had been carried out before. */
  readonly isRepetition: boolean;
}

/** A folded stream. */
export interface Folded<State> {
  readonly state: State;
  readonly revision: number;
  readonly position: Position;
}

const ATTEMPTS = 4;

/** The refusal of a caller who edited an older revision than the current one. */
export function wrongRevision(currentRevision: number): Refusal {
  return refuse(
    409,
    'wrong_revision',
    'This has been changed since you opened it. Reload it, or save your version as a copy.',
    { currentRevision },
  );
}

/**
 * Loads a stream, decides and appends with exactly the revision that was read. A concurrent change is met by
 * reading and deciding again (three times), or refused as `wrong_revision` when the caller named the revision
 * it had seen.
 *
 * @param id the part of the stream name after the category; empty where there is only one such stream
 * @returns the refusal of the decider, or what the stream has become
 */
export async function handleCommand<Command, State, Event extends DomainEvent>(
  eventStore: EventStore,
  kind: StreamKind<Command, State, Event>,
  id: string,
  command: Command,
  context: CommandContext,
  cache?: StateCache,
): Promise<CommandResult<State> | Refusal> {
  const stream = streamName(kind, id);
  for (let attempt = 1; ; attempt += 1) {
    const loaded = await load(eventStore, kind, stream, context.commandId, cache);
    if (loaded.earlier) return { ...loaded.earlier, events: [], isRepetition: true };
    const { state, revision, position } = loaded.current;
    const decided = kind.decider.decide(command, state);
    // Who may not see the thing learns nothing about its revision either.
    if (isRefusal(decided) && (decided.status === 404 || decided.status === 403)) return decided;
    if (context.expectedRevision !== undefined && context.expectedRevision !== revision)
      return wrongRevision(revision);
    if (isRefusal(decided)) return decided;
    if (decided.length === 0) return { state, revision, position, events: [], isRepetition: false };
    const events = decided.map((event, index) => toNewEvent(kind, event, index, context));
    const refused = await context.prepare?.(events);
    if (refused) return refused;
    try {
      const result = await eventStore.append(stream, events, revision < 0 ? 'noStream' : revision);
      if (context.mayRepeat) {
        const written = await foldOn(eventStore, kind, stream, loaded.current, events.length);
        loaded.commandIds.add(context.commandId);
        cache?.set(stream, { ...written, commandIds: loaded.commandIds });
        return { ...written, events, isRepetition: false };
      }
      const next = events.reduce(
        (folded, event) => kind.decider.evolve(folded, event as unknown as Event),
        state,
      );
      loaded.commandIds.add(context.commandId);
      cache?.set(stream, { state: next, ...result, commandIds: loaded.commandIds });
      return { state: next, ...result, events, isRepetition: false };
    } catch (error) {
      cache?.delete(stream);
      if (!isWrongExpectedRevision(error)) throw error;
      if (context.expectedRevision !== undefined) return wrongRevision(error.actual);
      if (attempt === ATTEMPTS)
        return refuse(409, 'too_many_changes', 'Too many changes at the same time. Please try again.', {
          currentRevision: error.actual,
        });
    }
  }
}

/** A state, and what so many events after it have made of it. */
async function foldOn<Command, State, Event extends DomainEvent>(
  eventStore: EventStore,
  kind: StreamKind<Command, State, Event>,
  stream: string,
  from: Folded<State>,
  maxCount: number,
): Promise<Folded<State>> {
  const catalogue = catalogueOf(kind.events);
  let folded = from;
  for await (const recorded of eventStore.readStream(stream, { fromRevision: from.revision + 1, maxCount })) {
    const event = upcast(catalogue, recorded) as RecordedEvent<Event>;
    const state = kind.decider.evolve(folded.state, event as unknown as Event);
    folded = { state, revision: event.revision, position: event.position };
  }
  return folded;
}

/** `<category>-<id>`, or the category alone for the one stream of its kind (empty id). */
export function streamName(kind: { readonly category: string }, id: string): string {
  return id === '' ? kind.category : `${kind.category}-${id}`;
}

/** The present state of a stream; `revision` -1 where there is none. */
export async function loadState<Command, State, Event extends DomainEvent>(
  eventStore: EventStore,
  kind: StreamKind<Command, State, Event>,
  id: string,
  cache?: StateCache,
): Promise<Folded<State>> {
  return (await load(eventStore, kind, streamName(kind, id), null, cache)).current;
}

interface Loaded<State> {
  readonly current: Folded<State>;
  /** Of every event that `current` is folded from, and possibly of later ones: one set per stream that only grows. */
  readonly commandIds: Set<string>;
  /** The stream as the command left it, when it was carried out before. */
  readonly earlier: Folded<State> | null;
}

async function load<Command, State, Event extends DomainEvent>(
  eventStore: EventStore,
  kind: StreamKind<Command, State, Event>,
  stream: string,
  commandId: string | null,
  cache: StateCache | undefined,
): Promise<Loaded<State>> {
  const known = cache?.get<State>(stream);
  // The state right after an earlier command is not kept: read again from the start.
  const start = known && (commandId === null || !known.commandIds.has(commandId)) ? known : undefined;
  const catalogue = catalogueOf(kind.events);
  let current: Folded<State> = start ?? {
    state: kind.decider.initialState,
    revision: -1,
    position: BEFORE_FIRST,
  };
  // Shared with the cache: copying it for every command would cost a long stream dearly.
  const commandIds = start?.commandIds ?? new Set<string>();
  let earlier: Folded<State> | null = null;
  for await (const recorded of eventStore.readStream(stream, { fromRevision: current.revision + 1 })) {
    const event = upcast(catalogue, recorded) as RecordedEvent<Event>;
    current = {
      state: kind.decider.evolve(current.state, event as unknown as Event),
      revision: event.revision,
      position: event.position,
    };
    if (event.metadata.commandId === commandId) earlier = current;
    commandIds.add(event.metadata.commandId);
  }
  if (current.revision >= 0) cache?.set(stream, { ...current, commandIds });
  return { current, commandIds, earlier };
}

const catalogues = new WeakMap<readonly EventType[], EventCatalogue>();

function catalogueOf(events: readonly EventType[]): EventCatalogue {
  let catalogue = catalogues.get(events);
  if (!catalogue) {
    catalogue = eventCatalogue(events);
    catalogues.set(events, catalogue);
  }
  return catalogue;
}

function toNewEvent<Command, State, Event extends DomainEvent>(
  kind: StreamKind<Command, State, Event>,
  event: Event,
  index: number,
  context: CommandContext,
): NewEvent {
  const eventType = kind.events.find(({ type }) => type === event.type);
  if (!eventType) throw new Error(`Stream kind ${kind.category} does not declare event type ${event.type}`);
  return {
    ...event,
    id: eventId(context.commandId, index),
    metadata: {
      schemaVersion: eventType.version,
      commandId: context.commandId,
      correlationId: context.correlationId,
      causationId: context.causationId ?? context.commandId,
      actor: context.actor,
      recordedAt: context.now,
    },
  };
}
