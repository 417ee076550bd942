import type { CollectionSpec, ReadDocument } from '../ports/read-models.ts';
import type { RecordedEvent } from './event.ts';

/**
 * A read model as a pure function of events. The runtime sets `_revision` and `_position`; applying an event twice changes nothing
 * because events at or before a document's `_position` are skipped.
 */
export interface Projection<Doc extends ReadDocument = ReadDocument> {
  /** camelCase; also the name of its checkpoint. */
  readonly name: string;
  /** Raise it when the shape or meaning changes: the collection is then rebuilt. */
  readonly version: number;
  readonly collection: CollectionSpec;
  readonly handles: readonly string[];
  /** Ids of the documents that an event touches. */
  readonly keys: (event: RecordedEvent) => readonly string[];
  /** `null` in: there is no document yet; `null` out: delete it. */
  readonly evolve: (
    document: Doc | null,
    event: RecordedEvent,
    id: string,
  ) => Omit<Doc, '_revision' | '_position'> | null;
}

/** Name of a projection's checkpoint. A new version begins at 0 beside the old one, which goes on serving until it is dropped. */
export function checkpointName(projection: Pick<Projection, 'name' | 'version'>): string {
  return `${projection.name}.v${projection.version}`;
}
