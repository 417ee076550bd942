import { orderOf } from '../account-history/projection.ts';
import { defineProjection, type Projection } from '../kernel/projection.ts';
import type { ReadDocument } from '../ports/read-models.ts';
import { WAITLIST_EVENTS } from './waitlist.ts';

/** An entry of the waitlist; `id` is its stream. Without the address, which stays in the log under a key of its own. */
export interface WaitlistDocument extends ReadDocument {
  /** The log position, padded so that text order is log order. */
  readonly order: string;
  /** ISO 8601. */
  readonly at: string;
}

/** Who has joined the waitlist, and when. */
export const waitlistProjection: Projection<WaitlistDocument> = defineProjection({
  name: 'waitlist',
  version: 1,
  collection: { name: 'waitlist_v1', indexes: [['order']] },
  events: [WAITLIST_EVENTS],
  keys: (event) => [event.stream],
  evolve: (document, event, id) =>
    document ?? { id, order: orderOf(event.position), at: event.metadata.recordedAt },
});
