import { createHash } from 'node:crypto';
import type { EventMetadata, NewEvent, RecordedEvent } from '@quantloom/domain/kernel/event';
import { linkedText } from '@quantloom/domain/kernel/event-chain';
import type { EventToAppend, ServerEvent } from './server-client.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Where an id that is no UUID is kept. */
const ID = '_id';
/** Where an event's link in the chain of its stream is kept. */
const LINK = '_link';

/** EventStoreDB wants UUIDs: one derived from the id, so that the server recognises a repeated append. */
export function uuidOf(id: string): string {
  if (UUID.test(id)) return id;
  const hex = createHash('sha1').update(`quantloom-event:${id}`).digest('hex');
  // Version 5, variant 1 of RFC 9562: a name-based UUID.
  const variant = ((Number.parseInt(hex.slice(16, 18), 16) & 0x3f) | 0x80).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(18, 20)}-${hex.slice(20, 32)}`;
}

/**
 * Throws where data or metadata are not JSON, before anything is sent.
 *
 * @param link of the event in the chain of its stream; undefined: it has none
 */
export function toEventData({ id, type, data, metadata }: NewEvent, link?: string): EventToAppend {
  const uuid = uuidOf(id);
  const own = { ...(uuid !== id && { [ID]: id }), ...(link !== undefined && { [LINK]: link }) };
  const plain = JSON.parse(JSON.stringify({ data: data ?? null, metadata: { ...metadata, ...own } }));
  return {
    id: uuid,
    type,
    contentType: 'application/json',
    data: plain.data,
    metadata: plain.metadata,
  };
}

/**
 * Links of events that are appended to a stream one behind the other: each the SHA-256 of the one before and
 * of what the event says.
 *
 * @param previous link of the event before them; empty where there is none
 */
export function linksOf(
  stream: string,
  events: readonly NewEvent[],
  first: { readonly revision: number; readonly previous: string },
): string[] {
  let previous = first.previous;
  return events.map(({ id, type, data, metadata }, index) => {
    const event = { stream, revision: first.revision + index, id, type };
    previous = createHash('sha256')
      .update(linkedText(previous, event, JSON.stringify(metadata), JSON.stringify(data ?? null)))
      .digest('hex');
    return previous;
  });
}

/** An event's link in the chain of its stream; undefined for one of a version that wrote none. */
export function linkIn(event: ServerEvent): string | undefined {
  const link = (event.metadata as { [LINK]?: unknown } | undefined)?.[LINK];
  return typeof link === 'string' ? link : undefined;
}

/** Throws where the event is not one of ours (`isOurs`). */
export function toRecordedEvent(event: ServerEvent, position: bigint): RecordedEvent {
  if (!isOurs(event))
    throw new Error(
      `${event.streamId}@${event.revision} (${event.type}) in EventStoreDB was not written by this product`,
    );
  const {
    [ID]: id,
    [LINK]: _link,
    ...metadata
  } = event.metadata as unknown as EventMetadata & { [ID]?: string; [LINK]?: string };
  return {
    id: id ?? event.id,
    type: event.type,
    data: event.data,
    metadata,
    stream: event.streamId,
    revision: Number(event.revision),
    position,
  };
}

/** Events of the server itself: statistics, stream metadata, configuration, links, deletions. */
export const isSystemEvent = (event: { type: string; streamId: string }): boolean =>
  event.type.startsWith('$') || event.streamId.startsWith('$');

/**
 * Neither the server's own nor another application's on the same server: those have other metadata, none, or
 * bytes that are no JSON.
 */
export function isOurs(event: ServerEvent): boolean {
  const metadata = event.metadata as { schemaVersion?: unknown } | undefined;
  return event.isJson && !isSystemEvent(event) && typeof metadata?.schemaVersion === 'number';
}
