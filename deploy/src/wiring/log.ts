import { PRODUCT_NAME } from '@quantloom/domain/kernel/product';
import { type Logger, pino } from 'pino';
import type { Config } from '../config.ts';

const ERROR_LEVEL = 50;

/** Structured log of one process. Secrets and tokens never reach it. `onError` is called for every line of level error or above. */
export function createLog(
  config: Pick<Config, 'LOG_LEVEL' | 'LOG_PRETTY'>,
  service: string,
  onError?: () => void,
): Logger {
  return pino({
    level: config.LOG_LEVEL,
    base: { product: PRODUCT_NAME.toLowerCase(), service, pid: process.pid },
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
