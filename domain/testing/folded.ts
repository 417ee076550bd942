import type { DomainEvent, RecordedEvent } from '../src/kernel/event.ts';
import type { Projection, Unstamped } from '../src/kernel/projection.ts';
import type { ReadDocument } from '../src/ports/read-models.ts';

const DAY_MS = 86_400_000;

/**
 * The document that a projection makes of events: the first was recorded at the beginning of 2026, each
 * further one a day later. They are all of the same document; null where it is not there in
 * the end. `by` is the id of the person who caused an event; without it the system did.
 */
export function folded<Document extends ReadDocument>(
  projection: Projection<Document>,
  ...events: readonly (DomainEvent & { readonly stream?: string; readonly by?: string })[]
): Unstamped<Document> | null {
  let document: Unstamped<Document> | null = null;
  let first: string | undefined;
  for (const [index, { by, ...event }] of events.entries()) {
    const recordedAt = new Date(Date.parse('2026-01-01') + index * DAY_MS).toISOString();
    const actor = by === undefined ? { kind: 'system', name: 'test' } : { kind: 'user', userId: by };
    const recorded = { ...event, metadata: { recordedAt, actor } } as unknown as RecordedEvent;
    const [id = '', ...more] = projection.keys(recorded);
    first ??= id;
    if (id !== first || more.length > 0) throw new Error(`${event.type} is not about ${first} alone`);
    document = projection.evolve(document as Document | null, recorded, id);
  }
  return document;
}
