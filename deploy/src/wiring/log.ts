import { FEED_PATH } from '@quantloom/domain/feeds/feed-address';
import { PRODUCT_NAME } from '@quantloom/domain/kernel/product';
import type { FastifyRequest } from 'fastify';
import { type Logger, type LoggerOptions, pino } from 'pino';
import type { Config } from '../config.ts';
import { LogOutput } from './log-output.ts';

const ERROR_LEVEL = 50;
const STANDARD_OUTPUT = 1;

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
  const options: LoggerOptions = {
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
  };
  if (config.LOG_PRETTY) return pino({ ...options, transport: { target: 'pino-pretty' } });
  output ??= new LogOutput(STANDARD_OUTPUT);
  return pino(options, output);
}

/** One of a process, however many logs it has: lines of two would mix. */
let output: LogOutput | undefined;
