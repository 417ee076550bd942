import type { RecordedEvent } from '@quantloom/domain/kernel/event';

/** Where a step came from: the ids of its commands follow from it. */
export interface Cause {
  readonly id: string;
  readonly correlationId: string;
  /** ISO 8601. */
  readonly at: string;
}

/** The cause that an event is. */
export const causeOf = (event: RecordedEvent): Cause => ({
  id: event.id,
  correlationId: event.metadata.correlationId,
  at: event.metadata.recordedAt,
});
