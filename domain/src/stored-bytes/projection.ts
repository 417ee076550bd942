import { BATCH_EVENTS } from '../batch/events.ts';
import { only } from '../kernel/define-stream.ts';
import {
  defineProjection,
  type HandledEvent,
  type Projection,
  type Unstamped,
} from '../kernel/projection.ts';
import type { ReadDocument, Where } from '../ports/read-models.ts';
import { SHARED_RESULT_EVENTS } from '../shared-result/shared-result.ts';
import { STRATEGY_EVENTS } from '../strategy/events.ts';
import { STRATEGY_RUN_EVENTS } from '../strategy-run/events.ts';
import { VARIABLE_LIST_EVENTS } from '../variable-list/events.ts';

/**
 * What a strategy, a variable list or a batch takes of its owner's room, all of its revisions together. `id`
 * is its stream.
 */
export interface StoredBytesDocument extends ReadDocument {
  readonly ownerId: string;
  /** JSON characters of its events' data, and of every tree that they refer to, each tree once. */
  readonly bytes: number;
  /** The beginnings of the hashes of those trees. */
  readonly trees: readonly string[];
  /** What is deleted counts nothing until it is brought back. */
  readonly isDeleted: boolean;
}

type Fields = Unstamped<StoredBytesDocument>;

const COUNTED_EVENTS = [
  STRATEGY_EVENTS,
  VARIABLE_LIST_EVENTS,
  STRATEGY_RUN_EVENTS,
  SHARED_RESULT_EVENTS,
  // Events of batches that people cause; those of their progress are the product's own.
  only(
    BATCH_EVENTS,
    'BatchBacktestCreated',
    'BatchBacktestAbandoned',
    'BatchBacktestDeleted',
    'BatchBacktestRenamed',
    'BatchNoteChanged',
    'ResultRowPinned',
    'ResultRowUnpinned',
  ),
] as const;
type Counted = HandledEvent<typeof COUNTED_EVENTS>;

/** Of 64: two trees of one strategy that agree in these would be chosen for it. */
const HASH_LENGTH = 16;

const begins = new Set<string>([
  'StrategyCreated',
  'StrategyCloned',
  'VariableListCreated',
  'VariableListCloned',
  'BatchBacktestCreated',
  'ResultShared',
]);
const ends = new Set<string>(['BatchBacktestDeleted', 'BatchBacktestAbandoned', 'ResultShareWithdrawn']);

/** Whether an event begins something that counts for itself. */
export const beginsStored = ({ type }: { readonly type: string }): boolean => begins.has(type);

/** Characters that the data of an event take, and the trees that they refer to. */
export function bytesOfEvent({ data }: { readonly data: unknown }): {
  readonly bytes: number;
  readonly tree: { readonly key: string; readonly bytes: number } | null;
} {
  const { tree } = data as { readonly tree?: { readonly hash: string; readonly size: number } };
  return {
    bytes: JSON.stringify(data).length,
    tree: tree ? { key: tree.hash.slice(0, HASH_LENGTH), bytes: tree.size } : null,
  };
}

function evolve(document: Fields | null, { type, data, stream }: Counted): Fields | null {
  if (ends.has(type)) return null;
  if (!document && !begins.has(type)) return null;
  const ownerId = 'ownerId' in data ? data.ownerId : 'userId' in data ? data.userId : '';
  const before = document ?? {
    id: stream,
    ownerId,
    bytes: 0,
    trees: [],
    isDeleted: false,
  };
  const { bytes, tree } = bytesOfEvent({ data });
  const isNew = tree !== null && !before.trees.includes(tree.key);
  const isDeleted = type.endsWith('DeletionUndone') ? false : before.isDeleted || type.endsWith('Deleted');
  return {
    ...before,
    bytes: before.bytes + bytes + (isNew ? tree.bytes : 0),
    trees: isNew ? [...before.trees, tree.key] : before.trees,
    isDeleted,
  };
}

/** Room that users take, by what takes it. */
export const storedBytesProjection: Projection<StoredBytesDocument> = defineProjection({
  name: 'storedBytes',
  version: 1,
  collection: { name: 'storedBytes_v1', indexes: [['ownerId', 'isDeleted', 'bytes']] },
  events: COUNTED_EVENTS,
  // Runs take their strategy's room, and give it back with it.
  keys: ({ stream, type, data }) => [
    type === 'StrategyRunRecorded' ? `${STRATEGY_EVENTS.category}-${data.strategyId}` : stream,
  ],
  evolve,
});

/** What of the collection counts for a user. */
export const storedBy = (ownerId: string): Where<StoredBytesDocument> => ({ ownerId, isDeleted: false });
