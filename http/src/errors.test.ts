import type { Socket } from 'node:net';
import { type Refusal, RefusalError, refuse } from '@quantloom/domain/kernel/refusal';
import { AppendTooLargeError } from '@quantloom/domain/ports/event-store';
import { DependencyAwayError } from '@quantloom/domain/ports/outages';
import Fastify, { type FastifyInstance } from 'fastify';
import { describe, expect, it } from 'vitest';
import { answerClientError, registerErrorHandling } from './errors.ts';
import { UnavailableError } from './principal.ts';

async function answerTo(error: Error) {
  const app = Fastify() as unknown as FastifyInstance;
  registerErrorHandling(app);
  app.get('/', () => Promise.reject(error));
  const { statusCode: status, headers, ...answer } = await app.inject('/');
  await app.close();
  const [retry, asks] = [headers['retry-after'], headers['www-authenticate']];
  return { status, retry, asks, type: headers['content-type'], body: answer.json() as unknown };
}

const refused = (status: Refusal['status'], code: string, data?: Readonly<Record<string, unknown>>) =>
  answerTo(new RefusalError(refuse(status, code, 'So it is.', data && { data })));

it('asks to try again where a server is away, also behind another error, without saying where it is', async () => {
  const away = new DependencyAwayError('eventStore', 'connect ECONNREFUSED 10.0.0.7:2113');
  const body = {
    error: 'The event log does not answer just now. Please try again in a moment.',
    code: 'unavailable',
  };
  for (const error of [away, new Error('the step failed', { cause: away })]) {
    const answer = await answerTo(error);
    expect(answer).toMatchObject({ status: 503, retry: '2', body });
    expect(JSON.stringify(answer)).not.toContain('10.0.0.7');
  }
});

it('says that the disk is full where that is why a store of this server is away', async () => {
  const full = new Error('IO Error: Could not write file: No space left on device');
  expect(await answerTo(new DependencyAwayError('results', full.message, { cause: full }))).toMatchObject({
    status: 507,
    retry: '60',
    body: { code: 'disk_full' },
  });
});

it('says in words that something is larger than the log takes', async () => {
  expect(await answerTo(new AppendTooLargeError('strategy-1: no append of this size'))).toMatchObject({
    status: 413,
    body: { code: 'too_large_for_log', error: expect.stringContaining('larger than the event log') },
  });
});

it('asks to try again where a service does not answer, and says nothing of why', async () => {
  const answer = await answerTo(new UnavailableError('the issuer at 10.0.0.8 is away'));
  expect(answer).toMatchObject({ status: 503, retry: '5', body: { code: 'unavailable' } });
  expect(JSON.stringify(answer)).not.toContain('10.0.0.8');
});

it('takes what fails for a client that has left for no failure of this server', async () => {
  const lines: { readonly level: number; readonly msg: string }[] = [];
  const stream = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const app = Fastify({ logger: { stream } }) as unknown as FastifyInstance;
  registerErrorHandling(app);
  const [begun, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<number>()];
  app.addHook('onSend', async (_request, reply) => answered.resolve(reply.statusCode));
  app.get('/', async (_request, reply) => {
    begun.resolve();
    await new Promise((resolve) => reply.raw.once('close', resolve));
    throw new Error('The run was stopped');
  });
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  try {
    const client = new AbortController();
    const asked = fetch(origin, { signal: client.signal }).catch(() => 'left');
    await begun.promise;
    client.abort();
    expect(await asked).toBe('left');
    expect(await answered.promise).toBe(499);
    expect(lines.filter(({ level }) => level > 30)).toEqual([]);
    expect(lines.map(({ msg }) => msg)).toContain('ended: the client has left');
  } finally {
    await app.close();
  }
});

describe('a refusal', () => {
  it('is answered as such where an error of another process carries it', async () => {
    const carried = Object.assign(new Error('The estimate failed'), {
      refusal: refuse(422, 'too_hard', 'This takes too long.'),
    });
    expect(await answerTo(carried)).toMatchObject({
      status: 422,
      body: { code: 'too_hard', error: 'This takes too long.' },
    });
  });

  it('says when to come again where there were too many', async () => {
    const answer = await refused(429, 'too_many_requests', { retry_after: 17 });
    expect(answer).toMatchObject({ status: 429, retry: '17', body: { retry_after: 17, error: 'So it is.' } });
    expect(answer.type).toBe('application/problem+json; charset=utf-8');
    expect((await refused(429, 'too_many_requests')).retry).toBeUndefined();
    expect((await refused(409, 'changed', { retry_after: 17 })).retry).toBeUndefined();
  });

  it('asks who it is, and says where a token is not good', async () => {
    expect((await refused(401, 'invalid_token')).asks).toBe('Bearer error="invalid_token"');
    expect((await refused(401, 'unauthenticated')).asks).toBe('Bearer');
    expect((await refused(403, 'invalid_token')).asks).toBeUndefined();
  });
});

it('says of a failure only that it was one', async () => {
  const answer = await answerTo(new Error('password of the database: 1234'));
  expect(answer).toMatchObject({ status: 500, body: { code: 'internal_error' } });
  expect(JSON.stringify(answer)).not.toContain('1234');
});

describe('what no route takes', () => {
  const contract = (path: string) => ({ config: { contract: { path } } });
  async function asked(method: 'GET' | 'POST' | 'DELETE', url: string) {
    const app = Fastify() as unknown as FastifyInstance;
    registerErrorHandling(app);
    app.get('/things/:id', contract('/things/{id}'), async () => ({}));
    app.patch('/things/:id', contract('/things/{id}'), async () => ({}));
    app.post('/things/:id/parts', contract('/things/{id}/parts'), async () => ({}));
    app.get('/pages', async () => ({}));
    const { statusCode, headers, ...answer } = await app.inject({ method, url });
    await app.close();
    return { status: statusCode, allow: headers.allow, code: answer.json().code };
  }

  it('is told what is possible at its address, whatever stands behind a question mark', async () => {
    for (const url of ['/things/1', '/things/1?a=/b/c', '/things/a%2Fb'])
      expect(await asked('DELETE', url), url).toEqual({
        status: 405,
        allow: expect.stringMatching(/^GET, (?:HEAD, )?PATCH$/),
        code: 'method_not_allowed',
      });
    expect(await asked('GET', '/things/1/parts')).toMatchObject({ status: 405, allow: 'POST' });
  });

  it('is nowhere where there is more or less of an address, and where the address is of no contract', async () => {
    for (const url of ['/things', '/things/1/parts/2', '/things/1/other', '/x/things/1'])
      expect(await asked('DELETE', url), url).toMatchObject({
        status: 404,
        allow: undefined,
        code: 'not_found',
      });
    expect(await asked('POST', '/pages')).toMatchObject({ status: 404 });
  });
});

describe('what Node refuses', () => {
  function answered(code: string, underWay: object | null = null, writable = true) {
    const done: string[] = [];
    const socket = {
      writable,
      _httpMessage: underWay,
      destroy: () => done.push('destroyed'),
      end: (text: string) => done.push(text),
    };
    answerClientError(Object.assign(new Error('of Node'), { code }), socket as unknown as Socket);
    expect(done).toHaveLength(1);
    return done[0] ?? '';
  }

  it.each([
    ['HPE_HEADER_OVERFLOW', 431],
    ['ERR_HTTP_REQUEST_TIMEOUT', 408],
    ['HPE_INVALID_METHOD', 400],
  ])('%s is answered by %i, in as many bytes as it says', (code, status) => {
    const [head = '', body = ''] = answered(code, { headersSent: false }).split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} [A-Z]`));
    expect(head).toContain(`content-length: ${Buffer.byteLength(body)}\r\nconnection: close`);
    expect(JSON.parse(body)).toMatchObject({ status });
  });

  it('is not answered into the middle of another answer, nor where nobody reads', () => {
    expect(answered('HPE_INVALID_METHOD', { headersSent: true })).toBe('destroyed');
    expect(answered('HPE_INVALID_METHOD', null, false)).toBe('destroyed');
  });
});
