import compress from '@fastify/compress';
import type { FastifyInstance } from 'fastify';

/** Compresses answers. Event streams stay as they are, since a compressor would hold them back; Parquet is compressed already. */
export async function compressAnswers(app: FastifyInstance): Promise<void> {
  await app.register(compress, {
    customTypes: /^(text\/(?!event-stream)|application\/)(?!vnd\.apache\.parquet)/,
  });
}
