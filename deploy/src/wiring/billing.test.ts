import { createHmac } from 'node:crypto';
import type { Billing } from '@quantloom/domain/ports/billing';
import { expect, it } from 'vitest';
import type { Config } from '../config.ts';
import { openBilling } from './billing.ts';

const config = (more: Partial<Config>) =>
  ({ publicUrl: 'https://quant.example', SELF_SERVICE_PLANS: true, ...more }) as Config;
const STRIPE = { STRIPE_SECRET_KEY: 'sk', STRIPE_WEBHOOK_SECRET: 'whsec', STRIPE_API_PRICE: 'price_api' };

/** The plan of somebody who has begun to pay this price, as Stripe says by a message that it has signed. */
async function planAt(billing: Billing, price: string): Promise<string | undefined> {
  const seconds = Math.floor(Date.now() / 1000);
  const metadata = { quantloom_user_id: 'ada' };
  const subscription = {
    status: 'active',
    metadata,
    customer: 'cus_1',
    items: { data: [{ price: { id: price } }] },
  };
  const body = JSON.stringify({
    ...{ id: 'evt_1', object: 'event', created: seconds, type: 'customer.subscription.created' },
    data: { object: subscription },
  });
  const signed = createHmac('sha256', STRIPE.STRIPE_WEBHOOK_SECRET)
    .update(`${seconds}.${body}`)
    .digest('hex');
  const signature = `t=${seconds},v1=${signed}`;
  return (await billing.planChange({ body: Buffer.from(body), signature }))?.planId;
}

it('is by Stripe where its keys are given, at the prices of the plans that have one', async () => {
  const billing = openBilling(config(STRIPE));
  expect(billing.kind).toBe('provider');
  expect(await planAt(billing, 'price_api')).toBe('api');
  expect(await planAt(billing, 'price_copy')).toBeUndefined();
  const both = openBilling(config({ ...STRIPE, STRIPE_COPY_TRADER_PRICE: 'price_copy' }));
  expect(await planAt(both, 'price_api')).toBe('api');
  expect(await planAt(both, 'price_copy')).toBe('copy-trader');
});

it.each([true, false])(
  'is by nobody without them, and people choose plans themselves: %s',
  (isSelfService) => {
    const billing = openBilling(config({ SELF_SERVICE_PLANS: isSelfService }));
    expect(billing).toMatchObject({ kind: 'local', isSelfService });
  },
);
