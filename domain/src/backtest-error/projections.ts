import type { Projection } from '../kernel/projection.ts';
import type { ReadDocument } from '../ports/read-models.ts';
import type { BacktestErrorEvent, DebugData, ErrorSubject, ReplayOutcome } from './events.ts';

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
export const backtestErrorsProjection: Projection<BacktestErrorDocument> = {
  name: 'backtestErrors',
  version: 1,
  collection: {
    name: 'backtestErrors_v1',
    indexes: [['created_at'], ['outcome', 'created_at'], ['user_id']],
  },
  handles: ['BacktestErrorRecorded', 'BacktestErrorReplayed'],
  keys: (event) => [(event.data as { errorId: string }).errorId],
  evolve: (document, recorded, id) => {
    const event = { type: recorded.type, data: recorded.data } as BacktestErrorEvent;
    if (event.type === 'BacktestErrorRecorded') {
      const { userId, subject, engineVersion, debugData } = event.data;
      return {
        id,
        created_at: recorded.metadata.recordedAt,
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
      replays: [
        ...document.replays,
        { ...outcome, at: recorded.metadata.recordedAt, engine_version: engineVersion },
      ],
    };
  },
};
