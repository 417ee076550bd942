import { Type } from 'typebox';
import type { Decider } from '../kernel/decider.ts';
import { defineStream, type EventOf } from '../kernel/define-stream.ts';
import { Count, exactly, Id, MonthText } from '../kernel/event-fields.ts';
import { type Refusal, refuse } from '../kernel/refusal.ts';

/** The quota record as the pages read it. */
export interface QuotaRecord {
  readonly monthly_limit: number;
  readonly current_monthly_usage: number;
  readonly remaining: number;
}

/** The quota record of an estimate. */
export interface EstimatedUsage extends QuotaRecord {
  readonly remaining_after_backtests: number;
}

const quota = { userId: Id, month: MonthText, batchId: Id, combinations: Count };

/** The events of a `usage-{userId}-{yyyy-mm}` stream. */
export const USAGE_EVENTS = defineStream({
  category: 'usage',
  events: {
    QuotaReserved: exactly({
      ...quota,
      /** The plan's limit when it was reserved. */
      monthlyLimit: Count,
    }),
    QuotaReleased: exactly({
      ...quota,
      reason: Type.Enum(['batch_deleted', 'batch_never_created', 'batch_failed', 'batch_stopped']),
    }),
  },
});
export type UsageEvent = EventOf<typeof USAGE_EVENTS>;
export type QuotaReleased = EventOf<typeof USAGE_EVENTS, 'QuotaReleased'>;

export type UsageCommand =
  | {
      readonly type: 'ReserveQuota';
      readonly userId: string;
      readonly month: string;
      readonly batchId: string;
      readonly combinations: number;
      readonly monthlyLimit: number;
    }
  | {
      readonly type: 'ReleaseQuota';
      readonly userId: string;
      readonly month: string;
      readonly batchId: string;
      /** At most what is still held is released. */
      readonly combinations: number | 'all';
      readonly reason: QuotaReleased['data']['reason'];
    };

/** What a batch holds, and whether it has given back already. */
export interface HeldQuota {
  readonly combinations: number;
  readonly released: boolean;
}

export interface UsageState {
  readonly used: number;
  /**
   * By batch, in parts (`heldBy`): an event copies one of them, since an API client may make thousands of
   * batches in a month.
   */
  readonly held: readonly ReadonlyMap<string, HeldQuota>[];
}

const PARTS = 256;

/** The ends of ULIDs are random, so the parts are of about one size. */
function partOf(batchId: string): number {
  const last = batchId.length - 1;
  return (batchId.charCodeAt(last) * 31 + batchId.charCodeAt(Math.max(0, last - 1))) % PARTS;
}

/** What a batch holds of the month; undefined for one that has reserved nothing. */
export function heldBy({ held }: UsageState, batchId: string): HeldQuota | undefined {
  return held[partOf(batchId)]?.get(batchId);
}

/** Builds the record; `remaining` never goes below 0 (a plan may have been reduced). */
export function quotaRecord(used: number, monthlyLimit: number): QuotaRecord {
  return {
    monthly_limit: monthlyLimit,
    current_monthly_usage: used,
    remaining: Math.max(0, monthlyLimit - used),
  };
}

/** The record of an estimate: what is left after a batch, negative where it does not fit. */
export function estimatedUsage(used: number, monthlyLimit: number, combinations: number): EstimatedUsage {
  return {
    ...quotaRecord(used, monthlyLimit),
    remaining_after_backtests: monthlyLimit - used - combinations,
  };
}

/** The refusal of a batch that does not fit into the month, with the usage that the page shows. */
export function monthlyLimitExceeded(used: number, monthlyLimit: number, combinations: number): Refusal {
  return refuse(403, 'monthly_limit_exceeded', 'Monthly limit exceeded', {
    data: { usage: estimatedUsage(used, monthlyLimit, combinations), combinations },
  });
}

function decide(command: UsageCommand, state: UsageState): readonly UsageEvent[] | Refusal {
  const { userId, month, batchId } = command;
  const held = heldBy(state, batchId);
  if (command.type === 'ReserveQuota') {
    if (held)
      return held.released ? refuse(409, 'reservation_expired', 'This reservation was given back') : [];
    const { combinations, monthlyLimit } = command;
    if (!Number.isSafeInteger(combinations) || combinations < 0)
      return refuse(400, 'invalid_combinations', 'The number of combinations must be a whole number');
    if (state.used + combinations > monthlyLimit)
      return monthlyLimitExceeded(state.used, monthlyLimit, combinations);
    return [{ type: 'QuotaReserved', data: { userId, month, batchId, combinations, monthlyLimit } }];
  }
  if (!held || held.released) return [];
  const combinations =
    command.combinations === 'all'
      ? held.combinations
      : Math.max(0, Math.min(command.combinations, held.combinations));
  return [{ type: 'QuotaReleased', data: { userId, month, batchId, combinations, reason: command.reason } }];
}

function withHeld({ held }: UsageState, batchId: string, quota: HeldQuota): UsageState['held'] {
  const part = partOf(batchId);
  return held.with(part, new Map(held[part]).set(batchId, quota));
}

function evolve(state: UsageState, event: UsageEvent): UsageState {
  const { batchId, combinations } = event.data;
  switch (event.type) {
    case 'QuotaReserved':
      return {
        used: state.used + combinations,
        held: withHeld(state, batchId, { combinations, released: false }),
      };
    case 'QuotaReleased': {
      const left = (heldBy(state, batchId)?.combinations ?? 0) - combinations;
      return {
        used: state.used - combinations,
        held: withHeld(state, batchId, { combinations: left, released: true }),
      };
    }
    default:
      event satisfies never;
      return state;
  }
}

/** A user's month: batches reserve their combinations before they exist and give back once what they did not run. */
export const usageDecider: Decider<UsageCommand, UsageState, UsageEvent> = {
  initialState: { used: 0, held: Array.from({ length: PARTS }, () => new Map()) },
  decide,
  evolve,
};
