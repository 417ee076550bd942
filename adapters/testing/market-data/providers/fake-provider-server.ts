import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { crc32, deflateRawSync } from 'node:zlib';

export interface FakeBar {
  readonly date: string;
  close: number;
}

/** What a test makes the next answers be, before the documented ones come again. */
export interface Fault {
  readonly status: number;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Breaks the connection instead of answering. */
  readonly hangUp?: boolean;
}

/**
 * Answers like Tiingo and EODHD do by their documentation, from shapes written by hand:
 * `/tiingo/daily/<ticker>[/prices]`, `/docs/tiingo/daily/supported_tickers.zip`, `/api/eod/<ticker>.US`,
 * `/api/exchange-symbol-list/US`.
 */
export class FakeProviderServer {
  readonly key = 's3cret-k3y';
  readonly prices = new Map<string, FakeBar[]>();
  /** `path?query` of every request, without the key. */
  readonly requests: string[] = [];
  readonly faults: Fault[] = [];
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      const url = new URL(request.url ?? '/', 'http://localhost');
      const isTiingo = !url.pathname.startsWith('/api/');
      const token = isTiingo
        ? request.headers.authorization?.replace('Token ', '')
        : url.searchParams.get('api_token');
      url.searchParams.delete('api_token');
      this.requests.push(`${url.pathname}${url.search}`);
      const fault = this.faults.shift();
      if (fault?.hangUp) {
        request.socket.destroy();
        return;
      }
      if (fault) {
        response.writeHead(fault.status, fault.headers).end(fault.body ?? '');
        return;
      }
      if (token !== this.key) {
        if (isTiingo)
          response.writeHead(401, { 'content-type': 'application/json' }).end('{"detail":"Invalid token."}');
        else response.writeHead(401).end('Unauthenticated');
        return;
      }
      const answer = isTiingo ? this.#tiingo(url) : this.#eodhd(url);
      if (answer === null) {
        if (isTiingo)
          response.writeHead(404, { 'content-type': 'application/json' }).end('{"detail":"Not found."}');
        else response.writeHead(404).end('Ticker Not Found.');
      } else if (Buffer.isBuffer(answer))
        response.writeHead(200, { 'content-type': 'application/zip' }).end(answer);
      else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
  }

  static async start(): Promise<FakeProviderServer> {
    const fake = new FakeProviderServer();
    await new Promise<void>((resolve) => fake.#server.listen(0, '127.0.0.1', resolve));
    return fake;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #tiingo(url: URL): unknown {
    if (url.pathname.endsWith('/supported_tickers.zip'))
      return zipOf('supported_tickers.csv', this.#supported());
    const [, ticker = '', prices] = /^\/tiingo\/daily\/([^/]+)(\/prices)?$/.exec(url.pathname) ?? [];
    const bars = this.prices.get(decodeURIComponent(ticker).toUpperCase());
    if (!bars) return null;
    if (!prices)
      return {
        ticker: ticker.toUpperCase(),
        name: `${ticker.toUpperCase()} Company`,
        exchangeCode: 'NYSE',
        startDate: bars[0]?.date,
        endDate: bars.at(-1)?.date,
        description: '',
      };
    const from = url.searchParams.get('startDate');
    // Without a start date it answers the last day alone.
    const wanted = from === null ? bars.slice(-1) : bars.filter(({ date }) => date >= from);
    return wanted.map(({ date, close }) => ({
      date: `${date}T00:00:00.000Z`,
      close: close * 2,
      high: close * 2,
      low: close * 2,
      open: close * 2,
      volume: 1000,
      adjClose: close,
      adjHigh: close,
      adjLow: close,
      adjOpen: close,
      adjVolume: 1000,
      divCash: 0,
      splitFactor: 1,
    }));
  }

  #supported(): string {
    const lines = [...this.prices].map(
      ([ticker, bars]) => `${ticker},NYSE,Stock,USD,${bars[0]?.date},${bars.at(-1)?.date}`,
    );
    return [
      'ticker,exchange,assetType,priceCurrency,startDate,endDate',
      '000001,SHE,Stock,CNY,2007-01-04,2024-01-05',
      'OTCX,PINK,Stock,USD,2007-01-04,2024-01-05',
      'FUNDX,NASDAQ,Mutual Fund,USD,2007-01-04,2024-01-05',
      'NEVER,NYSE,Stock,USD,,',
      ...lines,
      '',
    ].join('\r\n');
  }

  #eodhd(url: URL): unknown {
    if (url.pathname === '/api/exchange-symbol-list/US')
      return [
        ...[...this.prices.keys()].map((ticker) => ({
          Code: ticker,
          Name: `${ticker} Company`,
          Country: 'USA',
          Exchange: 'NYSE',
          Currency: 'USD',
          Type: 'Common Stock',
          Isin: null,
        })),
        {
          Code: 'OTCX',
          Name: 'x',
          Country: 'USA',
          Exchange: 'PINK',
          Currency: 'USD',
          Type: 'Common Stock',
          Isin: null,
        },
        // Listed there, with prices in another currency.
        {
          Code: 'CADX',
          Name: 'x',
          Country: 'USA',
          Exchange: 'NYSE',
          Currency: 'CAD',
          Type: 'Common Stock',
          Isin: null,
        },
      ];
    const [, ticker = ''] = /^\/api\/eod\/(.+)\.US$/.exec(decodeURIComponent(url.pathname)) ?? [];
    const bars = this.prices.get(ticker);
    if (!bars) return null;
    const from = url.searchParams.get('from') ?? '';
    return bars
      .filter(({ date }) => date >= from)
      .map(({ date, close }) => ({
        date,
        open: close * 2,
        high: close * 2,
        low: close * 2,
        close: close * 2,
        adjusted_close: Math.round(close * 1e4) / 1e4,
        volume: 1000,
      }));
  }
}

/** A ZIP archive of one deflated file. */
export function zipOf(name: string, content: string): Buffer {
  const data = Buffer.from(content);
  const packed = deflateRawSync(data);
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(8, 8);
  local.writeUInt32LE(crc32(data), 14);
  local.writeUInt32LE(packed.length, 18);
  local.writeUInt32LE(data.length, 22);
  local.writeUInt16LE(name.length, 26);
  const central = Buffer.alloc(46);
  central.writeUInt32LE(0x02014b50, 0);
  central.writeUInt16LE(8, 10);
  central.writeUInt32LE(crc32(data), 16);
  central.writeUInt32LE(packed.length, 20);
  central.writeUInt32LE(data.length, 24);
  central.writeUInt16LE(name.length, 28);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(46 + name.length, 12);
  end.writeUInt32LE(30 + name.length + packed.length, 16);
  return Buffer.concat([local, Buffer.from(name), packed, central, Buffer.from(name), end]);
}
