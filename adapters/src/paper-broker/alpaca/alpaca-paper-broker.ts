import { day as dayNumber } from '@quantloom/domain/market-data/day';
import { exchangeDay } from '@quantloom/domain/market-data/exchange-day';
import { closingMinute, exchangeMinute } from '@quantloom/domain/market-data/exchange-hours';
import { canonicalTicker } from '@quantloom/domain/market-data/ticker';
import { isSession } from '@quantloom/domain/market-data/trading-calendar';
import type { Clock } from '@quantloom/domain/ports/clock';
import type {
  BrokerFailure,
  BrokerOrder,
  NewOrder,
  PaperBroker,
  Placed,
} from '@quantloom/domain/ports/paper-broker';
import { paperHostFault } from './paper-host.ts';

export interface AlpacaKey {
  readonly id: string;
  readonly secret: string;
}

export interface AlpacaOptions {
  /** `https://paper-api.alpaca.markets`, or a stand-in on this machine. */
  readonly baseUrl: string;
  readonly key: AlpacaKey;
  readonly clock: Clock;
  readonly timeLimitMs?: number;
}

const TIME_LIMIT_MS = 10_000;
const MINUTE_MS = 60_000;
/** A key that is not accepted stays so until its owner does something. */
const KEY_REFUSED_MS = 15 * MINUTE_MS;
const LONGEST_PAUSE_MS = 60 * MINUTE_MS;
/** An account with every ticker there is has less. */
const MOST_CHARACTERS = 4_000_000;

/**
 * Statuses after which nothing more is traded (https://docs.alpaca.markets/docs/orders-at-alpaca), with why
 * the rest was not.
 */
const ENDED: Readonly<Record<string, string | null>> = {
  filled: null,
  canceled: 'It was cancelled at the broker',
  expired: 'It expired at the broker',
  replaced: 'It was replaced at the broker',
  rejected: 'The broker rejected it',
};

interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly retryAfterMs: number | null;
}

/**
 * A paper account at Alpaca, by its documented shapes: `POST /v2/orders` with our id as `client_order_id`,
 * which it takes once; the order by that id; `GET /v2/account` and `/v2/positions`. Throws for an address
 * that is not the paper host. Neither the keys nor what the other side says are ever part of an error.
 */
export function openAlpacaPaperBroker({
  baseUrl,
  key,
  clock,
  timeLimitMs = TIME_LIMIT_MS,
}: AlpacaOptions): PaperBroker {
  const fault = paperHostFault(baseUrl);
  if (fault !== null) throw new Error(`Orders are not sent to this address: ${fault}`);
  const ask = async (
    method: 'GET' | 'POST',
    path: string,
    body?: object,
  ): Promise<Answer | BrokerFailure> => {
    try {
      const response = await fetch(new URL(path, baseUrl), {
        method,
        // Whoever redirects is not the paper host.
        redirect: 'manual',
        signal: AbortSignal.timeout(timeLimitMs),
        headers: {
          'APCA-API-KEY-ID': key.id,
          'APCA-API-SECRET-KEY': key.secret,
          accept: 'application/json',
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (text.length > MOST_CHARACTERS) return failed('The broker answered more than can be read');
      const seconds = Number(response.headers.get('retry-after'));
      return {
        status: response.status,
        body: parsed(text),
        retryAfterMs: seconds > 0 ? Math.min(seconds * 1000, LONGEST_PAUSE_MS) : null,
      };
    } catch {
      return failed(`The broker did not answer within ${timeLimitMs / 1000} s, or could not be reached`);
    }
  };

  const find = async (orderId: string): Promise<BrokerOrder | null | BrokerFailure> => {
    const answer = await ask(
      'GET',
      `/v2/orders:by_client_order_id?client_order_id=${encodeURIComponent(orderId)}`,
    );
    if ('kind' in answer) return answer;
    if (answer.status === 404) return null;
    if (answer.status !== 200) return failureOf(answer);
    return orderOf(answer.body, orderId) ?? NOT_UNDERSTOOD;
  };

  const place = async (order: NewOrder): Promise<Placed> => {
    const isForClose = isForTheClose(order);
    const pause = isForClose ? closedForMs(clock.now()) : 0;
    if (pause > 0) {
      // It may be there already: sent in time, and its answer lost.
      const sent = await find(order.orderId);
      if (sent === null) return waitFor(pause);
      return 'kind' in sent ? sent : { kind: 'taken', order: sent };
    }
    const answer = await ask('POST', '/v2/orders', requestOf(order));
    if ('kind' in answer) return answer;
    const { status, body } = answer;
    // Sent in time, and refused since the window began on its way.
    const missed = isForClose ? closedForMs(clock.now()) : 0;
    if (status === 200 || status === 201) {
      const taken = orderOf(body, order.orderId);
      // It was taken, and nobody can say as what: it is looked up.
      return taken ? { kind: 'taken', order: taken } : NOT_UNDERSTOOD;
    }
    if (status === 403 && missed > 0) return waitFor(missed);
    if (status === 403)
      return {
        kind: 'refused',
        reason: 'The broker refused it: the account has not enough money or shares, or may not trade this',
      };
    if (status !== 422) return failureOf(answer);
    // It takes an id once. Whether ours is the one it has, only a look tells: an order that is not allowed
    // gets the same status.
    const known = await find(order.orderId);
    if (known === null)
      return missed > 0
        ? waitFor(missed)
        : { kind: 'refused', reason: 'The broker does not accept an order like this' };
    return 'kind' in known ? known : { kind: 'taken', order: known };
  };

  return {
    place,
    find,
    async account() {
      const [account, held] = await Promise.all([ask('GET', '/v2/account'), ask('GET', '/v2/positions')]);
      if ('kind' in account) return account;
      if ('kind' in held) return held;
      if (account.status !== 200) return failureOf(account);
      if (held.status !== 200) return failureOf(held);
      const cash = numberOf((account.body as { cash?: unknown } | null)?.cash);
      if (cash === null || !Array.isArray(held.body)) return NOT_UNDERSTOOD;
      const positions = held.body.map(positionOf);
      if (positions.includes(null)) return NOT_UNDERSTOOD;
      return {
        kind: 'account',
        cash,
        positions: positions.filter((one) => one !== null).filter(({ quantity }) => quantity > 0),
      };
    },
  };
}

/** Whole shares at the close; it takes fractions for the day alone. */
const isForTheClose = ({ quantity }: NewOrder): boolean => Number.isInteger(quantity);

/**
 * It refuses orders for the close from ten minutes before it on until 19:00 in New York
 * (https://docs.alpaca.markets/docs/orders-at-alpaca, "CLS").
 */
const LEAD_MINUTES = 10;
const OPENS_MINUTE = 19 * 60;

/** Milliseconds until it takes orders for the close again; 0: it does. */
function closedForMs(now: Date): number {
  const today = dayNumber(exchangeDay(now));
  const minute = exchangeMinute(now);
  const isClosed = isSession(today) && minute >= closingMinute(today) - LEAD_MINUTES && minute < OPENS_MINUTE;
  return isClosed ? Math.ceil((OPENS_MINUTE - minute) * MINUTE_MS) : 0;
}

const waitFor = (ms: number): BrokerFailure =>
  failed('The broker takes orders for the close from 19:00 in New York on', ms);

/** Share classes are written with a full stop there. */
function requestOf(order: NewOrder): object {
  const { orderId, ticker, side, quantity } = order;
  return {
    symbol: ticker.replace('-', '.'),
    qty: String(quantity),
    side,
    type: 'market',
    time_in_force: isForTheClose(order) ? 'cls' : 'day',
    client_order_id: orderId,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Amounts come as text. */
function numberOf(value: unknown): number | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const number = value === '' ? Number.NaN : Number(value);
  return Number.isFinite(number) ? number : null;
}

function orderOf(body: unknown, orderId: string): BrokerOrder | null {
  const { id, client_order_id, status, filled_qty, filled_avg_price } = (body ?? {}) as Record<
    string,
    unknown
  >;
  const quantity = numberOf(filled_qty ?? '0');
  if (
    typeof id !== 'string' ||
    client_order_id !== orderId ||
    typeof status !== 'string' ||
    quantity === null
  )
    return null;
  const isEnded = Object.hasOwn(ENDED, status);
  const price = numberOf(filled_avg_price);
  return {
    brokerOrderId: id,
    status: isEnded ? 'ended' : 'open',
    quantity,
    price: price !== null && price > 0 ? price : null,
    reason: isEnded ? (ENDED[status] ?? null) : null,
  };
}

function positionOf(body: unknown): { readonly ticker: string; readonly quantity: number } | null {
  const { symbol, qty } = (body ?? {}) as Record<string, unknown>;
  const ticker = typeof symbol === 'string' ? canonicalTicker(symbol) : null;
  const quantity = numberOf(qty);
  return ticker === null || quantity === null ? null : { ticker, quantity };
}

const failed = (reason: string, retryAfterMs = MINUTE_MS): BrokerFailure => ({
  kind: 'failed',
  reason,
  retryAfterMs,
});
const NOT_UNDERSTOOD = failed('The broker answered something that is not documented');

function failureOf({ status, retryAfterMs }: Answer): BrokerFailure {
  if (status === 401 || status === 403) return failed('The broker does not accept the key', KEY_REFUSED_MS);
  if (status === 429) return failed('The broker was asked too often', retryAfterMs ?? MINUTE_MS);
  return failed(`The broker answered ${status}`, retryAfterMs ?? MINUTE_MS);
}
