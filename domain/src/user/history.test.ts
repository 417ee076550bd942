import { describe, expect, it } from 'vitest';
import type { Actor, RecordedEvent } from '../kernel/event.ts';
import { historyOf } from './history.ts';

const at = '2026-11-20T10:00:00.000Z';
const recorded = (
  type: string,
  data: object,
  actor: Actor = { kind: 'user', userId: 'u1' },
  schemaVersion = 1,
) =>
  ({
    type,
    data: { userId: 'u1', ...data },
    revision: 4,
    metadata: { recordedAt: at, actor, schemaVersion },
  }) as unknown as RecordedEvent;
const plan = (over: object) => ({
  planId: 'api',
  previousPlanId: 'free',
  source: 'user',
  effectiveAt: null,
  ...over,
});
const client = { clientId: 'c1', name: 'Robot', scopes: ['read', 'batches'], endsAt: null };

describe('the history of a user for administrators', () => {
  it.each<[string, string, object]>([
    [
      'Registered as a@b.ch on API Plan',
      'UserRegistered',
      { subject: 's', email: 'a@b.ch', planId: 'api', grantedFeatures: [] },
    ],
    [
      'E-mail address changed from a@b.ch to c@d.ch',
      'UserEmailChanged',
      { email: 'c@d.ch', previousEmail: 'a@b.ch' },
    ],
    ['Plan changed from Free to API Plan by user', 'UserPlanChanged', plan({})],
    [
      'Plan changed from Free to API Plan by administrator: A gift',
      'UserPlanChanged',
      plan({ source: 'administrator', reason: 'A gift' }),
    ],
    [
      'Plan Free confirmed by provider',
      'UserPlanChanged',
      plan({ planId: 'free', source: 'provider', effectiveAt: at }),
    ],
    [
      'Feature web.admin.view granted: Helps',
      'UserFeatureGranted',
      { feature: 'web.admin.view', reason: 'Helps' },
    ],
    [
      'Feature web.admin.view revoked: Left',
      'UserFeatureRevoked',
      { feature: 'web.admin.view', reason: 'Left' },
    ],
    ['Account disabled: Spam', 'AccountDisabled', { reason: 'Spam' }],
    ['Account enabled: Was none', 'AccountEnabled', { reason: 'Was none' }],
    ['Signed out everywhere: Asked', 'AccountSignedOut', { reason: 'Asked' }],
    ['Link for a new password sent: Asked', 'PasswordResetSent', { reason: 'Asked' }],
    ['Unlocked after failed attempts to sign in: Asked', 'AccountUnlocked', { reason: 'Asked' }],
    ['Passkeys and codes removed: Lost', 'SecondFactorsRemoved', { reason: 'Lost' }],
    [
      'Deletion of the account asked for, to be carried out on 2026-12-08',
      'AccountDeletionRequested',
      { eraseAt: '2026-12-08T00:00:00.000Z' },
    ],
    [
      'Deletion of the account asked for, to be carried out on 2026-12-08: Fraud',
      'AccountDeletionRequested',
      { eraseAt: '2026-12-08T00:00:00.000Z', reason: 'Fraud' },
    ],
    ['Deletion of the account undone', 'AccountDeletionUndone', {}],
    ['Deletion of the account undone: A mistake', 'AccountDeletionUndone', { reason: 'A mistake' }],
    ['Account erased', 'AccountErased', {}],
    ['API client c1 replaced by c2', 'ApiClientReplaced', { clientId: 'c1', successorId: 'c2', endsAt: at }],
    ['API client c1 deleted', 'ApiClientDeleted', { clientId: 'c1' }],
  ])('%s', (text, type, data) => {
    expect(historyOf(recorded(type, data))).toEqual({ at, text, type, actor: 'user u1', revision: 4 });
  });

  it('names a client and what it may do, where it was given a name', () => {
    const made = (data: object, version = 2) =>
      historyOf(recorded('ApiClientCreated', data, undefined, version)).text;
    expect(made(client)).toBe('API client c1 created as Robot, for read, batches');
    expect(made({ ...client, name: 'API client' })).toBe('API client c1 created');
    // As the log has them from before clients had names.
    expect(made({ clientId: 'c1' }, 1)).toBe('API client c1 created');
  });

  it('names who it was', () => {
    const by = (actor: Actor) => historyOf(recorded('AccountErased', {}, actor)).actor;
    expect(by({ kind: 'apiClient', userId: 'u1', clientId: 'c1' })).toBe('API client c1');
    expect(by({ kind: 'system', name: 'erasure' })).toBe('erasure');
  });
});
