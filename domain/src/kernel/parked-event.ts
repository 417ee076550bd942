import type { CollectionSpec, ReadDocument } from '../ports/read-models.ts';
import { defineStream, type EventOf } from './define-stream.ts';
import { exactly, Id } from './event-fields.ts';
import type { StreamKind } from './handle-command.ts';

/**
 * An event that a projection could not apply, or one behind it in the same stream. Its documents wait until
 * an admin replays it.
 */
export interface ParkedEventDocument extends ReadDocument {
  readonly projection: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly stream: string;
  readonly revision: number;
  readonly position: string;
  /** The error's text; for an event that only waits for an earlier one of its stream, a sentence that says so. */
  readonly reason: string;
  readonly stack: string | null;
  /** True where the event waits behind a parked one of its stream. */
  readonly isWaiting: boolean;
  readonly parkedAt: string;
  /** How often it was tried, the first time included. */
  readonly attempts: number;
}

export const PARKED_EVENTS: CollectionSpec<ParkedEventDocument> = {
  name: 'parkedEvents_v1',
  indexes: [['projection', 'stream', 'revision'], ['parkedAt']],
};

/** One entry per projection and event. */
export function parkedEventId(projection: string, eventId: string): string {
  return `${projection}.${eventId}`;
}

/**
 * In the stream `parkedEvents-{projection}`; the projection's own runner acts on it, so nobody else touches
 * its documents.
 */
export const PARKED_EVENT_EVENTS = defineStream({
  category: 'parkedEvents',
  events: { ParkedEventReplayRequested: exactly({ projection: Id, stream: Id, eventId: Id }) },
});
export type ParkedEventReplayRequested = EventOf<typeof PARKED_EVENT_EVENTS>;

export interface RequestParkedEventReplay {
  readonly type: 'RequestParkedEventReplay';
  readonly projection: string;
  readonly stream: string;
  readonly eventId: string;
}

/** Streams `parkedEvents-{projection}`: what administrators asked for. */
export const parkedEventsStream: StreamKind<RequestParkedEventReplay, null, ParkedEventReplayRequested> = {
  ...PARKED_EVENT_EVENTS,
  decider: {
    initialState: null,
    decide: ({ projection, stream, eventId }) => [
      { type: 'ParkedEventReplayRequested', data: { projection, stream, eventId } },
    ],
    evolve: () => null,
  },
};
