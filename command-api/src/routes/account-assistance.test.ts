import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { signInByForm, TestBrowser } from '@quantloom/adapters/testing/identity/test-browser';
import type { Identity } from '@quantloom/domain/ports/identity';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AccountApi, PASSWORD, startAccountApi } from '../../testing/account-api.ts';
import { startTestApi } from '../../testing/test-api.ts';

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
    expect((await help(boss.token, 'remove_factors')).body).toEqual({ id: other.id, act: 'remove_factors' });
    const ownFactors = { act: 'remove_factors', reason: 'Mine' };
    const own = await call(boss.token, 'POST', `/admin/users/${boss.id}/assistance`, ownFactors);
    expect(own.body.code).toBe('user_administrates');
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
    const ownDeletion = `/admin/users/${boss.id}/deletion`;
    expect((await call(boss.token, 'POST', ownDeletion, leave)).body.code).toBe('user_administrates');

    const acts = (await call(boss.token, 'GET', `/admin/acts?person=${other.id}`)).body.acts as {
      text: string;
    }[];
    expect(acts.map(({ text }) => text)).toEqual([
      'Deletion of the account undone: A person after all',
      expect.stringMatching(/^Deletion of the account asked for, to be carried out on .*: A robot$/),
      'Signed out everywhere: Asked for it by phone',
      'Passkeys and codes removed: Asked for it by phone',
      'Unlocked after failed attempts to sign in: Asked for it by phone',
      'Link for a new password sent: Asked for it by phone',
    ]);
  });
});

describe('people who sign in elsewhere', () => {
  it('are helped there: nothing is done here, and nothing is recorded', async () => {
    const identity = { canAssist: false } as Partial<Identity> as Identity;
    const elsewhere = await startTestApi({ identity });
    const body = { act: 'sign_out', reason: 'Asked for it by phone' };
    const answer = await elsewhere.call('admin', 'POST', '/api/v1/admin/users/somebody/assistance', body);
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'done_by_issuer']);
    await elsewhere.close();
  });
});

describe('a password that was given long ago', () => {
  it('is asked for again before the account itself is changed, and not before anything else', async () => {
    const browser = new TestBrowser(api.issuer.origin);
    const { access_token: token } = await signInByForm(browser, 'left-open@example.com', PASSWORD, 'signup');
    const { subject } = await api.issuer.embedded.identity.verify(token);
    await call(token, 'POST', '/users', { email: 'left-open@example.com', auth0_id: subject });
    expect((await call(token, 'POST', '/billing/plan', { plan_id: 'api' })).status).toBe(200);
    const tries = [
      ['PATCH', '/users/me', { email: 'thief@example.com' }],
      ['POST', '/users/me/deletion', undefined],
      ['POST', '/api-clients', { name: 'Thief', scopes: ['read'] }],
      ['POST', '/api-clients/some/replace', undefined],
      ['DELETE', '/api-clients/some', undefined],
      ['POST', '/oauth/clients', {}],
      ['DELETE', '/oauth/clients', undefined],
      ['GET', '/oauth/clients', undefined],
      ['GET', '/api-clients/some/secret', undefined],
    ] as const;

    const database = new DatabaseSync(path.join(api.issuer.dataDir, 'identity.sqlite'));
    const age = (minutes: number) =>
      database
        .prepare('UPDATE identity_sessions SET confirmed_at = ? WHERE subject = ?')
        .run(Date.now() - minutes * 60_000, subject);
    age(11);
    for (const [method, url, body] of tries)
      expect((await call(token, method, url, body)).body.code, url).toBe('confirmation_needed');
    const me = await call(token, 'GET', '/users/me');
    expect(me.body).toMatchObject({ email: 'left-open@example.com', erase_at: null });

    // A wrong password is no proof, and neither is a renewed token of the same sign-in.
    await browser.post('/u/account', { action: 'confirm', password: 'wrong horse battery' });
    const change = { email: 'mine@example.com' };
    expect((await call(token, 'PATCH', '/users/me', change)).body.code).toBe('confirmation_needed');
    await browser.post('/u/account', { action: 'confirm', password: PASSWORD });
    expect((await call(token, 'PATCH', '/users/me', change)).body.email).toBe('mine@example.com');
    age(9);
    expect((await call(token, 'POST', '/users/me/deletion')).status).toBe(200);
    database.close();
  });
});
