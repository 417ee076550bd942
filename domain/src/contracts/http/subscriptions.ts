import { type Static, Type } from 'typebox';
import { defineRoute } from './route.ts';

export const SubscriptionSchema = Type.Object({
  plan_id: Type.String({ description: 'free, api or copy-trader' }),
  product: Type.Object({ name: Type.String() }),
  price: Type.Object({ unit_amount: Type.Integer({ description: 'US cents a month' }) }),
  management_url: Type.String({ description: 'Where plan, payment methods and invoices are managed' }),
});
export type SubscriptionAnswer = Static<typeof SubscriptionSchema>;

export const getSubscription = defineRoute({
  id: 'getSubscription',
  method: 'GET',
  path: '/api/v1/subscriptions/me',
  side: 'query',
  tag: 'Account',
  summary: 'Plan and price of the user',
  access: { kind: 'user', machine: true },
  answer: SubscriptionSchema,
  example: {
    answer: {
      plan_id: 'api',
      product: { name: 'API Plan' },
      price: { unit_amount: 3000 },
      management_url: 'https://quantloom.example/account/billing/manage',
    },
  },
});
