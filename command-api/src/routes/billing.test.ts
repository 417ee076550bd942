import { createLocalBilling } from '@quantloom/adapters/billing/local/local-billing';
import { createStripeBilling } from '@quantloom/adapters/billing/stripe/stripe-billing';
import { BillingError } from '@quantloom/domain/ports/billing';
import { WrongExpectedRevisionError } from '@quantloom/domain/ports/event-store';
import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type AccountApi, startAccountApi } from '../../testing/account-api.ts';

const SECRET = 'whsec_test';
let api: AccountApi;
beforeAll(async () => {
  api = await startAccountApi({
    billing: createStripeBilling({
      secretKey: 'sk_test_x',
      webhookSecret: SECRET,
      prices: { api: 'price_api' },
      returnUrl: 'https://q.example/account/billing',
    }),
  });
});
afterAll(() => api.close());

const HOUR = 3600;
const base = Math.floor(Date.now() / 1000) - 10 * HOUR;

async function deliver(id: string, userId: string, created: number, status: string, secret = SECRET) {
  const payload = JSON.stringify({
    id,
    object: 'event',
    type: 'customer.subscription.updated',
    created,
    data: {
      object: {
        id: 'sub_1',
        object: 'subscription',
        customer: 'cus_1',
        status,
        metadata: { quantloom_user_id: userId },
        items: { object: 'list', data: [{ price: { id: 'price_api' } }] },
      },
    },
  });
  const signature = new Stripe('sk_test_x').webhooks.generateTestHeaderString({ payload, secret });
  return await api.app.inject({
    method: 'POST',
    url: '/api/v1/billing/stripe',
    headers: { 'content-type': 'application/json', 'stripe-signature': signature },
    payload,
  });
}
const eventsOf = async (userId: string) => {
  const types: string[] = [];
  for await (const event of api.deps.eventStore.readStream(`user-${userId}`)) types.push(event.type);
  return types;
};

describe('messages of the billing provider', () => {
  it('change the plan once, however often and in whatever order they come', async () => {
    await api.newUser('first@example.com');
    const { id, token } = await api.newUser('payer@example.com');
    for (let times = 0; times < 3; times += 1)
      expect((await deliver('evt_1', id, base, 'active')).statusCode).toBe(200);
    expect(await eventsOf(id)).toEqual(['UserRegistered', 'UserPlanChanged']);
    expect((await api.call(token, 'GET', '/users/me')).body.plan_id).toBe('api');

    // Of the same second, and another message all the same.
    await deliver('evt_0', id, base, 'canceled');
    await expect.poll(async () => (await api.call(token, 'GET', '/users/me')).body.plan_id).toBe('free');
    await deliver('evt_9', id, base, 'active');
    expect(await eventsOf(id)).toEqual(['UserRegistered', ...Array(3).fill('UserPlanChanged')]);
    await deliver('evt_3', id, base + 2 * HOUR, 'canceled');
    // Written before the cancellation, delivered after it.
    await deliver('evt_2', id, base + HOUR, 'active');
    await deliver('evt_1', id, base, 'active');
    expect(await eventsOf(id)).toEqual(['UserRegistered', ...Array(4).fill('UserPlanChanged')]);
    await expect.poll(async () => (await api.call(token, 'GET', '/users/me')).body.plan_id).toBe('free');
  });

  it('are not lost where others write to the user all the while', async () => {
    const { id } = await api.newUser('busy@example.com');
    const { eventStore } = api.deps;
    const write = eventStore.append.bind(eventStore);
    let others = 6;
    const append = vi.spyOn(eventStore, 'append').mockImplementation(async (stream, events, expected) => {
      if (stream !== `user-${id}` || others === 0) return await write(stream, events, expected);
      others -= 1;
      throw new WrongExpectedRevisionError(stream, expected, 0);
    });
    expect((await deliver('evt_12', id, base, 'active')).statusCode).toBe(200);
    append.mockRestore();
    expect(await eventsOf(id)).toEqual(['UserRegistered', 'UserPlanChanged']);
  });

  it('that nobody signed change nothing; those about strangers are taken and dropped', async () => {
    const { id } = await api.newUser('other@example.com');
    expect((await deliver('evt_9', id, base, 'active', 'whsec_other')).statusCode).toBe(400);
    expect(await eventsOf(id)).toEqual(['UserRegistered']);
    expect((await deliver('evt_10', 'nobody', base, 'active')).statusCode).toBe(200);
    expect(await eventsOf('nobody')).toEqual([]);
  });

  it('are asked for again where the provider itself could not be asked what they mean', async () => {
    const planChange = vi.spyOn(api.deps.billing, 'planChange');
    planChange.mockRejectedValue(new BillingError('unavailable', 'away'));
    expect(await deliver('evt_11', 'nobody', base, 'active')).toMatchObject({ statusCode: 503 });
    planChange.mockRestore();
  });

  it('leave the plan as it is while the provider is away, whose page is then told to come later', async () => {
    const { token } = await api.newUser('patient@example.com');
    const subscription = vi.spyOn(api.deps.billing, 'subscription');
    subscription.mockRejectedValue(new BillingError('unavailable', 'away'));
    expect((await api.call(token, 'GET', '/subscriptions/me')).status).toBe(503);
    subscription.mockRestore();
    expect((await api.call(token, 'GET', '/users/me')).body.plan_id).toBe('free');
  });

  it('leave no way to change the plan past the provider', async () => {
    const { token } = await api.newUser('sly@example.com');
    expect((await api.call(token, 'POST', '/billing/plan', { plan_id: 'api' })).body.code).toBe(
      'plan_managed_elsewhere',
    );
    expect((await api.call(token, 'GET', '/billing')).body.code).toBe('plan_managed_elsewhere');
  });
});

describe('plans that administrators give', () => {
  it('are not chosen by their users', async () => {
    const given = await startAccountApi({
      billing: createLocalBilling({ publicUrl: 'https://q.example', isSelfService: false }),
    });
    try {
      await given.newUser('first@example.com');
      const { token } = await given.newUser('eager@example.com');
      const refused = await given.call(token, 'POST', '/billing/plan', { plan_id: 'api' });
      expect(refused).toMatchObject({ status: 403, body: { code: 'plan_not_available' } });
      expect((await given.call(token, 'GET', '/users/me')).body.plan_id).toBe('free');
      expect((await given.call(token, 'GET', '/billing')).body).toMatchObject({
        is_self_service: false,
        notice: expect.stringMatching(/^Plans are given by the administrators/),
      });
    } finally {
      await given.close();
    }
  });
});
