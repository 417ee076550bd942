import { handleCommand } from '@quantloom/domain/kernel/handle-command';
import { isRefusal } from '@quantloom/domain/kernel/refusal';
import { IdentityError, type IdentityErrorCode } from '@quantloom/domain/ports/identity';
import { USER_STREAM } from '@quantloom/domain/user/user';
import { ulid } from 'ulid';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type MemoryServer, openMemoryServer } from '../../testing/memory-server.ts';
import { mountAdminUsers } from './admin-users.ts';

describe('assistance by an administrator', () => {
  let server: MemoryServer;
  let canAssist: boolean;
  let assist: (subject: string, act: string) => Promise<void>;
  let asked: string[];

  beforeEach(async () => {
    [canAssist, asked] = [true, []];
    assist = async (subject, act) => void asked.push(`${act} ${subject}`);
    const identity = {
      lastProof: async () => null,
      get canAssist() {
        return canAssist;
      },
      assist: (subject: string, act: string) => assist(subject, act),
    };
    server = await openMemoryServer(mountAdminUsers, { identity: identity as never });
    const userId = 'ann';
    const registered = await handleCommand(
      server.eventStore,
      USER_STREAM,
      userId,
      {
        ...{ type: 'RegisterUser', userId, subject: 's|ann', planId: 'free', grantedFeatures: [] },
        email: 'ann@example.com',
      },
      {
        ...{ commandId: ulid(), correlationId: 'test', now: '2026-03-04T10:00:00.000Z' },
        actor: { kind: 'user', userId },
      },
    );
    if (isRefusal(registered)) throw new Error(registered.detail);
  });
  afterEach(() => server.app.close());

  const help = (id = 'ann') =>
    server.call('admin', 'POST', `/admin/users/${id}/assistance`, {
      act: 'sign_out',
      reason: 'A lost laptop',
    });
  const recorded = () => server.eventStore.events.slice(1);

  it('is recorded with its reason, and then asked of the provider', async () => {
    expect(await help()).toMatchObject({ status: 200, body: { id: 'ann', act: 'sign_out' } });
    expect(asked).toEqual(['sign_out s|ann']);
    expect(recorded()).toMatchObject([
      { type: 'AccountSignedOut', data: { userId: 'ann', reason: 'A lost laptop' } },
    ]);
  });

  it.each<[IdentityErrorCode, number, string]>([
    ['invalid_email', 409, 'email_taken'],
    ['unavailable', 503, 'unavailable'],
    ['unknown_subject', 503, 'unavailable'],
  ])(
    'stands in the audit where the provider could not do it, and the answer says so: %s',
    async (code, ...told) => {
      const [status, as] = told;
      assist = () => Promise.reject(new IdentityError(code, 'It said so'));
      expect(await help()).toMatchObject({ status, body: { code: as } });
      expect(recorded()).toHaveLength(1);
    },
  );

  it('is nothing where nobody is, or where the provider has pages of its own', async () => {
    expect(await help('nobody')).toMatchObject({ status: 404 });
    canAssist = false;
    expect(await help()).toMatchObject({ status: 409, body: { code: 'done_by_issuer' } });
    expect([asked, recorded()]).toEqual([[], []]);
  });

  it.each([
    ['plan', { plan_id: 'api' }, 'UserPlanChanged'],
    ['access', { disabled: true }, 'AccountDisabled'],
    ['deletion', { deleted: true }, 'AccountDeletionRequested'],
  ])('has its reason in the audit, whatever was done: %s', async (what, body, type) => {
    const reason = 'Asked for it by phone';
    const answer = await server.call('admin', 'POST', `/admin/users/ann/${what}`, { ...body, reason });
    expect(answer.status).toBe(200);
    expect(recorded()).toMatchObject([{ type, data: { reason } }]);
  });
});
