import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { RecordedEvent } from './event.ts';
import { exactly, Id } from './event-fields.ts';
import { type EventCatalogue, type EventType, upcast } from './event-type.ts';

type Check = ReturnType<typeof Compile>;

const METADATA = Compile(
  exactly({
    schemaVersion: Type.Integer({ minimum: 1 }),
    commandId: Id,
    correlationId: Id,
    causationId: Id,
    actor: Type.Union([
      exactly({ kind: Type.Literal('user'), userId: Id }),
      exactly({ kind: Type.Literal('apiClient'), userId: Id, clientId: Id }),
      exactly({ kind: Type.Literal('system'), name: Id }),
    ]),
    recordedAt: Id,
  }),
);

/**
 * Finds what is wrong with recorded events: unknown types, versions from the future, data that do not fit
 * their schema, missing metadata. One checker per catalogue; schemas are compiled once.
 */
export function createEventCheck(catalogue: EventCatalogue): (event: RecordedEvent) => readonly string[] {
  const compiled = new Map<EventType, Check>();
  const checkOf = (eventType: EventType): Check => {
    let check = compiled.get(eventType);
    if (!check) {
      check = Compile(eventType.schema);
      compiled.set(eventType, check);
    }
    return check;
  };
  return (recorded) => {
    const faults = metadataFaults(recorded);
    let event: RecordedEvent;
    try {
      event = upcast(catalogue, recorded);
    } catch (error) {
      return [...faults, error instanceof Error ? error.message : String(error)];
    }
    const eventType = catalogue.get(event.type);
    const check = eventType && checkOf(eventType);
    if (check && !check.Check(event.data))
      for (const { instancePath, message } of check.Errors(event.data).slice(0, 3))
        faults.push(`data${instancePath} ${message}`);
    return faults;
  };
}

function metadataFaults({ metadata }: RecordedEvent): string[] {
  const faults = METADATA.Check(metadata)
    ? []
    : METADATA.Errors(metadata)
        .slice(0, 3)
        .map(({ instancePath, message }) => `metadata${instancePath} ${message}`);
  if (Number.isNaN(Date.parse(metadata.recordedAt))) faults.push('metadata.recordedAt is not a time');
  return faults;
}
