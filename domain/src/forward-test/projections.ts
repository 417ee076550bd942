import { only } from '../kernel/define-stream.ts';
import { defineProjection, type Projection } from '../kernel/projection.ts';
import type { ReadDocument } from '../ports/read-models.ts';
import { DECISION_EVENTS, type DecisionCorrected, type DecisionMade, decisionId } from './decision.ts';
import { FOLLOW_EVENTS, followId, type StrategyFollowed } from './follow.ts';

/** A strategy that a user follows; who has left it has none. */
export interface FollowDocument extends ReadDocument {
  readonly userId: string;
  readonly strategyId: string;
  readonly revision: number;
  readonly startDay: string;
  readonly registration: StrategyFollowed['data']['registration'];
  /** ISO 8601. */
  readonly followedAt: string;
}

export const followsProjection: Projection<FollowDocument> = defineProjection({
  name: 'follows',
  version: 1,
  collection: { name: 'follows_v1', indexes: [['userId', 'followedAt']] },
  events: [FOLLOW_EVENTS],
  keys: (event) => [followId(event.data)],
  evolve: (_, event, id) =>
    event.type === 'StrategyUnfollowed' ? null : { ...event.data, id, followedAt: event.metadata.recordedAt },
});

/** What the nightly evaluation has to know of a strategy, however many people follow it; `id` is the strategy's. */
export interface ForwardRecordDocument extends ReadDocument {
  readonly followers: number;
  /** From where its decisions are kept. Whoever follows later joins the same record. */
  readonly startDay: string;
  /** The newest day that was decided; empty: none yet. */
  readonly decidedDay: string;
}

export const forwardRecordsProjection: Projection<ForwardRecordDocument> = defineProjection({
  name: 'forwardRecords',
  version: 1,
  collection: { name: 'forwardRecords_v1', indexes: [['followers', 'id']] },
  events: [FOLLOW_EVENTS, only(DECISION_EVENTS, 'DecisionMade')],
  keys: (event) => [event.data.strategyId],
  evolve: (document, event, id) => {
    if (event.type === 'StrategyFollowed') {
      const before = document ?? { id, followers: 0, startDay: event.data.startDay, decidedDay: '' };
      // Nights on which nobody followed it are no missed ones: the record goes on from today.
      const startDay = before.followers === 0 ? event.data.startDay : before.startDay;
      return { ...before, startDay, followers: before.followers + 1 };
    }
    if (!document) return null;
    if (event.type === 'StrategyUnfollowed') return { ...document, followers: document.followers - 1 };
    const { day } = event.data;
    return day > document.decidedDay ? { ...document, decidedDay: day } : document;
  },
});

/** A decision as it was made, with what would be decided with the prices of today. */
export interface DecisionDocument extends ReadDocument {
  readonly strategyId: string;
  readonly day: string;
  readonly decision: DecisionMade['data'];
  /** ISO 8601. */
  readonly decidedAt: string;
  readonly correction: DecisionCorrected['data'] | null;
}

export const decisionsProjection: Projection<DecisionDocument> = defineProjection({
  name: 'decisions',
  version: 1,
  collection: { name: 'decisions_v1', indexes: [['strategyId', 'day']] },
  events: [DECISION_EVENTS],
  keys: (event) => [decisionId(event.data)],
  evolve: (document, event, id) => {
    if (event.type === 'DecisionCorrected') return document && { ...document, correction: event.data };
    const { data: decision } = event;
    const { strategyId, day } = decision;
    return { id, strategyId, day, decision, decidedAt: event.metadata.recordedAt, correction: null };
  },
});
