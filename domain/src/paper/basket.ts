import type { StreamKind } from '../kernel/handle-command.ts';
import { derivedId } from '../kernel/ids.ts';
import { defineProjection, type Projection } from '../kernel/projection.ts';
import { lastClosedSession } from '../market-data/exchange-hours.ts';
import type { ReadDocument } from '../ports/read-models.ts';
import {
  BASKET_EVENTS,
  type BasketApproved,
  type BasketEvent,
  type BasketOrder,
  type PaperBrokerId,
} from './events.ts';

/** `approved`: not at the broker yet; `taken`: there, and not at its end. */
export interface OrderState extends BasketOrder {
  readonly status: 'approved' | 'taken' | 'refused' | 'ended';
  readonly brokerOrderId: string | null;
  readonly traded: number;
  readonly price: number | null;
  readonly reason: string | null;
}

export type Basket = Omit<BasketApproved['data'], 'orders'> & { readonly orders: readonly OrderState[] };

export type BasketCommand =
  | { readonly type: 'ApproveBasket'; readonly basket: BasketApproved['data'] }
  | {
      readonly type: 'NoteTaken';
      readonly orderId: string;
      readonly brokerOrderId: string;
    }
  | { readonly type: 'NoteRefused'; readonly orderId: string; readonly reason: string }
  | {
      readonly type: 'NoteEnded';
      readonly orderId: string;
      readonly quantity: number;
      readonly price: number | null;
      readonly reason: string | null;
    };

function decide(command: BasketCommand, state: Basket | null): readonly BasketEvent[] {
  if (command.type === 'ApproveBasket')
    // A second press, or a second tab: the night has its orders.
    return state || command.basket.orders.length === 0
      ? []
      : [{ type: 'BasketApproved', data: command.basket }];
  const order = state?.orders.find(({ id }) => id === command.orderId);
  if (!state || !order || order.status === 'refused' || order.status === 'ended') return [];
  const { userId } = state;
  const { orderId } = command;
  if (command.type === 'NoteTaken')
    return order.status === 'taken'
      ? []
      : [{ type: 'BasketOrderTaken', data: { userId, orderId, brokerOrderId: command.brokerOrderId } }];
  const { reason } = command;
  if (command.type === 'NoteRefused')
    return [{ type: 'BasketOrderRefused', data: { userId, orderId, reason: command.reason } }];
  const { quantity, price } = command;
  return [{ type: 'BasketOrderEnded', data: { userId, orderId, quantity, price, reason } }];
}

function evolve(state: Basket | null, event: BasketEvent): Basket | null {
  if (event.type === 'BasketApproved')
    return {
      ...event.data,
      orders: event.data.orders.map((order) => ({
        ...order,
        status: 'approved',
        brokerOrderId: null,
        traded: 0,
        price: null,
        reason: null,
      })),
    };
  if (!state) throw new Error('An order of a basket that was never approved');
  const change = changeOf(event);
  const { orderId } = event.data;
  return { ...state, orders: state.orders.map((one) => (one.id === orderId ? { ...one, ...change } : one)) };
}

function changeOf(event: Exclude<BasketEvent, { type: 'BasketApproved' }>): Partial<OrderState> {
  switch (event.type) {
    case 'BasketOrderTaken':
      return { status: 'taken', brokerOrderId: event.data.brokerOrderId };
    case 'BasketOrderRefused':
      return { status: 'refused', reason: event.data.reason };
    case 'BasketOrderEnded': {
      const { quantity, price, reason } = event.data;
      return { status: 'ended', traded: quantity, price, reason };
    }
  }
}

export const basketStream: StreamKind<BasketCommand, Basket | null, BasketEvent> = {
  ...BASKET_EVENTS,
  decider: { initialState: null, decide, evolve },
};

type Key = Pick<BasketApproved['data'], 'userId' | 'number' | 'day'>;

/** Id of a night's basket within the category. */
export const basketId = ({ userId, number, day }: Key): string => `${userId}-${number}-${day}`;

/** Id of an order, also at the broker: the same however often the night is approved or sent. */
export const orderIdOf = ({ userId, number, day }: Key, ticker: string): string =>
  derivedId(Date.parse(day), 'paper order', userId, String(number), day, ticker);

/** Minutes before a close from which on a broker takes no more orders for it. */
const LEAD_MINUTES: Readonly<Record<PaperBrokerId, number>> = { own: 0, alpaca: 10 };

/**
 * The close after which the orders of a night are filled, `YYYY-MM-DD`: the one that decided or, where market
 * data came late, the last one that was over when they were approved. Nobody buys at a close that he may know already.
 *
 * @param approvedAt ISO 8601
 */
export function filledAfter({ day, broker }: Pick<Basket, 'day' | 'broker'>, approvedAt: string): string {
  const closed = lastClosedSession(new Date(approvedAt), LEAD_MINUTES[broker]);
  return closed > day ? closed : day;
}

export const isOrderOpen = ({ status }: Pick<OrderState, 'status'>): boolean =>
  status === 'approved' || status === 'taken';

/** A night's orders and what became of them. */
export interface BasketDocument extends ReadDocument, Basket {
  readonly isOpen: boolean;
  /** ISO 8601. */
  readonly approvedAt: string;
}

export const basketsProjection: Projection<BasketDocument> = defineProjection({
  name: 'baskets',
  version: 1,
  collection: { name: 'baskets_v1', indexes: [['userId', 'day'], ['isOpen']] },
  events: [BASKET_EVENTS],
  keys: (event) => [event.stream.slice(BASKET_EVENTS.category.length + 1)],
  evolve: (document, event, id) => {
    const basket = evolve(document, event);
    if (!basket) return null;
    const approvedAt = document?.approvedAt ?? event.metadata.recordedAt;
    return { ...basket, id, approvedAt, isOpen: basket.orders.some(isOrderOpen) };
  },
});
