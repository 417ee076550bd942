import { PRODUCT_NAME } from '@quantloom/domain/kernel/product';
import { type Logger, pino } from 'pino';
import type { Config } from '../config.ts';

/** Structured log of one process. Secrets and tokens never reach it. */
export function createLog(config: Pick<Config, 'LOG_LEVEL' | 'LOG_PRETTY'>, service: string): Logger {
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
    ...(config.LOG_PRETTY && { transport: { target: 'pino-pretty' } }),
  });
}
