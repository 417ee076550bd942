import Fastify from 'fastify';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { loggedRequest } from './log.ts';

it('hides what an address opens to whoever reads it', async () => {
  const lines: string[] = [];
  const log = pino({ serializers: { req: loggedRequest } }, { write: (line) => lines.push(line) });
  const app = Fastify({ loggerInstance: log });
  app.get('/*', () => 'ok');
  const addresses = [
    '/results/download?expires=1&signature=S3CRET&query=x',
    '/auth/callback?code=S3CRET&state=S3CRET',
  ];
  for (const address of addresses) await app.inject(address);
  await app.close();
  const text = lines.join('');
  expect(text).not.toContain('S3CRET');
  expect(text).toContain('/results/download?expires=1&signature=[hidden]&query=x');
  expect(text).toContain('/auth/callback?code=[hidden]&state=[hidden]');
});
