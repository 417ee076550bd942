import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface HeldOrder {
  readonly id: string;
  readonly client_order_id: string;
  readonly symbol: string;
  readonly qty: string;
  readonly side: string;
  readonly time_in_force: string;
  status: string;
  filled_qty: string;
  filled_avg_price: string | null;
}

/** What a test makes the next order be answered with. */
export type OrderFault =
  /** It is taken, and the answer never comes. */
  | { readonly kind: 'silent' }
  | { readonly kind: 'status'; readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  | { readonly kind: 'redirect'; readonly to: string };

/**
 * Answers like Alpaca's paper account by its documentation (docs.alpaca.markets/reference), from shapes
 * written by hand: `POST /v2/orders`, `GET /v2/orders:by_client_order_id`, `/v2/account`, `/v2/positions`.
 * Money and shares move when the test says so.
 */
export class AlpacaStandIn {
  readonly key = { id: 'PKTESTKEY', secret: 's3cret-of-the-key' };
  cash = 10_000;
  readonly positions = new Map<string, number>();
  readonly orders: HeldOrder[] = [];
  readonly faults: OrderFault[] = [];
  /** Answers everything with this status, where it is set. */
  away: { readonly status: number; readonly headers?: Readonly<Record<string, string>> } | null = null;
  /** Symbols that it knows. */
  readonly symbols = new Set(['SPY', 'TLT', 'BRK.B']);
  readonly requests: string[] = [];
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      void this.#answer(request, response);
    });
  }

  static async start(): Promise<AlpacaStandIn> {
    const standIn = new AlpacaStandIn();
    await new Promise<void>((resolve) => standIn.#server.listen(0, '127.0.0.1', resolve));
    return standIn;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** The market closes: open orders are filled at the prices, up to a share of each. */
  close(prices: Readonly<Record<string, number>>, share = 1): void {
    for (const order of this.orders) {
      const price = prices[order.symbol];
      if (order.status !== 'accepted' || price === undefined) continue;
      const quantity = Number(order.qty) * share;
      const sign = order.side === 'buy' ? 1 : -1;
      this.cash -= sign * quantity * price;
      this.positions.set(order.symbol, (this.positions.get(order.symbol) ?? 0) + sign * quantity);
      order.filled_qty = String(quantity);
      order.filled_avg_price = String(price);
      order.status = share === 1 ? 'filled' : 'canceled';
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://localhost');
    this.requests.push(`${request.method} ${url.pathname}${url.search}`);
    let text = '';
    for await (const chunk of request) text += chunk;
    const send = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): void => {
      response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify(body));
    };
    const { headers } = request;
    if (headers['apca-api-key-id'] !== this.key.id || headers['apca-api-secret-key'] !== this.key.secret)
      return send(401, { code: 40110000, message: 'request is not authorized' });
    if (this.away) return send(this.away.status, { message: 'too many requests.' }, this.away.headers);
    if (request.method === 'POST' && url.pathname === '/v2/orders') return this.#take(text, send, response);
    if (url.pathname === '/v2/orders:by_client_order_id') {
      const id = url.searchParams.get('client_order_id');
      const order = this.orders.find((one) => one.client_order_id === id);
      return order ? send(200, order) : send(404, { code: 40410000, message: 'order not found' });
    }
    if (url.pathname === '/v2/account')
      return send(200, { id: 'a', status: 'ACTIVE', currency: 'USD', cash: String(this.cash) });
    if (url.pathname === '/v2/positions')
      return send(
        200,
        [...this.positions]
          .filter(([, quantity]) => quantity !== 0)
          .map(([symbol, quantity]) => ({
            symbol,
            qty: String(quantity),
            side: quantity > 0 ? 'long' : 'short',
          })),
      );
    send(404, { message: 'endpoint not found.' });
  }

  #take(
    text: string,
    send: (status: number, body: unknown, headers?: Readonly<Record<string, string>>) => void,
    response: ServerResponse,
  ): void {
    const fault = this.faults.shift();
    if (fault?.kind === 'status') {
      send(fault.status, { message: 'refused' }, fault.headers);
      return;
    }
    if (fault?.kind === 'redirect') {
      response.writeHead(307, { location: fault.to }).end();
      return;
    }
    const body = JSON.parse(text) as Record<string, string>;
    const { symbol = '', qty = '', side = '', client_order_id: id = '', time_in_force: until = '' } = body;
    if (this.orders.some((one) => one.client_order_id === id)) {
      send(422, { code: 40010001, message: 'client_order_id must be unique' });
      return;
    }
    if (!this.symbols.has(symbol) || !(Number(qty) > 0)) {
      send(422, { code: 42210000, message: `asset "${symbol}" not found` });
      return;
    }
    if (until === 'cls' && !Number.isInteger(Number(qty))) {
      send(422, { code: 42210000, message: 'fractional orders must be DAY orders' });
      return;
    }
    const order: HeldOrder = {
      id: `broker-${this.orders.length + 1}`,
      client_order_id: id,
      symbol,
      qty,
      side,
      time_in_force: until,
      status: 'accepted',
      filled_qty: '0',
      filled_avg_price: null,
    };
    this.orders.push(order);
    if (fault?.kind !== 'silent') send(200, order);
  }
}
