import { API_CLIENT_EVENTS, type ApiClientFacts, evolveClients } from '../api-client/api-client.ts';
import { normalizeEmail } from '../identity/email.ts';
import { featuresOf } from '../identity/entitlements.ts';
import type { Feature, PlanId } from '../identity/plans.ts';
import { isOf, only } from '../kernel/define-stream.ts';
import {
  defineProjection,
  type HandledEvent,
  type Projection,
  type Unstamped,
} from '../kernel/projection.ts';
import type { ReadDocument } from '../ports/read-models.ts';
import { USER_EVENTS } from './events.ts';
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

type Fields = Unstamped<UserDocument>;

const KNOWN_USER_EVENTS = only(
  USER_EVENTS,
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
);

function evolve(
  document: Fields | null,
  event: HandledEvent<[typeof KNOWN_USER_EVENTS, typeof API_CLIENT_EVENTS]>,
  id: string,
): Fields | null {
  const now = event.metadata.recordedAt;
  if (isOf(API_CLIENT_EVENTS, event)) {
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
export const usersProjection: Projection<UserDocument> = defineProjection({
  name: 'users',
  version: 4,
  collection: {
    name: 'users_v4',
    indexes: [['subject'], ['emailKey'], ['apiClientIds'], ['createdAt'], ['eraseAt']],
  },
  events: [KNOWN_USER_EVENTS, API_CLIENT_EVENTS],
  keys: (event) => [event.data.userId],
  evolve,
});
