import { gunzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { afterEach, expect, it } from 'vitest';
import { COMPRESSORS } from './content-encoding.ts';
import { KeptText } from './kept-text.ts';

const app = Fastify();
afterEach(() => app.close());

it('is the same text however it is sent, says what it depends on, and is compressed once', async () => {
  let compressed = 0;
  const text = 'What everybody may read. '.repeat(100);
  const compressors = {
    br: async () => Buffer.from('brotli'),
    gzip: async (body: Buffer) => {
      compressed += 1;
      return await COMPRESSORS.gzip(body);
    },
  };
  const kept = new KeptText(text, compressors);
  app.get('/', (request, reply) => kept.send(request, reply.type('text/plain; charset=utf-8')));
  const get = (encoding?: string) =>
    app.inject({ url: '/', headers: encoding === undefined ? {} : { 'accept-encoding': encoding } });
  const plain = await get();
  expect(plain.body).toBe(text);
  expect(plain.headers).toMatchObject({ vary: 'accept-encoding' });
  expect(plain.headers['content-encoding']).toBeUndefined();
  const all = await Promise.all([get('gzip'), get('gzip')]);
  for (const { headers, rawPayload } of [...all, await get('gzip')]) {
    expect(headers).toMatchObject({ vary: 'accept-encoding', 'content-encoding': 'gzip' });
    expect(gunzipSync(rawPayload).toString()).toBe(text);
  }
  expect(compressed).toBe(1);
  expect((await get('br')).body).toBe('brotli');
});
