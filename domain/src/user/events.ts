import { type Static, Type } from 'typebox';
import { FEATURES } from '../identity/plans.ts';
import type { DomainEvent } from '../kernel/event.ts';
import type { EventType } from '../kernel/event-type.ts';

/** The events of `user-{id}` and `installation-{id}` streams. */

const Id = Type.String({ minLength: 1 });
const PlanIdSchema = Type.Enum(['free', 'api', 'copy-trader']);
const FeatureSchema = Type.Enum([...FEATURES]);

export const UserRegisteredData = Type.Object({
  userId: Id,
  /** Of the identity; what links the two, not the e-mail address. */
  subject: Id,
  email: Type.String(),
  planId: PlanIdSchema,
  grantedFeatures: Type.Array(FeatureSchema),
});
export const UserEmailChangedData = Type.Object({
  userId: Id,
  email: Type.String(),
  previousEmail: Type.String(),
});
export const UserPlanChangedData = Type.Object({
  userId: Id,
  planId: PlanIdSchema,
  previousPlanId: PlanIdSchema,
  /** `user`: by himself; `administrator`; `provider`: by the billing provider. */
  source: Type.Enum(['user', 'administrator', 'provider']),
  /** When the provider says it happened (ISO 8601), so that late messages don't undo newer ones. */
  effectiveAt: Type.Union([Type.String(), Type.Null()]),
});
export const UserFeatureData = Type.Object({ userId: Id, feature: FeatureSchema, reason: Type.String() });
export const FirstAccountClaimedData = Type.Object({ userId: Id });

export type UserRegistered = DomainEvent<'UserRegistered', Static<typeof UserRegisteredData>>;
export type UserEmailChanged = DomainEvent<'UserEmailChanged', Static<typeof UserEmailChangedData>>;
export type UserPlanChanged = DomainEvent<'UserPlanChanged', Static<typeof UserPlanChangedData>>;
export type UserFeatureGranted = DomainEvent<'UserFeatureGranted', Static<typeof UserFeatureData>>;
export type UserFeatureRevoked = DomainEvent<'UserFeatureRevoked', Static<typeof UserFeatureData>>;
export type UserEvent =
  | UserRegistered
  | UserEmailChanged
  | UserPlanChanged
  | UserFeatureGranted
  | UserFeatureRevoked;
export type FirstAccountClaimed = DomainEvent<'FirstAccountClaimed', Static<typeof FirstAccountClaimedData>>;

export const USER_EVENTS: readonly EventType[] = [
  { type: 'UserRegistered', version: 1, schema: UserRegisteredData },
  { type: 'UserEmailChanged', version: 1, schema: UserEmailChangedData },
  { type: 'UserPlanChanged', version: 1, schema: UserPlanChangedData },
  { type: 'UserFeatureGranted', version: 1, schema: UserFeatureData },
  { type: 'UserFeatureRevoked', version: 1, schema: UserFeatureData },
];
export const INSTALLATION_EVENTS: readonly EventType[] = [
  { type: 'FirstAccountClaimed', version: 1, schema: FirstAccountClaimedData },
];
