import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import type { Metrics } from './metrics.ts';

const isLoopback = (host: string) =>
  host === 'localhost' || host === '127.0.0.1' || host === '[::1]' || host === '::1';

/** Whether nobody from outside can reach the address, so that no token is needed to read from it. */
function isPrivate({ HOST, publicUrl, BEHIND_PROXY }: Pick<Config, 'HOST' | 'publicUrl' | 'BEHIND_PROXY'>) {
  return isLoopback(HOST) && isLoopback(new URL(publicUrl).hostname) && !BEHIND_PROXY;
}

const digest = (text: string) => createHash('sha256').update(text).digest();

/**
 * Times every request. Call it before routes are mounted: plugins take the hooks that are there when they are
 * registered.
 */
export function measureRequests(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onResponse', async (request, reply) => {
    metrics.requestEnded(
      request.method,
      // The pattern, never the address: ids would make a series each.
      request.routeOptions.url ?? 'unknown',
      reply.statusCode,
      reply.elapsedTime,
    );
  });
}

/**
 * `/metrics` for Prometheus. With `METRICS_TOKEN` only for those who bring it; without one, open on private
 * addresses and absent on public ones.
 *
 * @param isInternal the service is reached by other services only
 */
export function serveMetrics(
  app: FastifyInstance,
  deps: { readonly config: Config; readonly metrics: Metrics; readonly isInternal: boolean },
): void {
  const { config, metrics, isInternal } = deps;
  const token = config.METRICS_TOKEN;
  if (!token && !isInternal && !isPrivate(config)) return;
  const expected = token ? digest(`Bearer ${token}`) : null;
  app.get('/metrics', { logLevel: 'warn' }, async (request, reply) => {
    if (expected && !timingSafeEqual(digest(request.headers.authorization ?? ''), expected))
      return reply
        .code(401)
        .header('www-authenticate', 'Bearer')
        .send({ error: 'Metrics need the token of METRICS_TOKEN', code: 'metrics_token', status: 401 });
    return reply
      .header('content-type', metrics.registry.contentType)
      .header('cache-control', 'no-store')
      .send(await metrics.registry.metrics());
  });
}
