import type { TSchema } from 'typebox';
import type { RecordedEvent } from './event.ts';

/** What the log needs to know of one type of event. */
export interface EventType {
  /** PascalCase, past tense, unique in the whole log. */
  readonly type: string;
  /** Today's `metadata.schemaVersion`. */
  readonly version: number;
  /** Shape of `data` at today's version; `log verify` holds every event against it. */
  readonly schema: TSchema;
  /** `upcasters[0]` brings version 1 to 2, and so on: exactly `version - 1` of them. */
  readonly upcasters?: readonly ((data: unknown) => unknown)[];
}

/** An event that today's code cannot read: an unknown type, or a version from the future. */
export class UnreadableEventError extends Error {
  readonly code = 'unreadable_event';
  constructor(event: Pick<RecordedEvent, 'id' | 'type' | 'stream' | 'revision'>, reason: string) {
    super(`Event ${event.id} (${event.type}, ${event.stream} revision ${event.revision}): ${reason}`);
    this.name = 'UnreadableEventError';
  }
}

/** The types that a reader understands, by name. */
export type EventCatalogue = ReadonlyMap<string, EventType>;

/**
 * Builds a catalogue. Throws on a name used twice and on a chain of upcasters with a gap, so that it can't
 * come to running code.
 */
export function eventCatalogue(...contexts: readonly (readonly EventType[])[]): EventCatalogue {
  const catalogue = new Map<string, EventType>();
  for (const eventType of contexts.flat()) {
    if (catalogue.has(eventType.type)) throw new Error(`Event type ${eventType.type} is declared twice`);
    if ((eventType.upcasters?.length ?? 0) !== eventType.version - 1)
      throw new Error(
        `Event type ${eventType.type} is at version ${eventType.version} and needs ${eventType.version - 1} upcasters`,
      );
    catalogue.set(eventType.type, eventType);
  }
  return catalogue;
}

/** The event in today's shape. Throws `UnreadableEventError` for a type or version that this program does not know. */
export function upcast(catalogue: EventCatalogue, event: RecordedEvent): RecordedEvent {
  const eventType = catalogue.get(event.type);
  if (!eventType) throw new UnreadableEventError(event, 'this program does not know the type');
  const written = event.metadata.schemaVersion;
  if (written === eventType.version) return event;
  if (!Number.isInteger(written) || written < 1 || written > eventType.version)
    throw new UnreadableEventError(
      event,
      `version ${written}, this program knows up to ${eventType.version}`,
    );
  const steps = eventType.upcasters?.slice(written - 1) ?? [];
  return {
    ...event,
    data: steps.reduce((data, step) => step(data), event.data),
    metadata: { ...event.metadata, schemaVersion: eventType.version },
  };
}
