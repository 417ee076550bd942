import type { RecordedEvent } from '@quantloom/domain/kernel/event';
import { type EventCatalogue, upcast } from '@quantloom/domain/kernel/event-type';
import {
  PARKED_EVENTS,
  type ParkedEventDocument,
  parkedEventId,
} from '@quantloom/domain/kernel/parked-event';
import type { Projection } from '@quantloom/domain/kernel/projection';
import type { DocumentWrite, ReadDocument, ReadModels } from '@quantloom/domain/ports/read-models';

export interface ApplyOptions {
  readonly catalogue: EventCatalogue;
  /** ISO 8601; stamped on what is parked. */
  readonly now: string;
  /** Streams of which an event is parked already: later ones wait behind it. Extended by what this batch parks. */
  readonly parkedStreams: Map<string, string>;
  /** Under which name events are parked (a rebuild parks under a name of its own). */
  readonly parkAs?: string;
  /** Collection to read and write instead of the projection's own. */
  readonly collection?: string;
  /** Apply although the document has seen a later position: for events that were parked, hence never applied. */
  readonly isReplay?: boolean;
}

export interface AppliedBatch {
  readonly writes: readonly DocumentWrite[];
  readonly parked: readonly ParkedEventDocument[];
}

/**
 * What a batch changes, without writing anything. An event that the projection cannot apply is parked, and so
 * is everything behind it in its stream; other streams go on. Events at or before a document's `_position` are skipped.
 */
export async function applyBatch(
  projection: Projection,
  events: readonly RecordedEvent[],
  readModels: ReadModels,
  options: ApplyOptions,
): Promise<AppliedBatch> {
  const collection = options.collection ?? projection.collection.name;
  const plan = planKeys(projection, events, options);
  const ids = [...new Set(plan.flatMap((step) => (step.keys ? step.keys : [])))];
  const documents = new Map<string, ReadDocument | null>();
  for (const document of ids.length > 0 ? await readModels.getMany(collection, ids) : [])
    documents.set(document.id, document);
  const touched = new Set<string>();
  const parked: ParkedEventDocument[] = [];

  const park = (event: RecordedEvent, error: unknown): void => {
    const behind = options.parkedStreams.get(event.stream);
    if (behind === undefined) options.parkedStreams.set(event.stream, event.id);
    parked.push(parkedDocument(options.parkAs ?? projection.name, event, error, behind ?? null, options.now));
  };

  for (const { event, keys, error } of plan) {
    if (options.parkedStreams.has(event.stream)) park(event, null);
    else if (!keys) park(event, error);
    else {
      try {
        // All documents of an event or none.
        for (const [id, next] of evolveAll(projection, event, keys, documents, options.isReplay === true)) {
          documents.set(id, next);
          touched.add(id);
        }
      } catch (cause) {
        park(event, cause);
      }
    }
  }
  const writes: DocumentWrite[] = Array.from(touched, (id) => {
    const document = documents.get(id);
    return document ? { collection, put: document } : { collection, delete: id };
  });
  return { writes: [...writes, ...parked.map((put) => ({ collection: PARKED_EVENTS.name, put }))], parked };
}

interface Step {
  /** In today's shape, or as recorded where it cannot be read. */
  readonly event: RecordedEvent;
  readonly keys: readonly string[] | null;
  readonly error?: unknown;
}

function planKeys(
  projection: Projection,
  events: readonly RecordedEvent[],
  options: ApplyOptions,
): readonly Step[] {
  return events.map((recorded) => {
    try {
      const event = upcast(options.catalogue, recorded);
      return { event, keys: projection.keys(event) };
    } catch (error) {
      return { event: recorded, keys: null, error };
    }
  });
}

function evolveAll(
  projection: Projection,
  event: RecordedEvent,
  keys: readonly string[],
  documents: ReadonlyMap<string, ReadDocument | null>,
  isReplay: boolean,
): Map<string, ReadDocument | null> {
  const changed = new Map<string, ReadDocument | null>();
  for (const id of keys) {
    const document = documents.get(id) ?? null;
    const seen = document ? BigInt(document._position) : -1n;
    if (!isReplay && seen >= event.position) continue;
    const next = projection.evolve(document, event, id);
    changed.set(
      id,
      next && {
        ...next,
        id,
        _revision: event.revision,
        _position: String(seen > event.position ? seen : event.position),
      },
    );
  }
  return changed;
}

function parkedDocument(
  projection: string,
  event: RecordedEvent,
  error: unknown,
  behind: string | null,
  now: string,
): ParkedEventDocument {
  const isWaiting = behind !== null;
  return {
    id: parkedEventId(projection, event.id),
    projection,
    eventId: event.id,
    eventType: event.type,
    stream: event.stream,
    revision: event.revision,
    position: String(event.position),
    reason: isWaiting
      ? `Waits for event ${behind} of the same stream`
      : error instanceof Error
        ? error.message
        : String(error),
    stack: error instanceof Error ? (error.stack ?? null) : null,
    isWaiting,
    parkedAt: now,
    attempts: isWaiting ? 0 : 1,
    _revision: event.revision,
    _position: String(event.position),
  };
}
