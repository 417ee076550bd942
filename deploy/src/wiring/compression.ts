import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import type { FastifyInstance } from 'fastify';

/**
 * How answers of the API are compressed: made for one reader who waits, so by the fastest level. Of 2.6 MB of
 * a backtest with its reasons zstd 3 (the default) took 25 ms, level 1 took 6 ms and left no more; gzip went
 * from 77 to 38 ms, Brotli from 66 to 20 ms.
 */
const FAST = {
  brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } },
  // One setting for gzip, deflate and zstd: the first two take the level, zstd its parameters.
  zlibOptions: { level: 1, params: { [constants.ZSTD_c_compressionLevel]: 1 } },
};

/**
 * How the pages are compressed: kept by the browser for good, so small. Of the first script Brotli 6 leaves a
 * tenth less than zstd 3 or gzip.
 */
const SMALL = {
  encodings: ['br', 'gzip', 'deflate'] as ('br' | 'gzip' | 'deflate')[],
  brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } },
};

/**
 * Compresses answers. Event streams stay as they are, since a compressor would hold them back; Parquet is
 * compressed already.
 */
export async function compressAnswers(app: FastifyInstance): Promise<void> {
  app.addHook('onRoute', (route) => {
    if (route.url.startsWith('/api/')) route.compress ??= FAST;
  });
  await app.register(compress, {
    ...SMALL,
    customTypes: /^(text\/(?!event-stream)|application\/)(?!vnd\.apache\.parquet)/,
  });
}
