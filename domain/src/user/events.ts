import { Type } from 'typebox';
import { FEATURES } from '../identity/plans.ts';
import { defineStream, type EventOf } from '../kernel/define-stream.ts';
import { exactly, Id, NullableText, Text } from '../kernel/event-fields.ts';

/** The events of `user-{id}` and `installation-{id}` streams. */

const PlanIdSchema = Type.Enum(['free', 'api', 'copy-trader']);
const FeatureSchema = Type.Enum([...FEATURES]);
const FeatureChange = exactly({ userId: Id, feature: FeatureSchema, reason: Text });
const AccessChange = exactly({ userId: Id, reason: Text });

export const USER_EVENTS = defineStream({
  category: 'user',
  events: {
    UserRegistered: exactly({
      userId: Id,
      /** Of the identity; what links the two, not the e-mail address. */
      subject: Id,
      email: Text,
      planId: PlanIdSchema,
      grantedFeatures: Type.Array(FeatureSchema),
    }),
    UserEmailChanged: exactly({ userId: Id, email: Text, previousEmail: Text }),
    UserPlanChanged: exactly({
      userId: Id,
      planId: PlanIdSchema,
      previousPlanId: PlanIdSchema,
      /** `user`: by himself; `administrator`; `provider`: by the billing provider. */
      source: Type.Enum(['user', 'administrator', 'provider']),
      /** When the provider says it happened (ISO 8601), so that late messages don't undo newer ones. */
      effectiveAt: NullableText,
      /** Of an administrator, where he gave one. */
      reason: Type.Optional(Text),
    }),
    UserFeatureGranted: FeatureChange,
    UserFeatureRevoked: FeatureChange,
    /** By an administrator: nobody gets in any more, neither the person nor an API client; nothing is lost. */
    AccountDisabled: AccessChange,
    AccountEnabled: AccessChange,
    /** By an administrator: all sessions are ended. */
    AccountSignedOut: AccessChange,
    /** By an administrator: a link to choose a new password goes to the address of the account. */
    PasswordResetSent: AccessChange,
    /** By an administrator: failed attempts to sign in are forgotten. */
    AccountUnlocked: AccessChange,
    /** By an administrator: passkeys, the app's codes and recovery codes are gone, and all sessions are ended. */
    SecondFactorsRemoved: AccessChange,
    /**
     * The owner wants to leave, or an administrator says so with his reason; until `eraseAt` (ISO 8601) it
     * can be undone.
     */
    AccountDeletionRequested: exactly({ userId: Id, eraseAt: Id, reason: Type.Optional(Text) }),
    AccountDeletionUndone: exactly({ userId: Id, reason: Type.Optional(Text) }),
    /** Nothing of the person is left; the same identity may register anew. */
    AccountErased: exactly({ userId: Id }),
  },
});
export const INSTALLATION_EVENTS = defineStream({
  category: 'installation',
  events: { FirstAccountClaimed: exactly({ userId: Id }) },
});

export type UserEvent = EventOf<typeof USER_EVENTS>;
export type UserPlanChanged = EventOf<typeof USER_EVENTS, 'UserPlanChanged'>;
export type FirstAccountClaimed = EventOf<typeof INSTALLATION_EVENTS>;
