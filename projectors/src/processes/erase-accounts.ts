import { API_CLIENT_STREAM } from '@quantloom/domain/api-client/api-client';
import { type BatchDocument, batchesProjection } from '@quantloom/domain/batch/projections';
import { BATCH_STREAM } from '@quantloom/domain/batch/stream';
import { followStream } from '@quantloom/domain/forward-test/follow';
import { type FollowDocument, followsProjection } from '@quantloom/domain/forward-test/projections';
import type { DomainEvent } from '@quantloom/domain/kernel/event';
import {
  type CommandContext,
  handleCommand,
  loadState,
  type StreamKind,
} from '@quantloom/domain/kernel/handle-command';
import type { IdSource } from '@quantloom/domain/kernel/ids';
import { checkpointName, type Projection } from '@quantloom/domain/kernel/projection';
import { isRefusal } from '@quantloom/domain/kernel/refusal';
import { paperStream } from '@quantloom/domain/paper/account';
import { ERASED, PERSONAL_FIELDS, waitlistPerson } from '@quantloom/domain/personal-data';
import type { Clock } from '@quantloom/domain/ports/clock';
import type { EventStore } from '@quantloom/domain/ports/event-store';
import type { Identity } from '@quantloom/domain/ports/identity';
import type { Log } from '@quantloom/domain/ports/log';
import { awayIn } from '@quantloom/domain/ports/outages';
import type { PersonKeys } from '@quantloom/domain/ports/person-keys';
import type { ReadModels, Where } from '@quantloom/domain/ports/read-models';
import { PROJECTIONS } from '@quantloom/domain/projections';
import {
  type SharedResultDocument,
  sharedResultStream,
  sharedResultsProjection,
} from '@quantloom/domain/shared-result/shared-result';
import {
  type StrategySummaryDocument,
  strategySummariesProjection,
} from '@quantloom/domain/strategy/projection';
import { strategyStream } from '@quantloom/domain/strategy/strategy';
import { type UserDocument, usersProjection } from '@quantloom/domain/user/projection';
import { USER_STREAM } from '@quantloom/domain/user/user';
import {
  type VariableListDocument,
  variableListsProjection,
} from '@quantloom/domain/variable-list/projection';
import { variableListStream } from '@quantloom/domain/variable-list/variable-list';
import { waitlistId, waitlistStream } from '@quantloom/domain/waitlist/waitlist';
import { UNDER_WAY, type UnderWayDocument } from './erasures-under-way.ts';
import { pagesOf } from './open-batches.ts';

const LOOK_EVERY_MS = 60_000;
const DAY_MS = 24 * 60 * 60_000;

/** Read models with personal data: what is built from the log after a key is gone shows none. */
const PERSONAL_PROJECTIONS = PROJECTIONS.filter(({ handles }) =>
  handles.some((type) => PERSONAL_FIELDS[type] !== undefined),
);

/**
 * Drops what earlier versions of the product have left of a read model: nobody follows the log there any
 * more, so that it would show for ever what has been erased. A former version that is started again builds it anew.
 */
async function dropEarlierVersions(
  readModels: ReadModels,
  { name, version, collection }: Pick<Projection, 'name' | 'version' | 'collection'>,
): Promise<void> {
  const withoutVersion = collection.name.replace(/_v\d+$/, '');
  for (let earlier = 1; earlier < version; earlier++)
    await readModels.drop(`${withoutVersion}_v${earlier}`, checkpointName({ name, version: earlier }));
}

export interface EraseAccountsDeps {
  readonly eventStore: EventStore;
  readonly readModels: ReadModels;
  readonly personKeys: PersonKeys;
  readonly identity: Pick<Identity, 'deleteAccount' | 'deleteMachineClient'>;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly log: Log;
  /** Resolves once the read models know what the log says now: they tell what belongs to whom. */
  readonly caughtUp: () => Promise<unknown>;
  /** Builds a read model anew and lets it take over. */
  readonly rebuild: (projection: string) => Promise<unknown>;
  /** Answers that are kept for repeated requests, and the like: removed altogether, nobody misses them. */
  readonly forgetAnswers: () => Promise<void>;
  /** `HH:MM` UTC at which what is left of the erased accounts of a day is removed together. */
  readonly tidyAt: string;
  /** Takes what was deleted off the disk. */
  readonly compact: () => Promise<void>;
}

export interface AccountErasures {
  /**
   * Erases the accounts whose time has come, with all that is left of them, at once; resolves with how many.
   * One at a time.
   */
  sweep(): Promise<number>;
  /** Stops after the account at hand. */
  close(): Promise<void>;
}

/**
 * Erases accounts whose owners asked for it and did not undo it. First what they own, then the sign-in, then
 * the key of what the log says about them, when their time has come. Last, once a night for all of a day, the
 * read models and files that still show it: that reads the whole log. Where an operator has an account erased
 * at once, it follows at once. Every step may be repeated, so that a process may die at any of them.
 */
export function startAccountErasures(deps: EraseAccountsDeps): AccountErasures {
  const { readModels, clock, log } = deps;
  let running: Promise<number> | null = null;
  const undone = new Map<string, UnderWayDocument>();
  let isClosed = false;
  let isLooking = false;
  const closing = Promise.withResolvers<void>();

  const due = async (): Promise<readonly string[]> => {
    await readModels.ensureCollection(UNDER_WAY);
    await readModels.ensureCollection(usersProjection.collection);
    const found = new Set<string>();
    undone.clear();
    for await (const page of pagesOf<UnderWayDocument>(readModels, UNDER_WAY.name, {}))
      for (const document of page)
        if (document.tidyAt === undefined) found.add(document.id);
        else undone.set(document.id, document);
    const now = clock.now().toISOString();
    const { name } = usersProjection.collection;
    for await (const page of pagesOf<UserDocument>(readModels, name, { eraseAt: { gt: '', lte: now } }))
      for (const { id } of page) found.add(id);
    return [...found];
  };

  const work = async (isAtOnce: boolean): Promise<number> => {
    // After an import or a restore that takes minutes, and nobody who stops waits for it.
    await Promise.race([deps.caughtUp(), closing.promise]);
    if (isClosed) return 0;
    const users = await due();
    for (const userId of users) {
      if (isClosed) break;
      const erased = await eraseAccount(userId, deps);
      if (erased) undone.set(userId, erased);
    }
    const now = clock.now().toISOString();
    const isTime = isAtOnce || [...undone.values()].some(({ tidyAt = '' }) => tidyAt <= now);
    if (undone.size === 0 || !isTime || isClosed) return 0;
    const erased = [...undone.keys()];
    // Another process may have erased them: with a copy of their keys they would be read out of the log once more.
    deps.personKeys.forgetCopies();
    for (const { name } of PERSONAL_PROJECTIONS) await deps.rebuild(name);
    for (const projection of PERSONAL_PROJECTIONS) await dropEarlierVersions(readModels, projection);
    await deps.forgetAnswers();
    await deps.compact();
    // Only now: the ids alone say nothing about a person.
    for (const userId of erased) await readModels.delete(UNDER_WAY.name, userId);
    log.info({ accounts: erased.length }, 'accounts were erased');
    return erased.length;
  };
  const sweep = (): Promise<number> => {
    running = (running ?? Promise.resolve(0)).catch(() => 0).then(() => work(true));
    return running;
  };
  const look = () => {
    if (isClosed || isLooking) return;
    isLooking = true;
    running = (running ?? Promise.resolve(0))
      .catch(() => 0)
      .then(() => work(false))
      .finally(() => {
        isLooking = false;
      });
    running.catch((error: unknown) => {
      // An outage is told by whoever watches the servers; the next look goes on where this one stopped.
      if (!awayIn(error)) log.error({ err: error }, 'an account was not erased');
    });
  };
  const timer = setInterval(look, LOOK_EVERY_MS).unref();
  look();
  return {
    sweep,
    close: async () => {
      isClosed = true;
      closing.resolve();
      clearInterval(timer);
      await running?.catch(() => undefined);
    },
  };
}

/** The next time that the hands show `HH:MM` UTC. */
function nextAt(clockTime: string, after: Date): Date {
  const [hours = 0, minutes = 0] = clockTime.split(':').map(Number);
  const next = new Date(after);
  next.setUTCHours(hours, minutes, 0, 0);
  return next > after ? next : new Date(next.getTime() + DAY_MS);
}

/** Null: its owner has undone the deletion meanwhile. */
async function eraseAccount(userId: string, deps: EraseAccountsDeps): Promise<UnderWayDocument | null> {
  const { eventStore, readModels, personKeys, identity, clock } = deps;
  await readModels.put(UNDER_WAY.name, { id: userId, _revision: 0, _position: '0' });
  const { addresses, subjects, isUrgent } = await identitiesOf(eventStore, userId);
  // From here on nothing can be undone.
  const command = { type: 'EraseAccount', now: clock.now().toISOString() } as const;
  if ((await run(deps, USER_STREAM, userId, command)) === 'refused') {
    await readModels.delete(UNDER_WAY.name, userId);
    return null;
  }
  // Whoever looks after approved orders refuses those of an account that is closed, and asks no broker with a
  // key that is gone.
  await run(deps, paperStream, userId, { type: 'ClosePaperAccount', userId });
  await deleteThings(userId, deps);
  const { state } = await loadState(eventStore, API_CLIENT_STREAM, userId);
  for (const { clientId } of state.clients) {
    await identity.deleteMachineClient(clientId);
    await run(deps, API_CLIENT_STREAM, userId, { type: 'DeleteApiClient', userId, clientId });
  }
  for (const subject of subjects) await identity.deleteAccount(subject, addresses);
  for (const address of addresses)
    await personKeys.erase(waitlistPerson(`${waitlistStream.category}-${waitlistId(address)}`));
  await personKeys.erase(userId);
  const now = clock.now();
  const tidyAt = (isUrgent ? now : nextAt(deps.tidyAt, now)).toISOString();
  const erased: UnderWayDocument = { id: userId, _revision: 0, _position: '0', tidyAt };
  await readModels.put(UNDER_WAY.name, erased);
  return erased;
}

/**
 * Every address and identity that the account ever had, as far as its key is there; and whether whoever had
 * it erased left no time to undo it.
 */
async function identitiesOf(
  eventStore: EventStore,
  userId: string,
): Promise<{
  readonly addresses: readonly string[];
  readonly subjects: readonly string[];
  readonly isUrgent: boolean;
}> {
  const addresses = new Set<string>();
  const subjects = new Set<string>();
  let isUrgent = false;
  for await (const { data, type, metadata } of eventStore.readStream(`${USER_STREAM.category}-${userId}`)) {
    const { eraseAt } = data as { readonly eraseAt?: string };
    if (type === 'AccountDeletionRequested' && eraseAt !== undefined)
      isUrgent = eraseAt <= metadata.recordedAt;
    const { email, previousEmail, subject } = data as Readonly<Record<string, unknown>>;
    for (const address of [email, previousEmail]) if (typeof address === 'string') addresses.add(address);
    if (typeof subject === 'string') subjects.add(subject);
  }
  addresses.delete(ERASED);
  subjects.delete(ERASED);
  return { addresses: [...addresses], subjects: [...subjects], isUrgent };
}

/** Strategies, lists and batches of a user, with the rows of the batches. */
async function deleteThings(userId: string, deps: EraseAccountsDeps): Promise<void> {
  const { readModels } = deps;
  for (const { collection } of [
    strategySummariesProjection,
    sharedResultsProjection,
    followsProjection,
    variableListsProjection,
    batchesProjection,
  ])
    await readModels.ensureCollection(collection);
  const caller = { userId, features: [] };
  const mine: Where<StrategySummaryDocument> & Where<VariableListDocument> = {
    ownerId: userId,
    isDeleted: false,
  };
  const strategies = strategySummariesProjection.collection.name;
  for await (const page of pagesOf<StrategySummaryDocument>(readModels, strategies, mine))
    for (const { id } of page) await run(deps, strategyStream, id, { type: 'DeleteStrategy', caller });
  const shares = sharedResultsProjection.collection.name;
  for await (const page of pagesOf<SharedResultDocument>(readModels, shares, { 'shared.ownerId': userId }))
    for (const { id } of page)
      await run(deps, sharedResultStream, id, { type: 'WithdrawSharedResult', callerId: userId });
  const follows = followsProjection.collection.name;
  for await (const page of pagesOf<FollowDocument>(readModels, follows, { userId }))
    for (const { id } of page) await run(deps, followStream, id, { type: 'UnfollowStrategy' });
  const lists = variableListsProjection.collection.name;
  for await (const page of pagesOf<VariableListDocument>(readModels, lists, mine))
    for (const { id } of page)
      await run(deps, variableListStream, id, { type: 'DeleteVariableList', callerId: userId });
  const batches = batchesProjection.collection.name;
  for await (const page of pagesOf<BatchDocument>(readModels, batches, { userId }))
    for (const { id } of page) await run(deps, BATCH_STREAM, id, { type: 'DeleteBatchBacktest', userId });
}

/** `gone`: there is nothing to do any more, since the read model was behind or an earlier attempt did it. */
async function run<Command, State, Event extends DomainEvent>(
  { eventStore, clock, ids }: EraseAccountsDeps,
  kind: StreamKind<Command, State, Event>,
  id: string,
  command: Command,
): Promise<'done' | 'gone' | 'refused'> {
  const commandId = ids();
  const context: CommandContext = {
    commandId,
    correlationId: commandId,
    actor: { kind: 'system', name: 'account erasure' },
    now: clock.now().toISOString(),
  };
  const result = await handleCommand(eventStore, kind, id, command, context);
  if (!isRefusal(result)) return 'done';
  return result.status === 404 ? 'gone' : 'refused';
}
