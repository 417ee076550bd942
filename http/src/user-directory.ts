import { API_CLIENT_STREAM } from '@quantloom/domain/api-client/api-client';
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
}

/** Looks users up by what tokens say. */
export interface UserDirectory {
  byId(userId: string): Promise<DirectoryUser | null>;
  /** The owner of a machine client; `null` for a client that was deleted. `claimedUserId`: what the token says, checked here. */
  byClient(clientId: string, claimedUserId: string | null): Promise<DirectoryUser | null>;
}

async function fromLog(
  eventStore: EventStore,
  userId: string,
  cache?: StateCache,
): Promise<DirectoryUser | null> {
  const { state } = await loadState(eventStore, USER_STREAM, userId, cache);
  if (state.status === 'none') return null;
  const { subject, email, planId } = state;
  return { userId, subject, email, planId, features: featuresOf(state) };
}

const toUser = ({ userId, subject, email, planId, features }: UserDocument): DirectoryUser => ({
  userId,
  subject,
  email,
  planId,
  features,
});

const ownerByReadModel = async (readModels: ReadModels, clientId: string): Promise<UserDocument | null> =>
  (
    await readModels.find<UserDocument>(usersProjection.collection.name, {
      where: { 'apiClient.clientId': clientId },
      limit: 1,
    })
  )[0] ?? null;

/**
 * Reads the log, for the write side: a feature taken away is gone with the next command. While the log is away no command is carried out, and what needs
 * no log is answered by what the read model knows.
 */
export function logUserDirectory(deps: {
  readonly eventStore: EventStore;
  readonly readModels: ReadModels;
  readonly stateCache?: StateCache;
}): UserDirectory {
  const { eventStore, readModels, stateCache } = deps;
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
        if (state.status === 'none' || state.clientId !== clientId) return null;
        return await fromLog(eventStore, userId, stateCache);
      } catch (error) {
        const document = awayIn(error) && (await known(userId));
        if (document?.apiClient?.clientId !== clientId) throw error;
        return toUser(document);
      }
    },
  };
}

/** Reads the read model, for the read side; what is too young to be there is read from the log. */
export function readModelUserDirectory(deps: {
  readonly eventStore: EventStore;
  readonly readModels: ReadModels;
}): UserDirectory {
  const { eventStore, readModels } = deps;
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
      if (document?.apiClient?.clientId === clientId) return toUser(document);
      return await log.byClient(clientId, claimedUserId);
    },
  };
}
