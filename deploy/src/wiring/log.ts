import { FEED_PATH } from '@quantloom/domain/feeds/feed-address';
import { PRODUCT_NAME } from '@quantloom/domain/kernel/product';
import type { FastifyRequest } from 'fastify';
import { type Logger, pino } from 'pino';
import type { Config } from '../config.ts';

const ERROR_LEVEL = 50;

/** Parts of an address that open something to whoever reads them: codes of a sign-in, signatures of links, tokens. */
const SECRET_PARAMETERS = /([?&](?:code|state|signature|id_token_hint|access_token|token)=)[^&#]*/gi;

/** Secret addresses of feeds. */
const SECRET_PATHS = /(\/feeds\/)[^/?#]+/gi;

const withoutSecrets = (url: string): string =>
  url.replaceAll(SECRET_PARAMETERS, '$1[hidden]').replaceAll(SECRET_PATHS, '$1[hidden]');

/** What the log tells of a request. */
export function loggedRequest({ method, url, host, ip, socket, routeOptions }: FastifyRequest): object {
  return {
    method,
    url: routeOptions?.url === FEED_PATH ? FEED_PATH : withoutSecrets(url),
    host,
    remoteAddress: ip,
    remotePort: socket?.remotePort,
  };
}

/**
 * Structured log of one process. Secrets and tokens never reach it. `onError` is called for every line of
 * level error or above.
 */
export function createLog(
  config: Pick<Config, 'LOG_LEVEL' | 'LOG_PRETTY'>,
  service: string,
  onError?: () => void,
): Logger {
  return pino({
    level: config.LOG_LEVEL,
    base: { product: PRODUCT_NAME.toLowerCase(), service, pid: process.pid },
    serializers: { req: loggedRequest },
    redact: {
      paths: [
        'req.headers.authorization',
        'req.headers.cookie',
        'headers.authorization',
        '*.secret',
        '*.password',
        '*.clientSecret',
      ],
      censor: '[hidden]',
    },
    ...(onError && {
      hooks: {
        logMethod(words, method, level) {
          if (level >= ERROR_LEVEL) onError();
          method.apply(this, words);
        },
      },
    }),
    ...(config.LOG_PRETTY && { transport: { target: 'pino-pretty' } }),
  });
}
