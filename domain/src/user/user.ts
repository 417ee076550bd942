import { isEmail } from '../identity/email.ts';
import { featuresOf } from '../identity/entitlements.ts';
import { type Feature, PLANS, type PlanId } from '../identity/plans.ts';
import type { Decider } from '../kernel/decider.ts';
import type { StreamKind } from '../kernel/handle-command.ts';
import { derivedId } from '../kernel/ids.ts';
import { type Refusal, refuse } from '../kernel/refusal.ts';
import type { Assistance } from '../ports/identity.ts';
import { USER_EVENTS, type UserEvent, type UserPlanChanged } from './events.ts';

export type UserCommand =
  | {
      readonly type: 'RegisterUser';
      readonly userId: string;
      readonly subject: string;
      readonly email: string;
      readonly planId: PlanId;
      readonly grantedFeatures: readonly Feature[];
    }
  | { readonly type: 'ChangeEmail'; readonly email: string }
  | {
      readonly type: 'ChangePlan';
      readonly planId: PlanId;
      readonly source: UserPlanChanged['data']['source'];
      /** ISO 8601; `null`: now, whatever came before. */
      readonly effectiveAt: string | null;
      /** Of an administrator. */
      readonly reason?: string;
    }
  | {
      /** An administrator helps somebody with his sign-in, or ends it. */
      readonly type: 'AssistAccount';
      readonly act: Assistance;
      readonly reason: string;
    }
  | {
      readonly type: 'SetFeature';
      readonly feature: Feature;
      readonly isGranted: boolean;
      readonly reason: string;
      /** Who asks; nobody takes the administration from himself. */
      readonly administratorId: string;
    }
  | {
      readonly type: 'SetAccess';
      readonly isDisabled: boolean;
      readonly reason: string;
    }
  | {
      readonly type: 'RequestDeletion';
      /** ISO 8601. */
      readonly eraseAt: string;
      /** Of an administrator; without one the owner wants it. */
      readonly reason?: string;
    }
  | { readonly type: 'UndoDeletion'; readonly reason?: string }
  | {
      readonly type: 'EraseAccount';
      /** ISO 8601. */
      readonly now: string;
    };

export interface RegisteredUser {
  readonly status: 'registered';
  readonly userId: string;
  readonly subject: string;
  readonly email: string;
  readonly planId: PlanId;
  readonly grantedFeatures: readonly Feature[];
  readonly revokedFeatures: readonly Feature[];
  /** Of the last change that came from a billing provider. */
  readonly planEffectiveAt: string | null;
  /** An administrator keeps the person and his API clients out. */
  readonly isDisabled: boolean;
  /** When the account is to be erased, ISO 8601; null: it stays. */
  readonly eraseAt: string | null;
}
export type UserState = { readonly status: 'none' } | RegisteredUser;

/** Between the wish to leave and the erasure, so that it can be undone. */
export const DELETION_DAYS = 7;

export const DELETION_NOT_DUE = refuse(409, 'deletion_not_due', 'The account is not to be deleted now.');

export const ACCOUNT_DISABLED = refuse(
  403,
  'account_disabled',
  'This account was disabled by an administrator of this installation. Nothing in it is lost; please ask there.',
);

const REASON_MISSING = refuse(422, 'reason_missing', 'Please say why.');

/** Only administrators give reasons: where there is none, the owner or the billing provider has acted. */
const isBlank = (reason: string | undefined): boolean => reason?.trim() === '';

export const USER_NOT_FOUND = refuse(404, 'user_not_found', 'There is no such user.');

/**
 * The id of the user of an identity: it follows from the subject, so that two sign-ins at once can't make two
 * users of one person.
 */
export function userIdOf(subject: string): string {
  return derivedId(0, 'user', subject);
}

function changePlan(
  command: Extract<UserCommand, { type: 'ChangePlan' }>,
  state: RegisteredUser,
): readonly UserEvent[] | Refusal {
  const { planId, source, effectiveAt } = command;
  if (isBlank(command.reason)) return REASON_MISSING;
  if (source === 'user' && !PLANS[planId].isAvailable)
    return refuse(409, 'plan_not_available', `${PLANS[planId].name} is coming soon.`);
  if (effectiveAt !== null && state.planEffectiveAt !== null && effectiveAt < state.planEffectiveAt)
    return [];
  // A provider's message that changes nothing is recorded all the same: older ones that come later must not undo it.
  const isNews =
    effectiveAt !== null && (state.planEffectiveAt === null || effectiveAt > state.planEffectiveAt);
  if (planId === state.planId && !isNews) return [];
  return [
    {
      type: 'UserPlanChanged',
      data: {
        userId: state.userId,
        planId,
        previousPlanId: state.planId,
        source,
        effectiveAt,
        ...(command.reason !== undefined && { reason: command.reason }),
      },
    },
  ];
}

function setFeature(
  command: Extract<UserCommand, { type: 'SetFeature' }>,
  state: RegisteredUser,
): readonly UserEvent[] | Refusal {
  const { feature, isGranted, reason, administratorId } = command;
  if (isBlank(reason)) return REASON_MISSING;
  if (featuresOf(state).includes(feature) === isGranted) return [];
  if (!isGranted && feature === 'web.admin.view' && administratorId === state.userId)
    return refuse(409, 'own_administration', 'You cannot take the administration from yourself.');
  if (isGranted && feature === 'web.admin.view' && state.isDisabled)
    return refuse(409, 'user_disabled', 'This account is disabled: enable it before it can administrate.');
  return [
    {
      type: isGranted ? 'UserFeatureGranted' : 'UserFeatureRevoked',
      data: { userId: state.userId, feature, reason },
    },
  ];
}

function setAccess(
  { isDisabled, reason }: Extract<UserCommand, { type: 'SetAccess' }>,
  state: RegisteredUser,
): readonly UserEvent[] | Refusal {
  if (state.isDisabled === isDisabled) return [];
  if (isBlank(reason)) return REASON_MISSING;
  // So that two administrators who disable each other cannot leave the installation without any.
  if (isDisabled && featuresOf(state).includes('web.admin.view'))
    return refuse(
      409,
      'user_administrates',
      'An administrator cannot be disabled: take the administration away first.',
    );
  return [
    { type: isDisabled ? 'AccountDisabled' : 'AccountEnabled', data: { userId: state.userId, reason } },
  ];
}

const ASSISTED = {
  sign_out: 'AccountSignedOut',
  send_reset: 'PasswordResetSent',
  unlock: 'AccountUnlocked',
  remove_factors: 'SecondFactorsRemoved',
} as const satisfies Record<Assistance, UserEvent['type']>;

function requestDeletion(
  { eraseAt, reason }: Extract<UserCommand, { type: 'RequestDeletion' }>,
  state: RegisteredUser,
): readonly UserEvent[] | Refusal {
  if (isBlank(reason)) return REASON_MISSING;
  if (reason !== undefined && featuresOf(state).includes('web.admin.view'))
    return refuse(
      409,
      'user_administrates',
      'An administrator cannot be deleted by another one: take the administration away first.',
    );
  if (state.eraseAt !== null && state.eraseAt <= eraseAt) return [];
  const { userId } = state;
  return [
    { type: 'AccountDeletionRequested', data: { userId, eraseAt, ...(reason !== undefined && { reason }) } },
  ];
}

const undone = (userId: string, reason: string | undefined): UserEvent => ({
  type: 'AccountDeletionUndone',
  data: { userId, ...(reason !== undefined && { reason }) },
});

function decide(command: UserCommand, state: UserState): readonly UserEvent[] | Refusal {
  if (command.type === 'RegisterUser') {
    if (state.status === 'registered') return [];
    const { userId, subject, planId, grantedFeatures } = command;
    const email = command.email.trim();
    if (!isEmail(email)) return refuse(422, 'invalid_email', 'This is not an e-mail address.');
    return [
      {
        type: 'UserRegistered',
        data: { userId, subject, email, planId, grantedFeatures: [...grantedFeatures] },
      },
    ];
  }
  if (state.status === 'none') return USER_NOT_FOUND;
  switch (command.type) {
    case 'ChangeEmail': {
      const email = command.email.trim();
      if (!isEmail(email)) return refuse(422, 'invalid_email', 'This is not an e-mail address.');
      if (email === state.email) return [];
      return [
        { type: 'UserEmailChanged', data: { userId: state.userId, email, previousEmail: state.email } },
      ];
    }
    case 'ChangePlan':
      return changePlan(command, state);
    case 'SetFeature':
      return setFeature(command, state);
    case 'SetAccess':
      return setAccess(command, state);
    case 'AssistAccount':
      if (isBlank(command.reason)) return REASON_MISSING;
      // Or whoever has got into one administrator's browser could weaken all others.
      if (command.act === 'remove_factors' && featuresOf(state).includes('web.admin.view'))
        return refuse(
          409,
          'user_administrates',
          'The second factor of an administrator cannot be removed: take the administration away first, ' +
            'or use `quantloom identity remove-factors` on the server.',
        );
      return [{ type: ASSISTED[command.act], data: { userId: state.userId, reason: command.reason } }];
    case 'RequestDeletion':
      return requestDeletion(command, state);
    case 'UndoDeletion':
      if (isBlank(command.reason)) return REASON_MISSING;
      return state.eraseAt === null ? [] : [undone(state.userId, command.reason)];
    case 'EraseAccount':
      if (state.eraseAt === null || state.eraseAt > command.now) return DELETION_NOT_DUE;
      return [{ type: 'AccountErased', data: { userId: state.userId } }];
    default: {
      const unknown: never = command;
      return unknown;
    }
  }
}

/** The state after an event; also what the read model of users is made of. */
export function evolveUser(state: UserState, event: UserEvent): UserState {
  if (event.type === 'UserRegistered') {
    const { userId, subject, email, planId, grantedFeatures } = event.data;
    return {
      status: 'registered',
      userId,
      subject,
      email,
      planId,
      grantedFeatures,
      revokedFeatures: [],
      planEffectiveAt: null,
      isDisabled: false,
      eraseAt: null,
    };
  }
  if (state.status === 'none') throw new Error(`${event.type} of a user that was never registered`);
  switch (event.type) {
    case 'UserEmailChanged':
      return { ...state, email: event.data.email };
    case 'UserPlanChanged':
      return {
        ...state,
        planId: event.data.planId,
        planEffectiveAt: event.data.effectiveAt ?? state.planEffectiveAt,
      };
    case 'UserFeatureGranted':
      return {
        ...state,
        grantedFeatures: [...new Set([...state.grantedFeatures, event.data.feature])],
        revokedFeatures: state.revokedFeatures.filter((feature) => feature !== event.data.feature),
      };
    case 'UserFeatureRevoked':
      return {
        ...state,
        grantedFeatures: state.grantedFeatures.filter((feature) => feature !== event.data.feature),
        revokedFeatures: [...new Set([...state.revokedFeatures, event.data.feature])],
      };
    case 'AccountDisabled':
      return { ...state, isDisabled: true };
    case 'AccountEnabled':
      return { ...state, isDisabled: false };
    case 'AccountSignedOut':
    case 'PasswordResetSent':
    case 'AccountUnlocked':
    case 'SecondFactorsRemoved':
      return state;
    case 'AccountDeletionRequested':
      return { ...state, eraseAt: event.data.eraseAt };
    case 'AccountDeletionUndone':
      return { ...state, eraseAt: null };
    case 'AccountErased':
      return { status: 'none' };
    default: {
      const unknown: never = event;
      return unknown;
    }
  }
}

export const userDecider: Decider<UserCommand, UserState, UserEvent> = {
  initialState: { status: 'none' },
  decide,
  evolve: evolveUser,
};

/** Streams `user-{id}`. */
export const USER_STREAM: StreamKind<UserCommand, UserState, UserEvent> = {
  ...USER_EVENTS,
  decider: userDecider,
};
