import type { Projection } from '../kernel/projection.ts';
import type { ReadDocument } from '../ports/read-models.ts';
import {
  DECISION_EVENTS,
  type DecisionCorrected,
  type DecisionEvent,
  type DecisionMade,
  decisionId,
} from './decision.ts';
import { FOLLOW_EVENTS, type FollowEvent, followId, type StrategyFollowed } from './follow.ts';

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

export const followsProjection: Projection<FollowDocument> = {
  name: 'follows',
  version: 1,
  collection: { name: 'follows_v1', indexes: [['userId', 'followedAt']] },
  handles: FOLLOW_EVENTS.types,
  keys: (event) => [followId((event as unknown as FollowEvent).data)],
  evolve: (_, recorded, id) => {
    const event = recorded as unknown as FollowEvent;
    if (event.type === 'StrategyUnfollowed') return null;
    return { ...event.data, id, followedAt: recorded.metadata.recordedAt };
  },
};

/** What the nightly evaluation has to know of a strategy, however many people follow it; `id` is the strategy's. */
export interface ForwardRecordDocument extends ReadDocument {
  readonly followers: number;
  /** From where its decisions are kept. Whoever follows later joins the same record. */
  readonly startDay: string;
  /** The newest day that was decided; empty: none yet. */
  readonly decidedDay: string;
}

export const forwardRecordsProjection: Projection<ForwardRecordDocument> = {
  name: 'forwardRecords',
  version: 1,
  collection: { name: 'forwardRecords_v1', indexes: [['followers', 'id']] },
  handles: [...FOLLOW_EVENTS.types, 'DecisionMade'],
  keys: (event) => [(event.data as { strategyId: string }).strategyId],
  evolve: (document, recorded, id) => {
    const event = recorded as unknown as FollowEvent | DecisionMade;
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
};

/** A decision as it was made, with what would be decided with the prices of today. */
export interface DecisionDocument extends ReadDocument {
  readonly strategyId: string;
  readonly day: string;
  readonly decision: DecisionMade['data'];
  /** ISO 8601. */
  readonly decidedAt: string;
  readonly correction: DecisionCorrected['data'] | null;
}

export const decisionsProjection: Projection<DecisionDocument> = {
  name: 'decisions',
  version: 1,
  collection: { name: 'decisions_v1', indexes: [['strategyId', 'day']] },
  handles: DECISION_EVENTS.types,
  keys: (event) => [decisionId((event as unknown as DecisionEvent).data)],
  evolve: (document, recorded, id) => {
    const event = recorded as unknown as DecisionEvent;
    if (event.type === 'DecisionCorrected') return document && { ...document, correction: event.data };
    const { data: decision } = event;
    const { strategyId, day } = decision;
    return { id, strategyId, day, decision, decidedAt: recorded.metadata.recordedAt, correction: null };
  },
};
