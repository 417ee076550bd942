import { BATCH_EVENTS, type BatchBacktestCreated } from '../batch/events.ts';
import { fingerprintOf } from '../batch/reuse.ts';
import type { Decider } from '../kernel/decider.ts';
import { defineStream, type EventOf, only } from '../kernel/define-stream.ts';
import { exactly, Id } from '../kernel/event-fields.ts';
import { defineProjection, type Projection, type Unstamped } from '../kernel/projection.ts';
import type { ReadDocument } from '../ports/read-models.ts';

/** The events of a `trials-{lineageId}-{fingerprint}` stream. */
export const TRIAL_EVENTS = defineStream({
  category: 'trials',
  events: {
    /**
     * A single backtest of a strategy was run: one more look at the past, which the deflated Sharpe ratio has
     * to count.
     */
    BacktestTried: exactly({
      lineageId: Id,
      strategyId: Id,
      userId: Id,
      /**
       * Of the strategy (`trialFingerprint`), in events of before with its dates and costs: running the same
       * again is no new trial.
       */
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
  /** Combinations computed in batches; the same ones over other dates, costs or prices are no new ones. */
  readonly batchTrials: number;
  readonly batches: number;
  /** Distinct single backtests. */
  readonly singleTrials: number;
  /** Combinations counted by what they are rows of: a tree with the values of its variables. The last ones used. */
  readonly grids: readonly { readonly key: string; readonly counted: number }[];
}

/**
 * Further ones are counted anew: a lineage that has tried a thousand different grids is not judged by one
 * more or less.
 */
const MOST_GRIDS = 1_000;

type Bare = Unstamped<LineageTrialsDocument>;

function withBatch(
  before: Bare,
  { template, variables, quotaByPartition }: BatchBacktestCreated['data'],
): Bare {
  // The root's name is the template's title.
  const { name: _title, ...tree } = template.algorithm;
  const key = fingerprintOf({ tree, variables });
  const computed = quotaByPartition.reduce((sum, n) => sum + n, 0);
  const counted = before.grids.find((one) => one.key === key)?.counted ?? 0;
  const others = before.grids.filter((one) => one.key !== key).slice(1 - MOST_GRIDS);
  return {
    ...before,
    batches: before.batches + 1,
    batchTrials: before.batchTrials + Math.max(0, computed - counted),
    grids: [...others, { key, counted: Math.max(counted, computed) }],
  };
}

/** Trials per lineage, straight from the log. */
export const lineageTrialsProjection: Projection<LineageTrialsDocument> = defineProjection({
  name: 'lineageTrials',
  version: 3,
  collection: { name: 'lineageTrials_v3', indexes: [] },
  events: [TRIAL_EVENTS, only(BATCH_EVENTS, 'BatchBacktestCreated')],
  keys: (event) => [event.data.lineageId],
  evolve: (document, event, id) => {
    const before: Bare = document ?? { id, batchTrials: 0, batches: 0, singleTrials: 0, grids: [] };
    if (event.type === 'BacktestTried') return { ...before, singleTrials: before.singleTrials + 1 };
    return withBatch(before, event.data);
  },
});
