import type { Socket } from 'node:net';
import type { RouteContract } from '@quantloom/domain/contracts/http/route';
import { isRefusal, type Refusal, RefusalError } from '@quantloom/domain/kernel/refusal';
import { isDiskFull } from '@quantloom/domain/ports/disk-full';
import { awayIn, DEPENDENCY_NAMES } from '@quantloom/domain/ports/outages';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hasLeft } from './caller-address.ts';
import { UnavailableError } from './principal.ts';
import { shapeRefusal } from './validation.ts';

/** Sends a refusal as the one error body that every route has. */
export function sendRefusal(reply: FastifyReply, refusal: Refusal): FastifyReply {
  if (refusal.status === 401)
    reply.header(
      'www-authenticate',
      refusal.code === 'invalid_token' ? 'Bearer error="invalid_token"' : 'Bearer',
    );
  const { retry_after: seconds } = refusal.data ?? {};
  if (refusal.status === 429 && typeof seconds === 'number') reply.header('retry-after', String(seconds));
  return reply
    .code(refusal.status)
    .type('application/problem+json; charset=utf-8')
    .send({
      ...refusal.data,
      error: refusal.detail,
      code: refusal.code,
      status: refusal.status,
      ...(refusal.problems && { errors: refusal.problems }),
      ...(refusal.currentRevision !== undefined && { currentRevision: refusal.currentRevision }),
      correlationId: reply.request.id,
    });
}

function problem(
  reply: FastifyReply,
  status: number,
  code: string,
  error: string,
  more: object = {},
): FastifyReply {
  return reply
    .code(status)
    .type('application/problem+json; charset=utf-8')
    .send({ error, code, status, correlationId: reply.request.id, ...more });
}

/** Codes of Fastify's own refusals, in our words. */
const FRAMEWORK_ERRORS: Readonly<Record<string, readonly [number, string, string]>> = {
  FST_ERR_BAD_URL: [400, 'invalid_url', 'The URL is malformed'],
  FST_ERR_MAX_PARAM_LENGTH: [414, 'url_too_long', 'A part of the URL is too long'],
  FST_ERR_CTP_BODY_TOO_LARGE: [413, 'body_too_large', 'The request body is too large'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [415, 'unsupported_media_type', 'The request body must be JSON'],
  FST_ERR_CTP_EMPTY_JSON_BODY: [400, 'invalid_json', 'The request body is empty; it must be JSON'],
  FST_ERR_CTP_INVALID_JSON_BODY: [400, 'invalid_json', 'The request body is not valid JSON'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [
    400,
    'invalid_request',
    'The Content-Length header does not match the body',
  ],
};

/** Answers what Fastify refuses before any route is found (a malformed URL, a parameter that is too long). */
export function sendFrameworkError(error: FastifyError, _request: unknown, reply: FastifyReply): void {
  problem(
    reply,
    ...(FRAMEWORK_ERRORS[error.code] ?? ([400, 'invalid_request', 'The request cannot be read'] as const)),
  );
}

/** As nginx has it: seen in figures and logs only. */
const CLIENT_CLOSED_REQUEST = 499;

const DISK_FULL =
  'There is no room left on the disk of this server, so nothing was saved. Its operator has to ' +
  'make room; then try again.';
const TOO_LARGE =
  'This is larger than the event log of this installation takes, so nothing was saved. Its ' +
  'operator can raise the log’s MaxAppendSize.';

/** Answers a request that no route takes. */
export type AnswerNotFound = (request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/**
 * One error handler and one not-found handler for a whole server, which it answers. 5xx answers never carry
 * the message.
 */
export function registerErrorHandling(app: FastifyInstance): AnswerNotFound {
  app.setErrorHandler((error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
    if (error instanceof RefusalError) return sendRefusal(reply, error.refusal);
    const carried = (error as { refusal?: unknown }).refusal;
    if (isRefusal(carried)) return sendRefusal(reply, carried);
    if (error instanceof UnavailableError) {
      request.log.warn({ err: error }, 'a service does not answer');
      reply.header('retry-after', '5');
      return problem(reply, 503, 'unavailable', 'This is not available right now. Please try again.');
    }
    // Before outages: a disk of this server that is full counts as one.
    if (isDiskFull(error)) {
      request.log.error({ err: error }, 'the disk is full');
      reply.header('retry-after', '60');
      return problem(reply, 507, 'disk_full', DISK_FULL);
    }
    const away = awayIn(error);
    if (away) {
      // Said once by whoever watches the servers; a line per request would hide everything else.
      request.log.debug({ err: error }, 'a server is away');
      reply.header('retry-after', '2');
      const name = DEPENDENCY_NAMES[away.dependency];
      return problem(
        reply,
        503,
        'unavailable',
        `The ${name} does not answer just now. Please try again in a moment.`,
      );
    }
    if ((error as { code?: unknown }).code === 'append_too_large') {
      request.log.warn({ err: error }, 'an append is larger than the log takes');
      return problem(reply, 413, 'too_large_for_log', TOO_LARGE);
    }
    if (error.validation)
      return sendRefusal(reply, shapeRefusal(error.validationContext ?? 'request', error.validation));
    const known = FRAMEWORK_ERRORS[error.code];
    if (known) return problem(reply, ...known);
    if (error.name === 'SyntaxError' && error.statusCode === 400)
      return problem(reply, 400, 'invalid_json', 'The request body is not valid JSON');
    if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500)
      return problem(reply, error.statusCode, 'invalid_request', error.message);
    if (hasLeft(request)) {
      // What was done for him was ended, which fails in many ways; nobody is there to read which.
      request.log.info({ err: error }, 'ended: the client has left');
      return reply.code(CLIENT_CLOSED_REQUEST).send('');
    }
    request.log.error({ err: error }, 'request failed');
    return problem(
      reply,
      500,
      'internal_error',
      'Something went wrong on our side. The error has been recorded.',
    );
  });
  const routes: { readonly address: RegExp; readonly method: string }[] = [];
  app.addHook('onRoute', ({ config, method }) => {
    const { contract } = (config ?? {}) as { contract?: RouteContract };
    if (!contract) return;
    const address = new RegExp(`^${contract.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
    for (const name of [method].flat()) routes.push({ address, method: name });
  });
  const answerNotFound: AnswerNotFound = (request, reply) => {
    const pathname = request.url.split('?')[0] ?? '';
    const methods = new Set(
      routes.filter(({ address }) => address.test(pathname)).map(({ method }) => method),
    );
    if (methods.size === 0)
      return problem(reply, 404, 'not_found', `There is nothing at ${request.method} ${pathname}`);
    const allowed = [...methods].join(', ');
    reply.header('allow', allowed);
    return problem(
      reply,
      405,
      'method_not_allowed',
      `${request.method} is not possible here, only ${allowed}`,
    );
  };
  app.setNotFoundHandler(answerNotFound);
  return answerNotFound;
}

/**
 * Answers what Node refuses before any server sees a request (headers that are too long, broken HTTP), for
 * `clientError` of an HTTP server: with the one error body, and closes the connection.
 */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  // As Node does it: never into the middle of another answer on the same connection.
  const { _httpMessage: underWay } = socket as {
    readonly _httpMessage?: { readonly headersSent: boolean } | null;
  };
  if (!socket.writable || underWay?.headersSent) {
    socket.destroy();
    return;
  }
  const [status, phrase, code, text] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? [431, 'Request Header Fields Too Large', 'headers_too_large', 'The URL or the headers are too long']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? [408, 'Request Timeout', 'request_timeout', 'The request did not arrive in time']
        : [400, 'Bad Request', 'invalid_request', 'The request cannot be read'];
  const body = JSON.stringify({ error: text, code, status });
  socket.end(
    `HTTP/1.1 ${status} ${phrase}\r\ncontent-type: application/problem+json; ` +
      `charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: ` +
      `close\r\n\r\n${body}`,
  );
}
