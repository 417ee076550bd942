import { defineStream, type EventOf } from '../kernel/define-stream.ts';
import { Count, DayText, exactly, Id } from '../kernel/event-fields.ts';
import type { StreamKind } from '../kernel/handle-command.ts';
import type { Projection } from '../kernel/projection.ts';
import type { ReadDocument } from '../ports/read-models.ts';

/** The events of an `evaluation-{strategyId}-{day}` stream. */
export const EVALUATION_EVENTS = defineStream({
  category: 'evaluation',
  events: {
    /** A followed strategy could not be decided for that day; it is tried again with other prices or another revision. */
    EvaluationFailed: exactly({
      strategyId: Id,
      revision: Count,
      day: DayText,
      dataVersion: Id,
      /** Of the refusal: its sentence may quote what the owner has written. */
      code: Id,
    }),
  },
});
export type EvaluationFailed = EventOf<typeof EVALUATION_EVENTS>;

export interface RecordFailure {
  readonly type: 'RecordFailure';
  readonly failed: EvaluationFailed['data'];
}

/** Codes told already; each once for a day. */
export const evaluationStream: StreamKind<RecordFailure, readonly string[], EvaluationFailed> = {
  ...EVALUATION_EVENTS,
  decider: {
    initialState: [],
    decide: ({ failed }, told) =>
      told.includes(failed.code) ? [] : [{ type: 'EvaluationFailed', data: failed }],
    evolve: (told, { data }) => [...told, data.code],
  },
};

/** Id of a day's evaluation within the category. */
export const evaluationOf = ({ strategyId, day }: { readonly strategyId: string; readonly day: string }) =>
  `${strategyId}-${day}`;

/** The last failure of a strategy that no later decision has made good; `id` is the strategy's. */
export interface EvaluationFailureDocument extends ReadDocument {
  readonly day: string;
  readonly code: string;
  /** ISO 8601. */
  readonly failedAt: string;
}

export const evaluationFailuresProjection: Projection<EvaluationFailureDocument> = {
  name: 'evaluationFailures',
  version: 1,
  collection: { name: 'evaluationFailures_v1', indexes: [] },
  handles: [...EVALUATION_EVENTS.types, 'DecisionMade'],
  keys: (event) => [(event.data as { strategyId: string }).strategyId],
  evolve: (document, recorded, id) => {
    const { day, code } = recorded.data as EvaluationFailed['data'];
    if (recorded.type === 'DecisionMade') return document && day >= document.day ? null : document;
    if (document && document.day > day) return document;
    return { id, day, code, failedAt: recorded.metadata.recordedAt };
  },
};
