import { Type } from 'typebox';
import { defineStream, type EventOf, only } from '../kernel/define-stream.ts';
import { Count, DayText, exactly, Id } from '../kernel/event-fields.ts';
import type { StreamKind } from '../kernel/handle-command.ts';
import { defineProjection, type Projection } from '../kernel/projection.ts';
import type { ReadDocument } from '../ports/read-models.ts';
import { DECISION_EVENTS } from './decision.ts';

/** The events of an `evaluation-{strategyId}-{day}` stream. */
export const EVALUATION_EVENTS = defineStream({
  category: 'evaluation',
  events: {
    /**
     * A followed strategy could not be decided for that day; it is tried again with other prices or another
     * revision.
     */
    EvaluationFailed: exactly({
      strategyId: Id,
      revision: Count,
      day: DayText,
      dataVersion: Id,
      /** Of the refusal: its sentence may quote what the owner has written. */
      code: Id,
      /** With `PRICES_MISSING`: what has no close on that day. */
      tickers: Type.Optional(Type.Array(Id)),
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
  /** With `PRICES_MISSING`: what has no close on that day. */
  readonly tickers?: readonly string[];
  /** ISO 8601. */
  readonly failedAt: string;
}

export const evaluationFailuresProjection: Projection<EvaluationFailureDocument> = defineProjection({
  name: 'evaluationFailures',
  version: 1,
  collection: { name: 'evaluationFailures_v1', indexes: [] },
  events: [EVALUATION_EVENTS, only(DECISION_EVENTS, 'DecisionMade')],
  keys: (event) => [event.data.strategyId],
  evolve: (document, event, id) => {
    const { day } = event.data;
    if (event.type === 'DecisionMade') return document && day >= document.day ? null : document;
    if (document && document.day > day) return document;
    const { code, tickers } = event.data;
    return { id, day, code, ...(tickers && { tickers }), failedAt: event.metadata.recordedAt };
  },
});
