import { brotliDecompressSync, constants, gunzipSync, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { compressAnswers } from './compression.ts';

const BODY = JSON.stringify(Array.from({ length: 5000 }, (_, i) => Math.sin(i)));
const DECODERS = { gzip: gunzipSync, br: brotliDecompressSync, zstd: zstdDecompressSync };

async function answers() {
  const app = fastify();
  await compressAnswers(app);
  for (const url of ['/api/v1/numbers', '/page.json'])
    app.get(url, (_request, reply) => reply.type('application/json').send(BODY));
  app.get('/api/v1/events', (_request, reply) => reply.type('text/event-stream').send(BODY));
  return async (url: string, encoding: string) =>
    await app.inject({ url, headers: { 'accept-encoding': encoding } });
}

describe('compressed answers', () => {
  it.each(Object.entries(DECODERS))('say the same in %s', async (encoding, decode) => {
    const get = await answers();
    for (const url of ['/api/v1/numbers', '/page.json']) {
      const answer = await get(url, encoding);
      expect(answer.headers['content-encoding']).toBe(encoding);
      expect(decode(answer.rawPayload).toString()).toBe(BODY);
    }
  });
  it('are made by the fastest level for the API, by the usual one for files', async () => {
    const get = await answers();
    const fast = zstdCompressSync(BODY, { params: { [constants.ZSTD_c_compressionLevel]: 1 } }).length;
    const usual = zstdCompressSync(BODY).length;
    // A stream comes out a little different from a piece, but never so far as the other level.
    const level = (length: number) => (Math.abs(length - fast) < Math.abs(length - usual) ? 'fast' : 'usual');
    expect(level((await get('/api/v1/numbers', 'zstd')).rawPayload.length)).toBe('fast');
    expect(level((await get('/page.json', 'zstd')).rawPayload.length)).toBe('usual');
  });
  it('leave event streams alone, which a compressor would hold back', async () => {
    const answer = await (await answers())('/api/v1/events', 'gzip');
    expect(answer.headers['content-encoding']).toBeUndefined();
    expect(answer.payload).toBe(BODY);
  });
});
