import { defineProjection, type Projection } from '../kernel/projection.ts';
import type { ReadDocument } from '../ports/read-models.ts';
import { BACKTEST_ERROR_EVENTS, type DebugData, type ErrorSubject, type ReplayOutcome } from './events.ts';

export interface BacktestErrorDocument extends ReadDocument {
  /** ISO 8601. */
  readonly createdAt: string;
  readonly userId: string;
  readonly subject: ErrorSubject;
  readonly subjectKind: ErrorSubject['kind'];
  readonly engineVersion: string;
  readonly message: string;
  readonly debugData: DebugData;
  readonly replays: readonly (ReplayOutcome & {
    readonly at: string;
    readonly engineVersion: string;
  })[];
  /** Kind of the last replay's outcome, `open` before the first. */
  readonly outcome: ReplayOutcome['kind'] | 'open';
}

/** Backtest errors for administrators. */
export const backtestErrorsProjection: Projection<BacktestErrorDocument> = defineProjection({
  name: 'backtestErrors',
  version: 2,
  collection: {
    name: 'backtestErrors_v2',
    indexes: [['createdAt'], ['outcome', 'createdAt'], ['userId']],
  },
  events: [BACKTEST_ERROR_EVENTS],
  keys: (event) => [event.data.errorId],
  evolve: (document, event, id) => {
    const at = event.metadata.recordedAt;
    if (event.type === 'BacktestErrorRecorded') {
      const { userId, subject, engineVersion, debugData } = event.data;
      return {
        id,
        createdAt: at,
        userId,
        subject,
        subjectKind: subject.kind,
        engineVersion,
        message: debugData.error.message,
        debugData,
        replays: [],
        outcome: 'open',
      };
    }
    if (!document) return null;
    const { outcome, engineVersion } = event.data;
    return {
      ...document,
      outcome: outcome.kind,
      replays: [...document.replays, { ...outcome, at, engineVersion }],
    };
  },
});
