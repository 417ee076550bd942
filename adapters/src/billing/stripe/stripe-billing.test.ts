import { isBillingError } from '@quantloom/domain/ports/billing';
import Stripe from 'stripe';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recorded, type StripeServer, startStripeServer } from '../../../testing/stripe-server.ts';
import { createStripeBilling, USER_FIELD } from './stripe-billing.ts';

const SECRET = 'whsec_test';
const stripe = new Stripe('sk_test_x');
let server: StripeServer;

beforeEach(async () => {
  server = await startStripeServer();
});
afterEach(() => server.close());

const open = () =>
  createStripeBilling({
    secretKey: 'sk_test_x',
    webhookSecret: SECRET,
    prices: { api: 'price_1MowQULkdIwHu7ixraBm864M', 'copy-trader': 'price_copy' },
    returnUrl: 'https://q.example/account/billing',
    server: server.server,
  });

type Event = { type: string; created: number; data: { object: Record<string, unknown> } };
function message(
  change: (event: Event) => void = () => {},
  sign: { secret?: string; timestamp?: number } = {},
) {
  const event = recorded('subscription-updated') as unknown as Event;
  event.data.object.metadata = { [USER_FIELD]: 'user-1' };
  change(event);
  const payload = JSON.stringify(event);
  const signature = stripe.webhooks.generateTestHeaderString({
    payload,
    secret: sign.secret ?? SECRET,
    ...(sign.timestamp !== undefined && { timestamp: sign.timestamp }),
  });
  return { body: Buffer.from(payload), signature };
}
const codeOf = async (work: Promise<unknown>) =>
  await work.then(
    () => 'fulfilled',
    (error: unknown) => (isBillingError(error) ? error.code : String(error)),
  );

describe('messages of Stripe', () => {
  it('change the plan, with the time by Stripe', async () => {
    expect(await open().planChange(message())).toEqual({
      messageId: 'evt_1NG8Du2eZvKYlo2CUI79vXWy',
      userId: 'user-1',
      planId: 'api',
      effectiveAt: '2023-06-06T22:19:30.000Z',
    });
  });

  it.each([
    ['active', 'api'],
    ['trialing', 'api'],
    ['past_due', 'api'],
    ['canceled', 'free'],
    ['unpaid', 'free'],
    ['incomplete_expired', 'free'],
    ['paused', 'free'],
  ])('of status %s mean the plan %s', async (status, planId) => {
    const change = await open().planChange(
      message((event) => {
        event.data.object.status = status;
      }),
    );
    expect(change?.planId).toBe(planId);
  });

  it('of a subscription to several plans mean the dearest, in whatever order it names them', async () => {
    const prices = [{ id: 'price_1MowQULkdIwHu7ixraBm864M' }, { id: 'price_copy' }];
    for (const all of [prices, prices.toReversed()]) {
      const change = await open().planChange(
        message((event) => {
          event.data.object.items = { object: 'list', data: all.map((price) => ({ price })) };
        }),
      );
      expect(change?.planId).toBe('copy-trader');
    }
  });

  it('end the plan when the subscription is deleted', async () => {
    const change = await open().planChange(
      message((event) => {
        event.type = 'customer.subscription.deleted';
      }),
    );
    expect(change?.planId).toBe('free');
  });

  it('say nothing when the payment is under way, the price is not ours, or they are about something else', async () => {
    const planChange = (change: (event: Event) => void) => open().planChange(message(change));
    expect(
      await planChange((event) => {
        event.data.object.status = 'incomplete';
      }),
    ).toBeNull();
    expect(
      await planChange((event) => {
        event.data.object.items = { object: 'list', data: [{ price: { id: 'price_other' } }] };
      }),
    ).toBeNull();
    expect(
      await planChange((event) => {
        event.type = 'invoice.paid';
      }),
    ).toBeNull();
  });

  it('find the user by the customer where the subscription names none', async () => {
    server.metadata = { [USER_FIELD]: 'user-9' };
    const anonymous = () =>
      message((event) => {
        event.data.object.metadata = {};
      });
    expect((await open().planChange(anonymous()))?.userId).toBe('user-9');
    server.metadata = {};
    expect(await open().planChange(anonymous())).toBeNull();
    // Of a customer that was deleted at Stripe nothing is told but that.
    server.isCustomerDeleted = true;
    expect(await open().planChange(anonymous())).toBeNull();
    server.isAway = true;
    expect(await codeOf(open().planChange(anonymous()))).toBe('unavailable');
  });

  it('are refused without a valid, recent signature over exactly these bytes', async () => {
    const billing = open();
    const { body, signature } = message();
    expect(await codeOf(billing.planChange({ body, signature: undefined }))).toBe('invalid_message');
    expect(await codeOf(billing.planChange({ body, signature: 't=1,v1=00' }))).toBe('invalid_message');
    const changed = Buffer.from(body.toString().replace('user-1', 'user-2'));
    expect(await codeOf(billing.planChange({ body: changed, signature }))).toBe('invalid_message');
    expect(await codeOf(billing.planChange(message(undefined, { secret: 'whsec_other' })))).toBe(
      'invalid_message',
    );
    const old = Math.floor(Date.now() / 1000) - 301;
    expect(await codeOf(billing.planChange(message(undefined, { timestamp: old })))).toBe('invalid_message');
    expect(await codeOf(billing.planChange(message(undefined, { timestamp: old + 60 })))).toBe('fulfilled');
  });
});

describe('the management address', () => {
  const paying = { userId: 'user-1', email: 'a@b.ch', planId: 'api' } as const;

  it('is the customer portal for who pays, made once', async () => {
    const billing = open();
    const subscription = await billing.subscription(paying);
    expect(subscription).toEqual({
      planId: 'api',
      product: { name: 'API Plan' },
      price: { unit_amount: 3000 },
      management_url: recorded('portal-session').url,
    });
    await billing.subscription(paying);
    expect(server.requests.map(({ route }) => route)).toEqual([
      'GET /v1/customers/search',
      'POST /v1/customers',
      'POST /v1/billing_portal/sessions',
    ]);
    const [, creation] = server.requests;
    expect(creation?.idempotencyKey).toBe('customer-user-1');
    expect(creation?.body.get(`metadata[${USER_FIELD}]`)).toBe('user-1');
  });

  it('is that of the customer whom Stripe has already, and of nobody else', async () => {
    server.metadata = { [USER_FIELD]: 'user-1' };
    await open().subscription(paying);
    expect(server.requests.map(({ route }) => route)).toEqual([
      'GET /v1/customers/search',
      'POST /v1/billing_portal/sessions',
    ]);
    const portal = server.requests.at(-1);
    expect(portal?.body.get('customer')).toBe(recorded('customer').id);
    expect(portal?.body.get('return_url')).toBe('https://q.example/account/billing');
    await open().subscription({ ...paying, userId: 'user-2' });
    expect(server.requests.map(({ route }) => route)).toContain('POST /v1/customers');
  });

  it('is the checkout for who does not, and the subscription will name the user', async () => {
    const { management_url: address } = await open().subscription({ ...paying, planId: 'free' });
    expect(address).toContain('https://checkout.stripe.com/');
    const checkout = server.requests.at(-1);
    expect(checkout?.route).toBe('POST /v1/checkout/sessions');
    expect(checkout?.body.get('line_items[0][price]')).toBe('price_1MowQULkdIwHu7ixraBm864M');
    expect(checkout?.body.get(`subscription_data[metadata][${USER_FIELD}]`)).toBe('user-1');
  });

  it('is the portal as soon as the plan is paid for, whatever it was a moment ago', async () => {
    const billing = open();
    const addressOf = async (planId: 'free' | 'api') =>
      (await billing.subscription({ ...paying, planId })).management_url;
    expect(await addressOf('free')).toContain('https://checkout.stripe.com/');
    expect(await addressOf('api')).toBe(recorded('portal-session').url);
    expect(await addressOf('free')).toContain('https://checkout.stripe.com/');
  });

  it('fails as unavailable when Stripe does', async () => {
    server.isAway = true;
    expect(await codeOf(open().subscription(paying))).toBe('unavailable');
  });
});
