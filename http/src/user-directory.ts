import {
  API_CLIENT_STREAM,
  type ApiClientFacts,
  isLiveClient,
} from '@quantloom/domain/api-client/api-client';
import type { ApiScope } from '@quantloom/domain/identity/api-scopes';
import { featuresOf } from '@quantloom/domain/identity/entitlements';
import type { Feature, PlanId } from '@quantloom/domain/identity/plans';
import { loadState } from '@quantloom/domain/kernel/handle-command';
import type { StateCache } from '@quantloom/domain/kernel/state-cache';
import type { EventStore } from '@quantloom/domain/ports/event-store';
import { awayIn } from '@quantloom/domain/ports/outages';
import type { ReadModels } from '@quantloom/domain/ports/read-models';
import { type UserDocument, usersProjection } from '@quantloom/domain/user/projection';
import { USER_STREAM } from '@quantloom/domain/user/user';

/** What authentication needs to know of a user. */
export interface DirectoryUser {
  readonly userId: string;
  readonly subject: string;
  readonly email: string;
  readonly planId: PlanId;
  readonly features: readonly Feature[];
  /** Authentication refuses him. */
  readonly isDisabled: boolean;
}

/** The owner of a machine client, and what he allows it. */
export interface ClientOwner extends DirectoryUser {
  readonly clientScopes: readonly ApiScope[];
}

/** Looks users up by what tokens say. */
export interface UserDirectory {
  byId(userId: string): Promise<DirectoryUser | null>;
  /**
   * The owner of a machine client; `null` for a client that was deleted or has ended. `claimedUserId`: what
   * the token says, checked here.
   */
  byClient(clientId: string, claimedUserId: string | null): Promise<ClientOwner | null>;
}

async function fromLog(
  eventStore: EventStore,
  userId: string,
  cache?: StateCache,
): Promise<DirectoryUser | null> {
  const { state } = await loadState(eventStore, USER_STREAM, userId, cache);
  if (state.status === 'none') return null;
  const { subject, email, planId, isDisabled } = state;
  return { userId, subject, email, planId, features: featuresOf(state), isDisabled };
}

const toUser = ({ userId, subject, email, planId, features, isDisabled }: UserDocument): DirectoryUser => ({
  userId,
  subject,
  email,
  planId,
  features,
  isDisabled,
});

const ownerByReadModel = async (readModels: ReadModels, clientId: string): Promise<UserDocument | null> =>
  (
    await readModels.find<UserDocument>(usersProjection.collection.name, {
      where: { apiClientIds: { has: clientId } },
      limit: 1,
    })
  )[0] ?? null;

/** The user as owner of the client; null where the client is not among his, or has ended. */
function owning(
  user: DirectoryUser | null,
  clients: readonly ApiClientFacts[],
  clientId: string,
  now: Date,
): ClientOwner | null {
  const client = clients.find((each) => each.clientId === clientId);
  if (!user || !client || !isLiveClient(client, now.toISOString())) return null;
  return { ...user, clientScopes: client.scopes };
}

/**
 * Reads the log, for the write side: a feature taken away is gone with the next command. While the log is
 * away no command is carried out, and what needs no log is answered by what the read model knows.
 */
export function logUserDirectory(deps: {
  readonly eventStore: EventStore;
  readonly readModels: ReadModels;
  readonly stateCache?: StateCache;
  readonly now?: () => Date;
}): UserDirectory {
  const { eventStore, readModels, stateCache, now = () => new Date() } = deps;
  const known = (userId: string) => readModels.get<UserDocument>(usersProjection.collection.name, userId);
  return {
    byId: (userId) =>
      fromLog(eventStore, userId, stateCache).catch(async (error: unknown) => {
        const document = awayIn(error) && (await known(userId));
        if (!document) throw error;
        return toUser(document);
      }),
    byClient: async (clientId, claimedUserId) => {
      const userId = claimedUserId ?? (await ownerByReadModel(readModels, clientId))?.userId;
      if (userId === undefined) return null;
      try {
        const { state } = await loadState(eventStore, API_CLIENT_STREAM, userId, stateCache);
        if (!state.clients.some((client) => client.clientId === clientId)) return null;
        return owning(await fromLog(eventStore, userId, stateCache), state.clients, clientId, now());
      } catch (error) {
        const document = awayIn(error) && (await known(userId));
        if (!document?.apiClientIds.includes(clientId)) throw error;
        return owning(toUser(document), document.apiClients, clientId, now());
      }
    },
  };
}

/** Reads the read model, for the read side; what is too young to be there is read from the log. */
export function readModelUserDirectory(deps: {
  readonly eventStore: EventStore;
  readonly readModels: ReadModels;
  readonly now?: () => Date;
}): UserDirectory {
  const { eventStore, readModels, now = () => new Date() } = deps;
  const log = logUserDirectory(deps);
  const collection = usersProjection.collection.name;
  return {
    byId: async (userId) => {
      const document = await readModels.get<UserDocument>(collection, userId);
      return document ? toUser(document) : await fromLog(eventStore, userId);
    },
    byClient: async (clientId, claimedUserId) => {
      const document =
        claimedUserId === null
          ? await ownerByReadModel(readModels, clientId)
          : await readModels.get<UserDocument>(collection, claimedUserId);
      if (document?.apiClientIds.includes(clientId))
        return owning(toUser(document), document.apiClients, clientId, now());
      return await log.byClient(clientId, claimedUserId);
    },
  };
}
