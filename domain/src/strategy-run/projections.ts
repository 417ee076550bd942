import type { RecordedEvent } from '../kernel/event.ts';
import { defineProjection, type Projection } from '../kernel/projection.ts';
import type { ReadDocument } from '../ports/read-models.ts';
import { type RecordedRun, STRATEGY_RUN_EVENTS, type StrategyRunRecorded } from './events.ts';

/** A recorded run; `id` is its own. */
export interface StrategyRunDocument extends ReadDocument, RecordedRun {
  /** ISO 8601. */
  readonly at: string;
}

const runOf = ({ data, metadata }: RecordedEvent<StrategyRunRecorded>, id: string) => ({
  ...data,
  id,
  at: metadata.recordedAt,
});

/** Every recorded run. */
export const strategyRunsProjection: Projection<StrategyRunDocument> = defineProjection({
  name: 'strategyRuns',
  version: 1,
  collection: { name: 'strategyRuns_v1', indexes: [['strategyId', 'at']] },
  events: [STRATEGY_RUN_EVENTS],
  keys: (event) => [event.data.runId],
  evolve: (_, event, id) => runOf(event, id),
});

/** The last run of every strategy; `id` is the strategy's. */
export const lastRunsProjection: Projection<StrategyRunDocument> = defineProjection({
  name: 'lastRuns',
  version: 1,
  collection: { name: 'lastRuns_v1', indexes: [] },
  events: [STRATEGY_RUN_EVENTS],
  keys: (event) => [event.data.strategyId],
  evolve: (_, event, id) => runOf(event, id),
});
