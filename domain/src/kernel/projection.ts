import type { TSchema } from 'typebox';
import type { CollectionSpec, FieldPath, ReadDocument } from '../ports/read-models.ts';
import type { EventOf, StreamEvents } from './define-stream.ts';
import type { DomainEvent, RecordedEvent } from './event.ts';

/** A document as a projection gives it: the runtime sets the rest. */
export type Unstamped<Doc extends ReadDocument> = Doc extends unknown
  ? Omit<Doc, '_revision' | '_position'>
  : never;

/**
 * A read model as a pure function of events, as the runtime knows it. The runtime sets `_revision` and
 * `_position`; applying an event twice changes nothing because events at or before a document's `_position`
 * are skipped.
 */
export interface Projection<Doc extends ReadDocument = ReadDocument> {
  /** camelCase; also the name of its checkpoint. */
  readonly name: string;
  /** Raise it when the shape or meaning changes: the collection is then rebuilt. */
  readonly version: number;
  readonly collection: CollectionSpec<Doc>;
  /** Names of events; `*`: all. */
  readonly handles: readonly string[];
  /** Ids of the documents that an event touches. */
  readonly keys: (event: RecordedEvent) => readonly string[];
  /**
   * `null` in: there is no document yet; `null` out: delete it. A method, so that projections of different
   * documents stand in one list: the runtime gives each of them nothing but documents that it has made itself.
   */
  evolve(document: Doc | null, event: RecordedEvent, id: string): Unstamped<Doc> | null;
}

type DeclaredStream = Pick<StreamEvents<Readonly<Record<string, TSchema>>>, 'schemas' | 'types'>;

/** Whole streams or some of their events (`only`, `without`); `*`: whatever the log holds. */
export type HandledEvents = '*' | readonly DeclaredStream[];

/** Any of these events as the log holds it, told apart by `type`. */
export type Recorded<Event extends DomainEvent> = Event extends unknown ? RecordedEvent<Event> : never;

type EventsOf<Stream> = Stream extends DeclaredStream ? EventOf<Stream> : never;

/** The recorded events of what a projection handles. */
export type HandledEvent<Events extends HandledEvents> = Events extends readonly DeclaredStream[]
  ? Recorded<EventsOf<Events[number]>>
  : RecordedEvent;

/** What is declared about a projection: see `Projection`. */
export interface ProjectionDefinition<Doc extends ReadDocument, Events extends HandledEvents> {
  readonly name: string;
  readonly version: number;
  readonly collection: { readonly name: string; readonly indexes: readonly (readonly FieldPath<Doc>[])[] };
  readonly events: Events;
  readonly keys: (event: HandledEvent<Events>) => readonly string[];
  readonly evolve: (document: Doc | null, event: HandledEvent<Events>, id: string) => Unstamped<Doc> | null;
}

/**
 * The only declaration of a read model. The document's type stands at the constant
 * (`: Projection<BasketDocument>`), the events' types follow from the streams that it names.
 */
export function defineProjection<Doc extends ReadDocument, const Events extends HandledEvents>({
  events,
  ...definition
}: ProjectionDefinition<NoInfer<Doc>, Events>): Projection<Doc> {
  return {
    ...definition,
    handles: events === '*' ? ['*'] : events.flatMap(({ types }) => types),
    // The runtime hands over what stands in `handles`, in today's shape.
    keys: (event) => definition.keys(event as HandledEvent<Events>),
    evolve: (document, event, id) => definition.evolve(document, event as HandledEvent<Events>, id),
  };
}

/**
 * Name of a projection's checkpoint. A new version begins at 0 beside the old one, which goes on serving
 * until it is dropped.
 */
export function checkpointName(projection: Pick<Projection, 'name' | 'version'>): string {
  return `${projection.name}.v${projection.version}`;
}
