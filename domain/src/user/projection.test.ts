import { describe, expect, it } from 'vitest';
import { folded } from '../../testing/folded.ts';
import type { DomainEvent } from '../kernel/event.ts';
import { usersProjection } from './projection.ts';

const at = (day: number) => `2026-01-0${day}T00:00:00.000Z`;
const userId = 'u1';
const event = (type: string, data: object = {}): DomainEvent => ({ type, data: { userId, ...data } });
const registered = event('UserRegistered', {
  subject: 'auth0|1',
  email: 'Ann@Example.com',
  planId: 'free',
  grantedFeatures: [],
});
const plan = (planId: string, previousPlanId: string, effectiveAt: string | null = null) =>
  event('UserPlanChanged', { planId, previousPlanId, source: 'user', effectiveAt });
const client = event('ApiClientCreated', { clientId: 'c1', name: 'Robot', scopes: ['read'], endsAt: null });
const user = (...events: readonly DomainEvent[]) => folded(usersProjection, registered, ...events);

describe('a user as pages and administrators see him', () => {
  it('begins on his plan, without clients', () => {
    expect(user()).toEqual({
      status: 'registered',
      id: 'u1',
      userId: 'u1',
      subject: 'auth0|1',
      email: 'Ann@Example.com',
      emailKey: 'ann@example.com',
      planId: 'free',
      grantedFeatures: [],
      revokedFeatures: [],
      features: [],
      planEffectiveAt: null,
      isDisabled: false,
      eraseAt: null,
      createdAt: at(1),
      updatedAt: at(1),
      apiClients: [],
      apiClientIds: [],
      planHistory: [{ planId: 'free', from: at(1) }],
    });
  });

  it('has the features of his plan, and a line for each change of it', () => {
    const changed = user(
      plan('api', 'free'),
      event('UserEmailChanged', { email: 'b@c.ch', previousEmail: 'x' }),
    );
    expect(changed).toMatchObject({
      planId: 'api',
      email: 'b@c.ch',
      emailKey: 'b@c.ch',
      createdAt: at(1),
      updatedAt: at(3),
      planHistory: [
        { planId: 'free', from: at(1) },
        { planId: 'api', from: at(2) },
      ],
    });
    expect(changed?.features).toContain('web.batch-backtests.create');
    // A message of the provider that confirms the plan is no change.
    expect(user(plan('api', 'free'), plan('api', 'api', at(3)))?.planHistory).toHaveLength(2);
    // Coming back to an earlier plan is one: what is paid for each month follows from it.
    const back = user(plan('api', 'free'), plan('free', 'api'), plan('api', 'free'));
    expect(back?.planHistory.map(({ planId }) => planId)).toEqual(['free', 'api', 'free', 'api']);
  });

  it('keeps what administrators gave and took, whatever came after', () => {
    const feature = 'web.z-score.view';
    const granted = event('UserFeatureGranted', { feature, reason: 'r' });
    const revoked = event('UserFeatureRevoked', { feature, reason: 'r' });
    const other = event('UserFeatureGranted', { feature: 'web.slippage.view', reason: 'r' });
    const otherGone = event('UserFeatureRevoked', { feature: 'web.slippage.view', reason: 'r' });
    expect(user(other, granted)).toMatchObject({
      features: ['web.slippage.view', feature],
      revokedFeatures: [],
    });
    expect(user(other, granted, revoked)).toMatchObject({
      grantedFeatures: ['web.slippage.view'],
      revokedFeatures: [feature],
      features: ['web.slippage.view'],
    });
    expect(user(otherGone, revoked, granted)).toMatchObject({
      grantedFeatures: [feature],
      revokedFeatures: ['web.slippage.view'],
      features: [feature],
    });
    expect(user(granted, granted)?.grantedFeatures).toEqual([feature]);
    expect(user(revoked, revoked)?.revokedFeatures).toEqual([feature]);
  });

  it('is disabled, to be erased, and gone', () => {
    expect(user(event('AccountDisabled', { reason: 'r' }))).toMatchObject({ isDisabled: true });
    expect(
      user(event('AccountDisabled', { reason: 'r' }), event('AccountEnabled', { reason: 'r' })),
    ).toMatchObject({
      isDisabled: false,
    });
    const leaving = event('AccountDeletionRequested', { eraseAt: at(9) });
    expect(user(leaving)).toMatchObject({ eraseAt: at(9) });
    expect(user(leaving, event('AccountDeletionUndone'))).toMatchObject({ eraseAt: null });
    expect(user(leaving, event('AccountErased'))).toBeNull();
  });

  it('has his clients with when they were made, also after another change', () => {
    const made = { clientId: 'c1', name: 'Robot', scopes: ['read'], endsAt: null, successorId: null };
    expect(user(client, plan('api', 'free'))).toMatchObject({
      apiClients: [{ ...made, createdAt: at(2) }],
      apiClientIds: ['c1'],
      updatedAt: at(3),
      planHistory: [{ planId: 'free' }, { planId: 'api' }],
    });
    expect(user(client)).toMatchObject({ updatedAt: at(2), email: 'Ann@Example.com' });
    const successor = event('ApiClientCreated', {
      clientId: 'c2',
      name: 'Robot',
      scopes: ['read'],
      endsAt: null,
    });
    const replaced = event('ApiClientReplaced', { clientId: 'c1', successorId: 'c2', endsAt: at(9) });
    expect(user(client, successor, replaced)?.apiClients).toMatchObject([
      { clientId: 'c1', successorId: 'c2', endsAt: at(9) },
      { clientId: 'c2', successorId: null, endsAt: null },
    ]);
    expect(user(client, event('ApiClientDeleted', { clientId: 'c1' }))).toMatchObject({
      apiClients: [],
      apiClientIds: [],
    });
  });

  it('is not made by what comes after him, nor by what is of nobody', () => {
    // The clients of an account that was erased go after it.
    expect(folded(usersProjection, event('ApiClientDeleted', { clientId: 'c1' }))).toBeNull();
    expect(() => folded(usersProjection, client)).toThrow(
      'ApiClientCreated of a user that was never registered',
    );
    expect(() => folded(usersProjection, event('AccountEnabled', { reason: 'r' }))).toThrow(
      'AccountEnabled of a user that was never registered',
    );
  });
});
