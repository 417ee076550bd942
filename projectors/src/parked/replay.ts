import type { RecordedEvent } from '@quantloom/domain/kernel/event';
import type { EventCatalogue } from '@quantloom/domain/kernel/event-type';
import { PARKED_EVENTS, type ParkedEventDocument } from '@quantloom/domain/kernel/parked-event';
import type { Projection } from '@quantloom/domain/kernel/projection';
import type { EventStore } from '@quantloom/domain/ports/event-store';
import type { DocumentWrite, ReadModels } from '@quantloom/domain/ports/read-models';
import { applyBatch } from '../runtime/apply-batch.ts';

export interface ReplayDeps {
  readonly readModels: ReadModels;
  readonly eventStore: EventStore;
  readonly catalogue: EventCatalogue;
  readonly now: string;
}

/**
 * Tries the parked events of one stream again, in their order. What works is applied and leaves the parking
 * place; the first that fails again stays, with all behind it.
 *
 * @returns the writes, for the runner to commit with its checkpoint, and the id of the event that the stream
 *   waits for from now on; null: it waits no more
 */
export async function replayParkedStream(
  projection: Projection,
  stream: string,
  { readModels, eventStore, catalogue, now }: ReplayDeps,
): Promise<{ writes: readonly DocumentWrite[]; applied: number; waitsFor: string | null }> {
  const parked = await readModels.find<ParkedEventDocument>(PARKED_EVENTS.name, {
    where: { projection: projection.name, stream },
    sort: [['revision', 'asc']],
  });
  const first = parked[0];
  if (!first) return { writes: [], applied: 0, waitsFor: null };
  const wanted = new Map(parked.map((document) => [document.eventId, document]));
  const events: RecordedEvent[] = [];
  for await (const event of eventStore.readStream(stream, { fromRevision: first.revision }))
    if (wanted.has(event.id)) events.push(event);
  const parkedStreams = new Map<string, string>();
  const result = await applyBatch(projection, events, readModels, {
    catalogue,
    now,
    parkedStreams,
    isReplay: true,
  });
  const stillParked = new Set(result.parked.map(({ id }) => id));
  const writes = result.writes.map((write): DocumentWrite => {
    if (!('put' in write) || write.collection !== PARKED_EVENTS.name) return write;
    const before = wanted.get((write.put as ParkedEventDocument).eventId);
    const again = write.put as ParkedEventDocument;
    const put: ParkedEventDocument = {
      ...again,
      parkedAt: before?.parkedAt ?? again.parkedAt,
      attempts: (before?.attempts ?? 0) + again.attempts,
    };
    return { collection: write.collection, put };
  });
  const freed = parked.filter(({ id }) => !stillParked.has(id));
  return {
    writes: [...writes, ...freed.map(({ id }) => ({ collection: PARKED_EVENTS.name, delete: id }))],
    applied: freed.length,
    waitsFor: parkedStreams.get(stream) ?? null,
  };
}
