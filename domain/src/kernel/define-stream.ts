import type { Static, TSchema } from 'typebox';
import type { DomainEvent } from './event.ts';
import type { EventType } from './event-type.ts';

/** Event data are facts: nobody changes them, whatever their schema says about arrays. */
export type Frozen<Data> = Data extends string | number | boolean | bigint | null | undefined
  ? Data
  : Data extends readonly (infer Item)[]
    ? readonly Frozen<Item>[]
    : { readonly [Field in keyof Data]: Frozen<Data[Field]> };

/** An event whose shape has changed since it was first written. */
export interface VersionedEvent {
  /** Today's shape. */
  readonly schema: TSchema;
  /** `upcasters[0]` brings version 1 to 2, and so on; today's version follows from their number. */
  readonly upcasters: readonly ((data: unknown) => unknown)[];
}

type Declared = TSchema | VersionedEvent;
type SchemaOf<Event> = Event extends VersionedEvent ? Event['schema'] : Event;

/** What is declared once about the events of one kind of stream. */
export interface StreamEvents<Schemas extends Readonly<Record<string, TSchema>>> {
  /** camelCase, without a hyphen: `strategy` makes streams `strategy-<id>`. */
  readonly category: string;
  readonly schemas: Schemas;
  /** For the catalogue, `StreamKind` and everything that reads the log. */
  readonly events: readonly EventType[];
  readonly types: readonly (keyof Schemas & string)[];
}

type Declaration = { readonly schemas: Readonly<Record<string, TSchema>> };

/** The event of one name, or the union of all of them. */
export type EventOf<
  Stream extends Declaration,
  Type extends keyof Stream['schemas'] & string = keyof Stream['schemas'] & string,
> = { [Name in Type]: DomainEvent<Name, Frozen<Static<Stream['schemas'][Name]>>> }[Type];

/** Some of the events of a stream, for who reads no others of it. */
export function only<
  Schemas extends Readonly<Record<string, TSchema>>,
  const Type extends keyof Schemas & string,
>(stream: StreamEvents<Schemas>, ...types: readonly Type[]): StreamEvents<Pick<Schemas, Type>> {
  const schemas = Object.fromEntries(types.map((type) => [type, stream.schemas[type]]));
  return {
    category: stream.category,
    schemas: schemas as Pick<Schemas, Type>,
    events: stream.events.filter(({ type }) => (types as readonly string[]).includes(type)),
    types,
  };
}

/** The events of a stream but these. */
export function without<
  Schemas extends Readonly<Record<string, TSchema>>,
  const Type extends keyof Schemas & string,
>(
  stream: StreamEvents<Schemas>,
  ...types: readonly Type[]
): StreamEvents<Pick<Schemas, Exclude<keyof Schemas & string, Type>>> {
  const others = stream.types.filter(
    (type): type is Exclude<keyof Schemas & string, Type> => !(types as readonly string[]).includes(type),
  );
  return only(stream, ...others);
}

/** Whether an event is one of a stream's. */
export function isOf<Stream extends Declaration, Event extends DomainEvent>(
  stream: Stream,
  event: Event,
): event is Extract<Event, { readonly type: keyof Stream['schemas'] }> {
  return Object.hasOwn(stream.schemas, event.type);
}

function isVersioned(declared: Declared): declared is VersionedEvent {
  return 'upcasters' in declared;
}

/**
 * The only declaration of a stream's events: their types in the program (`EventOf`), the schemas that `log verify`
 * holds them against, and their entries in the catalogue all follow from it, so that they cannot drift apart.
 *
 * @param events name of the event (PascalCase, past tense, unique in the whole log) → shape of its data
 */
export function defineStream<const Events extends Readonly<Record<string, Declared>>>({
  category,
  events,
}: {
  readonly category: string;
  readonly events: Events;
}): StreamEvents<{ readonly [Name in keyof Events]: SchemaOf<Events[Name]> & TSchema }> {
  const eventTypes = Object.entries(events).map(([type, declared]: [string, Declared]): EventType => {
    if (!isVersioned(declared)) return { type, version: 1, schema: declared };
    const { schema, upcasters } = declared;
    return { type, version: upcasters.length + 1, schema, upcasters };
  });
  const schemas = Object.fromEntries(eventTypes.map(({ type, schema }) => [type, schema]));
  return {
    category,
    schemas: schemas as { readonly [Name in keyof Events]: SchemaOf<Events[Name]> & TSchema },
    events: eventTypes,
    types: Object.keys(events) as (keyof Events & string)[],
  };
}
