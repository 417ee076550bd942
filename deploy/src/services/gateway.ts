import replyFrom from '@fastify/reply-from';
import { ALL_ROUTES } from '@quantloom/domain/contracts/http/all-routes';
import { FEED_PATH } from '@quantloom/domain/feeds/feed-address';
import { correlationIdOf } from '@quantloom/http/correlation-id';
import { allowOrigins } from '@quantloom/http/cors';
import { mountDeveloperDocs } from '@quantloom/http/developer-docs/mount';
import { registerErrorHandling } from '@quantloom/http/errors';
import { mountGuide } from '@quantloom/http/guide/mount';
import { mountPublicPageFiles } from '@quantloom/http/public-pages/mount';
import { securityHeaderValues, setSecurityHeaders } from '@quantloom/http/security-headers';
import { trustNearest } from '@quantloom/http/server';
import { RESULT_PAGE_PATHS } from '@quantloom/query-api/result-pages/mount-result-pages';
import Fastify, { type FastifyInstance } from 'fastify';
import { ConfigurationError } from '../config.ts';
import { measureRequests } from '../metrics/serve-metrics.ts';
import { passedOn, traceRequests } from '../tracing/traced-parts.ts';
import { ensureWebIsBuilt, serveWebSite } from '../web-site.ts';
import { settleBootstrapClient } from '../wiring/bootstrap-client.ts';
import { openIdentity } from '../wiring/identity.ts';
import { listen } from '../wiring/listen.ts';
import { serveOperations } from '../wiring/operations.ts';
import { openMarketData, systemClock } from '../wiring/process-parts.ts';
import { secretKeyOf } from '../wiring/secret-key.ts';
import { openStores } from '../wiring/stores.ts';
import { runService } from './service.ts';
import { watchUpstreams } from './upstreams.ts';

const urlsOf = (name: string, value: string | undefined): string[] => {
  const urls = (value ?? '')
    .split(',')
    .map((url) => url.trim().replace(/\/+$/, ''))
    .filter(Boolean);
  if (urls.length === 0) throw new ConfigurationError(`${name} is needed by the gateway`);
  return urls;
};

/** Above every route's own limit, which the API behind enforces. */
const PASSED_BODY_LIMIT = 64 * 1024 * 1024;

/** The one address from outside: pages, issuer and documentation itself, every API route at the side that its contract names. */
await runService('gateway', async (config, log, metrics, tracing) => {
  const secretKey = secretKeyOf(config);
  const stores = await openStores(config, 'gateway', log);
  const marketData = await openMarketData(config);
  const issuer = await openIdentity(config, {
    secretKey,
    rateLimits: stores.rateLimits,
    eventStore: stores.eventStore,
    log,
    isShared: true,
  });
  const command = watchUpstreams(urlsOf('COMMAND_API_URLS', config.COMMAND_API_URLS));
  const query = watchUpstreams(urlsOf('QUERY_API_URLS', config.QUERY_API_URLS));
  if (config.WEB_PAGES === 'build') await ensureWebIsBuilt((message) => log.info(message));

  // Tokens are checked, bodies parsed and limits counted by the APIs behind; the gateway only passes requests on.
  const app = Fastify({
    loggerInstance: log,
    trustProxy: config.BEHIND_PROXY && trustNearest,
    genReqId: correlationIdOf,
  }) as unknown as FastifyInstance;
  registerErrorHandling(app);
  allowOrigins(app, config.allowedOrigins);
  measureRequests(app, metrics);
  traceRequests(app, tracing);
  const headers = securityHeaderValues({
    isHttps: config.publicUrl.startsWith('https:'),
    connectOrigins: issuer.connectOrigins,
  });
  app.addHook('onSend', async (_request, reply) => setSecurityHeaders(reply, headers));
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
  // Event streams are silent for minutes, and results may be large.
  await app.register(replyFrom, {
    // Its lines hold whole addresses, with what is secret in them; the server's own line says the same without.
    disableRequestLogging: true,
    undici: { connections: 256, bodyTimeout: 0, headersTimeout: 120_000 },
  });
  for (const contract of ALL_ROUTES) {
    const { method, path, side } = contract;
    const upstreams = side === 'command' ? command : query;
    app.route({
      method,
      url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
      bodyLimit: PASSED_BODY_LIMIT,
      config: { contract },
      handler: (request, reply) =>
        reply.from(upstreams.next() + request.url, {
          retriesCount: 2,
          rewriteRequestHeaders: (_, incoming) => ({
            ...incoming,
            'x-forwarded-for': request.ip,
            ...passedOn(request),
          }),
        }),
    });
  }
  for (const url of [...RESULT_PAGE_PATHS, FEED_PATH])
    app.get(url, (request, reply) =>
      reply.from(query.next() + request.url, {
        retriesCount: 2,
        rewriteRequestHeaders: (_, incoming) => ({ ...incoming, 'x-forwarded-for': request.ip }),
      }),
    );
  await serveOperations(app, {
    config,
    settings: issuer.settings,
    marketData,
    metrics,
    isInternal: false,
    isReady: () => true,
  });
  mountPublicPageFiles(app);
  mountGuide(app, { publicUrl: config.publicUrl });
  mountDeveloperDocs(app, {
    serverUrl: config.publicUrl,
    issuer: issuer.settings.issuer,
    version: '1',
  });
  if (config.WEB_PAGES !== 'off')
    await serveWebSite(app, {
      publicUrl: config.publicUrl,
      supportEmail: config.SUPPORT_EMAIL,
      isServerPath: (pathname) =>
        pathname.startsWith('/api/') || (issuer.handler?.handles(pathname) ?? false),
    });
  await settleBootstrapClient(config.BOOTSTRAP_API_CLIENT, {
    eventStore: stores.eventStore,
    issuer,
    clock: systemClock,
  });
  const server = await listen(app, config, issuer.handler ?? undefined);
  return {
    url: server.url,
    close: async () => {
      await server.close();
      command.close();
      query.close();
      await issuer.close();
      await marketData.close();
      await stores.close();
    },
  };
});
