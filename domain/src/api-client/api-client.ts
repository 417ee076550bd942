import type { Decider } from '../kernel/decider.ts';
import { defineStream, type EventOf } from '../kernel/define-stream.ts';
import { exactly, Id } from '../kernel/event-fields.ts';
import type { StreamKind } from '../kernel/handle-command.ts';
import { refuse } from '../kernel/refusal.ts';

const ApiClientData = exactly({ userId: Id, clientId: Id });
/** The events of an `apiClient-{userId}` stream. */
export const API_CLIENT_EVENTS = defineStream({
  category: 'apiClient',
  events: { ApiClientCreated: ApiClientData, ApiClientDeleted: ApiClientData },
});
export type ApiClientEvent = EventOf<typeof API_CLIENT_EVENTS>;

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
  ...API_CLIENT_EVENTS,
  decider: apiClientDecider,
};
