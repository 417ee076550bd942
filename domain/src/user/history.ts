import { API_CLIENT_EVENTS, type ApiClientEvent, DEFAULT_CLIENT_NAME } from '../api-client/api-client.ts';
import { PLANS } from '../identity/plans.ts';
import type { Actor, RecordedEvent } from '../kernel/event.ts';
import { eventCatalogue, upcast } from '../kernel/event-type.ts';
import { USER_EVENTS, type UserEvent } from './events.ts';

/** Events as they are written today: the log also holds those of earlier versions. */
const CATALOGUE = eventCatalogue(USER_EVENTS.events, API_CLIENT_EVENTS.events);

/** A line of a user's history for administrators. */
export interface UserHistoryEntry {
  /** ISO 8601. */
  readonly at: string;
  readonly text: string;
  readonly type: string;
  readonly actor: string;
  readonly revision: number;
}

function actorText(actor: Actor): string {
  switch (actor.kind) {
    case 'user':
      return `user ${actor.userId}`;
    case 'apiClient':
      return `API client ${actor.clientId}`;
    case 'system':
      return actor.name;
    default: {
      const unknown: never = actor;
      return unknown;
    }
  }
}

const because = ({ reason }: { readonly reason?: string }): string =>
  reason === undefined ? '' : `: ${reason}`;

function textOf(event: UserEvent | ApiClientEvent): string {
  switch (event.type) {
    case 'UserRegistered':
      return `Registered as ${event.data.email} on ${PLANS[event.data.planId].name}`;
    case 'UserEmailChanged':
      return `E-mail address changed from ${event.data.previousEmail} to ${event.data.email}`;
    case 'UserPlanChanged':
      if (event.data.planId === event.data.previousPlanId)
        return `Plan ${PLANS[event.data.planId].name} confirmed by ${event.data.source}`;
      return (
        `Plan changed from ${PLANS[event.data.previousPlanId].name} to ` +
        `${PLANS[event.data.planId].name} by ${event.data.source}${because(event.data)}`
      );
    case 'UserFeatureGranted':
      return `Feature ${event.data.feature} granted: ${event.data.reason}`;
    case 'UserFeatureRevoked':
      return `Feature ${event.data.feature} revoked: ${event.data.reason}`;
    case 'AccountDisabled':
      return `Account disabled: ${event.data.reason}`;
    case 'AccountEnabled':
      return `Account enabled: ${event.data.reason}`;
    case 'AccountSignedOut':
      return `Signed out everywhere: ${event.data.reason}`;
    case 'PasswordResetSent':
      return `Link for a new password sent: ${event.data.reason}`;
    case 'AccountUnlocked':
      return `Unlocked after failed attempts to sign in: ${event.data.reason}`;
    case 'SecondFactorsRemoved':
      return `Passkeys and codes removed: ${event.data.reason}`;
    case 'AccountDeletionRequested':
      return (
        'Deletion of the account asked for, to be carried out on ' +
        `${event.data.eraseAt.slice(0, 10)}${because(event.data)}`
      );
    case 'AccountDeletionUndone':
      return `Deletion of the account undone${because(event.data)}`;
    case 'AccountErased':
      return 'Account erased';
    case 'ApiClientCreated':
      return event.data.name === DEFAULT_CLIENT_NAME
        ? `API client ${event.data.clientId} created`
        : `API client ${event.data.clientId} created as ${event.data.name}, for ${event.data.scopes.join(', ')}`;
    case 'ApiClientReplaced':
      return `API client ${event.data.clientId} replaced by ${event.data.successorId}`;
    case 'ApiClientDeleted':
      return `API client ${event.data.clientId} deleted`;
    default: {
      const unknown: never = event;
      return unknown;
    }
  }
}

/** An event of a user's or his API client's stream as a readable line. */
export function historyOf(recorded: RecordedEvent): UserHistoryEntry {
  const { type, data } = upcast(CATALOGUE, recorded);
  const event = { type, data } as UserEvent | ApiClientEvent;
  return {
    at: recorded.metadata.recordedAt,
    text: textOf(event),
    type: recorded.type,
    actor: actorText(recorded.metadata.actor),
    revision: recorded.revision,
  };
}
