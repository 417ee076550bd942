import { alertId, alertStream, type Delivery } from '@quantloom/domain/alerts/delivery';
import { handleCommand } from '@quantloom/domain/kernel/handle-command';
import type { Identity } from '@quantloom/domain/ports/identity';
import type { Webhooks } from '@quantloom/domain/ports/webhooks';
import { countedLimits } from '@quantloom/domain/testing/counted-limits';
import { ulid } from 'ulid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PRINCIPALS, startTestApi, type TestApi } from '../../testing/test-api.ts';

const URL = 'https://example.com/hook';

describe('alerts over HTTP', () => {
  let api: TestApi;
  let isEmailVerified = false;
  /** Part of the addresses that the installation sends nothing to. */
  let refused = '127.0.0.1';
  let answer: () => Promise<Delivery>;
  const posted: Parameters<Webhooks['post']>[0][] = [];
  beforeAll(async () => {
    const webhooks: Webhooks = {
      secretOf: (userId, number) => `secret ${userId} ${number}`,
      refusal: (url) => (url.includes(refused) ? 'The address is not one on the public internet' : null),
      post: async (message) => {
        posted.push(message);
        return await answer();
      },
    };
    const identity = {
      account: async (subject: string) => ({
        subject,
        email: 'a@example.com',
        userId: null,
        isEmailVerified,
        hasSecondFactor: null,
      }),
    } as Partial<Identity> as Identity;
    api = await startTestApi({ webhooks, identity });
  });
  afterAll(() => api.close());

  const call = async (
    method: 'GET' | 'PATCH' | 'POST',
    path: string,
    body?: unknown,
    caller = 'paid' as const,
  ) => {
    const response = await api.call(caller, method, `/api/v1/alerts${path}`, body);
    return { status: response.statusCode, body: JSON.parse(response.body) };
  };

  it('are quiet to begin with', async () => {
    const quiet = {
      mail: 'off',
      webhook_url: null,
      on_holdings: true,
      on_failure: true,
      on_band: true,
      near_percent: null,
    };
    expect(await call('GET', '')).toEqual({ status: 200, body: { ...quiet, webhook_secret: null } });
    expect((await call('POST', '/webhook/test')).body.code).toBe('no_webhook');
    expect((await call('GET', '/sent')).body).toEqual([]);
  });

  it('are changed field by field, each for its owner alone', async () => {
    const { status, body } = await call('PATCH', '', { webhook_url: URL });
    expect({ status, body }).toMatchObject({ status: 200, body: { webhook_url: URL, mail: 'off' } });
    await call('PATCH', '', { near_percent: 2 });
    expect((await call('GET', '')).body).toMatchObject({ webhook_url: URL, near_percent: 2 });
    const others = await api.call('other', 'GET', '/api/v1/alerts');
    expect(JSON.parse(others.body)).toMatchObject({ webhook_url: null, webhook_secret: null });
  });

  it('send no mail to an address that nobody has confirmed', async () => {
    for (const mail of ['each', 'daily'])
      expect(await call('PATCH', '', { mail })).toMatchObject({
        status: 409,
        body: { code: 'email_not_verified' },
      });
    isEmailVerified = true;
    expect(await call('PATCH', '', { mail: 'each' })).toMatchObject({ status: 200, body: { mail: 'each' } });
  });

  it('refuse addresses that are not to be reached', async () => {
    const { status, body } = await call('PATCH', '', { webhook_url: 'https://127.0.0.1/' });
    expect({ status, code: body.code }).toEqual({ status: 422, code: 'invalid_webhook_url' });
    expect((await call('PATCH', '', { webhook_url: 'nonsense' })).body.code).toBe('invalid_webhook_url');
    expect((await call('GET', '')).body.webhook_url).toBe(URL);
    // One that was let in before the operator thought otherwise holds up no other change, and no more.
    refused = 'example.com';
    expect((await call('PATCH', '', { webhook_url: URL, on_band: true })).status).toBe(200);
    expect((await call('PATCH', '', { webhook_url: `${URL}/2` })).status).toBe(422);
    refused = '127.0.0.1';
  });

  it('sign with another secret once it was renewed', async () => {
    const { webhook_secret: before } = (await call('GET', '')).body;
    const { webhook_secret: after } = (await call('POST', '/webhook/secret')).body;
    expect(after).not.toBe(before);
    expect((await call('GET', '')).body.webhook_secret).toBe(after);
    answer = async () => ({ isDelivered: true, status: 204, reason: null });
    await call('POST', '/webhook/test');
    expect(posted.splice(0)).toMatchObject([{ url: URL, secret: after }]);
  });

  it('are turned off by nothing but an empty answer: what is left out stays', async () => {
    await call('PATCH', '', { near_percent: 3, webhook_url: URL });
    const kept = await call('PATCH', '', { on_band: false });
    expect(kept.body).toMatchObject({ near_percent: 3, webhook_url: URL, on_band: false });
    const off = await call('PATCH', '', { near_percent: null, webhook_url: null });
    expect(off.body).toMatchObject({ near_percent: null, webhook_url: null, on_band: false });
    expect((await call('GET', '')).body).toMatchObject({ webhook_url: null, webhook_secret: null });
    await call('PATCH', '', { webhook_url: URL });
  });

  it('are tested by a message of its own kind, one at a time', async () => {
    const held = Promise.withResolvers<Delivery>();
    answer = () => held.promise;
    const first = call('POST', '/webhook/test');
    await expect.poll(() => posted.length).toBe(1);
    expect((await call('POST', '/webhook/test')).status).toBe(429);
    held.resolve({ isDelivered: false, status: 500, reason: 'It answered 500' });
    expect(await first).toEqual({
      status: 200,
      body: { is_delivered: false, status: 500, reason: 'It answered 500' },
    });
    expect(posted).toHaveLength(1);
    answer = async () => ({ isDelivered: true, status: 204, reason: null });
    expect((await call('POST', '/webhook/test')).body.is_delivered).toBe(true);
    // Also where it could not be tried at all, the next one may be.
    answer = () => Promise.reject(new Error('The network is gone'));
    expect((await call('POST', '/webhook/test')).status).toBe(500);
    expect((await call('POST', '/webhook/test')).status).toBe(500);
    expect(JSON.parse(posted[0]?.body ?? '')).toMatchObject({ type: 'test', alerts: [] });
  });

  it('that were sent are listed to whom they were sent', async () => {
    const { userId } = PRINCIPALS.paid;
    const id = alertId(userId, 'webhook', 's1-2026-11-20');
    const about = {
      channel: 'webhook',
      day: '2026-11-20',
      strategyIds: ['s1'],
      kinds: ['holdings'],
    } as const;
    const at = api.deps.clock.now().toISOString();
    const begin = { type: 'BeginSending', message: { userId, ...about }, at } as const;
    const ids = { commandId: ulid(), correlationId: 'test' };
    const actor = { kind: 'system', name: 'alerts' } as const;
    await handleCommand(api.deps.eventStore, alertStream, id, begin, { ...ids, actor, now: at });
    await api.projectors.whenReached(await api.deps.eventStore.head());
    const sent = async (caller: 'paid' | 'other') =>
      JSON.parse((await api.call(caller, 'GET', '/api/v1/alerts/sent')).body);
    expect(await sent('paid')).toMatchObject([
      { id, channel: 'webhook', day: '2026-11-20', kinds: ['holdings'], state: 'sending', attempts: 1 },
    ]);
    expect(await sent('other')).toEqual([]);
  });
});

it('tests of a webhook are so many an hour: they go to whatever address somebody has entered', async () => {
  let posts = 0;
  const webhooks: Webhooks = {
    secretOf: () => 'secret',
    refusal: () => null,
    post: async () => {
      posts += 1;
      return { isDelivered: true, status: 200, reason: null };
    },
  };
  const limited = await startTestApi({ webhooks, rateLimits: countedLimits() });
  await limited.call('paid', 'PATCH', '/api/v1/alerts', { webhook_url: URL });
  const statuses: number[] = [];
  for (let i = 0; i < 32; i += 1)
    statuses.push((await limited.call('paid', 'POST', '/api/v1/alerts/webhook/test')).statusCode);
  expect(statuses.slice(0, 30).every((status) => status === 200)).toBe(true);
  expect(statuses.slice(30)).toEqual([429, 429]);
  expect(posts).toBe(30);
  // Others have theirs all the same.
  await limited.call('other', 'PATCH', '/api/v1/alerts', { webhook_url: URL });
  expect((await limited.call('other', 'POST', '/api/v1/alerts/webhook/test')).statusCode).toBe(200);
  await limited.close();
});
