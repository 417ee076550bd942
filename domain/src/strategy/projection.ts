import {
  defineProjection,
  type HandledEvent,
  type Projection,
  type Unstamped,
} from '../kernel/projection.ts';
import type { ReadDocument } from '../ports/read-models.ts';
import { STRATEGY_EVENTS } from './events.ts';
import type { HoldOut } from './hold-out.ts';
import { type OwnFieldValues, ownFieldsAfter } from './own-fields/own-fields.ts';
import { type HeldTree, heldTreeOf } from './stored-tree.ts';
import type { StrategyType } from './strategy.ts';

/** A strategy without its tree, for lists. Times are ISO 8601. Deleted ones stay, so that deletion can be undone. */
export interface StrategySummaryDocument extends ReadDocument, OwnFieldValues {
  readonly ownerId: string;
  readonly name: string;
  readonly type: StrategyType;
  readonly variables: readonly string[];
  readonly isPublic: boolean;
  readonly status: 'draft' | 'live';
  readonly isDeleted: boolean;
  readonly lineageId: string;
  /** Missing: never set. */
  readonly holdOut?: HoldOut;
  readonly source: { readonly strategyId: string; readonly revision: number } | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly algorithmUpdatedAt: string;
}
export type StrategyDocument = StrategySummaryDocument & HeldTree;

type StrategyChange = HandledEvent<[typeof STRATEGY_EVENTS]>;

function evolveSummary(
  document: Unstamped<StrategySummaryDocument> | null,
  change: StrategyChange,
): Unstamped<StrategySummaryDocument> | null {
  const now = change.metadata.recordedAt;
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
  if (!document) throw new Error(`${change.type} of a strategy that was never created`);
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
    case 'StrategyHoldOutSet': {
      const { date, givenAwayUntil } = change.data;
      return { ...document, holdOut: { date, givenAwayUntil } };
    }
    case 'StrategyDeleted':
      return { ...changed, isDeleted: true };
    case 'StrategyDeletionUndone':
      return { ...changed, isDeleted: false };
    default:
      return { ...document, ...ownFieldsAfter(change) };
  }
}

const events = [STRATEGY_EVENTS] as const;
const keys = (event: StrategyChange) => [event.data.strategyId];

/** Lists: drafts and templates. */
export const strategySummariesProjection: Projection<StrategySummaryDocument> = defineProjection({
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
  events,
  keys,
  evolve: evolveSummary,
});

/** Whole strategies by id. */
export const strategiesProjection: Projection<StrategyDocument> = defineProjection({
  name: 'strategies',
  version: 1,
  collection: { name: 'strategies_v1', indexes: [] },
  events,
  keys,
  evolve: (document, event) => {
    const summary = evolveSummary(document, event);
    const held = 'variables' in event.data ? event.data : document;
    if (!summary || !held) return null;
    const {
      algorithm: _,
      tree: __,
      ...rest
    }: Unstamped<StrategySummaryDocument> & Partial<HeldTree> = summary;
    return { ...rest, ...heldTreeOf(held) };
  },
});
