import { setTimeout as after } from 'node:timers/promises';
import { PRODUCT_NAME } from '@quantloom/domain/kernel/product';
import type { MarketData } from '@quantloom/domain/ports/market-data';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { serveMetrics } from '../metrics/serve-metrics.ts';

export interface OperationsDeps {
  readonly config: Config;
  /** What the page needs to sign in. */
  readonly settings: { readonly issuer: string; readonly clientId: string; readonly audience: string };
  readonly marketData: MarketData;
  readonly metrics: Metrics;
  /** The service is reached by other services only. */
  readonly isInternal: boolean;
  /** Whether every part of this process works. */
  readonly isReady: () => boolean;
  /** Which servers are away and what waits for them, as a sentence; null: none is. */
  readonly awayFor?: () => Promise<string | null>;
  /** What is stopped until an operator does something, as a sentence that says what to do; null: nothing. */
  readonly stoppedFor?: () => string | null;
  /** What this process cannot serve without; each rejects with the reason where it cannot be had. */
  readonly checks?: readonly { readonly what: string; readonly check: () => Promise<unknown> }[];
}

/**
 * `/health` (the process lives), `/ready` (all of it works), `/metrics` and `/config.json` (what the page has
 * to know before it asks anything).
 */
export async function serveOperations(app: FastifyInstance, deps: OperationsDeps): Promise<void> {
  const { config, settings, marketData, isReady, stoppedFor = () => null, checks = [] } = deps;
  const { awayFor = async () => null } = deps;
  serveMetrics(app, deps);
  app.get('/health', { logLevel: 'warn' }, (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'alive' }),
  );

  let wellAt = Number.NEGATIVE_INFINITY;
  const lookOnce = oneForAll(async () => {
    for (const { what, check } of checks)
      try {
        await inTime(check());
      } catch (error) {
        return { fault: `${what} cannot be read`, error };
      }
    wellAt = performance.now();
    return null;
  });
  /** A store that is busy answers behind what others have asked it: it is as well as it was a moment ago. */
  const look = async () => {
    const looking = lookOnce();
    if (performance.now() - wellAt > CHECK_MS) return await looking;
    return await Promise.race([looking, after(PATIENCE_MS, null)]);
  };

  app.get('/ready', { logLevel: 'warn' }, async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const away = await awayFor();
    // Where every process of a kind needs the same server, taking all of them out of service would take away
    // what works without it, too.
    const isEnough = (request.query as { partly?: unknown }).partly === 'enough';
    if (away !== null && isEnough) return { status: 'partly', error: away };
    let fault = away ?? 'The service is starting or recovering';
    try {
      if (away !== null) throw new Error(away);
      const found = await look();
      if (found) {
        fault = found.fault;
        throw found.error;
      }
      fault = stoppedFor() ?? 'The service is starting or recovering';
      const { version } = await marketData.current();
      if (isReady()) return { status: 'ready', data_version: version };
    } catch (error) {
      // An outage has been told once, by whoever noticed it.
      if (away === null) request.log.warn({ err: error }, 'not ready');
    }
    return reply.code(503).header('retry-after', '1').send({
      error: fault,
      code: 'not_ready',
      status: 503,
    });
  });

  app.get('/config.json', async (_request, reply) => {
    const dataSet = await marketData.current();
    return reply.header('cache-control', 'no-cache').send({
      ...settings,
      productName: PRODUCT_NAME,
      supportEmail: config.SUPPORT_EMAIL,
      accountUrl: config.OIDC_ACCOUNT_URL ?? null,
      isDataSimulated: dataSet.isSimulated,
      dataLabel: dataSet.label,
      apiBaseUrl: '',
    });
  });
}

/**
 * Whoever asks while somebody else's question is being answered gets that answer: many who ask at once cost
 * what one of them does.
 */
function oneForAll<T>(ask: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<T> | null = null;
  return () => {
    underWay ??= ask().finally(() => {
      underWay = null;
    });
    return underWay;
  };
}

/** Longer than this, an answer is none: those who ask wait no longer either. */
const CHECK_MS = 3_000;
/** How long `/ready` waits for a check where the one before has succeeded within `CHECK_MS`. */
const PATIENCE_MS = 20;

async function inTime(check: Promise<unknown>): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`No answer within ${CHECK_MS} ms`)), CHECK_MS);
  try {
    await Promise.race([check, promise]);
  } finally {
    clearTimeout(timer);
  }
}
