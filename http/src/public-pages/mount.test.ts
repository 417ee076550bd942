import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { serveText } from './mount.ts';

it('compresses a text once for everybody who reads it', async () => {
  const app = Fastify();
  const made: string[] = [];
  const encoder = (name: string) => async (text: Buffer) => {
    made.push(name);
    return Buffer.from(`${name} of ${text.length}`);
  };
  const text = 'What everybody may read. '.repeat(1_000);
  serveText(app, '/text', 'text/plain; charset=utf-8', text, { br: encoder('br'), gzip: encoder('gzip') });
  const read = (encoding: string) => app.inject({ url: '/text', headers: { 'accept-encoding': encoding } });
  for (let i = 0; i < 3; i += 1) {
    const brotli = await read('gzip, deflate, br');
    expect(brotli.headers).toMatchObject({ 'content-encoding': 'br', vary: 'accept-encoding' });
    expect(brotli.body).toBe(`br of ${text.length}`);
    const zipped = await read('gzip, br;q=0');
    expect(zipped.headers['content-encoding']).toBe('gzip');
    const plain = await read('identity');
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(plain.body).toBe(text);
  }
  expect(made).toEqual(['br', 'gzip']);
  await app.close();
});
