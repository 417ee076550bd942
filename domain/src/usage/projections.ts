import { BATCH_EVENTS } from '../batch/events.ts';
import { only } from '../kernel/define-stream.ts';
import { defineProjection, type Projection } from '../kernel/projection.ts';
import type { ReadDocument } from '../ports/read-models.ts';
import { USAGE_EVENTS } from './usage.ts';

/** A user's month; id `<userId>-<yyyy-mm>`. */
export interface UsageMonthDocument extends ReadDocument {
  readonly userId: string;
  readonly month: string;
  readonly used: number;
}

/** What a batch holds of the quota; id is the batch's. */
export interface QuotaReservationDocument extends ReadDocument {
  readonly userId: string;
  readonly month: string;
  readonly combinations: number;
  /** ISO 8601. */
  readonly reservedAt: string;
  /** False until the batch itself exists. */
  readonly isConfirmed: boolean;
}

/** Combinations used per user and month. */
export const usageMonthsProjection: Projection<UsageMonthDocument> = defineProjection({
  name: 'usageMonths',
  version: 2,
  collection: { name: 'usageMonths_v2', indexes: [['userId', 'month']] },
  events: [USAGE_EVENTS],
  keys: ({ data: { userId, month } }) => [`${userId}-${month}`],
  evolve: (document, { type, data: { userId, month, combinations } }, id) => {
    const used = (document?.used ?? 0) + (type === 'QuotaReserved' ? combinations : -combinations);
    return { id, userId, month, used };
  },
});

/** Reservations that nobody has given back, so that one whose batch never came is found. */
export const quotaReservationsProjection: Projection<QuotaReservationDocument> = defineProjection({
  name: 'quotaReservations',
  version: 2,
  collection: { name: 'quotaReservations_v2', indexes: [['isConfirmed', 'reservedAt'], ['isConfirmed']] },
  events: [USAGE_EVENTS, only(BATCH_EVENTS, 'BatchBacktestCreated')],
  keys: (event) => [event.data.batchId],
  evolve: (document, event, id) => {
    if (event.type === 'BatchBacktestCreated') return document && { ...document, isConfirmed: true };
    if (event.type === 'QuotaReleased') return null;
    const { userId, month, combinations } = event.data;
    return {
      id,
      userId,
      month,
      combinations,
      reservedAt: event.metadata.recordedAt,
      isConfirmed: false,
    };
  },
});
