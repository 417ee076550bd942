import type { RecordedEvent } from '../kernel/event.ts';
import type { Projection } from '../kernel/projection.ts';
import type { ReadDocument } from '../ports/read-models.ts';
import { STRATEGY_EVENTS, type StrategyEvent } from './events.ts';
import type { HoldOut } from './hold-out.ts';
import { type HeldTree, heldTreeOf } from './stored-tree.ts';
import type { StrategyType } from './strategy.ts';

/** A strategy without its tree, for lists. Times are ISO 8601. Deleted ones stay, so that deletion can be undone. */
export interface StrategySummaryDocument extends ReadDocument {
  readonly ownerId: string;
  readonly name: string;
  readonly type: StrategyType;
  readonly variables: readonly string[];
  readonly isPublic: boolean;
  readonly status: 'draft' | 'live';
  readonly isDeleted: boolean;
  readonly lineageId: string;
  /** Missing in documents of before there were any: none. */
  readonly tags?: readonly string[];
  readonly isArchived?: boolean;
  /** Missing: never set. */
  readonly holdOut?: HoldOut;
  readonly source: { readonly strategyId: string; readonly revision: number } | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly algorithmUpdatedAt: string;
}
export type StrategyDocument = StrategySummaryDocument & HeldTree;

type Fields<Doc> = Omit<Doc, '_revision' | '_position'>;

function evolveSummary(
  document: Fields<StrategySummaryDocument> | null,
  event: RecordedEvent<StrategyEvent>,
): Fields<StrategySummaryDocument> | null {
  const now = event.metadata.recordedAt;
  const change = { type: event.type, data: event.data } as StrategyEvent;
  if (change.type === 'StrategyCreated' || change.type === 'StrategyCloned') {
    const { strategyId, ownerId, name, type, variables, isPublic, status, lineageId } = change.data;
    const source = change.type === 'StrategyCloned' ? change.data.source : null;
    const times = { createdAt: now, updatedAt: now, algorithmUpdatedAt: now };
    return {
      id: strategyId,
      ownerId,
      name,
      type,
      variables,
      isPublic,
      status,
      isDeleted: false,
      lineageId,
      source,
      ...times,
    };
  }
  if (!document) throw new Error(`${event.type} of a strategy that was never created`);
  const changed = { ...document, updatedAt: now };
  switch (change.type) {
    case 'StrategySaved':
    case 'StrategyRestored': {
      const { name, type, variables } = change.data;
      return { ...changed, name, type, variables, algorithmUpdatedAt: now };
    }
    case 'StrategyImported':
      return document;
    case 'StrategyRenamed':
      return { ...changed, name: change.data.name };
    case 'StrategyVisibilityChanged':
      return { ...changed, isPublic: change.data.isPublic };
    // Order is the owner's: nothing of the strategy has changed.
    case 'StrategyTagged':
      return { ...document, tags: change.data.tags };
    case 'StrategyArchived':
      return { ...document, isArchived: true };
    case 'StrategyUnarchived':
      return { ...document, isArchived: false };
    case 'StrategyHoldOutSet': {
      const { date, givenAwayUntil } = change.data;
      return { ...document, holdOut: { date, givenAwayUntil } };
    }
    case 'StrategyDeleted':
      return { ...changed, isDeleted: true };
    case 'StrategyDeletionUndone':
      return { ...changed, isDeleted: false };
    default: {
      const unknown: never = change;
      return unknown;
    }
  }
}

const handles = STRATEGY_EVENTS.types;
const keys = (event: RecordedEvent) => [(event as RecordedEvent<StrategyEvent>).data.strategyId];

/** Lists: drafts and templates. */
export const strategySummariesProjection: Projection<StrategySummaryDocument> = {
  name: 'strategySummaries',
  version: 1,
  collection: {
    name: 'strategySummaries_v1',
    indexes: [
      ['ownerId', 'isDeleted', 'updatedAt'],
      ['ownerId', 'isDeleted', 'type', 'updatedAt'],
      ['lineageId'],
    ],
  },
  handles,
  keys,
  evolve: (document, event) => evolveSummary(document, event as RecordedEvent<StrategyEvent>),
};

/** Whole strategies by id. */
export const strategiesProjection: Projection<StrategyDocument> = {
  name: 'strategies',
  version: 1,
  collection: { name: 'strategies_v1', indexes: [] },
  handles,
  keys,
  evolve: (document, recorded) => {
    const event = recorded as RecordedEvent<StrategyEvent>;
    const summary = evolveSummary(document, event);
    const held = 'variables' in event.data ? event.data : (document as StrategyDocument | null);
    if (!summary || !held) return null;
    const { algorithm: _, tree: __, ...rest } = summary as Fields<StrategyDocument>;
    return { ...rest, ...heldTreeOf(held) } as Fields<StrategyDocument>;
  },
};
