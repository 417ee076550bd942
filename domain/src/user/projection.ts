import type { ApiClientEvent } from '../api-client/api-client.ts';
import { normalizeEmail } from '../identity/email.ts';
import { featuresOf } from '../identity/entitlements.ts';
import type { Feature, PlanId } from '../identity/plans.ts';
import type { RecordedEvent } from '../kernel/event.ts';
import type { Projection } from '../kernel/projection.ts';
import type { ReadDocument } from '../ports/read-models.ts';
import type { UserEvent } from './events.ts';
import { evolveUser, type RegisteredUser } from './user.ts';

/** A user with his machine client. Times are ISO 8601. */
export interface UserDocument extends ReadDocument, RegisteredUser {
  /** For lookups without regard to case. */
  readonly emailKey: string;
  /** What plan and administrators give together. */
  readonly features: readonly Feature[];
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly apiClient: { readonly clientId: string; readonly createdAt: string } | null;
  /** One entry a change of plan, the first one included: what invoices follow from. */
  readonly planHistory: readonly { readonly planId: PlanId; readonly from: string }[];
}

type Fields = Omit<UserDocument, '_revision' | '_position'>;

const isApiClientEvent = (event: UserEvent | ApiClientEvent): event is ApiClientEvent =>
  event.type === 'ApiClientCreated' || event.type === 'ApiClientDeleted';

function evolve(document: Fields | null, recorded: RecordedEvent, id: string): Fields | null {
  const now = recorded.metadata.recordedAt;
  const event = { type: recorded.type, data: recorded.data } as UserEvent | ApiClientEvent;
  if (isApiClientEvent(event)) {
    // The client of an account that was erased goes after it.
    if (!document && event.type === 'ApiClientDeleted') return null;
    if (!document) throw new Error(`${event.type} of a user that was never registered`);
    return {
      ...document,
      updatedAt: now,
      apiClient: event.type === 'ApiClientCreated' ? { clientId: event.data.clientId, createdAt: now } : null,
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
    apiClient: document?.apiClient ?? null,
    planHistory:
      history.at(-1)?.planId === state.planId ? history : [...history, { planId: state.planId, from: now }],
  };
}

/** Users by id, found by subject, e-mail or machine client. */
export const usersProjection: Projection<UserDocument> = {
  name: 'users',
  version: 2,
  collection: {
    name: 'users_v2',
    indexes: [['subject'], ['emailKey'], ['apiClient.clientId'], ['createdAt'], ['eraseAt']],
  },
  handles: [
    'UserRegistered',
    'UserEmailChanged',
    'UserPlanChanged',
    'UserFeatureGranted',
    'UserFeatureRevoked',
    'AccountDeletionRequested',
    'AccountDeletionUndone',
    'AccountErased',
    'ApiClientCreated',
    'ApiClientDeleted',
  ],
  keys: (event) => [(event.data as { userId: string }).userId],
  evolve,
};
