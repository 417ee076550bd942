import type { OrderSide, PaperAccountOpened } from '../paper/events.ts';

/** A market order for the next close. */
export interface NewOrder {
  /** Ours. A broker takes each once, however often it is sent. */
  readonly orderId: string;
  readonly ticker: string;
  readonly side: OrderSide;
  /** Shares. */
  readonly quantity: number;
  /** The last close that was known when it was approved, `YYYY-MM-DD`: the first one after it fills the order. */
  readonly day: string;
}

export interface BrokerOrder {
  readonly brokerOrderId: string;
  /** `ended`: nothing more will be traded. */
  readonly status: 'open' | 'ended';
  /** Shares traded so far. */
  readonly quantity: number;
  /** Of what was traded, on average. */
  readonly price: number | null;
  /** Why the rest was not traded, in words. */
  readonly reason: string | null;
}

/**
 * The broker could not be asked, or did not say. Nobody knows whether an order was taken: it is looked up
 * before it is sent again.
 */
export interface BrokerFailure {
  readonly kind: 'failed';
  /** In our words: nothing of what the other side or the system said. */
  readonly reason: string;
  /** Nobody asks again before. */
  readonly retryAfterMs: number;
}

export type Placed =
  | { readonly kind: 'taken'; readonly order: BrokerOrder }
  /** It will never take this order. */
  | { readonly kind: 'refused'; readonly reason: string }
  | BrokerFailure;

export interface BrokerAccount {
  readonly kind: 'account';
  /** Dollars. */
  readonly cash: number;
  /** Shares by ticker, above 0; what was sold short is missing. */
  readonly positions: readonly { readonly ticker: string; readonly quantity: number }[];
}

/** An account of paper money at a broker. Never rejects for what the broker does: that is the answer. */
export interface PaperBroker {
  account(): Promise<BrokerAccount | BrokerFailure>;
  place(order: NewOrder): Promise<Placed>;
  /** By our id; null where the broker has no such order. */
  find(orderId: string): Promise<BrokerOrder | null | BrokerFailure>;
}

/** The brokers of an installation. */
export interface PaperBrokers {
  /** Whether accounts at brokers of others can be used here. */
  readonly hasAlpaca: boolean;
  /** Seals a key and its secret for the log. */
  seal(userId: string, key: { readonly id: string; readonly secret: string }): string;
  open(account: Pick<PaperAccountOpened['data'], 'userId' | 'broker' | 'sealedKey'>): PaperBroker;
}

export const isBrokerFailure = (answer: object | null): answer is BrokerFailure =>
  (answer as { kind?: unknown } | null)?.kind === 'failed';
