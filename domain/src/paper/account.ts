import type { StreamKind } from '../kernel/handle-command.ts';
import { type Refusal, refuse } from '../kernel/refusal.ts';
import {
  PAPER_EVENTS,
  type PaperAccountOpened,
  type PaperEvent,
  type PaperOrdersFilled,
  type PaperOrderTaken,
} from './events.ts';
import { tradable } from './tradable.ts';

/** Dollars that an account may begin with. */
export const MOST_CASH = 1e9;
/** As for a backtest. */
export const MOST_SLIPPAGE_BPS = 1_000;
/** What became of orders is known for so many of the last ones: a basket has asked long before. */
const OUTCOMES_KEPT = 500;

export type PaperTerms = Omit<PaperAccountOpened['data'], 'userId' | 'number'>;
export type TakenOrder = Omit<PaperOrderTaken['data'], 'userId'>;

/** Shares of one ticker, and the close that they were last counted with. */
export interface Position {
  readonly quantity: number;
  readonly day: string;
  readonly close: number;
}

export interface OrderOutcome {
  readonly quantity: number;
  readonly price: number | null;
  readonly reason: string | null;
}

export interface PaperAccount {
  readonly status: 'none' | 'open' | 'closed';
  /** Of the last account; 0: none yet. */
  readonly number: number;
  readonly terms: PaperTerms | null;
  /** Dollars. */
  readonly cash: number;
  readonly positions: Readonly<Record<string, Position>>;
  /** Slippage paid so far, dollars. */
  readonly costs: number;
  readonly waiting: readonly TakenOrder[];
  /** By order, the last ones. */
  readonly outcomes: Readonly<Record<string, OrderOutcome>>;
}

export const NO_ACCOUNT: PaperAccount = {
  status: 'none',
  number: 0,
  terms: null,
  cash: 0,
  positions: {},
  costs: 0,
  waiting: [],
  outcomes: {},
};

export type PaperCommand =
  | { readonly type: 'OpenPaperAccount'; readonly userId: string; readonly terms: PaperTerms }
  | { readonly type: 'ClosePaperAccount'; readonly userId: string }
  | { readonly type: 'TakePaperOrder'; readonly userId: string; readonly order: TakenOrder }
  | {
      readonly type: 'FillPaperOrders';
      readonly userId: string;
      readonly day: string;
      readonly dataVersion: string;
      /** Closes of the day; a ticker without one is missing. */
      readonly closes: Readonly<Record<string, number>>;
      /** What positions were last counted with, by ticker, as the market data of today say it. */
      readonly then: Readonly<Record<string, number>>;
    };

export const NO_PAPER_ACCOUNT = refuse(409, 'no_paper_account', 'You have no paper account. Open one first.');

/** Shares that a broker would call the same. */
const DUST = 1e-9;
const CENT = 0.01;

/** How many shares a position has become: closes are adjusted for splits and dividends, so it counts by value. */
export function countedShares({ quantity, close }: Position, closeThen: number | undefined): number {
  // The closes of today do not know the ticker on that day: nothing can be told.
  return closeThen === undefined ? quantity : quantity * (close / closeThen);
}

function decide(command: PaperCommand, state: PaperAccount): readonly PaperEvent[] | Refusal {
  const { userId } = command;
  if (command.type === 'OpenPaperAccount') return open(command.terms, userId, state);
  if (state.status !== 'open' || !state.terms) return NO_PAPER_ACCOUNT;
  if (command.type === 'ClosePaperAccount')
    return [{ type: 'PaperAccountClosed', data: { userId, number: state.number } }];
  if (command.type === 'TakePaperOrder') {
    const { order } = command;
    const isKnown = state.waiting.some(({ orderId }) => orderId === order.orderId);
    if (isKnown || Object.hasOwn(state.outcomes, order.orderId)) return [];
    return [{ type: 'PaperOrderTaken', data: { userId, ...order } }];
  }
  return fill(command, state);
}

function open(terms: PaperTerms, userId: string, state: PaperAccount): readonly PaperEvent[] | Refusal {
  if (state.status === 'open')
    return refuse(409, 'paper_account_open', 'You have a paper account already. Close it first.');
  const { cash, slippageBps, broker } = terms;
  if (broker === 'own' && !(cash > 0 && cash <= MOST_CASH))
    return refuse(
      422,
      'invalid_paper_cash',
      'A paper account begins with more than $0 and up to $1,000,000,000.',
    );
  if (!(slippageBps >= 0 && slippageBps <= MOST_SLIPPAGE_BPS))
    return refuse(422, 'invalid_slippage', `Slippage is 0 to ${MOST_SLIPPAGE_BPS} basis points.`);
  return [{ type: 'PaperAccountOpened', data: { userId, number: state.number + 1, ...terms } }];
}

type Filling = PaperOrdersFilled['data'];

/**
 * At the closes of a day: what is sold first, then what is bought as far as the money goes. Orders of a later
 * day wait.
 */
function fill(
  command: Extract<PaperCommand, { type: 'FillPaperOrders' }>,
  state: PaperAccount,
): readonly PaperEvent[] {
  const { userId, day, dataVersion, closes, then } = command;
  const due = state.waiting.filter((order) => order.day < day);
  if (due.length === 0 || !state.terms) return [];
  const { slippageBps, isFractional } = state.terms;
  const held = new Map(
    Object.entries(state.positions).map(([ticker, position]) => [
      ticker,
      countedShares(position, then[ticker]),
    ]),
  );
  const adjusted = [...held]
    .filter(([ticker, quantity]) => Math.abs(quantity - (state.positions[ticker]?.quantity ?? 0)) > DUST)
    .map(([ticker, quantity]) => ({ ticker, quantity }));
  const fills: Filling['fills'][number][] = [];
  const lapsed: Filling['lapsed'][number][] = [];
  let { cash } = state;
  const rate = slippageBps / 10_000;
  const ordered = [...due].sort(
    (a, b) => Number(a.side === 'buy') - Number(b.side === 'buy') || (a.ticker < b.ticker ? -1 : 1),
  );
  for (const { orderId, ticker, side, quantity } of ordered) {
    const price = closes[ticker];
    if (price === undefined) {
      lapsed.push({ orderId, quantity, reason: 'no_close' });
      continue;
    }
    const most =
      side === 'sell' ? (held.get(ticker) ?? 0) : tradable(cash / (price * (1 + rate)), isFractional);
    const traded = Math.min(quantity, most);
    const rest = quantity - traded;
    if (rest > DUST)
      lapsed.push({ orderId, quantity: rest, reason: side === 'sell' ? 'not_held' : 'no_cash' });
    if (traded <= DUST) continue;
    const cost = traded * price * rate;
    cash += (side === 'sell' ? 1 : -1) * traded * price - cost;
    held.set(ticker, (held.get(ticker) ?? 0) + (side === 'sell' ? -traded : traded));
    fills.push({ orderId, ticker, side, quantity: traded, price, cost });
  }
  const kept = [...held].filter(([, quantity]) => quantity > DUST).map(([ticker]) => ticker);
  return [
    {
      type: 'PaperOrdersFilled',
      data: { userId, day, dataVersion, adjusted, fills, lapsed, closes: lastClosesOf(kept, closes) },
    },
  ];
}

/** A ticker without a close on the day is counted with the one before, which stays with its position. */
function lastClosesOf(kept: readonly string[], closes: Readonly<Record<string, number>>) {
  return Object.fromEntries(
    kept.flatMap((ticker) => {
      const close = closes[ticker];
      return close === undefined ? [] : [[ticker, close] as const];
    }),
  );
}

function evolve(state: PaperAccount, event: PaperEvent): PaperAccount {
  switch (event.type) {
    case 'PaperAccountOpened': {
      const { userId: _, number, ...terms } = event.data;
      return { ...NO_ACCOUNT, status: 'open', number, terms, cash: terms.cash };
    }
    case 'PaperAccountClosed':
      return { ...state, status: 'closed', waiting: [] };
    case 'PaperOrderTaken': {
      const { userId: _, ...order } = event.data;
      return { ...state, waiting: [...state.waiting, order] };
    }
    case 'PaperOrdersFilled':
      return filled(state, event.data);
  }
}

function filled(state: PaperAccount, { day, adjusted, fills, lapsed, closes }: Filling): PaperAccount {
  const shares = new Map(Object.entries(state.positions).map(([ticker, { quantity }]) => [ticker, quantity]));
  /** Closes of before, in shares as they are counted now: otherwise the same split would be counted again. */
  const closesBefore = new Map(Object.entries(state.positions).map(([ticker, { close }]) => [ticker, close]));
  for (const { ticker, quantity } of adjusted) {
    const before = state.positions[ticker];
    if (before) closesBefore.set(ticker, before.close * (before.quantity / quantity));
    shares.set(ticker, quantity);
  }
  let { cash, costs } = state;
  for (const { ticker, side, quantity, price, cost } of fills) {
    const sign = side === 'buy' ? 1 : -1;
    shares.set(ticker, (shares.get(ticker) ?? 0) + sign * quantity);
    cash -= sign * quantity * price + cost;
    costs += cost;
  }
  // Never below nothing by rounding alone.
  if (Math.abs(cash) < CENT / 1e6) cash = 0;
  const positions = [...shares]
    .filter(([, quantity]) => quantity > DUST)
    .map(([ticker, quantity]) => {
      const before = state.positions[ticker];
      const close = closes[ticker];
      return [
        ticker,
        close === undefined && before
          ? { ...before, quantity, close: closesBefore.get(ticker) ?? before.close }
          : { quantity, day, close: close ?? 0 },
      ] as const;
    });
  const ended = new Map<string, OrderOutcome>();
  for (const { orderId, reason } of lapsed) ended.set(orderId, { quantity: 0, price: null, reason });
  for (const { orderId, quantity, price } of fills)
    ended.set(orderId, { quantity, price, reason: ended.get(orderId)?.reason ?? null });
  const outcomes = [...Object.entries(state.outcomes), ...ended].slice(-OUTCOMES_KEPT);
  return {
    ...state,
    cash,
    costs,
    positions: Object.fromEntries(positions),
    waiting: state.waiting.filter(({ orderId }) => !ended.has(orderId)),
    outcomes: Object.fromEntries(outcomes),
  };
}

/** One account at a time for each user; the stream's id is his. */
export const paperStream: StreamKind<PaperCommand, PaperAccount, PaperEvent> = {
  ...PAPER_EVENTS,
  decider: { initialState: NO_ACCOUNT, decide, evolve },
};
