import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { featuresOf } from '../identity/entitlements.ts';
import { FEATURES, PLANS } from '../identity/plans.ts';
import { isUlid } from '../kernel/ids.ts';
import { isRefusal } from '../kernel/refusal.ts';
import type { UserEvent } from './events.ts';
import { installationDecider } from './installation.ts';
import { invoicesOf } from './invoices.ts';
import { type UserCommand, type UserState, userDecider, userIdOf } from './user.ts';

const REGISTER: UserCommand = {
  type: 'RegisterUser',
  userId: 'u1',
  subject: 'auth0|1',
  email: ' Ann@example.com ',
  planId: 'free',
  grantedFeatures: [],
};

/** Runs commands; answers the events of the last one, or its refusal's code, and the state after it. */
function run(...commands: readonly UserCommand[]): {
  events: readonly UserEvent[];
  code: string | null;
  state: UserState;
} {
  let state = userDecider.initialState;
  let events: readonly UserEvent[] = [];
  let code: string | null = null;
  for (const command of commands) {
    const decided = userDecider.decide(command, state);
    code = isRefusal(decided) ? decided.code : null;
    // What is refused is told in a sentence.
    if (isRefusal(decided)) expect(decided.detail).toMatch(/^[A-Z].*\.$/s);
    events = isRefusal(decided) ? [] : decided;
    state = events.reduce(userDecider.evolve, state);
  }
  return { events, code, state };
}
const changePlan = (
  planId: 'free' | 'api' | 'copy-trader',
  source: 'user' | 'administrator' | 'provider' = 'user',
  effectiveAt: string | null = null,
): UserCommand => ({ type: 'ChangePlan', planId, source, effectiveAt });
const setFeature = (isGranted: boolean, administratorId = 'boss'): UserCommand => ({
  type: 'SetFeature',
  feature: 'web.admin.view',
  isGranted,
  reason: 'because',
  administratorId,
});
const setAccess = (isDisabled: boolean): Extract<UserCommand, { type: 'SetAccess' }> => ({
  type: 'SetAccess',
  isDisabled,
  reason: 'spam',
});

describe('help of an administrator with signing in', () => {
  const removed = { type: 'AssistAccount', act: 'remove_factors', reason: 'Lost his phone' } as const;

  it('takes passkeys and codes away with a reason, again where it is asked for again', () => {
    const event = { type: 'SecondFactorsRemoved', data: { userId: 'u1', reason: 'Lost his phone' } };
    expect(run(REGISTER, removed).events).toEqual([event]);
    expect(run(REGISTER, removed, removed).events).toEqual([event]);
    expect(run(REGISTER, { ...removed, reason: ' ' }).code).toBe('reason_missing');
    expect(run(removed).code).toBe('user_not_found');
  });

  it.each([
    ['sign_out', 'AccountSignedOut'],
    ['send_reset', 'PasswordResetSent'],
    ['unlock', 'AccountUnlocked'],
    ['remove_factors', 'SecondFactorsRemoved'],
  ] as const)('%s is recorded, and changes nothing else about the user', (act, type) => {
    const helped = run(REGISTER, { ...removed, act });
    expect(helped.events).toEqual([{ type, data: { userId: 'u1', reason: 'Lost his phone' } }]);
    expect(helped.state).toEqual(run(REGISTER).state);
  });

  it('never takes them from an administrator, who can be signed out', () => {
    expect(run(REGISTER, setFeature(true), removed).code).toBe('user_administrates');
    expect(run(REGISTER, setFeature(true), { ...removed, act: 'sign_out' }).events).toHaveLength(1);
    expect(run(REGISTER, setFeature(true), setFeature(false), removed).code).toBeNull();
  });
});

describe('a user', () => {
  it('is registered once, with a trimmed address', () => {
    const first = run(REGISTER);
    expect(first.events).toEqual([
      {
        type: 'UserRegistered',
        data: {
          userId: 'u1',
          subject: 'auth0|1',
          email: 'Ann@example.com',
          planId: 'free',
          grantedFeatures: [],
        },
      },
    ]);
    expect(run(REGISTER, { ...REGISTER, email: 'other@example.com' }).events).toEqual([]);
    expect(run({ ...REGISTER, email: 'nonsense' }).code).toBe('invalid_email');
  });

  it('must be there for every other command', () => {
    for (const command of [
      changePlan('api'),
      setFeature(true),
      setAccess(true),
      { type: 'ChangeEmail', email: 'a@b.ch' } as const,
    ])
      expect(run(command).code).toBe('user_not_found');
  });

  it('changes the address, and to the same one nothing', () => {
    const change: UserCommand = { type: 'ChangeEmail', email: 'new@example.com' };
    expect(run(REGISTER, change).events).toMatchObject([
      { type: 'UserEmailChanged', data: { email: 'new@example.com', previousEmail: 'Ann@example.com' } },
    ]);
    expect(run(REGISTER, change, change).events).toEqual([]);
    // Capitals in another place are shown so from then on.
    expect(run(REGISTER, { ...change, email: 'ANN@example.com' }).events).toMatchObject([
      { type: 'UserEmailChanged', data: { email: 'ANN@example.com', previousEmail: 'Ann@example.com' } },
    ]);
    expect(run(REGISTER, { ...change, email: 'a@b' }).code).toBe('invalid_email');
  });

  it('takes a plan that is to be had; an administrator may give another', () => {
    expect(run(REGISTER, changePlan('copy-trader')).code).toBe('plan_not_available');
    expect(run(REGISTER, changePlan('copy-trader', 'administrator')).state).toMatchObject({
      planId: 'copy-trader',
    });
    expect(run(REGISTER, changePlan('api'), changePlan('api')).events).toEqual([]);
  });

  it('has the plan with where it came from, and the reason of an administrator', () => {
    const data = { userId: 'u1', planId: 'api', previousPlanId: 'free', source: 'user', effectiveAt: null };
    expect(run(REGISTER, changePlan('api')).events).toEqual([{ type: 'UserPlanChanged', data }]);
    const given = { ...changePlan('api', 'administrator'), reason: 'A gift' } as UserCommand;
    expect(run(REGISTER, given).events).toEqual([
      { type: 'UserPlanChanged', data: { ...data, source: 'administrator', reason: 'A gift' } },
    ]);
    // What somebody chose himself is no message of a provider that later ones are measured by.
    const march = '2026-03-01T00:00:00.000Z';
    const paid = [REGISTER, changePlan('api', 'provider', march)];
    expect(run(...paid, changePlan('free')).state).toMatchObject({ planId: 'free', planEffectiveAt: march });
    expect(run(...paid, changePlan('free', 'provider', '2026-02-01T00:00:00.000Z')).events).toEqual([]);
    // The same message again: nothing; a newer one of the same plan is kept, so that older ones stay older.
    expect(run(...paid, changePlan('api', 'provider', march)).events).toEqual([]);
    expect(run(...paid, changePlan('api', 'provider', '2026-04-01T00:00:00.000Z')).events).toHaveLength(1);
  });

  it('ends on the plan that the provider named last, in whatever order its messages come', () => {
    const messages = [
      changePlan('api', 'provider', '2026-01-01T00:00:00.000Z'),
      changePlan('free', 'provider', '2026-02-01T00:00:00.000Z'),
      changePlan('api', 'provider', '2026-03-01T00:00:00.000Z'),
      changePlan('free', 'provider', '2026-04-01T00:00:00.000Z'),
    ];
    fc.assert(
      fc.property(fc.shuffledSubarray([...messages, ...messages], { minLength: 8 }), (order) => {
        expect(run(REGISTER, ...order).state).toMatchObject({ planId: 'free' });
      }),
    );
  });

  it('gets and loses features beyond the plan, but not his own administration', () => {
    const granted = run(REGISTER, setFeature(true));
    expect(granted.events).toMatchObject([{ type: 'UserFeatureGranted', data: { reason: 'because' } }]);
    expect(run(REGISTER, setFeature(true), setFeature(true)).events).toEqual([]);
    expect(run(REGISTER, setFeature(true), setFeature(false)).events).toMatchObject([
      { type: 'UserFeatureRevoked' },
    ]);
    expect(run(REGISTER, setFeature(true), setFeature(false, 'u1')).code).toBe('own_administration');
  });

  it('is disabled and enabled with a reason, each once', () => {
    const disabled = run(REGISTER, setAccess(true));
    expect(disabled.events).toEqual([{ type: 'AccountDisabled', data: { userId: 'u1', reason: 'spam' } }]);
    expect(disabled.state).toMatchObject({ isDisabled: true, email: 'Ann@example.com' });
    expect(run(REGISTER, setAccess(true), setAccess(true)).events).toEqual([]);
    expect(run(REGISTER, setAccess(false)).events).toEqual([]);
    const enabled = run(REGISTER, setAccess(true), setAccess(false));
    expect(enabled.events).toEqual([{ type: 'AccountEnabled', data: { userId: 'u1', reason: 'spam' } }]);
    expect(enabled.state).toEqual(run(REGISTER).state);
    expect(run(REGISTER, { ...setAccess(true), reason: ' ' }).code).toBe('reason_missing');
  });

  it('is not disabled while it administrates, nor administrates while it is disabled', () => {
    expect(run(REGISTER, setFeature(true), setAccess(true)).code).toBe('user_administrates');
    expect(run(REGISTER, setAccess(true), setFeature(true)).code).toBe('user_disabled');
    const other = { ...setFeature(true), feature: 'web.z-score.view' } as UserCommand;
    expect(run(REGISTER, setAccess(true), other).code).toBeNull();
    expect(run(REGISTER, setFeature(true), setFeature(false), setAccess(true)).code).toBeNull();
  });

  it('is changed by an administrator for no blank reason, whatever is changed', () => {
    const reason = ' \t';
    const leaving: UserCommand = { type: 'RequestDeletion', eraseAt: '2026-12-08T00:00:00.000Z' };
    const blank: readonly UserCommand[] = [
      { ...setFeature(true), reason } as UserCommand,
      { ...changePlan('api', 'administrator'), reason } as UserCommand,
      { ...setAccess(true), reason },
      { ...leaving, reason } as UserCommand,
      { type: 'UndoDeletion', reason },
      { type: 'AssistAccount', act: 'sign_out', reason },
    ];
    for (const command of blank) {
      const state = command.type === 'UndoDeletion' ? run(REGISTER, leaving).state : run(REGISTER).state;
      expect(userDecider.decide(command, state), command.type).toMatchObject({ code: 'reason_missing' });
    }
  });

  it('is erased when its time has come and not before, and not where nobody has asked for it', () => {
    const due = '2026-12-08T00:00:00.000Z';
    const leaving: UserCommand = { type: 'RequestDeletion', eraseAt: due };
    const erase = (now: string): UserCommand => ({ type: 'EraseAccount', now });
    expect(run(REGISTER, erase(due)).code).toBe('deletion_not_due');
    expect(run(REGISTER, leaving, erase('2026-12-07T23:59:59.999Z')).code).toBe('deletion_not_due');
    expect(run(REGISTER, leaving, { type: 'UndoDeletion' }, erase(due)).code).toBe('deletion_not_due');
    const erased = run(REGISTER, leaving, erase(due));
    expect(erased.events).toEqual([{ type: 'AccountErased', data: { userId: 'u1' } }]);
    expect(erased.state).toEqual({ status: 'none' });
  });

  it('is deleted by an administrator with a reason, unless he administrates himself', () => {
    const eraseAt = '2026-12-08T00:00:00.000Z';
    const leaving: UserCommand = { type: 'RequestDeletion', eraseAt };
    const ordered: UserCommand = { ...leaving, reason: 'Fraud' };
    expect(run(REGISTER, leaving).events).toEqual([
      { type: 'AccountDeletionRequested', data: { userId: 'u1', eraseAt } },
    ]);
    expect(run(REGISTER, ordered).events).toEqual([
      { type: 'AccountDeletionRequested', data: { userId: 'u1', eraseAt, reason: 'Fraud' } },
    ]);
    expect(run(REGISTER, setFeature(true), ordered).code).toBe('user_administrates');
    expect(run(REGISTER, setFeature(true), leaving).code).toBeNull();
    expect(run(REGISTER, { type: 'UndoDeletion' }).events).toEqual([]);
    expect(run(REGISTER, leaving, { type: 'UndoDeletion', reason: 'A mistake' }).events).toEqual([
      { type: 'AccountDeletionUndone', data: { userId: 'u1', reason: 'A mistake' } },
    ]);
    const stays = run(REGISTER, leaving, { type: 'UndoDeletion' });
    expect(stays.events).toEqual([{ type: 'AccountDeletionUndone', data: { userId: 'u1' } }]);
    expect(stays.state).toEqual(run(REGISTER).state);
  });

  it('is to be erased when was asked first: asking again postpones nothing, but may bring it forward', () => {
    const leaving = (day: string): UserCommand => ({
      type: 'RequestDeletion',
      eraseAt: `2026-12-${day}T00:00:00.000Z`,
    });
    expect(run(REGISTER, leaving('08'), leaving('09')).events).toEqual([]);
    expect(run(REGISTER, leaving('08'), leaving('08')).events).toEqual([]);
    const forward = run(REGISTER, leaving('08'), leaving('07'));
    expect(forward.state).toMatchObject({ eraseAt: '2026-12-07T00:00:00.000Z' });
  });

  it('has the features that were last set, whatever the plan', () => {
    const command = fc.oneof(
      fc.constantFrom(...(['free', 'api'] as const)).map((planId) => changePlan(planId, 'administrator')),
      fc
        .record({ feature: fc.constantFrom(...FEATURES), isGranted: fc.boolean() })
        .map((more): UserCommand => ({ type: 'SetFeature', reason: 'x', administratorId: 'boss', ...more })),
    );
    fc.assert(
      fc.property(fc.array(command), (commands) => {
        const { state } = run(REGISTER, ...commands);
        if (state.status === 'none') throw new Error('There is no user');
        const last = commands.at(-1);
        if (last?.type === 'SetFeature')
          expect(featuresOf(state).includes(last.feature)).toBe(last.isGranted);
        if (!commands.some(({ type }) => type === 'SetFeature'))
          expect(featuresOf(state)).toEqual(
            FEATURES.filter((name) => PLANS[state.planId].features.includes(name)),
          );
      }),
    );
  });

  it('has an id that follows from the identity alone', () => {
    expect(userIdOf('auth0|1')).toBe(userIdOf('auth0|1'));
    expect(isUlid(userIdOf('auth0|1'))).toBe(true);
    fc.assert(
      fc.property(fc.uniqueArray(fc.string(), { minLength: 2 }), (subjects) => {
        expect(new Set(subjects.map(userIdOf)).size).toBe(subjects.length);
      }),
    );
  });
});

describe('the installation', () => {
  it('has one first account', () => {
    const claim = (userId: string) => ({ type: 'ClaimFirstAccount', userId }) as const;
    const [event] = installationDecider.decide(claim('u1'), installationDecider.initialState) as never[];
    const state = installationDecider.evolve(installationDecider.initialState, event as never);
    expect(state.firstUserId).toBe('u1');
    expect(installationDecider.decide(claim('u2'), state)).toEqual([]);
    expect(installationDecider.decide(claim('u1'), state)).toEqual([]);
  });
});

describe('invoices', () => {
  it('are one for each month with a paid plan, at the dearest plan of the month', () => {
    const history = [
      { planId: 'free', from: '2025-10-05T00:00:00.000Z' },
      { planId: 'api', from: '2025-11-20T00:00:00.000Z' },
      { planId: 'copy-trader', from: '2026-01-10T00:00:00.000Z' },
      { planId: 'free', from: '2026-01-20T00:00:00.000Z' },
    ] as const;
    const invoices = invoicesOf(history, new Date('2026-03-02T00:00:00Z'));
    expect(invoices.map(({ date, amount }) => [date, amount])).toEqual([
      ['2026-01-01', 4000],
      ['2025-12-01', 3000],
      ['2025-11-01', 3000],
    ]);
    expect(invoicesOf([], new Date())).toEqual([]);
  });

  it('begin with the month of now, and end with the one in which the plan was left', () => {
    const history = [
      { planId: 'api', from: '2026-01-15T10:00:00Z' },
      { planId: 'free', from: '2026-03-10T10:00:00Z' },
    ] as const;
    const dates = (of: Parameters<typeof invoicesOf>[0], now: string) =>
      invoicesOf(of, new Date(now)).map(({ date }) => date);
    expect(dates(history, '2026-05-02T00:00:00Z')).toEqual(['2026-03-01', '2026-02-01', '2026-01-01']);
    expect(dates(history.slice(0, 1), '2026-02-01T00:00:00Z')).toEqual(['2026-02-01', '2026-01-01']);
    expect(dates(history.slice(0, 1), '2026-01-15T10:00:00Z')).toEqual(['2026-01-01']);
  });
});
