import { type Static, Type } from 'typebox';
import { said } from '../../kernel/said.ts';
import { ORDER_SIDES, PAPER_BROKERS } from '../../paper/events.ts';
import { defineRoute } from './route.ts';

const tag = 'Forward tests';
/** Orders are approved by hand: a token of a machine client trades nothing, on paper either. */
const person = { kind: 'user', machine: false } as const;
const Nullable = <const Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()]);

const DecisionLink = Type.Object({
  strategy_id: Type.String(),
  revision: Type.Integer(),
  day: Type.String(),
});

const ProposedOrderSchema = Type.Object({
  ticker: Type.String(),
  side: Type.Enum([...ORDER_SIDES]),
  quantity: said('Shares.', Type.Number()),
  close: said('Of the day that decided.', Type.Number()),
});

const PaperOrderSchema = Type.Object({
  ...ProposedOrderSchema.properties,
  id: said('Also the `client_order_id` at the broker.', Type.String()),
  status: said(
    '`approved`: not at the broker yet; `taken`: there, and not at its end; `refused`: never traded.',
    Type.Enum(['approved', 'taken', 'refused', 'ended']),
  ),
  traded: said('Shares that were traded.', Type.Number()),
  price: Nullable(Type.Number()),
  reason: said('Why not all of it was traded, in words.', Nullable(Type.String())),
});

export const PaperNightSchema = Type.Object({
  day: said('The day whose closes decided.', Type.String()),
  approved_at: Type.String(),
  decisions: said('What the orders come from.', Type.Array(DecisionLink)),
  orders: Type.Array(PaperOrderSchema),
});
export type PaperNight = Static<typeof PaperNightSchema>;

const TonightSchema = Type.Object({
  day: said('The newest day of the market data; what is approved is approved for it.', Type.String()),
  equity: said('Dollars, at the closes of the day.', Type.Number()),
  cash: Type.Number(),
  positions: Type.Array(
    Type.Object({
      ticker: Type.String(),
      quantity: Type.Number(),
      close: Nullable(Type.Number()),
      wanted_percent: Nullable(Type.Number()),
    }),
  ),
  orders: Type.Array(ProposedOrderSchema),
  unpriced: said(
    'Held or wanted, and without a close on the day: left as they are.',
    Type.Array(Type.String()),
  ),
  behind: said('Ids of strategies whose last decision is of an earlier day.', Type.Array(Type.String())),
  undecided: said('Ids of strategies without a decision: their part stays cash.', Type.Array(Type.String())),
  unfollowed: said(
    'Ids of strategies that the caller does not follow any more: their part stays cash.',
    Type.Array(Type.String()),
  ),
  can_approve: Type.Boolean(),
  why_not: said('Why nothing can be approved now, in words.', Nullable(Type.String())),
});

const RecordSchema = Type.Object({
  days: Type.Array(Type.String()),
  account: said('Dollars at the close of each day.', Type.Array(Type.Number())),
  as_lived: said(
    'What the same money would have become as lived: the decisions traded at the close that they were made with.',
    Type.Array(Type.Number()),
  ),
  gap: said('`account` less `as_lived` on the last day, dollars.', Nullable(Type.Number())),
  reasons: said('What the gap comes from, in words.', Type.Array(Type.String())),
});

export const PaperAccountSchema = Type.Object({
  number: said('Counts the accounts of the caller.', Type.Integer()),
  broker: Type.Enum([...PAPER_BROKERS]),
  strategies: Type.Array(
    Type.Object({ id: Type.String(), name: said('Null: not to be seen any more.', Nullable(Type.String())) }),
  ),
  is_fractional: Type.Boolean(),
  slippage_bps: Type.Number(),
  start_cash: Type.Number(),
  start_day: Type.String(),
  key_hint: Nullable(Type.String()),
  costs: said('Slippage paid so far, dollars.', Type.Number()),
  tonight: said('Null where the broker could not be asked.', Nullable(TonightSchema)),
  broker_fault: said('Why the broker could not be asked, in words.', Nullable(Type.String())),
  nights: said('Approved nights, the newest first; at most 50.', Type.Array(PaperNightSchema)),
  record: said('Null with a broker of others, who keeps it.', Nullable(RecordSchema)),
});
export type PaperAccountAnswer = Static<typeof PaperAccountSchema>;

export const getPaperAccount = defineRoute({
  id: 'getPaperAccount',
  cost: 'query',
  method: 'GET',
  path: '/api/v1/paper-account',
  side: 'query',
  tag,
  summary:
    "The caller's account of paper money: what it holds, what it would trade tonight, and what came of it",
  access: person,
  answer: Type.Object({
    account: Nullable(PaperAccountSchema),
    has_alpaca: said('Whether a paper account at Alpaca can be connected.', Type.Boolean()),
  }),
});

export const openPaperAccount = defineRoute({
  id: 'openPaperAccount',
  method: 'POST',
  path: '/api/v1/paper-account',
  side: 'command',
  tag,
  summary:
    'Opens an account of paper money that trades what strategies decide, each night after an approval by hand',
  access: person,
  body: Type.Object({
    broker: Type.Optional(Type.Enum([...PAPER_BROKERS])),
    strategy_ids: Type.Array(Type.String({ maxLength: 64 }), {
      minItems: 1,
      maxItems: 20,
      uniqueItems: true,
    }),
    cash: said(
      'Dollars to begin with; not with a broker of others. Default 10,000.',
      Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 1e9 })),
    ),
    is_fractional: said('Fractions of shares; default: whole ones.', Type.Optional(Type.Boolean())),
    slippage_bps: said(
      'Cost of each trade in hundredths of a percent; default 10.',
      Type.Optional(Type.Number({ minimum: 0, maximum: 1_000 })),
    ),
    key_id: Type.Optional(Type.String({ minLength: 4, maxLength: 200, pattern: '^[\\x21-\\x7e]+$' })),
    key_secret: Type.Optional(Type.String({ minLength: 4, maxLength: 200, pattern: '^[\\x21-\\x7e]+$' })),
  }),
  answer: Type.Object({ number: Type.Integer(), broker: Type.Enum([...PAPER_BROKERS]) }),
  status: 201,
  example: { body: { strategy_ids: ['01J9Z3NDEKTSV4RRFFQ69G5FAV'], cash: 10_000 } },
});

export const closePaperAccount = defineRoute({
  id: 'closePaperAccount',
  method: 'DELETE',
  path: '/api/v1/paper-account',
  side: 'command',
  tag,
  summary: 'Closes the account of paper money; what happened stays in the log',
  access: person,
  answer: Type.Object({ is_open: Type.Boolean() }),
});

export const approvePaperOrders = defineRoute({
  id: 'approvePaperOrders',
  method: 'POST',
  path: '/api/v1/paper-account/approve',
  side: 'command',
  tag,
  summary: "Approves tonight's orders; a second approval of the same night changes nothing",
  access: person,
  body: Type.Object({
    day: said('As `tonight.day` says.', Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' })),
  }),
  answer: PaperNightSchema,
  example: { body: { day: '2026-11-20' } },
});
