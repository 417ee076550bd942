import { CORRELATION_HEADER } from '@quantloom/domain/contracts/http/route';
import { RefusalError } from '@quantloom/domain/kernel/refusal';
import { publicNetworkOf } from '@quantloom/domain/limits/network';
import { awayIn } from '@quantloom/domain/ports/outages';
import type { RateLimits } from '@quantloom/domain/ports/rate-limits';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { boundBodiesOfNetworks } from './bodies-of-networks.ts';
import { keepCallersAddress, leaving } from './caller-address.ts';
import { correlationIdOf } from './correlation-id.ts';
import { allowOrigins } from './cors.ts';
import { CostGate, costKindOf } from './costs.ts';
import { registerErrorHandling, sendFrameworkError } from './errors.ts';
import { parseLargeBodiesInTurn } from './large-bodies.ts';
import { type Authenticate, UnknownUserError } from './principal.ts';
import { countRequest } from './rate-limit.ts';
import { costOfRequest, meterReading } from './reading-cost.ts';
import { contractOf } from './routes.ts';
import { type SecurityHeaderOptions, securityHeaderValues, setSecurityHeaders } from './security-headers.ts';
import { refuseUnusableText } from './text-check.ts';
import { leaveRefusedBodies } from './unread-bodies.ts';
import { useStrictShapes } from './validation.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Budgets of users; null where nothing is counted (tests). */
    readonly costs: CostGate | null;
  }
}

export interface ServerOptions {
  readonly authenticate: Authenticate;
  readonly logger?: FastifyBaseLogger;
  /** Bytes; default 1 MiB. */
  readonly bodyLimit?: number;
  /** Store that all API processes share; without it nothing is limited (tests). */
  readonly rateLimits?: RateLimits;
  /** Budgets of cost are multiplied by this; default 1. */
  readonly costScale?: number;
  /** Default: plain http, no other origins. */
  readonly security?: SecurityHeaderOptions;
  /** True when a proxy in front sets `X-Forwarded-For`. */
  readonly isBehindProxy?: boolean;
  /** Origins whose pages may call the API; default: none but the own one. */
  readonly allowedOrigins?: readonly string[];
}

/**
 * For Fastify's `trustProxy`: the word of the proxy that has connected counts, and nobody's before it: the
 * first entries of `X-Forwarded-For` are what the caller says of himself.
 */
export const trustNearest = (_address: string, hop: number): boolean => hop === 0;

/** How long a client may take to send a request, in ms. */
const REQUEST_TIMEOUT_MS = 60_000;
const KEEP_ALIVE_MS = 72_000;

/**
 * A Fastify server with the product's error body, correlation ids, authentication, rate limits, security
 * headers and validation; routes are mounted on it.
 */
export function createServer({
  authenticate,
  logger,
  bodyLimit = 1024 * 1024,
  rateLimits,
  costScale = 1,
  security = { isHttps: false },
  isBehindProxy = false,
  allowedOrigins = [],
}: ServerOptions): FastifyInstance {
  const app = Fastify({
    ...(logger ? { loggerInstance: logger } : { logger: false }),
    bodyLimit,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    trustProxy: isBehindProxy && trustNearest,
    genReqId: correlationIdOf,
    frameworkErrors: sendFrameworkError as never,
    onProtoPoisoning: 'error',
    onConstructorPoisoning: 'error',
    return503OnClosing: true,
  }) as unknown as FastifyInstance;
  keepCallersAddress(app);
  useStrictShapes(app);
  parseLargeBodiesInTurn(app);
  const answerNotFound = registerErrorHandling(app);
  leaveRefusedBodies(app);
  app.decorateRequest('principal', null);
  app.decorateRequest('identityClaims', null);
  app.decorateRequest('isStillLetIn', null);
  app.decorateRequest('cost', null);
  app.decorateRequest('isAnswerWritten', false);
  const costs = rateLimits && new CostGate({ rateLimits, scale: costScale });
  app.decorate('costs', costs ?? null);
  const headers = securityHeaderValues(security);

  const count = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (!rateLimits) return;
    const { principal, ip: address } = request;
    const refusal = await countRequest({ rateLimits }, { principal, address }, reply);
    if (refusal) throw new RefusalError(refusal);
  };

  allowOrigins(app, allowedOrigins);
  app.addHook('onRequest', async (request, reply) => {
    reply.header(CORRELATION_HEADER, request.id);
    const contract = contractOf(request);
    // An event stream is written past `onSend`.
    if (contract?.alsoProduces?.includes('text/event-stream')) setSecurityHeaders(reply, headers);
    // The address alone does not tell: `/%61pi/v1` is the API, too.
    if (!contract && !request.url.startsWith('/api/')) return;
    try {
      const { authorization } = request.headers;
      const principal = await authenticate(authorization);
      request.principal = principal && { ...principal, network: publicNetworkOf(request.ip) };
      request.isStillLetIn = () =>
        authenticate(authorization).then(
          () => true,
          (error) => !(error instanceof RefusalError),
        );
    } catch (error) {
      const needsNoUser = contract?.access.kind === 'identity' || contract?.access.kind === 'public';
      if (!(error instanceof UnknownUserError && needsNoUser)) {
        // Whoever tries out tokens is a visitor, and counted as one.
        await count(request, reply);
        throw error;
      }
      request.identityClaims = error.claims;
    }
    await count(request, reply);
  });
  app.addHook('onRequest', async (request, reply) => {
    if (!request.is404) return;
    // Before its body is read: whatever a stranger sends to where nothing is, nobody parses it.
    return await answerNotFound(request, reply);
  });
  app.addHook('preParsing', async (request, reply, payload) => {
    await beginCost(costs, request, reply);
    return payload;
  });
  boundBodiesOfNetworks(app);
  meterReading(app);
  app.addHook('preHandler', async (request) => {
    if (contractOf(request) && !request.hasUsableText) refuseUnusableText(request.body);
  });
  app.addHook('onSend', async (request, reply, payload) => {
    setSecurityHeaders(reply, headers);
    const isWritten = request.isAnswerWritten && typeof payload === 'string';
    const reading = costOfRequest(request);
    if (!isWritten && reading === 0) return payload;
    try {
      await request.cost?.answered(isWritten ? payload.length : 0, reading);
    } catch (error) {
      // What was done is done, also while nobody can be charged for it; and a 503 would become a 500.
      if (!awayIn(error)) throw error;
      request.log.warn({ err: error }, 'an answer was charged to nobody');
    }
    return payload;
  });
  return app;
}

/** Takes the cost of a costly call from its user's budget before its body is read. */
async function beginCost(
  costs: CostGate | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const contract = contractOf(request);
  const kind = contract && costKindOf(contract);
  const { principal } = request;
  if (!costs || !kind || !principal) return;
  const left = leaving(request, reply);
  const bytes = Number(request.headers['content-length'] ?? 0);
  const meter = await costs.begin(kind, principal, bytes, left);
  request.cost = meter;
  reply.raw.once('finish', meter.end);
  reply.raw.once('close', meter.end);
  if (left.aborted) meter.end();
}
