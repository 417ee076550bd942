import Fastify from 'fastify';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { loggedRequest } from './log.ts';

it('hides what an address opens to whoever reads it', async () => {
  const lines: string[] = [];
  const log = pino({ serializers: { req: loggedRequest } }, { write: (line) => lines.push(line) });
  const app = Fastify({ loggerInstance: log });
  app.get('/*', () => 'ok');
  app.get('/feeds/:file', () => 'ok');
  const addresses = [
    '/results/download?expires=1&signature=S3CRET&query=x',
    '/auth/callback?code=S3CRET&state=S3CRET',
    '/feeds/S3CRET.atom/',
  ];
  for (const address of addresses) await app.inject(address);
  // However the address is written, it is the same route.
  await app.inject('/%66eeds/S3CRET.ics');
  await app.close();
  const text = lines.join('');
  expect(text).not.toContain('S3CRET');
  expect(text).toContain('/results/download?expires=1&signature=[hidden]&query=x');
  expect(text).toContain('/auth/callback?code=[hidden]&state=[hidden]');
  expect(text).toContain('/feeds/[hidden]/');
  expect(text).toContain('"/feeds/:file"');
});
