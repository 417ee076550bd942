import Fastify from 'fastify';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { serveMetrics } from '../metrics/serve-metrics.ts';
import { listen, type RunningHttpServer } from '../wiring/listen.ts';

/** `/health`, `/ready` and `/metrics` of a service that has no routes of its own. */
export async function serveHealth(
  config: Config,
  log: Logger,
  metrics: Metrics,
  isReady: () => boolean,
  /** What is stopped until an operator does something, and what he is to do. */
  stoppedFor: () => string | null = () => null,
  /** Which servers are away and what waits for them. */
  awayFor: () => Promise<string | null> = async () => null,
): Promise<RunningHttpServer> {
  const app = Fastify({ loggerInstance: log });
  serveMetrics(app as never, { config, metrics, isInternal: true });
  app.get('/health', { logLevel: 'warn' }, (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'alive' }),
  );
  app.get('/ready', { logLevel: 'warn' }, async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    const away = await awayFor();
    if (away === null && isReady()) return { status: 'ready' };
    return reply
      .code(503)
      .header('retry-after', '2')
      .send({
        error: away ?? stoppedFor() ?? 'The service is starting or recovering',
        code: 'not_ready',
        status: 503,
      });
  });
  return await listen(app as never, config);
}
