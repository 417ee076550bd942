import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { expect, it, vi } from 'vitest';
import { serveText } from './mount.ts';

const zlib = vi.hoisted(() => ({ made: [] as string[] }));
vi.mock('node:zlib', async (original) => {
  const real = await original<typeof import('node:zlib')>();
  const counted =
    (name: string, work: (...given: never[]) => void) =>
    (...given: never[]) => {
      zlib.made.push(name);
      work(...given);
    };
  return {
    ...real,
    brotliCompress: counted('br', real.brotliCompress as never),
    gzip: counted('gzip', real.gzip as never),
  };
});

it('compresses a text once for everybody who reads it', async () => {
  const app = Fastify();
  const text = 'What everybody may read. '.repeat(1_000);
  serveText(app, '/text', 'text/plain; charset=utf-8', text);
  const read = (encoding: string) => app.inject({ url: '/text', headers: { 'accept-encoding': encoding } });
  for (let i = 0; i < 3; i += 1) {
    const brotli = await read('gzip, deflate, br');
    expect(brotli.headers).toMatchObject({ 'content-encoding': 'br', vary: 'accept-encoding' });
    expect(brotliDecompressSync(brotli.rawPayload).toString()).toBe(text);
    const zipped = await read('gzip, br;q=0');
    expect(zipped.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(zipped.rawPayload).toString()).toBe(text);
    const plain = await read('identity');
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(plain.body).toBe(text);
  }
  expect(zlib.made).toEqual(['br', 'gzip']);
  await app.close();
});
