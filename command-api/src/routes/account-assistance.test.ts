import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AccountApi, startAccountApi } from '../../testing/account-api.ts';

let api: AccountApi;
beforeAll(async () => {
  api = await startAccountApi();
});
afterAll(() => api.close());
const call: AccountApi['call'] = (...args) => api.call(...args);

describe('what administrators do about sign-ins and accounts', () => {
  it('signs out, sends links, unlocks and deletes with a reason, each with its line in the audit', async () => {
    // The first one administrates.
    const boss = await api.newUser('boss@example.com');
    const other = await api.newUser('other@example.com');
    const place = (kind: string) => `/admin/users/${other.id}/${kind}`;
    const help = async (token: string, act: string, reason = 'Asked for it by phone') =>
      await call(token, 'POST', place('assistance'), { act, reason });

    expect((await help(other.token, 'sign_out')).status).toBe(403);
    expect((await help(boss.token, 'sign_out', ' ')).body.code).toBe('reason_missing');
    expect((await help(boss.token, 'dance')).body.code).toBe('invalid_request');
    const nobody = await call(boss.token, 'POST', '/admin/users/nobody/assistance', {
      act: 'unlock',
      reason: 'x',
    });
    expect(nobody.body.code).toBe('user_not_found');

    expect((await help(boss.token, 'send_reset')).body).toEqual({ id: other.id, act: 'send_reset' });
    await api.issuer.embedded.sendMails();
    const outbox = path.join(api.issuer.dataDir, 'outbox');
    const mails = await Promise.all(
      (await readdir(outbox)).map((name) => readFile(path.join(outbox, name), 'utf8')),
    );
    expect(
      mails.filter((mail) => mail.includes('other@example.com') && mail.includes('/u/reset/')),
    ).toHaveLength(1);
    expect((await help(boss.token, 'unlock')).status).toBe(200);
    expect((await call(other.token, 'GET', '/users/me')).status).toBe(200);
    expect((await help(boss.token, 'sign_out')).status).toBe(200);
    expect((await call(other.token, 'GET', '/users/me')).status).toBe(401);

    const leave = { deleted: true, reason: 'A robot' };
    const asked = await call(boss.token, 'POST', place('deletion'), leave);
    expect(Date.parse(String(asked.body.erase_at))).toBeGreaterThan(Date.now() + 6.9 * 86_400_000);
    expect((await call(boss.token, 'GET', `/admin/users/${other.id}`)).body.user).toMatchObject({
      erase_at: asked.body.erase_at,
    });
    const stay = { deleted: false, reason: 'A person after all' };
    expect((await call(boss.token, 'POST', place('deletion'), stay)).body.erase_at).toBeNull();
    const own = `/admin/users/${boss.id}/deletion`;
    expect((await call(boss.token, 'POST', own, leave)).body.code).toBe('user_administrates');

    const acts = (await call(boss.token, 'GET', `/admin/acts?person=${other.id}`)).body.acts as {
      text: string;
    }[];
    expect(acts.map(({ text }) => text)).toEqual([
      'Deletion of the account undone: A person after all',
      expect.stringMatching(/^Deletion of the account asked for, to be carried out on .*: A robot$/),
      'Signed out everywhere: Asked for it by phone',
      'Unlocked after failed attempts to sign in: Asked for it by phone',
      'Link for a new password sent: Asked for it by phone',
    ]);
  });
});
