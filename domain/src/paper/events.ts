import { Type } from 'typebox';
import { defineStream, type EventOf } from '../kernel/define-stream.ts';
import { Count, DayText, exactly, Id, NullableText } from '../kernel/event-fields.ts';

/** `own`: our book of paper money; `alpaca`: the paper account of a person at that broker. */
export const PAPER_BROKERS = ['own', 'alpaca'] as const;
export type PaperBrokerId = (typeof PAPER_BROKERS)[number];
export const ORDER_SIDES = ['buy', 'sell'] as const;
export type OrderSide = (typeof ORDER_SIDES)[number];
/** Why the rest of an order was not traded. */
export const LAPSE_REASONS = ['no_cash', 'not_held', 'no_close'] as const;
export type LapseReason = (typeof LAPSE_REASONS)[number];

const Positive = Type.Number({ exclusiveMinimum: 0 });

/** The events of a `paper-{userId}` stream: an account of paper money and, with our own broker, its book. */
export const PAPER_EVENTS = defineStream({
  category: 'paper',
  events: {
    PaperAccountOpened: exactly({
      userId: Id,
      /** Counts the accounts of the user, from 1. */
      number: Count,
      broker: Type.Enum([...PAPER_BROKERS]),
      /** The money is shared out among them equally. */
      strategyIds: Type.Array(Id, { minItems: 1 }),
      isFractional: Type.Boolean(),
      /** What it begins with, in dollars; 0 where a broker says it. */
      cash: Type.Number({ minimum: 0 }),
      slippageBps: Type.Number({ minimum: 0 }),
      /** The newest day of the market data then. */
      startDay: DayText,
      /** Key and secret of the broker, encrypted with the installation's key. */
      sealedKey: NullableText,
      /** The last characters of the key, by which its owner knows it. */
      keyHint: NullableText,
    }),
    PaperAccountClosed: exactly({ userId: Id, number: Count }),
    /**
     * Our own broker has taken an order; it is filled at the first close after `day`: the one that decided,
     * or a later one that was over when it was approved.
     */
    PaperOrderTaken: exactly({
      userId: Id,
      orderId: Id,
      day: DayText,
      ticker: Id,
      side: Type.Enum([...ORDER_SIDES]),
      quantity: Positive,
    }),
    PaperOrdersFilled: exactly({
      userId: Id,
      /** The day of the closes. */
      day: DayText,
      dataVersion: Id,
      /** Shares held whose number splits and dividends have changed since: closes are adjusted for both. */
      adjusted: Type.Array(exactly({ ticker: Id, quantity: Type.Number({ minimum: 0 }) })),
      fills: Type.Array(
        exactly({
          orderId: Id,
          ticker: Id,
          side: Type.Enum([...ORDER_SIDES]),
          quantity: Positive,
          price: Positive,
          /** Slippage, in dollars. */
          cost: Type.Number({ minimum: 0 }),
        }),
      ),
      lapsed: Type.Array(exactly({ orderId: Id, quantity: Positive, reason: Type.Enum([...LAPSE_REASONS]) })),
      /** Closes of the day of everything held afterwards. */
      closes: Type.Record(Type.String(), Type.Number()),
    }),
  },
});
export type PaperEvent = EventOf<typeof PAPER_EVENTS>;
export type PaperAccountOpened = EventOf<typeof PAPER_EVENTS, 'PaperAccountOpened'>;
export type PaperOrderTaken = EventOf<typeof PAPER_EVENTS, 'PaperOrderTaken'>;
export type PaperOrdersFilled = EventOf<typeof PAPER_EVENTS, 'PaperOrdersFilled'>;

const BasketOrder = exactly({
  id: Id,
  ticker: Id,
  side: Type.Enum([...ORDER_SIDES]),
  quantity: Positive,
  /** Of the day that decided. */
  close: Positive,
});

/** The events of a `basket-{userId}-{number of the account}-{day}` stream: the orders of one night. */
export const BASKET_EVENTS = defineStream({
  category: 'basket',
  events: {
    /** By hand, with one press. The ids of the orders follow from user, account, day and ticker. */
    BasketApproved: exactly({
      userId: Id,
      number: Count,
      broker: Type.Enum([...PAPER_BROKERS]),
      day: DayText,
      /** What the orders come from. */
      decisions: Type.Array(exactly({ strategyId: Id, revision: Count, day: DayText })),
      orders: Type.Array(BasketOrder, { minItems: 1 }),
    }),
    /** The broker has it; `brokerOrderId` is its own name for it. */
    BasketOrderTaken: exactly({ userId: Id, orderId: Id, brokerOrderId: Id }),
    /** The broker will not take it, or it is too late to send it. */
    BasketOrderRefused: exactly({ userId: Id, orderId: Id, reason: Type.String() }),
    BasketOrderEnded: exactly({
      userId: Id,
      orderId: Id,
      /** Shares that were traded; 0: none. */
      quantity: Type.Number({ minimum: 0 }),
      price: Type.Union([Positive, Type.Null()]),
      reason: NullableText,
    }),
  },
});
export type BasketEvent = EventOf<typeof BASKET_EVENTS>;
export type BasketApproved = EventOf<typeof BASKET_EVENTS, 'BasketApproved'>;
export type BasketOrder = BasketApproved['data']['orders'][number];
