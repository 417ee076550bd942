import { keepCallersAddress } from '@quantloom/http/caller-address';
import { correlationIdOf } from '@quantloom/http/correlation-id';
import { allowOrigins } from '@quantloom/http/cors';
import { mountDeveloperDocs } from '@quantloom/http/developer-docs/mount';
import { registerErrorHandling } from '@quantloom/http/errors';
import { mountGuide } from '@quantloom/http/guide/mount';
import { mountPublicPageFiles } from '@quantloom/http/public-pages/mount';
import { securityHeaderValues, setSecurityHeaders } from '@quantloom/http/security-headers';
import { trustNearest } from '@quantloom/http/server';
import Fastify, { type FastifyInstance } from 'fastify';
import { measureRequests } from '../metrics/serve-metrics.ts';
import { passedOn, traceRequests } from '../tracing/traced-parts.ts';
import { ensureWebIsBuilt, serveWebSite } from '../web-site.ts';
import { settleBootstrapClient } from '../wiring/bootstrap-client.ts';
import { openIdentity } from '../wiring/identity.ts';
import { listen } from '../wiring/listen.ts';
import { serveOperations } from '../wiring/operations.ts';
import { openMarketData, systemClock } from '../wiring/process-parts.ts';
import { outageSentence, silentSide } from '../wiring/readiness.ts';
import { secretKeyOf } from '../wiring/secret-key.ts';
import { openStores } from '../wiring/stores.ts';
import { passOn } from './pass-on.ts';
import { runService } from './service.ts';
import { upstreamUrls, watchUpstreams } from './upstreams.ts';

/**
 * The one address from outside: pages, issuer and documentation itself, every API route at the side that its
 * contract names.
 */
await runService('gateway', async ({ config, log, metrics, tracing, starting }) => {
  const secretKey = secretKeyOf(config);
  const stores = await openStores(config, 'gateway', log, starting);
  const marketData = await openMarketData(config);
  const issuer = await openIdentity(config, {
    secretKey,
    rateLimits: stores.rateLimits,
    eventStore: stores.eventStore,
    log,
    isShared: true,
  });
  const command = watchUpstreams(upstreamUrls('COMMAND_API_URLS', config));
  const query = watchUpstreams(upstreamUrls('QUERY_API_URLS', config));
  if (config.WEB_PAGES === 'build') await ensureWebIsBuilt((message) => log.info(message));

  // Tokens are checked, bodies parsed and limits counted by the APIs behind; the gateway only passes requests on.
  const app = Fastify({
    loggerInstance: log,
    trustProxy: config.BEHIND_PROXY && trustNearest,
    genReqId: correlationIdOf,
  }) as unknown as FastifyInstance;
  keepCallersAddress(app);
  registerErrorHandling(app);
  allowOrigins(app, config.allowedOrigins);
  measureRequests(app, metrics);
  traceRequests(app, tracing);
  const headers = securityHeaderValues({
    isHttps: config.publicUrl.startsWith('https:'),
    connectOrigins: issuer.connectOrigins,
  });
  app.addHook('onSend', async (_request, reply) => setSecurityHeaders(reply, headers));
  await passOn(app, { command, query, passedOn });
  await serveOperations(app, {
    config,
    settings: issuer.settings,
    marketData,
    metrics,
    isInternal: false,
    isReady: () => true,
    awayFor: async () =>
      (await outageSentence(stores.outages)) ??
      silentSide([
        ['command', command],
        ['query', query],
      ]),
  });
  mountPublicPageFiles(app);
  mountGuide(app, { publicUrl: config.publicUrl, rateLimits: stores.rateLimits });
  mountDeveloperDocs(app, {
    serverUrl: config.publicUrl,
    issuer: issuer.settings.issuer,
    version: '1',
    rateLimits: stores.rateLimits,
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
