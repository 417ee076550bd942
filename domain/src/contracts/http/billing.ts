import { type Static, Type } from 'typebox';
import { said } from '../../kernel/said.ts';
import { defineRoute } from './route.ts';
import { SubscriptionSchema } from './subscriptions.ts';

export const PlanSchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  unit_amount: Type.Integer({ description: 'US cents a month' }),
  is_available: Type.Boolean({ description: 'false: coming soon' }),
  monthly_backtests: Type.Integer(),
  requests_per_minute: Type.Integer(),
  features: Type.Array(Type.String()),
});

export const InvoiceSchema = Type.Object({
  id: Type.String(),
  date: Type.String({ description: 'First day of the month, YYYY-MM-DD' }),
  description: Type.String(),
  amount: Type.Integer({ description: 'US cents' }),
  status: Type.String({ description: 'demo: nothing was charged' }),
});

export const BillingOverviewSchema = Type.Object({
  is_demo: said('True where nothing is ever charged.', Type.Boolean()),
  is_self_service: said('False where administrators give the plans.', Type.Boolean()),
  notice: Type.Union([Type.String(), Type.Null()]),
  plan_id: Type.String(),
  plans: Type.Array(PlanSchema),
  invoices: Type.Array(InvoiceSchema),
  payment_methods: Type.Array(
    Type.Object({
      id: Type.String(),
      brand: Type.String(),
      last4: Type.String(),
      expires: Type.String({ description: 'MM/YYYY' }),
      is_demo: Type.Boolean(),
    }),
  ),
});
export type BillingOverview = Static<typeof BillingOverviewSchema>;

const people = { kind: 'user', machine: false } as const;

export const getBilling = defineRoute({
  id: 'getBilling',
  method: 'GET',
  path: '/api/v1/billing',
  side: 'query',
  tag: 'Account',
  summary: 'Plans, invoices and payment methods, for installations that manage plans themselves',
  access: people,
  answer: BillingOverviewSchema,
});

export const changePlan = defineRoute({
  id: 'changePlan',
  method: 'POST',
  path: '/api/v1/billing/plan',
  side: 'command',
  tag: 'Account',
  summary: 'Changes the plan, for installations that manage plans themselves',
  access: people,
  body: Type.Object({ plan_id: Type.Enum(['free', 'api', 'copy-trader']) }),
  answer: SubscriptionSchema,
  status: 200,
  example: {
    body: { plan_id: 'api' },
    answer: {
      plan_id: 'api',
      product: { name: 'API Plan' },
      price: { unit_amount: 3000 },
      management_url: 'https://quantloom.example/account/billing/manage',
    },
  },
});

export const receiveStripeMessage = defineRoute({
  id: 'receiveStripeMessage',
  method: 'POST',
  path: '/api/v1/billing/stripe',
  side: 'command',
  tag: 'Webhooks',
  summary: 'Messages of Stripe about subscriptions; signed, and safe to repeat',
  access: { kind: 'public' },
  answer: Type.Object({ received: Type.Boolean() }),
  status: 200,
});
