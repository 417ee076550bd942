import { type Static, Type } from 'typebox';
import type { Decider } from '../kernel/decider.ts';
import type { DomainEvent } from '../kernel/event.ts';
import type { EventType } from '../kernel/event-type.ts';
import type { StreamKind } from '../kernel/handle-command.ts';
import { refuse } from '../kernel/refusal.ts';

const ApiClientData = Type.Object({ userId: Type.String(), clientId: Type.String() });
export type ApiClientCreated = DomainEvent<'ApiClientCreated', Static<typeof ApiClientData>>;
export type ApiClientDeleted = DomainEvent<'ApiClientDeleted', Static<typeof ApiClientData>>;
export type ApiClientEvent = ApiClientCreated | ApiClientDeleted;

export const API_CLIENT_EVENTS: readonly EventType[] = [
  { type: 'ApiClientCreated', version: 1, schema: ApiClientData },
  { type: 'ApiClientDeleted', version: 1, schema: ApiClientData },
];

export type ApiClientCommand =
  | { readonly type: 'CreateApiClient'; readonly userId: string; readonly clientId: string }
  | { readonly type: 'DeleteApiClient' };

/** A user's one machine client. The secret is the identity provider's and never in the log. */
export type ApiClientState =
  | { readonly status: 'none' }
  | { readonly status: 'exists'; readonly userId: string; readonly clientId: string };

export const API_CLIENT_MISSING = refuse(404, 'api_client_missing', 'There is no API client.');
export const API_CLIENT_EXISTS = refuse(
  409,
  'api_client_exists',
  'There is an API client already. Delete it to make a new one.',
);

export const apiClientDecider: Decider<ApiClientCommand, ApiClientState, ApiClientEvent> = {
  initialState: { status: 'none' },
  decide: (command, state) => {
    switch (command.type) {
      case 'CreateApiClient':
        if (state.status === 'exists') return state.clientId === command.clientId ? [] : API_CLIENT_EXISTS;
        return [{ type: 'ApiClientCreated', data: { userId: command.userId, clientId: command.clientId } }];
      case 'DeleteApiClient':
        if (state.status === 'none') return API_CLIENT_MISSING;
        return [{ type: 'ApiClientDeleted', data: { userId: state.userId, clientId: state.clientId } }];
      default: {
        const unknown: never = command;
        return unknown;
      }
    }
  },
  evolve: (_state, event) =>
    event.type === 'ApiClientCreated'
      ? { status: 'exists', userId: event.data.userId, clientId: event.data.clientId }
      : { status: 'none' },
};

/** Streams `apiClient-{userId}`. */
export const API_CLIENT_STREAM: StreamKind<ApiClientCommand, ApiClientState, ApiClientEvent> = {
  category: 'apiClient',
  decider: apiClientDecider,
  events: API_CLIENT_EVENTS,
};
