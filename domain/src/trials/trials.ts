import type { Decider } from '../kernel/decider.ts';
import { defineStream, type EventOf } from '../kernel/define-stream.ts';
import { exactly, Id } from '../kernel/event-fields.ts';
import type { Projection } from '../kernel/projection.ts';
import type { ReadDocument } from '../ports/read-models.ts';

/** The events of a `trials-{lineageId}-{fingerprint}` stream. */
export const TRIAL_EVENTS = defineStream({
  category: 'trials',
  events: {
    /** A single backtest of a strategy was run: one more look at the past, which the deflated Sharpe ratio has to count. */
    BacktestTried: exactly({
      lineageId: Id,
      strategyId: Id,
      userId: Id,
      /** Of the bound strategy and its configuration: running the very same again is no new trial. */
      fingerprint: Id,
    }),
  },
});
export type BacktestTried = EventOf<typeof TRIAL_EVENTS>;

export type TrialCommand = { readonly type: 'CountTrial'; readonly trial: BacktestTried['data'] };

/** Whether this trial was counted. */
export type TrialState = boolean;

/** One stream per lineage and fingerprint, so that each distinct run counts once and no stream grows. */
export const trialsDecider: Decider<TrialCommand, TrialState, BacktestTried> = {
  initialState: false,
  decide: ({ trial }, isCounted) => (isCounted ? [] : [{ type: 'BacktestTried', data: trial }]),
  evolve: () => true,
};

/** Id of a trial within the category. */
export const trialId = ({ lineageId, fingerprint }: BacktestTried['data']): string =>
  `${lineageId}-${fingerprint}`;

/** The honest trial count of a lineage; id is the lineage's. Deleting a batch does not make its trials undone. */
export interface LineageTrialsDocument extends ReadDocument {
  /** Combinations computed in batches. */
  readonly batch_trials: number;
  readonly batches: number;
  /** Distinct single backtests. */
  readonly single_trials: number;
}

/** Trials per lineage, straight from the log. */
export const lineageTrialsProjection: Projection<LineageTrialsDocument> = {
  name: 'lineageTrials',
  version: 1,
  collection: { name: 'lineageTrials_v1', indexes: [] },
  handles: ['BacktestTried', 'BatchBacktestCreated'],
  keys: (event) => [(event.data as { lineageId: string }).lineageId],
  evolve: (document, recorded, id) => {
    const before = document ?? { id, batch_trials: 0, batches: 0, single_trials: 0 };
    if (recorded.type === 'BacktestTried') return { ...before, single_trials: before.single_trials + 1 };
    const { quotaByPartition } = recorded.data as { quotaByPartition: readonly number[] };
    return {
      ...before,
      batches: before.batches + 1,
      batch_trials: before.batch_trials + quotaByPartition.reduce((sum, n) => sum + n, 0),
    };
  },
};
