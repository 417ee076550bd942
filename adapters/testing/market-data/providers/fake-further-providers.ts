import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FakeBar } from './fake-provider-server.ts';

/** A value of a series, as it stood from one day on. */
export interface FakeObservation {
  readonly date: string;
  readonly value: string;
  readonly realtime_start: string;
}

/** Bars of a page, so that pages are needed. */
const PAGE = 25;
type Answer = readonly [status: number, body: string];

/** Answers like Stooq, Alpaca and FRED do by what they document, from shapes written by hand. */
export class FakeFurtherProviders {
  readonly key = 's3cret-k3y';
  readonly prices = new Map<string, FakeBar[]>();
  readonly series = new Map<string, FakeObservation[]>();
  /** Ids that FRED does not give all vintages of at once. */
  readonly withoutVintages = new Set<string>();
  readonly requests: string[] = [];
  /** What is answered next, before the documented answers come again. */
  readonly next: Answer[] = [];
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      const url = new URL(request.url ?? '/', 'http://localhost');
      this.requests.push(`${url.pathname}${url.search}`);
      const isAllowed =
        url.pathname === '/q/d/l/' ||
        (url.pathname.startsWith('/fred/')
          ? url.searchParams.get('api_key') === this.key
          : request.headers['apca-api-key-id'] === this.key &&
            request.headers['apca-api-secret-key'] === 'half');
      const [status, body] = this.next.shift() ?? (isAllowed ? this.#answer(url) : this.#refusal(url));
      response.writeHead(status).end(body);
    });
  }

  static async start(): Promise<FakeFurtherProviders> {
    const fake = new FakeFurtherProviders();
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

  #refusal({ pathname }: URL): Answer {
    return pathname.startsWith('/fred/')
      ? [
          400,
          '{"error_code":400,"error_message":"Bad Request.  The value for variable api_key is not registered."}',
        ]
      : [401, '{"message": "unauthorized."}'];
  }

  #answer(url: URL): Answer {
    if (url.pathname === '/q/d/l/') return this.#stooq(url);
    if (url.pathname === '/v2/assets')
      return json(
        [...this.prices.keys()].map((ticker) => ({
          symbol: ticker.replace('-', '.'),
          name: `${ticker} Company`,
          exchange: 'NYSE',
          class: 'us_equity',
          status: 'active',
        })),
      );
    return url.pathname.startsWith('/fred/') ? this.#fred(url) : this.#alpaca(url);
  }

  #stooq({ searchParams }: URL): Answer {
    const [, ticker = ''] = /^(.+)\.us$/.exec(searchParams.get('s') ?? '') ?? [];
    const bars = this.prices.get(ticker.toUpperCase());
    const from = searchParams.get('d1') ?? '';
    const rows = bars?.filter(({ date }) => date.replaceAll('-', '') >= from) ?? [];
    if (rows.length === 0) return [200, 'No data'];
    return [
      200,
      `Date,Open,High,Low,Close,Volume\r\n${rows.map(({ date, close }) => `${date},1,1,1,${close},5\r\n`).join('')}`,
    ];
  }

  #alpaca({ pathname, searchParams }: URL): Answer {
    const [, symbol = ''] = /^\/v2\/stocks\/([^/]+)\/bars$/.exec(pathname) ?? [];
    const wanted = (this.prices.get(symbol.replace('.', '-')) ?? []).filter(
      ({ date }) => date >= (searchParams.get('start') ?? ''),
    );
    const at = Number(searchParams.get('page_token') ?? 0);
    const bars = wanted.slice(at, at + PAGE);
    const factor = searchParams.get('adjustment') === 'all' ? 1 : 2;
    return json({
      bars:
        bars.length === 0
          ? null
          : bars.map(({ date, close }) => ({
              t: `${date}T05:00:00Z`,
              o: 1,
              h: 1,
              l: 1,
              c: close * factor,
              v: 1,
              n: 1,
              vw: 1,
            })),
      symbol,
      next_page_token: at + PAGE < wanted.length ? String(at + PAGE) : null,
    });
  }

  #fred({ pathname, searchParams }: URL): Answer {
    const id = searchParams.get('series_id') ?? '';
    const observations = this.series.get(id);
    if (!observations)
      return [400, '{"error_code":400,"error_message":"Bad Request.  The series does not exist."}'];
    if (pathname === '/fred/series')
      return json({ seriess: [{ id, title: `Title of ${id}`, frequency: 'Monthly', frequency_short: 'M' }] });
    const isArchive = searchParams.get('realtime_end') === '9999-12-31';
    if (isArchive && this.withoutVintages.has(id))
      return [
        400,
        '{"error_code":400,"error_message":"Bad Request.  This exceeds the maximum number of vintage dates allowed."}',
      ];
    const newest = new Map(observations.map((one) => [one.date, { ...one, realtime_start: '2024-03-15' }]));
    const offset = Number(searchParams.get('offset'));
    return json({
      count: observations.length,
      observations: (isArchive ? observations : [...newest.values()]).slice(offset),
    });
  }
}

function json(value: unknown): Answer {
  return [200, JSON.stringify(value)];
}
