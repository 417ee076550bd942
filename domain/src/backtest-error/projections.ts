import { defineProjection, type Projection } from '../kernel/projection.ts';
import type { ReadDocument } from '../ports/read-models.ts';
import { BACKTEST_ERROR_EVENTS, type DebugData, type ErrorSubject, type ReplayOutcome } from './events.ts';

export interface BacktestErrorDocument extends ReadDocument {
  readonly created_at: string;
  readonly user_id: string;
  readonly subject: ErrorSubject;
  readonly subject_kind: ErrorSubject['kind'];
  readonly engine_version: string;
  readonly message: string;
  readonly debug_data: DebugData;
  readonly replays: readonly (ReplayOutcome & {
    readonly at: string;
    readonly engine_version: string;
  })[];
  /** Kind of the last replay's outcome, `open` before the first. */
  readonly outcome: ReplayOutcome['kind'] | 'open';
}

/** Backtest errors for administrators. */
export const backtestErrorsProjection: Projection<BacktestErrorDocument> = defineProjection({
  name: 'backtestErrors',
  version: 1,
  collection: {
    name: 'backtestErrors_v1',
    indexes: [['created_at'], ['outcome', 'created_at'], ['user_id']],
  },
  events: [BACKTEST_ERROR_EVENTS],
  keys: (event) => [event.data.errorId],
  evolve: (document, event, id) => {
    const at = event.metadata.recordedAt;
    if (event.type === 'BacktestErrorRecorded') {
      const { userId, subject, engineVersion, debugData } = event.data;
      return {
        id,
        created_at: at,
        user_id: userId,
        subject,
        subject_kind: subject.kind,
        engine_version: engineVersion,
        message: debugData.error.message,
        debug_data: debugData,
        replays: [],
        outcome: 'open',
      };
    }
    if (!document) return null;
    const { outcome, engineVersion } = event.data;
    return {
      ...document,
      outcome: outcome.kind,
      replays: [...document.replays, { ...outcome, at, engine_version: engineVersion }],
    };
  },
});
