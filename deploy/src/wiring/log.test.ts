import Fastify, { type FastifyRequest } from 'fastify';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { readConfig } from '../config.ts';
import { createLog, loggedRequest } from './log.ts';

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

it.each(['code', 'state', 'signature', 'id_token_hint', 'access_token', 'token', 'TOKEN'])(
  'hides the parameter %s of an address, and it alone',
  (name) => {
    const url = `/page?a=1&${name}=S3CRET&${name}s=shown#end`;
    expect(loggedRequest({ url } as FastifyRequest)).toMatchObject({
      url: `/page?a=1&${name}=[hidden]&${name}s=shown#end`,
    });
  },
);

it('hides secrets in whatever is told besides', () => {
  const lines: string[] = [];
  const log = createLog(readConfig({ LOG_LEVEL: 'info' }), 'test of the log');
  Reflect.set(log, pino.symbols.streamSym, { write: (line: string) => lines.push(line) });
  log.info({
    headers: { authorization: 'S3CRET', accept: 'shown' },
    client: { clientSecret: 'S3CRET', clientId: 'shown' },
    webhook: { secret: 'S3CRET' },
    server: { password: 'S3CRET' },
  });
  const told = JSON.parse(lines.join(''));
  expect(told).toMatchObject({
    headers: { authorization: '[hidden]', accept: 'shown' },
    client: { clientSecret: '[hidden]', clientId: 'shown' },
    webhook: { secret: '[hidden]' },
    server: { password: '[hidden]' },
  });
  expect(lines.join('')).not.toContain('S3CRET');
});

it('counts lines of level error and above, and no others', () => {
  let errors = 0;
  const log = createLog(readConfig({ LOG_LEVEL: 'warn' }), 'test of the log', () => {
    errors += 1;
  });
  log.debug({}, 'counted as no error');
  log.info({}, 'counted as no error');
  log.warn({}, 'counted as no error');
  expect(errors).toBe(0);
  log.error({}, 'counted as an error');
  log.fatal({}, 'counted as an error');
  expect(errors).toBe(2);
});
