import { signInByForm, TestBrowser } from '@quantloom/adapters/testing/identity/test-browser';
import { API_CLIENT_STREAM, UNRESTRICTED } from '@quantloom/domain/api-client/api-client';
import { API_SCOPE } from '@quantloom/domain/identity/issuer';
import { handleCommand } from '@quantloom/domain/kernel/handle-command';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AccountApi, PASSWORD, startAccountApi } from '../../testing/account-api.ts';

let api: AccountApi;
beforeAll(async () => {
  api = await startAccountApi();
});
afterAll(() => api.close());

const call: AccountApi['call'] = (...args) => api.call(...args);
const signUp: AccountApi['signUp'] = (...args) => api.signUp(...args);
const newUser: AccountApi['newUser'] = (...args) => api.newUser(...args);
const machineToken: AccountApi['machineToken'] = (...args) => api.machineToken(...args);

const DAY_MS = 24 * 60 * 60_000;
const NEWCOMERS = ['a', 'b', 'c', 'd', 'a5', 'a6', 'a7', 'a8'];

describe('the first sign-in', () => {
  it('makes one administrator of eight who sign up at once, whoever it is', async () => {
    const newcomers = await Promise.all(NEWCOMERS.map((name) => signUp(`${name}@example.com`)));
    const created = await Promise.all(
      newcomers.map(({ token, subject }, index) =>
        call(token, 'POST', '/users', { email: `${NEWCOMERS[index]}@example.com`, auth0_id: subject }),
      ),
    );
    expect(created.map(({ status }) => status)).toEqual(NEWCOMERS.map(() => 201));
    const administrators = created.filter(({ body }) =>
      (body.features as string[]).includes('web.admin.view'),
    );
    expect(administrators).toHaveLength(1);
    expect(administrators[0]?.body.plan_id).toBe('api');
    const others = created.filter((answer) => answer !== administrators[0]);
    for (const { body } of others) expect(body).toMatchObject({ plan_id: 'free', features: [] });
  });

  it('is needed before anything else, and safe to repeat', async () => {
    const { token, subject } = await signUp('eve@example.com');
    const early = await call(token, 'GET', '/users/me');
    expect(early).toMatchObject({ status: 403, body: { code: 'user_unknown' } });
    const answers = await Promise.all(
      [1, 2, 3].map(() => call(token, 'POST', '/users', { email: 'eve@example.com', auth0_id: subject })),
    );
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    const me = await call(token, 'GET', '/users/me');
    expect(me.body).toEqual(answers[0]?.body);
    expect((await api.issuer.embedded.identity.account(subject))?.userId).toBe(me.body.id);
  });

  it('takes the address that the identity has, whatever the body says', async () => {
    const { token, subject } = await signUp('gus@example.com');
    const body = { email: 'somebody.else@example.com', auth0_id: subject };
    expect((await call(token, 'POST', '/users', body)).body.email).toBe('gus@example.com');
  });

  it('links by the subject of the token, whatever the body says', async () => {
    const { token } = await signUp('fay@example.com');
    const stolen = await call(token, 'POST', '/users', {
      email: 'a@example.com',
      auth0_id: 'quantloom|other',
    });
    expect(stolen).toMatchObject({ status: 403, body: { code: 'subject_mismatch' } });
    expect((await call(null, 'POST', '/users', { email: 'x@example.com', auth0_id: 'x' })).status).toBe(401);
  });
});

describe('the account', () => {
  it('changes the e-mail address at the identity, too', async () => {
    const user = await newUser('gil@example.com');
    const changed = await call(user.token, 'PATCH', '/users/me', { email: 'Gil.New@example.com' });
    expect(changed).toMatchObject({ status: 200, body: { email: 'Gil.New@example.com', id: user.id } });
    expect((await call(user.token, 'GET', '/users/me')).body.email).toBe('Gil.New@example.com');
    await signInByForm(new TestBrowser(api.issuer.origin), 'gil.new@example.com', PASSWORD, 'login');
    await newUser('hal@example.com');
    // Whether an address has an account is nobody else's business; it stays with its owner.
    const taken = await call(user.token, 'PATCH', '/users/me', { email: 'HAL@example.com' });
    expect(taken).toMatchObject({ status: 200, body: { email: 'HAL@example.com', id: user.id } });
    await signInByForm(new TestBrowser(api.issuer.origin), 'hal@example.com', PASSWORD, 'login');
    const invalid = await call(user.token, 'PATCH', '/users/me', { email: 'not an address' });
    expect(invalid).toMatchObject({ status: 422, body: { code: 'invalid_email' } });
    expect((await call(user.token, 'PATCH', '/users/me', { features: ['web.admin.view'] })).status).toBe(400);
  });

  it('leaves the identity alone where we refuse ourselves', async () => {
    const user = await newUser('ivo@example.com');
    const change = (email: string, ifMatch: string) =>
      call(user.token, 'PATCH', '/users/me', { email }, { 'if-match': ifMatch });
    expect(await change('ivo.new@example.com', '"7"')).toMatchObject({
      status: 409,
      body: { code: 'wrong_revision', currentRevision: 0 },
    });
    expect((await change('ivo.new@example.com', 'none')).body.code).toBe('invalid_if_match');
    expect((await change('ivo@nodot', '"0"')).body.code).toBe('invalid_email');
    expect((await api.issuer.embedded.identity.account(user.subject))?.email).toBe('ivo@example.com');
    expect((await change('ivo.new@example.com', '"0"')).status).toBe(200);
    expect((await api.issuer.embedded.identity.account(user.subject))?.email).toBe('ivo.new@example.com');
  });

  it('shows and changes the plan; what is coming soon cannot be had', async () => {
    const user = await newUser('ines@example.com');
    expect((await call(user.token, 'GET', '/subscriptions/me')).body).toEqual({
      plan_id: 'free',
      product: { name: 'Free' },
      price: { unit_amount: 0 },
      management_url: 'https://q.example/account/billing/manage',
    });
    const soon = await call(user.token, 'POST', '/billing/plan', { plan_id: 'copy-trader' });
    expect(soon).toMatchObject({ status: 409, body: { code: 'plan_not_available' } });
    const paid = await call(user.token, 'POST', '/billing/plan', { plan_id: 'api' });
    expect(paid).toMatchObject({ status: 200, body: { price: { unit_amount: 3000 } } });
    expect((await call(user.token, 'GET', '/users/me')).body.features).toContain(
      'web.batch-backtests.create',
    );
    const billing = await call(user.token, 'GET', '/billing');
    expect(billing.body).toMatchObject({ is_demo: true, plan_id: 'api' });
    expect(billing.body.invoices).toMatchObject([{ amount: 3000, status: 'demo' }]);
  });
});

/** The one that the first sign-in has made. */
async function administrator(): Promise<{ readonly token: string; readonly id: string }> {
  for (const name of NEWCOMERS) {
    const token = await api.logIn(`${name}@example.com`);
    const { id, features } = (await call(token, 'GET', '/users/me')).body;
    if ((features as string[]).includes('web.admin.view')) return { token, id: String(id) };
  }
  throw new Error('There is no administrator');
}

describe('the last administrator', () => {
  const leave = async (token: string) => {
    const { status, body } = await call(token, 'POST', '/users/me/deletion');
    return { status, code: body.code };
  };

  it('stays while there are others, until somebody else administrates who is not leaving', async () => {
    const boss = await administrator();
    const second = await newUser('nina@example.com');
    const refused = { status: 409, code: 'last_administrator' };
    expect(await leave(boss.token)).toEqual(refused);
    const features = `/admin/users/${second.id}/features`;
    const grant = { feature: 'web.admin.view', granted: true, reason: 'Holidays' };
    await call(boss.token, 'POST', features, grant);
    expect((await leave(second.token)).status).toBe(200);
    // Whoever leaves already looks after nobody.
    expect(await leave(boss.token)).toEqual(refused);
    await call(second.token, 'DELETE', '/users/me/deletion');
    expect((await leave(boss.token)).status).toBe(200);
    // As it was, for the tests that follow.
    await call(boss.token, 'DELETE', '/users/me/deletion');
    await call(boss.token, 'POST', features, { ...grant, granted: false });
  });
});

describe('the machine client', () => {
  it('is made, shown, used and deleted; its tokens die with it', async () => {
    const user = await newUser('jan@example.com');
    const free = await call(user.token, 'POST', '/oauth/clients', {});
    expect(free).toMatchObject({ status: 403, body: { code: 'feature_missing' } });
    expect((await call(user.token, 'GET', '/oauth/clients')).body).toMatchObject({
      id: null,
      secret: null,
      created_at: null,
    });
    await call(user.token, 'POST', '/billing/plan', { plan_id: 'api' });
    const wanted = { grants: ['client_credentials'], scopes: ['api:backtester'] };
    const created = await Promise.all(
      [1, 2, 3].map(() => call(user.token, 'POST', '/oauth/clients', wanted)),
    );
    expect(created.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(created.map(({ body }) => body.id)).size).toBe(1);
    const shown = await call(user.token, 'GET', '/oauth/clients');
    expect(shown.body).toMatchObject({ id: created[0]?.body.id, secret: created[0]?.body.secret });
    expect(shown.body.created_at).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(created.map(({ body }) => body.created_at)).toEqual(Array(3).fill(shown.body.created_at));
    expect(shown.headers['cache-control']).toBe('no-store');

    const { token } = await machineToken(shown.body.id, shown.body.secret);
    const me = await call(token, 'GET', '/users/me');
    expect(me).toMatchObject({ status: 200, body: { id: user.id } });
    expect(me.headers['ratelimit-limit']).toBe('300');
    expect((await call(token, 'GET', '/oauth/clients')).body.code).toBe('people_only');
    expect((await call(user.token, 'GET', '/oauth/clients')).body.requests_this_month).toBe(2);

    // A plan without API closes the door at once, with the same token.
    await call(user.token, 'POST', '/billing/plan', { plan_id: 'free' });
    expect((await call(token, 'GET', '/users/me')).body.code).toBe('plan_without_api');
    await call(user.token, 'POST', '/billing/plan', { plan_id: 'api' });

    expect((await call(user.token, 'DELETE', '/oauth/clients')).body).toEqual({ deleted: true });
    expect((await call(token, 'GET', '/users/me')).status).toBe(401);
    expect((await machineToken(shown.body.id, shown.body.secret)).status).toBe(401);
    expect((await call(user.token, 'DELETE', '/oauth/clients')).body.code).toBe('api_client_missing');
    const again = await call(user.token, 'POST', '/oauth/clients', wanted);
    expect(again.body.id).not.toBe(shown.body.id);
    // What the first one was given does not open the door of the second.
    expect((await call(token, 'GET', '/users/me')).body.code).toBe('invalid_token');
  });

  it('is one of several, each let in where its scopes say so and until its end', async () => {
    const user = await newUser('lea@example.com');
    await call(user.token, 'POST', '/billing/plan', { plan_id: 'api' });
    const add = (body: Parameters<typeof call>[3]) => call(user.token, 'POST', '/api-clients', body);
    const reading = await add({ name: ' CI ', scopes: ['read'], ends_on: '2099-02-28' });
    const batches = await add({ name: 'Nightly', scopes: ['batches'] });
    expect([reading.status, batches.status]).toEqual([201, 201]);
    expect(reading.headers['cache-control']).toBe('no-store');
    const reader = (await machineToken(reading.body.id, reading.body.secret)).token;
    const batcher = (await machineToken(batches.body.id, batches.body.secret)).token;
    expect((await call(reader, 'GET', '/users/me')).body.id).toBe(user.id);
    expect((await call(batcher, 'GET', '/users/me')).body).toMatchObject({
      code: 'scope_missing',
      error: 'This API client lacks the scope read.',
    });
    // No client reaches what makes clients.
    for (const [method, path] of [
      ['GET', '/api-clients'],
      ['POST', '/api-clients'],
      ['GET', `/api-clients/${reading.body.id}/secret`],
      ['POST', `/api-clients/${reading.body.id}/replace`],
      ['DELETE', `/api-clients/${reading.body.id}`],
    ] as const)
      expect((await call(reader, method, path, method === 'POST' ? {} : undefined)).body.code).toBe(
        'people_only',
      );

    const listed = await call(user.token, 'GET', '/api-clients');
    expect(JSON.stringify(listed.body)).not.toContain(String(reading.body.secret));
    expect(listed.body.clients).toMatchObject([
      { id: reading.body.id, name: 'CI', scopes: ['read'], ends_at: '2099-03-01T00:00:00.000Z' },
      { id: batches.body.id, name: 'Nightly', scopes: ['batches'], ends_at: null, replaced_by: null },
    ]);
    const [used] = listed.body.clients as { last_used_at: string | null; requests_this_month: number }[];
    expect(used?.last_used_at).toMatch(/^\d{4}-\d\d-\d\dT/);
    const secret = await call(user.token, 'GET', `/api-clients/${batches.body.id}/secret`);
    expect(secret.body).toEqual({ id: batches.body.id, secret: batches.body.secret });
    // What programs get that know of one client only.
    expect((await call(user.token, 'GET', '/oauth/clients')).body.id).toBe(reading.body.id);

    const stranger = await newUser('max@example.com');
    await call(stranger.token, 'POST', '/billing/plan', { plan_id: 'api' });
    for (const [method, path] of [
      ['GET', '/secret'],
      ['POST', '/replace'],
      ['DELETE', ''],
    ] as const)
      expect((await call(stranger.token, method, `/api-clients/${reading.body.id}${path}`)).status).toBe(404);
    for (const ends_on of ['2020-01-01', '2099-02-30'])
      expect((await add({ name: 'x', scopes: ['read'], ends_on })).body.code).toBe('invalid_end');
    expect((await add({ name: ' ', scopes: ['read'] })).body.code).toBe('invalid_name');
    expect((await add({ name: 'x', scopes: [] })).status).toBe(400);
  });

  it('is replaced, once however often it is asked for, while its old secret works on', async () => {
    const user = await newUser('mia@example.com');
    await call(user.token, 'POST', '/billing/plan', { plan_id: 'api' });
    const old = await call(user.token, 'POST', '/api-clients', { name: 'CI', scopes: ['read'] });
    const replace = () => call(user.token, 'POST', `/api-clients/${old.body.id}/replace`);
    const fresh = await replace();
    expect(fresh.status).toBe(201);
    expect((await replace()).body).toEqual(fresh.body);
    for (const { body } of [old, fresh]) {
      const { token } = await machineToken(body.id, body.secret);
      expect((await call(token, 'GET', '/users/me')).status).toBe(200);
    }
    const { clients } = (await call(user.token, 'GET', '/api-clients')).body;
    expect(clients).toMatchObject([
      { id: old.body.id, replaced_by: fresh.body.id, ends_at: expect.any(String) },
      { id: fresh.body.id, name: 'CI', scopes: ['read'], ends_at: null },
    ]);
    const [{ ends_at: endsAt }] = clients as [{ ends_at: string }];
    expect(Math.abs(Date.parse(endsAt) - Date.now() - DAY_MS)).toBeLessThan(60_000);
    const { token } = await machineToken(old.body.id, old.body.secret);
    expect((await call(user.token, 'DELETE', `/api-clients/${old.body.id}`)).body).toEqual({ deleted: true });
    expect((await call(token, 'GET', '/users/me')).status).toBe(401);
    expect((await machineToken(old.body.id, old.body.secret)).status).toBe(401);
    expect((await machineToken(fresh.body.id, fresh.body.secret)).status).toBe(200);
  });

  it('is forgotten by the provider with the next one that is made after its end', async () => {
    const user = await newUser('moe@example.com');
    await call(user.token, 'POST', '/billing/plan', { plan_id: 'api' });
    const { identity } = api.deps;
    const { clientId } = await identity.createMachineClient({ userId: user.id, scopes: [API_SCOPE] });
    const [now, endsAt] = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z'];
    const ended = { clientId, userId: user.id, ...UNRESTRICTED, endsAt, now };
    await handleCommand(
      api.deps.eventStore,
      API_CLIENT_STREAM,
      user.id,
      { type: 'CreateApiClient', ...ended },
      { commandId: api.deps.newId(), correlationId: 'test', actor: { kind: 'user', userId: user.id }, now },
    );
    expect(await identity.machineClient(clientId)).not.toBeNull();
    const next = await call(user.token, 'POST', '/api-clients', { name: 'Next', scopes: ['read'] });
    expect(next.status).toBe(201);
    expect(await identity.machineClient(clientId)).toBeNull();
    expect(await identity.machineClient(String(next.body.id))).not.toBeNull();
  });

  it('keeps its secret where it is: not for idempotency keys, and not in a cache', async () => {
    const user = await newUser('leo@example.com');
    await call(user.token, 'POST', '/billing/plan', { plan_id: 'api' });
    const create = () => call(user.token, 'POST', '/oauth/clients', {}, { 'idempotency-key': 'once' });
    const first = await create();
    expect(first.headers['cache-control']).toBe('no-store');
    expect((await create()).body).toEqual(first.body);
    const kept = JSON.stringify(await api.deps.readModels.find('idempotencyKeys_v1'));
    expect(kept).not.toContain(String(first.body.secret));
    const stale = await call(user.token, 'DELETE', '/oauth/clients', undefined, { 'if-match': '"9"' });
    expect(stale).toMatchObject({ status: 409, body: { code: 'wrong_revision' } });
    expect((await machineToken(first.body.id, first.body.secret)).status).toBe(200);
    await call(user.token, 'DELETE', '/oauth/clients');
    // The same key does not bring a deleted client's secret back.
    expect((await create()).body.id).not.toBe(first.body.id);
  });

  it('has 300 requests a minute; the 301st is refused with the time to wait', async () => {
    const user = await newUser('kim@example.com');
    await call(user.token, 'POST', '/billing/plan', { plan_id: 'api' });
    const client = await call(user.token, 'POST', '/oauth/clients', {});
    const { token } = await machineToken(client.body.id, client.body.secret);
    const statuses: number[] = [];
    for (let request = 0; request < 300; request += 1)
      statuses.push((await call(token, 'GET', '/users/me')).status);
    expect(new Set(statuses)).toEqual(new Set([200]));
    const refused = await call(token, 'GET', '/users/me');
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_requests' } });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused.headers['ratelimit-remaining']).toBe('0');
    expect((await call(user.token, 'GET', '/users/me')).status).toBe(200);
    expect((await call(user.token, 'GET', '/oauth/clients')).body.requests_this_month).toBe(300);
  });
});

describe('administration', () => {
  it('finds users, shows their history, gives and takes features with a reason', async () => {
    const users = await Promise.all(
      ['a', 'b', 'c', 'd'].map(async (name) => {
        const token = await api.logIn(`${name}@example.com`);
        return { token, me: await call(token, 'GET', '/users/me') };
      }),
    );
    const boss = users.find(({ me }) => (me.body.features as string[]).includes('web.admin.view'));
    const other = users.find((user) => user !== boss);
    if (!boss || !other) throw new Error('There is no administrator');
    const otherId = String(other.me.body.id);
    expect((await call(other.token, 'GET', '/admin/users')).status).toBe(403);

    const found = await call(
      boss.token,
      'GET',
      `/admin/users?search=${String(other.me.body.email).toUpperCase()}`,
    );
    expect(found.body).toMatchObject({ total: 1, users: [{ id: otherId, plan_id: 'free' }] });
    const features = `/admin/users/${otherId}/features`;
    const grant = { feature: 'web.z-score.view', granted: true, reason: 'Beta tester' };
    expect((await call(boss.token, 'POST', features, grant)).body.features).toEqual(['web.z-score.view']);
    expect((await call(other.token, 'GET', '/users/me')).body.features).toEqual(['web.z-score.view']);
    const revoke = { ...grant, granted: false, reason: 'Beta is over' };
    expect((await call(boss.token, 'POST', features, revoke)).body.features).toEqual([]);
    expect(
      (await call(boss.token, 'POST', `/admin/users/${otherId}/plan`, { plan_id: 'api' })).body,
    ).toMatchObject({
      plan_id: 'api',
    });

    const detail = await call(boss.token, 'GET', `/admin/users/${otherId}`);
    const history = detail.body.history as { text: string; actor: string }[];
    expect(history.map(({ text }) => text)).toEqual([
      'Plan changed from Free to API Plan by administrator',
      'Feature web.z-score.view revoked: Beta is over',
      'Feature web.z-score.view granted: Beta tester',
      `Registered as ${other.me.body.email} on Free`,
    ]);
    expect(history[0]?.actor).toBe(`user ${boss.me.body.id}`);

    // In the middle of a session: the token that was good is refused, and is good again, with everything as it was.
    const access = `/admin/users/${otherId}/access`;
    const before = (await call(other.token, 'GET', '/users/me')).body;
    const disable = { disabled: true, reason: 'Sends mail that nobody asked for' };
    expect((await call(other.token, 'POST', access, disable)).status).toBe(403);
    expect((await call(boss.token, 'POST', access, disable)).body).toEqual({ id: otherId, disabled: true });
    const refused = await call(other.token, 'GET', '/users/me');
    expect(refused).toMatchObject({ status: 403, body: { code: 'account_disabled' } });
    expect(refused.body.error).toMatch(/^This account was disabled/);
    const again = { email: other.me.body.email, auth0_id: 'whatever' };
    expect((await call(other.token, 'POST', '/users', again)).body.code).toBe('account_disabled');
    expect((await call(boss.token, 'GET', `/admin/users/${otherId}`)).body.user).toMatchObject({
      disabled: true,
    });
    const enable = { disabled: false, reason: 'It was a mistake' };
    expect((await call(boss.token, 'POST', access, enable)).body).toEqual({ id: otherId, disabled: false });
    expect((await call(other.token, 'GET', '/users/me')).body).toEqual(before);
    expect(
      (await call(boss.token, 'POST', `/admin/users/${boss.me.body.id}/access`, disable)).body.code,
    ).toBe('user_administrates');

    const acts = `/admin/acts?person=${String(other.me.body.email).toUpperCase()}`;
    const audit = (await call(boss.token, 'GET', acts)).body;
    const lines = audit.acts as { text: string; actor: object; person: object }[];
    expect(audit.total).toBe(5);
    expect(lines.map(({ text }) => text)).toEqual([
      'Account enabled: It was a mistake',
      'Account disabled: Sends mail that nobody asked for',
      ...history.slice(0, 3).map(({ text }) => text),
    ]);
    expect(lines[0]).toMatchObject({
      actor: { id: boss.me.body.id, name: boss.me.body.email },
      person: { id: otherId, name: other.me.body.email },
    });
    const total = async (query: string) => (await call(boss.token, 'GET', `${acts}&${query}`)).body.total;
    expect(await total(`actor=${boss.me.body.id}&act=AccountDisabled`)).toBe(1);
    expect(await total(`actor=${otherId}`)).toBe(0);
    expect(await total('to=2020-01-01')).toBe(0);
    expect(await total('from=2020-01-01')).toBe(5);
    expect((await call(other.token, 'GET', acts)).status).toBe(403);
    const formula = { feature: 'web.z-score.view', granted: true, reason: 'a "b", =1+1' };
    await call(boss.token, 'POST', features, formula);
    // A download by hand names no position: this waits until the act can be read.
    expect(await total('act=UserFeatureGranted')).toBe(2);
    const file = await api.app.inject({
      method: 'GET',
      url: `/api/v1${acts}&act=UserFeatureGranted&format=csv`,
      headers: { authorization: `Bearer ${boss.token}` },
    });
    expect(file.headers['content-type']).toBe('text/csv; charset=utf-8');
    const rows = file.body.split('\r\n');
    expect(rows[0]).toBe('At,Act,Administrator,Administrator id,Account,Account id,What and why');
    expect(rows[1]).toContain('"Feature web.z-score.view granted: a ""b"", =1+1"');
    expect(rows.slice(2)).toEqual([expect.stringContaining('granted: Beta tester'), '']);

    const own = `/admin/users/${boss.me.body.id}/features`;
    const suicide = { feature: 'web.admin.view', granted: false, reason: 'oops' };
    expect((await call(boss.token, 'POST', own, suicide)).body.code).toBe('own_administration');
    expect((await call(boss.token, 'GET', '/admin/users/nobody')).status).toBe(404);
  });
});
