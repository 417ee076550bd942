import { type ApiClientEvent, type ApiClientFacts, evolveClients } from '../api-client/api-client.ts';
import { normalizeEmail } from '../identity/email.ts';
import { featuresOf } from '../identity/entitlements.ts';
import type { Feature, PlanId } from '../identity/plans.ts';
import type { RecordedEvent } from '../kernel/event.ts';
import type { Projection } from '../kernel/projection.ts';
import type { ReadDocument } from '../ports/read-models.ts';
import type { UserEvent } from './events.ts';
import { evolveUser, type RegisteredUser } from './user.ts';

/** A machine client as the read side knows it. */
export interface KnownApiClient extends ApiClientFacts {
  readonly createdAt: string;
}

/** A user with his machine clients. Times are ISO 8601. */
export interface UserDocument extends ReadDocument, RegisteredUser {
  /** For lookups without regard to case. */
  readonly emailKey: string;
  /** What plan and administrators give together. */
  readonly features: readonly Feature[];
  readonly createdAt: string;
  readonly updatedAt: string;
  /** The oldest first. */
  readonly apiClients: readonly KnownApiClient[];
  /** Their ids, for lookups. */
  readonly apiClientIds: readonly string[];
  /** One entry a change of plan, the first one included: what invoices follow from. */
  readonly planHistory: readonly { readonly planId: PlanId; readonly from: string }[];
}

type Fields = Omit<UserDocument, '_revision' | '_position'>;

const isApiClientEvent = (event: UserEvent | ApiClientEvent): event is ApiClientEvent =>
  event.type === 'ApiClientCreated' ||
  event.type === 'ApiClientReplaced' ||
  event.type === 'ApiClientDeleted';

function evolve(document: Fields | null, recorded: RecordedEvent, id: string): Fields | null {
  const now = recorded.metadata.recordedAt;
  const event = { type: recorded.type, data: recorded.data } as UserEvent | ApiClientEvent;
  if (isApiClientEvent(event)) {
    // The clients of an account that was erased go after it.
    if (!document && event.type === 'ApiClientDeleted') return null;
    if (!document) throw new Error(`${event.type} of a user that was never registered`);
    const apiClients = evolveClients(document.apiClients, event, (facts) => ({ ...facts, createdAt: now }));
    return {
      ...document,
      updatedAt: now,
      apiClients,
      apiClientIds: apiClients.map(({ clientId }) => clientId),
    };
  }
  const state = evolveUser(document ?? { status: 'none' }, event);
  if (state.status === 'none') return null;
  const history = document?.planHistory ?? [];
  return {
    ...state,
    id,
    emailKey: normalizeEmail(state.email),
    features: featuresOf(state),
    createdAt: document?.createdAt ?? now,
    updatedAt: now,
    apiClients: document?.apiClients ?? [],
    apiClientIds: document?.apiClientIds ?? [],
    planHistory:
      history.at(-1)?.planId === state.planId ? history : [...history, { planId: state.planId, from: now }],
  };
}

/** Users by id, found by subject, e-mail or machine clients. */
export const usersProjection: Projection<UserDocument> = {
  name: 'users',
  version: 4,
  collection: {
    name: 'users_v4',
    indexes: [['subject'], ['emailKey'], ['apiClientIds'], ['createdAt'], ['eraseAt']],
  },
  handles: [
    'UserRegistered',
    'UserEmailChanged',
    'UserPlanChanged',
    'UserFeatureGranted',
    'UserFeatureRevoked',
    'AccountDisabled',
    'AccountEnabled',
    'AccountDeletionRequested',
    'AccountDeletionUndone',
    'AccountErased',
    'ApiClientCreated',
    'ApiClientReplaced',
    'ApiClientDeleted',
  ],
  keys: (event) => [(event.data as { userId: string }).userId],
  evolve,
};
