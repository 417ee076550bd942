import { PLANS } from '@quantloom/domain/identity/plans';
import { afterEach, describe, expect, it } from 'vitest';
import { openReadServer } from '../../testing/read-server.ts';
import { mountSubscriptionQueries } from './subscriptions.ts';

let server: Awaited<ReturnType<typeof openReadServer>>;
afterEach(() => server.close());

const USER = { id: 'ann', userId: 'ann', email: 'new@example.com', planId: 'api', planHistory: [] };
const open = async (billing: object, user: object | null = USER) => {
  server = await openReadServer(mountSubscriptionQueries, {
    readModels: { get: async (_: string, id: string) => (id === 'ann' ? user : null) },
    billing,
  });
};

describe('the page of plans', () => {
  it('shows the plan that the log says, also where the session has begun with another one', async () => {
    await open({ kind: 'demo', isSelfService: true });
    const { body } = await server.get('ann', '/billing');
    expect(body).toMatchObject({ is_demo: true, is_self_service: true, plan_id: 'api', invoices: [] });
    expect(body.notice).toContain('manages plans itself');
    const priced = ({ id, unit_amount }: { id: string; unit_amount: number }) => [id, unit_amount];
    expect(body.plans.map(priced)).toEqual(
      Object.values(PLANS).map(({ id, priceCents }) => [id, priceCents]),
    );
    // 2026-03-04: the card of the demo ends in three years.
    expect(body.payment_methods).toMatchObject([{ expires: '12/2029', is_demo: true }]);
  });

  it('shows that of the session of somebody who is too young for the read models', async () => {
    await open({ kind: 'demo', isSelfService: false }, null);
    const { body } = await server.get('ann', '/billing');
    expect(body).toMatchObject({ is_self_service: false, plan_id: 'free' });
    expect(body.notice).toContain('given by the administrators');
  });

  it('is that of the billing provider where there is one', async () => {
    await open({ kind: 'provider' });
    expect(await server.get('ann', '/billing')).toMatchObject({
      status: 404,
      body: { code: 'plan_managed_elsewhere' },
    });
  });
});

describe('a subscription', () => {
  it('is asked for by the address and the plan of today', async () => {
    const asked: unknown[] = [];
    const product = { name: 'API Plan' };
    const price = { unit_amount: 3000 };
    const answer = { planId: 'api', product, price, management_url: 'https://pay.example' };
    await open({
      subscription: async (user: unknown) => {
        asked.push(user);
        return answer;
      },
    });
    const { body } = await server.get('ann', '/subscriptions/me');
    expect(body).toEqual({ plan_id: 'api', product, price, management_url: 'https://pay.example' });
    expect(asked).toEqual([{ userId: 'ann', email: 'new@example.com', planId: 'api' }]);
  });
});
