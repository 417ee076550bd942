import { Type } from 'typebox';
import type { SharedResult } from '../contracts/http/shared-results.ts';
import type { Decider } from '../kernel/decider.ts';
import { defineStream, type EventOf } from '../kernel/define-stream.ts';
import { Count, exactly, Id, NullableText, Text } from '../kernel/event-fields.ts';
import type { StreamKind } from '../kernel/handle-command.ts';
import { defineProjection, type Projection } from '../kernel/projection.ts';
import { refuse } from '../kernel/refusal.ts';
import type { ReadDocument } from '../ports/read-models.ts';
import { SnapshotSchema } from './snapshot.ts';

/** The events of a `sharedResult-{id}` stream. */
export const SHARED_RESULT_EVENTS = defineStream({
  category: 'sharedResult',
  events: {
    /** The owner has said that whoever has the link may see this result. */
    ResultShared: exactly({
      shareId: Id,
      /** The part of the link that nobody can guess. */
      key: Type.String({ pattern: '^[0-9a-f]{32}$' }),
      ownerId: Id,
      strategyId: Id,
      runId: Id,
      revision: Count,
      treeHash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
      /** Of the strategy, at that time. */
      name: Text,
      /** The strategy in the tree's language; null where the owner shows its result only. */
      strategyText: NullableText,
      result: SnapshotSchema,
    }),
    ResultShareWithdrawn: exactly({ shareId: Id, ownerId: Id }),
  },
});
export type SharedResultEvent = EventOf<typeof SHARED_RESULT_EVENTS>;
export type ResultShared = EventOf<typeof SHARED_RESULT_EVENTS, 'ResultShared'>;

export type SharedResultCommand =
  | { readonly type: 'ShareResult'; readonly shared: ResultShared['data'] }
  | { readonly type: 'WithdrawSharedResult'; readonly callerId: string };

export type SharedResultState =
  | { readonly status: 'none' }
  | { readonly status: 'shared' | 'withdrawn'; readonly shared: ResultShared['data'] };

export const SHARED_RESULT_NOT_FOUND = refuse(
  404,
  'shared_result_not_found',
  'This result cannot be found. The link may be incomplete, or its owner has withdrawn it.',
);

export const sharedResultDecider: Decider<SharedResultCommand, SharedResultState, SharedResultEvent> = {
  initialState: { status: 'none' },
  decide: (command, state) => {
    if (command.type === 'ShareResult')
      return state.status === 'none' ? [{ type: 'ResultShared', data: command.shared }] : [];
    if (state.status === 'none' || state.shared.ownerId !== command.callerId) return SHARED_RESULT_NOT_FOUND;
    if (state.status === 'withdrawn') return [];
    const { shareId, ownerId } = state.shared;
    return [{ type: 'ResultShareWithdrawn', data: { shareId, ownerId } }];
  },
  evolve: (state, event) => {
    if (event.type === 'ResultShared') return { status: 'shared', shared: event.data };
    if (state.status === 'none') throw new Error('A result was withdrawn that was never shared');
    return { ...state, status: 'withdrawn' };
  },
};

export const sharedResultStream: StreamKind<SharedResultCommand, SharedResultState, SharedResultEvent> = {
  ...SHARED_RESULT_EVENTS,
  decider: sharedResultDecider,
};

/** A result that can be seen by its link; `id` is the share's. What is withdrawn has none. */
/** A link as its owner sees it. */
export function sharedResultOf(shared: ResultShared['data'], at: string): SharedResult {
  return {
    id: shared.shareId,
    url: sharedResultAddress(shared),
    strategy_id: shared.strategyId,
    run_id: shared.runId,
    revision: shared.revision,
    created_at: at,
    name: shared.name,
    shows_strategy: shared.strategyText !== null,
    first_day: shared.result.firstDay,
    last_day: shared.result.lastDay,
  };
}

export interface SharedResultDocument extends ReadDocument {
  readonly shared: ResultShared['data'];
  readonly strategyId: string;
  /** ISO 8601. */
  readonly at: string;
}

export const sharedResultsProjection: Projection<SharedResultDocument> = defineProjection({
  name: 'sharedResults',
  version: 1,
  collection: { name: 'sharedResults_v1', indexes: [['strategyId', 'at']] },
  events: [SHARED_RESULT_EVENTS],
  keys: (event) => [event.data.shareId],
  evolve: (_, event, id) => {
    if (event.type === 'ResultShareWithdrawn') return null;
    const { data: shared } = event;
    return { id, shared, strategyId: shared.strategyId, at: event.metadata.recordedAt };
  },
});

/** The part of the address that names a shared result. */
export const sharedResultAddress = ({ shareId, key }: { readonly shareId: string; readonly key: string }) =>
  `/results/${shareId}-${key}`;
