import { API_CLIENT_STREAM, UNRESTRICTED } from '@quantloom/domain/api-client/api-client';
import { BATCH_STREAM } from '@quantloom/domain/batch/stream';
import { followId, followStream } from '@quantloom/domain/forward-test/follow';
import type { DomainEvent } from '@quantloom/domain/kernel/event';
import type { StreamKind } from '@quantloom/domain/kernel/handle-command';
import { paperStream } from '@quantloom/domain/paper/account';
import { basketId, basketStream, orderIdOf } from '@quantloom/domain/paper/basket';
import { type ResultShared, sharedResultStream } from '@quantloom/domain/shared-result/shared-result';
import { STARTERS } from '@quantloom/domain/strategy/starters';
import { strategyStream } from '@quantloom/domain/strategy/strategy';
import { createdData } from '@quantloom/domain/testing/batch-builders';
import { eventSamples } from '@quantloom/domain/testing/event-samples';
import { USER_STREAM } from '@quantloom/domain/user/user';
import { variableListStream } from '@quantloom/domain/variable-list/variable-list';
import { waitlistId, waitlistStream } from '@quantloom/domain/waitlist/waitlist';
import { ulid } from 'ulid';

/** Carries a command of somebody out. */
export type Act = <Command, State, Event extends DomainEvent>(
  userId: string,
  kind: StreamKind<Command, State, Event>,
  id: string,
  command: Command,
) => Promise<void>;

/** On which all of it happened. */
export const DAY = '2026-12-01';
const SHARED = eventSamples().find(({ file }) => file === 'ResultShared.v1.json')?.event
  .data as ResultShared['data'];

/** Somebody with a strategy, a list and a batch. */
export async function registerPerson(
  act: Act,
  { userId, email, name }: { readonly userId: string; readonly email: string; readonly name: string },
): Promise<void> {
  const caller = { userId, features: ['web.batch-backtests.create'] } as const;
  const algorithm = STARTERS[0]?.build(ulid);
  await act(userId, USER_STREAM, userId, {
    type: 'RegisterUser',
    userId,
    subject: `subject-of-${name}`,
    email,
    planId: 'api',
    grantedFeatures: [],
  });
  await act(userId, waitlistStream, waitlistId(email), { type: 'JoinWaitlist', email });
  const strategyId = `s-${userId}`;
  await act(userId, strategyStream, strategyId, {
    type: 'CreateStrategy',
    strategyId,
    caller,
    name: `${name} one`,
    isPublic: false,
    status: 'draft',
    algorithm,
  });
  await act(userId, variableListStream, `l-${userId}`, {
    type: 'CreateVariableList',
    listId: `l-${userId}`,
    callerId: userId,
    name: `${name} list`,
    isPublic: true,
    variables: ['SPY'],
  });
  const batchId = `b-${userId}`;
  await act(userId, BATCH_STREAM, batchId, {
    type: 'CreateBatchBacktest',
    batch: createdData({
      batchId,
      userId,
      name: `${name} batch`,
      template: { name: `${name} template`, variables: [], algorithm: algorithm as never },
      lineageId: `lineage-${userId}`,
    }),
  });
}

/**
 * What belongs to the account of a person as well: a shared result, a follow, an API client, and an account
 * with orders approved.
 */
export async function giveBelongings(act: Act, userId: string): Promise<void> {
  const shareId = `r-${userId}`;
  const shared = { ...SHARED, shareId, ownerId: userId, strategyId: `s-${userId}` };
  await act(userId, sharedResultStream, shareId, { type: 'ShareResult', shared });
  const follow = { userId, strategyId: 's-ben', revision: 0, startDay: DAY, registration: null };
  await act(userId, followStream, followId(follow), { type: 'FollowStrategy', follow });
  const client = { userId, clientId: `c-${userId}`, ...UNRESTRICTED, now: `${DAY}T00:00:00.000Z` };
  await act(userId, API_CLIENT_STREAM, userId, { type: 'CreateApiClient', ...client });
  const terms = { broker: 'alpaca', cash: 0, slippageBps: 0, startDay: DAY, isFractional: false } as const;
  await act(userId, paperStream, userId, {
    type: 'OpenPaperAccount',
    userId,
    terms: { ...terms, strategyIds: [`s-${userId}`], sealedKey: `key of ${userId}`, keyHint: 'hint' },
  });
  const key = { userId, number: 1, day: DAY };
  await act(userId, basketStream, basketId(key), {
    type: 'ApproveBasket',
    basket: {
      ...key,
      broker: 'alpaca',
      decisions: [],
      orders: [{ id: orderIdOf(key, 'SPY'), ticker: 'SPY', side: 'buy', quantity: 1, close: 600 }],
    },
  });
}
