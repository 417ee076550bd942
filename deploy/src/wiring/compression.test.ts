import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import {
  brotliCompressSync,
  brotliDecompressSync,
  constants,
  gunzipSync,
  zstdDecompressSync,
} from 'node:zlib';
import { createServer } from '@quantloom/http/server';
import fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { compressAnswers } from './compression.ts';

const BODY = JSON.stringify(
  Array.from({ length: 5000 }, (_, i) => ({ name: `Asset ${i % 97}`, value: (i * 7919) % 1000 })),
);
const DECODERS = { gzip: gunzipSync, br: brotliDecompressSync, zstd: zstdDecompressSync };

async function answers() {
  const app = fastify();
  await compressAnswers(app);
  for (const url of ['/api/v1/numbers', '/page.json'])
    app.get(url, (_request, reply) => reply.type('application/json').send(BODY));
  app.get('/api/v1/events', (_request, reply) => reply.type('text/event-stream').send(BODY));
  app.get('/api/v1/rows', (_request, reply) =>
    reply.type('application/vnd.apache.parquet').send(Buffer.from(BODY)),
  );
  return async (url: string, encoding: string) =>
    await app.inject({ url, headers: { 'accept-encoding': encoding } });
}

describe('compressed answers', () => {
  it.each(Object.entries(DECODERS))('say the same in %s', async (encoding, decode) => {
    const get = await answers();
    for (const url of encoding === 'zstd' ? ['/api/v1/numbers'] : ['/api/v1/numbers', '/page.json']) {
      const answer = await get(url, encoding);
      expect(answer.headers['content-encoding']).toBe(encoding);
      expect(decode(answer.rawPayload).toString()).toBe(BODY);
    }
  });
  it('are made fast for the API and small for the pages, by what the browser takes', async () => {
    const get = await answers();
    const browser = 'gzip, deflate, br, zstd';
    expect((await get('/api/v1/numbers', browser)).headers['content-encoding']).toBe('zstd');
    expect((await get('/page.json', browser)).headers['content-encoding']).toBe('br');
    const length = (quality: number) =>
      brotliCompressSync(BODY, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }).length;
    const [fast, small] = [length(1), length(6)];
    expect(fast).toBeGreaterThan(small);
    // A stream comes out a little different from a piece, but never so far as the other level.
    const level = (bytes: number) => (Math.abs(bytes - fast) < Math.abs(bytes - small) ? 'fast' : 'small');
    expect(level((await get('/api/v1/numbers', 'br')).rawPayload.length)).toBe('fast');
    expect(level((await get('/page.json', 'br')).rawPayload.length)).toBe('small');
  });
  it('leave Parquet alone, which is compressed already', async () => {
    const answer = await (await answers())('/api/v1/rows', 'gzip');
    expect(answer.headers['content-encoding']).toBeUndefined();
    expect(answer.payload).toBe(BODY);
  });
  it('leave event streams alone, which a compressor would hold back', async () => {
    const answer = await (await answers())('/api/v1/events', 'gzip');
    expect(answer.headers['content-encoding']).toBeUndefined();
    expect(answer.payload).toBe(BODY);
  });
});

describe('a body that cannot be unpacked', () => {
  it.each(['br', 'deflate', 'gzip', 'zstd'])(
    'is refused while its rest is on the way (%s)',
    async (encoding) => {
      const app = createServer({ authenticate: async () => null, isBehindProxy: true });
      await compressAnswers(app);
      const failures: string[] = [];
      app.addHook('onError', async (_request, _reply, error) => void failures.push(error.message));
      app.post('/api/v1/numbers', async () => ({}));
      await app.listen({ host: '127.0.0.1', port: 0 });
      try {
        const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
        let answer = '';
        // What cannot be unpacked ends its connection, rudely at times.
        socket
          .on('error', () => undefined)
          .on('data', (part) => {
            answer += part.toString();
          });
        socket.write(
          `POST /api/v1/numbers HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n` +
            `content-encoding: ${encoding}\r\ncontent-length: 100000\r\n\r\nno such thing at all, whatever it is`,
        );
        await once(socket, 'close');
        expect(failures).toEqual(['Could not decompress the request payload using the provided encoding']);
        expect(answer).toMatch(/^HTTP\/1\.1 400 /);
        expect(answer).toContain('"code":"invalid_request"');
      } finally {
        await app.close();
      }
    },
  );
});
