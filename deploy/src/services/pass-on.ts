import replyFrom from '@fastify/reply-from';
import { ALL_ROUTES } from '@quantloom/domain/contracts/http/all-routes';
import type { RouteContract } from '@quantloom/domain/contracts/http/route';
import { FEED_PATH } from '@quantloom/domain/feeds/feed-address';
import { networkOf } from '@quantloom/domain/limits/network';
import { leaving } from '@quantloom/http/caller-address';
import { Turns } from '@quantloom/http/turns';
import { RESULT_PAGE_PATHS } from '@quantloom/query-api/result-pages/mount-result-pages';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type BodyLimits, bodyToPass } from './passed-bodies.ts';
import type { Upstreams } from './upstreams.ts';

/** Above every route's own limit, which the API behind enforces. */
const PASSED_BODY_LIMIT = 64 * 1024 * 1024;
const RETRY_SECONDS = 2;

/** Event streams last as long as a batch, files as long as somebody reads them; all others are over soon. */
type Kind = 'calls' | 'files' | 'streams';

interface Room {
  /** Connections to each process behind. */
  readonly connections: number;
  /** Requests that may wait for one. */
  readonly waiting: number;
  /** Requests of one network that are passed on at a time; as many more may wait for those. */
  readonly ofOneNetwork: number;
}

/** Each kind has connections of its own: streams and files that nobody reads leave those of the others alone. */
export const ROOM: Readonly<Record<Kind, Room>> = {
  calls: { connections: 256, waiting: 256, ofOneNetwork: 128 },
  files: { connections: 256, waiting: 64, ofOneNetwork: 32 },
  streams: { connections: 2_000, waiting: 0, ofOneNetwork: 500 },
};

export interface PassOnOptions {
  readonly command: Pick<Upstreams, 'next'>;
  readonly query: Pick<Upstreams, 'next'>;
  /** Headers that a process behind gets besides those of the request. */
  readonly passedOn?: (request: FastifyRequest) => Readonly<Record<string, string>>;
  readonly room?: Readonly<Record<Kind, Room>>;
  readonly bodies?: BodyLimits;
}

const FULL = {
  error: 'Too many requests are waiting just now. Please try again in a moment.',
  code: 'unavailable',
  status: 503,
};

function kindOf({ alsoProduces = [] }: Pick<RouteContract, 'alsoProduces'>): Kind {
  if (alsoProduces.length === 0) return 'calls';
  return alsoProduces.includes('text/event-stream') ? 'streams' : 'files';
}

/** Passes every route of the API on to a process of the side that its contract names. */
export async function passOn(app: FastifyInstance, options: PassOnOptions): Promise<void> {
  const { command, query, room = ROOM } = options;
  const turns = new Turns();
  for (const kind of ['calls', 'files', 'streams'] as const)
    await app.register(async (scope) => {
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('*', async (_request: FastifyRequest, payload: FastifyRequest['raw']) =>
        bodyToPass(payload, options.bodies),
      );
      await scope.register(replyFrom, {
        // Its lines hold whole addresses, with what is secret in them; the server's own line says the same without.
        disableRequestLogging: true,
        // Event streams are silent for minutes, and results may be large.
        undici: { connections: room[kind].connections, bodyTimeout: 0, headersTimeout: 120_000 },
      });
      const pass = passTo(turns, kind, room[kind], options.passedOn);
      for (const contract of ALL_ROUTES.filter((route) => kindOf(route) === kind)) {
        const upstreams = contract.side === 'command' ? command : query;
        scope.route({
          method: contract.method,
          url: contract.path.replaceAll(/\{(\w+)\}/g, ':$1'),
          bodyLimit: PASSED_BODY_LIMIT,
          config: { contract },
          handler: (request, reply) => pass(upstreams, request, reply),
        });
      }
      if (kind !== 'calls') return;
      for (const url of [...RESULT_PAGE_PATHS, FEED_PATH])
        scope.get(url, (request, reply) => pass(query, request, reply));
    });
}

/** Of each kind a network has a part of the room, and a process behind only so many that wait for it. */
function passTo(turns: Turns, kind: Kind, room: Room, passedOn: PassOnOptions['passedOn']) {
  const underWay = new Map<string, number>();
  const ofOneNetwork = {
    inFlight: room.ofOneNetwork,
    waiting: Math.min(room.ofOneNetwork, room.waiting),
  };
  const isBegun = (upstream: string, reply: FastifyReply): boolean => {
    const count = underWay.get(upstream) ?? 0;
    if (count >= room.connections + room.waiting) return false;
    underWay.set(upstream, count + 1);
    reply.raw.once('close', () => underWay.set(upstream, (underWay.get(upstream) ?? 1) - 1));
    return true;
  };
  return async (upstreams: Pick<Upstreams, 'next'>, request: FastifyRequest, reply: FastifyReply) => {
    const left = leaving(request, reply);
    const end = await turns.take(`${kind}:${networkOf(request.ip)}`, ofOneNetwork, left);
    if (end !== null) {
      if (left.aborted) end();
      else reply.raw.once('close', end);
    }
    const upstream = upstreams.next();
    if (end === null || !isBegun(upstream, reply))
      return reply
        .code(503)
        .header('retry-after', String(RETRY_SECONDS))
        .type('application/problem+json; charset=utf-8')
        .send({ ...FULL, correlationId: request.id });
    return reply.from(upstream + request.url, {
      retriesCount: 2,
      rewriteRequestHeaders: (_, incoming) => ({
        ...incoming,
        'x-forwarded-for': request.ip,
        ...passedOn?.(request),
      }),
    });
  };
}
