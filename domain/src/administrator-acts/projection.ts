import { orderOf } from '../account-history/projection.ts';
import { only } from '../kernel/define-stream.ts';
import { defineProjection, type HandledEvent, type Projection } from '../kernel/projection.ts';
import type { ReadDocument } from '../ports/read-models.ts';
import { USER_EVENTS } from '../user/events.ts';

/** What can be done to an account by others than its owner, by the event that records it. */
export const ADMINISTRATOR_ACTS = [
  'UserFeatureGranted',
  'UserFeatureRevoked',
  'UserPlanChanged',
  'AccountDisabled',
  'AccountEnabled',
  'AccountSignedOut',
  'PasswordResetSent',
  'AccountUnlocked',
  'SecondFactorsRemoved',
  'AccountDeletionRequested',
  'AccountDeletionUndone',
] as const;
export type AdministratorActType = (typeof ADMINISTRATOR_ACTS)[number];

/**
 * One act of an administrator, or on the command line, on somebody's account. Without its reason and any
 * address: those stay in the log, under the key of the person, so that an erasure leaves none of them here.
 */
export interface AdministratorActDocument extends ReadDocument {
  /** The log position, padded so that text order is log order. */
  readonly order: string;
  /** ISO 8601. */
  readonly at: string;
  readonly act: string;
  /** Of the administrator; null: a part of the system, as `actorName` says. */
  readonly actorId: string | null;
  readonly actorName: string | null;
  /** Whom it was done to. */
  readonly userId: string;
  readonly stream: string;
  readonly revision: number;
}

const ACT_EVENTS = only(USER_EVENTS, ...ADMINISTRATOR_ACTS);
type ActEvent = HandledEvent<[typeof ACT_EVENTS]>;

/** Whether somebody else than the account's owner (or his billing provider) did it. */
function isByOthers({ type, data, metadata: { actor } }: ActEvent): boolean {
  if (type === 'UserPlanChanged') return data.source === 'administrator';
  return actor.kind === 'system' || actor.userId !== data.userId || type.startsWith('UserFeature');
}

/** Everything that administrators did to accounts, one document per act. */
export const administratorActsProjection: Projection<AdministratorActDocument> = defineProjection({
  name: 'administratorActs',
  version: 1,
  collection: {
    name: 'administratorActs_v1',
    indexes: [['order'], ['actorId', 'order'], ['userId', 'order'], ['act', 'order']],
  },
  events: [ACT_EVENTS],
  keys: (event) => (isByOthers(event) ? [event.id] : []),
  evolve: (_, event, id) => {
    const { actor } = event.metadata;
    return {
      id,
      order: orderOf(event.position),
      at: event.metadata.recordedAt,
      act: event.type,
      actorId: actor.kind === 'system' ? null : actor.userId,
      actorName: actor.kind === 'system' ? actor.name : null,
      userId: event.data.userId,
      stream: event.stream,
      revision: event.revision,
    };
  },
});
