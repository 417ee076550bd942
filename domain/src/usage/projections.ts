import type { RecordedEvent } from '../kernel/event.ts';
import type { Projection } from '../kernel/projection.ts';
import type { ReadDocument } from '../ports/read-models.ts';
import type { UsageEvent } from './usage.ts';

/** A user's month; id `<userId>-<yyyy-mm>`. */
export interface UsageMonthDocument extends ReadDocument {
  readonly user_id: string;
  readonly month: string;
  readonly used: number;
}

/** What a batch holds of the quota; id is the batch's. */
export interface QuotaReservationDocument extends ReadDocument {
  readonly user_id: string;
  readonly month: string;
  readonly combinations: number;
  readonly reserved_at: string;
  /** False until the batch itself exists. */
  readonly is_confirmed: boolean;
}

/** Combinations used per user and month. */
export const usageMonthsProjection: Projection<UsageMonthDocument> = {
  name: 'usageMonths',
  version: 1,
  collection: { name: 'usageMonths_v1', indexes: [['user_id', 'month']] },
  handles: ['QuotaReserved', 'QuotaReleased'],
  keys: (event) => {
    const { userId, month } = event.data as UsageEvent['data'];
    return [`${userId}-${month}`];
  },
  evolve: (document, recorded, id) => {
    const event = { type: recorded.type, data: recorded.data } as UsageEvent;
    const { userId, month, combinations } = event.data;
    const used = (document?.used ?? 0) + (event.type === 'QuotaReserved' ? combinations : -combinations);
    return { id, user_id: userId, month, used };
  },
};

/** Reservations that nobody has given back, so that one whose batch never came is found. */
export const quotaReservationsProjection: Projection<QuotaReservationDocument> = {
  name: 'quotaReservations',
  version: 1,
  collection: { name: 'quotaReservations_v1', indexes: [['is_confirmed', 'reserved_at'], ['is_confirmed']] },
  handles: ['QuotaReserved', 'QuotaReleased', 'BatchBacktestCreated'],
  keys: (event: RecordedEvent) => [(event.data as { batchId: string }).batchId],
  evolve: (document, recorded, id) => {
    if (recorded.type === 'BatchBacktestCreated') return document && { ...document, is_confirmed: true };
    const event = { type: recorded.type, data: recorded.data } as UsageEvent;
    if (event.type === 'QuotaReleased') return null;
    const { userId, month, combinations } = event.data;
    return {
      id,
      user_id: userId,
      month,
      combinations,
      reserved_at: recorded.metadata.recordedAt,
      is_confirmed: false,
    };
  },
};
