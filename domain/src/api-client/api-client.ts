import { Type } from 'typebox';
import { API_SCOPES, type ApiScope } from '../identity/api-scopes.ts';
import type { Decider } from '../kernel/decider.ts';
import { defineStream, type EventOf } from '../kernel/define-stream.ts';
import { exactly, Id, NullableText, Text } from '../kernel/event-fields.ts';
import type { StreamKind } from '../kernel/handle-command.ts';
import { type Refusal, refuse } from '../kernel/refusal.ts';

/** Name of a client that was made without one. */
export const DEFAULT_CLIENT_NAME = 'API client';
/** Clients that an account may have, not counting those that a newer one has replaced. */
export const MAX_API_CLIENTS = 10;
/** With the replaced ones, each of which lives for a day more. */
const MAX_WITH_REPLACED = 2 * MAX_API_CLIENTS;

const Scope = Type.Union([Type.Literal('read'), Type.Literal('backtest'), Type.Literal('batches')]);
const Reference = exactly({ userId: Id, clientId: Id });
/** The events of an `apiClient-{userId}` stream. */
export const API_CLIENT_EVENTS = defineStream({
  category: 'apiClient',
  events: {
    ApiClientCreated: {
      /** `endsAt`: ISO 8601; null: it does not end by itself. */
      schema: exactly({
        userId: Id,
        clientId: Id,
        name: Text,
        scopes: Type.Array(Scope),
        endsAt: NullableText,
      }),
      // There was one client a user, without a name, and it might do everything.
      upcasters: [
        (data) => ({ ...(data as object), name: DEFAULT_CLIENT_NAME, scopes: [...API_SCOPES], endsAt: null }),
      ],
    },
    /** `endsAt`: until when the old secret is valid beside the successor's. */
    ApiClientReplaced: exactly({ userId: Id, clientId: Id, successorId: Id, endsAt: Text }),
    ApiClientDeleted: Reference,
  },
});
export type ApiClientEvent = EventOf<typeof API_CLIENT_EVENTS>;

/** A machine client of a user. Its secret is the identity provider's and never in the log. */
export interface ApiClientFacts {
  readonly clientId: string;
  readonly name: string;
  readonly scopes: readonly ApiScope[];
  /** ISO 8601; from then on it is refused. Null: it does not end by itself. */
  readonly endsAt: string | null;
  /** The client that took its place; null: none. */
  readonly successorId: string | null;
}

/** The clients of a user, the oldest first. */
export interface ApiClientState {
  readonly clients: readonly ApiClientFacts[];
}

export type ApiClientCommand =
  | {
      readonly type: 'CreateApiClient';
      readonly userId: string;
      readonly clientId: string;
      readonly name: string;
      readonly scopes: readonly ApiScope[];
      readonly endsAt: string | null;
      /** The client is only wanted where no other one works. */
      readonly isOnlyOne: boolean;
      /** Clients that the identity provider has no more: nobody gets in with them, and they go. */
      readonly lost?: readonly string[];
      /** ISO 8601. */
      readonly now: string;
    }
  | {
      readonly type: 'ReplaceApiClient';
      readonly userId: string;
      readonly clientId: string;
      readonly successorId: string;
      /** ISO 8601: when the old one ends at the latest. */
      readonly endsAt: string;
      readonly now: string;
    }
  | { readonly type: 'DeleteApiClient'; readonly userId: string; readonly clientId: string };

export const API_CLIENT_MISSING = refuse(404, 'api_client_missing', 'There is no API client.');
export const API_CLIENT_EXISTS = refuse(
  409,
  'api_client_exists',
  'There is an API client already. Delete it to make a new one.',
);
const API_CLIENT_REPLACED = refuse(
  409,
  'api_client_replaced',
  'This API client has ended or was replaced already. Replace its successor instead.',
);
const TOO_MANY_API_CLIENTS = refuse(
  409,
  'too_many_api_clients',
  `An account has at most ${MAX_API_CLIENTS} API clients. Delete one that is not needed any more.`,
);

/** True while a client is let in; `now`: ISO 8601. */
export function isLiveClient({ endsAt }: { readonly endsAt: string | null }, now: string): boolean {
  return endsAt === null || endsAt > now;
}

type ClientTerms = Pick<ApiClientFacts, 'endsAt' | 'successorId'>;

/** The clients that work and were not replaced, the oldest first. */
export function currentClients<Client extends ClientTerms>(
  clients: readonly Client[],
  now: string,
): readonly Client[] {
  return clients.filter((client) => client.successorId === null && isLiveClient(client, now));
}

/** The client that callers mean who know of a single one: the oldest that works and was not replaced. */
export function mainClient<Client extends ClientTerms>(
  clients: readonly Client[],
  now: string,
): Client | null {
  return currentClients(clients, now)[0] ?? null;
}

/** What a client is made as that nobody has said anything about. */
export const UNRESTRICTED = {
  name: DEFAULT_CLIENT_NAME,
  scopes: API_SCOPES,
  endsAt: null,
  isOnlyOne: false,
} as const;

/** What has ended goes with the next change: nobody gets in with it, and it should not pile up. */
function deletionsOf(userId: string, ended: readonly ApiClientFacts[]): readonly ApiClientEvent[] {
  return ended.map(({ clientId }) => ({ type: 'ApiClientDeleted', data: { userId, clientId } }));
}

function decide(command: ApiClientCommand, { clients }: ApiClientState): readonly ApiClientEvent[] | Refusal {
  const known = clients.find(({ clientId }) => clientId === command.clientId);
  const { userId, clientId } = command;
  switch (command.type) {
    case 'CreateApiClient': {
      if (known) return [];
      const { name, scopes, endsAt, isOnlyOne, lost = [], now } = command;
      const isLost = (client: ApiClientFacts) => lost.includes(client.clientId);
      const counted = currentClients(clients, now).filter((client) => !isLost(client));
      if (isOnlyOne && counted.length > 0) return API_CLIENT_EXISTS;
      if (counted.length >= MAX_API_CLIENTS) return TOO_MANY_API_CLIENTS;
      const ended = clients.filter((client) => isLost(client) || !isLiveClient(client, now));
      return [
        ...deletionsOf(userId, ended),
        { type: 'ApiClientCreated', data: { userId, clientId, name, scopes: [...scopes], endsAt } },
      ];
    }
    case 'ReplaceApiClient': {
      const { successorId, now } = command;
      if (!known) return API_CLIENT_MISSING;
      if (known.successorId === successorId) return [];
      if (known.successorId !== null || !isLiveClient(known, now)) return API_CLIENT_REPLACED;
      const ended = clients.filter((client) => !isLiveClient(client, now));
      if (clients.length - ended.length >= MAX_WITH_REPLACED) return TOO_MANY_API_CLIENTS;
      const { name, scopes, endsAt } = known;
      const oldEndsAt = endsAt !== null && endsAt < command.endsAt ? endsAt : command.endsAt;
      return [
        ...deletionsOf(userId, ended),
        {
          type: 'ApiClientCreated',
          data: { userId, clientId: successorId, name, scopes: [...scopes], endsAt },
        },
        { type: 'ApiClientReplaced', data: { userId, clientId, successorId, endsAt: oldEndsAt } },
      ];
    }
    case 'DeleteApiClient':
      if (!known) return API_CLIENT_MISSING;
      return [{ type: 'ApiClientDeleted', data: { userId, clientId } }];
    default: {
      const unknown: never = command;
      return unknown;
    }
  }
}

/** The clients of a user after an event; `Client` may hold more than the decider needs to know. */
export function evolveClients<Client extends ApiClientFacts>(
  clients: readonly Client[],
  event: ApiClientEvent,
  made: (facts: ApiClientFacts) => Client,
): readonly Client[] {
  switch (event.type) {
    case 'ApiClientCreated': {
      const { userId: _, ...facts } = event.data;
      return [...clients, made({ ...facts, successorId: null })];
    }
    case 'ApiClientReplaced': {
      const { clientId, successorId, endsAt } = event.data;
      return clients.map((client) =>
        client.clientId === clientId ? { ...client, successorId, endsAt } : client,
      );
    }
    case 'ApiClientDeleted':
      return clients.filter(({ clientId }) => clientId !== event.data.clientId);
    default: {
      const unknown: never = event;
      return unknown;
    }
  }
}

export const apiClientDecider: Decider<ApiClientCommand, ApiClientState, ApiClientEvent> = {
  initialState: { clients: [] },
  decide,
  evolve: ({ clients }, event) => ({ clients: evolveClients(clients, event, (facts) => facts) }),
};

/** Streams `apiClient-{userId}`. */
export const API_CLIENT_STREAM: StreamKind<ApiClientCommand, ApiClientState, ApiClientEvent> = {
  ...API_CLIENT_EVENTS,
  decider: apiClientDecider,
};
