import { once } from 'node:events';
import { createServer as createHttpServer, type OutgoingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { defineRoute, ProblemSchema } from '@quantloom/domain/contracts/http/route';
import { API_SCOPES } from '@quantloom/domain/identity/api-scopes';
import { RefusalError, refuse } from '@quantloom/domain/kernel/refusal';
import { IdentityError, type TokenClaims } from '@quantloom/domain/ports/identity';
import { userIdOf } from '@quantloom/domain/user/user';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { Check } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { answerClientError } from './errors.ts';
import { createAuthenticate, UnavailableError } from './principal.ts';
import { mountRoute } from './routes.ts';
import { createServer } from './server.ts';
import type { DirectoryUser } from './user-directory.ts';
import { bodyFault } from './validation.ts';

const echo = defineRoute({
  id: 'echo',
  method: 'POST',
  path: '/api/v1/echo/{id}',
  side: 'command',
  tag: 'Test',
  summary: 'Echo',
  access: { kind: 'user', machine: true, features: ['web.z-score.view'] },
  params: Type.Object({ id: Type.String({ maxLength: 50 }) }),
  query: Type.Object({
    limit: Type.Optional(Type.Integer({ minimum: 1 })),
    flag: Type.Optional(Type.Boolean()),
    tickers: Type.Optional(Type.Array(Type.String())),
  }),
  body: Type.Object({ amount: Type.Number(), name: Type.Optional(Type.String()) }),
  answer: Type.Any(),
});
const fail = defineRoute({
  id: 'fail',
  method: 'GET',
  path: '/api/v1/fail/{how}',
  side: 'query',
  tag: 'Test',
  summary: 'Fail',
  access: { kind: 'public' },
  params: Type.Object({ how: Type.String() }),
  answer: Type.Object({}),
});
const begin = defineRoute({
  id: 'begin',
  method: 'POST',
  path: '/api/v1/begin',
  side: 'command',
  tag: 'Test',
  summary: 'Begin',
  access: { kind: 'identity' },
  answer: Type.Object({ subject: Type.String() }),
});
const people = defineRoute({
  id: 'people',
  method: 'GET',
  path: '/api/v1/people',
  side: 'query',
  tag: 'Test',
  summary: 'People',
  access: { kind: 'user', machine: false },
  answer: Type.Object({}),
});

const stream = defineRoute({
  id: 'stream',
  method: 'GET',
  path: '/api/v1/stream',
  side: 'query',
  tag: 'Test',
  summary: 'Stream',
  access: { kind: 'public' },
  answer: Type.String(),
  alsoProduces: ['text/event-stream'],
});

const claims = (subject: string, more: Partial<TokenClaims> = {}): TokenClaims => ({
  subject,
  userId: null,
  clientId: null,
  sessionId: null,
  scopes: [],
  expiresAt: 0,
  ...more,
});
const TOKENS: Readonly<Record<string, TokenClaims>> = {
  person: claims('auth0|1'),
  // The claim names another user than the subject: the subject counts.
  liar: claims('auth0|1', { userId: userIdOf('auth0|poor') }),
  poor: claims('auth0|poor'),
  disabled: claims('auth0|out'),
  disabledMachine: claims('c3@clients', {
    clientId: 'c3',
    userId: userIdOf('auth0|out'),
    scopes: ['api:backtester'],
  }),
  newcomer: claims('auth0|new'),
  machine: claims('c1@clients', { clientId: 'c1', scopes: ['api:backtester'] }),
  unscoped: claims('c1@clients', { clientId: 'c1' }),
  deleted: claims('c2@clients', { clientId: 'c2', userId: userIdOf('auth0|1'), scopes: ['api:backtester'] }),
};
const user = (subject: string, isPaying: boolean): DirectoryUser => ({
  userId: userIdOf(subject),
  subject,
  email: 'a@b.ch',
  planId: isPaying ? 'api' : 'free',
  features: isPaying ? ['web.z-score.view'] : [],
  isDisabled: false,
});
const USERS = [
  user('auth0|1', true),
  user('auth0|poor', false),
  { ...user('auth0|out', true), isDisabled: true },
];

let app: FastifyInstance;
beforeAll(async () => {
  app = createServer({
    authenticate: createAuthenticate({
      identity: {
        verify: async (token) => {
          const known = TOKENS[token];
          if (token === 'away') throw new IdentityError('unavailable', 'No keys');
          if (!known) throw new IdentityError('invalid_token', 'The access token is not valid');
          return known;
        },
      },
      users: {
        byId: async (userId) => USERS.find((known) => known.userId === userId) ?? null,
        byClient: async (clientId) => {
          const owner = { c1: USERS[0], c3: USERS[2] }[clientId];
          return owner ? { ...owner, clientScopes: API_SCOPES } : null;
        },
      },
    }),
    bodyLimit: 1000,
    security: { isHttps: true },
  });
  mountRoute(app, echo, ({ body, query, params, principal }) => ({ body, query, params, principal }));
  mountRoute(app, fail, ({ params }) => {
    if (params.how === 'refuse')
      return refuse(409, 'no_way', 'No way.', { currentRevision: 4, data: { more: 1 } });
    if (params.how === 'throw') throw new RefusalError(refuse(422, 'thrown', 'Thrown.'));
    if (params.how === 'away') throw new UnavailableError('secret detail');
    if (params.how === 'not') return {};
    throw new Error('secret detail');
  });
  mountRoute(app, begin, ({ visitor, request }) => ({
    subject: visitor?.subject ?? request.identityClaims?.subject ?? '',
  }));
  mountRoute(app, people, () => ({}));
  mountRoute(app, stream, ({ reply }) => {
    reply.hijack();
    reply.raw.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders).end();
    return reply;
  });
  await app.ready();
});
afterAll(() => app.close());

const post = (token: string | null, url: string, payload: unknown = { amount: 1 }, headers = {}) =>
  app.inject({
    method: 'POST',
    url,
    payload: payload as object,
    headers: { ...(token !== null && { authorization: `Bearer ${token}` }), ...headers },
  });

describe('who calls', () => {
  it.each([
    ['nobody', null, 401, 'unauthenticated'],
    ['a wrong token', 'nonsense', 401, 'invalid_token'],
    ['a token of a person who is no user yet', 'newcomer', 403, 'user_unknown'],
    ['a person whose account is disabled', 'disabled', 403, 'account_disabled'],
    ['an API client of a disabled account', 'disabledMachine', 403, 'account_disabled'],
    ['somebody without the feature', 'poor', 403, 'feature_missing'],
    ['a machine without the scope', 'unscoped', 403, 'scope_missing'],
    ['a machine client that was deleted', 'deleted', 401, 'invalid_token'],
    ['anybody while the provider is away', 'away', 503, 'unavailable'],
  ])('%s is refused', async (_, token, status, code) => {
    const response = await post(token, '/api/v1/echo/1');
    expect(response.statusCode).toBe(status);
    expect(response.json()).toMatchObject({ code, status });
    if (status === 401) expect(response.headers['www-authenticate']).toMatch(/^Bearer/);
  });

  it('is told from the token, its rights from the user', async () => {
    const person = (await post('person', '/api/v1/echo/1')).json().principal;
    expect(person).toMatchObject({ userId: userIdOf('auth0|1'), planId: 'api', clientId: null });
    expect(person.actor).toEqual({ kind: 'user', userId: person.userId });
    expect((await post('liar', '/api/v1/echo/1')).json().principal.userId).toBe(userIdOf('auth0|1'));
    const machine = (await post('machine', '/api/v1/echo/1')).json().principal;
    expect(machine.actor).toEqual({ kind: 'apiClient', userId: person.userId, clientId: 'c1' });
  });

  it('must be a person where the route says so', async () => {
    const get = (token: string) =>
      app.inject({ url: '/api/v1/people', headers: { authorization: `Bearer ${token}` } });
    expect((await get('machine')).json().code).toBe('people_only');
    expect((await get('person')).statusCode).toBe(200);
    expect((await post('newcomer', '/api/v1/begin')).json()).toEqual({ subject: 'auth0|new' });
    expect((await post('machine', '/api/v1/begin')).json().code).toBe('people_only');
    expect((await post(null, '/api/v1/begin')).statusCode).toBe(401);
  });

  it('may be anybody on a public route, but not with a token that is none', async () => {
    const get = (token: string) =>
      app.inject({ url: '/api/v1/fail/not', headers: { authorization: `Bearer ${token}` } });
    expect((await app.inject('/api/v1/fail/not')).statusCode).toBe(200);
    for (const token of ['newcomer', 'person', 'machine']) expect((await get(token)).statusCode).toBe(200);
    expect((await get('nonsense')).statusCode).toBe(401);
  });

  it('must send a bearer token and nothing else', async () => {
    for (const authorization of ['Basic abc', 'Bearer', 'person', 'Bearer a b'])
      expect((await app.inject({ url: '/api/v1/people', headers: { authorization } })).statusCode).toBe(401);
  });
});

describe('requests are counted', () => {
  const limited = async (
    send: (app: FastifyInstance) => Promise<{ statusCode: number }>,
    isBehindProxy = false,
  ) => {
    const hits = new Map<string, number>();
    const server = createServer({
      isBehindProxy,
      authenticate: async (header) => {
        if (header === undefined) return null;
        throw new RefusalError(refuse(401, 'invalid_token', 'The access token is not valid.'));
      },
      rateLimits: {
        hit: async (key, _window, weight = 1) => {
          hits.set(key, (hits.get(key) ?? 0) + weight);
          return { hits: hits.get(key) ?? 0, endsInMs: 60_000 };
        },
        reset: async (key) => {
          hits.delete(key);
        },
      },
    });
    mountRoute(server, fail, () => ({}));
    const statuses: number[] = [];
    for (let request = 0; request < 602; request += 1) statuses.push((await send(server)).statusCode);
    await server.close();
    return { first: statuses[0], last: statuses.slice(-2), keys: [...hits] };
  };
  const visitor = [['visitor:127.0.0.1', 602]];

  it('however their address is spelled', async () => {
    expect(await limited((server) => server.inject('/%61pi/v1/fail/not'))).toEqual({
      first: 200,
      last: [429, 429],
      keys: visitor,
    });
  });

  it('by the address that the proxy has seen, whatever the caller calls himself', async () => {
    let number = 0;
    const send = (server: FastifyInstance) => {
      number += 1;
      const headers = { 'x-forwarded-for': `10.0.0.${number % 250}, 203.0.113.7` };
      return server.inject({ url: '/api/v1/fail/not', headers });
    };
    expect((await limited(send, true)).keys).toEqual([['visitor:203.0.113.7', 602]]);
    expect((await limited(send)).keys).toEqual(visitor);
  });

  it('when their token is not valid', async () => {
    const headers = { authorization: 'Bearer nonsense' };
    expect(await limited((server) => server.inject({ url: '/api/v1/fail/not', headers }))).toEqual({
      first: 401,
      last: [429, 429],
      keys: visitor,
    });
  });
});

describe('input', () => {
  it('is read out of query strings, and taken as it is in bodies', async () => {
    const answer = await post('person', '/api/v1/echo/7?limit=5&flag=true&tickers=SPY', { amount: 1.5 });
    expect(answer.json()).toMatchObject({
      query: { limit: 5, flag: true, tickers: ['SPY'] },
      body: { amount: 1.5 },
      params: { id: '7' },
    });
    for (const body of [{ amount: '1.5' }, { amount: null }, { amount: true }, {}, []])
      expect((await post('person', '/api/v1/echo/7', body)).statusCode).toBe(400);
    expect((await post('person', '/api/v1/echo/7?limit=0')).json().code).toBe('invalid_request');
    for (const limit of ['x', '1.5', '1e309', '-1e309', '1e300', '9007199254740993', 'NaN', ''])
      expect((await post('person', `/api/v1/echo/7?limit=${limit}`)).statusCode, limit).toBe(400);
  });

  it('that is refused is named: what is missing, what is too much, what would do', () => {
    const schema = Type.Object(
      {
        plan: Type.Enum(['free', 'api']),
        'a/b': Type.Literal(1),
        terms: Type.Object({ start: Type.String() }),
        form: Type.Optional(Type.Union([Type.Literal('csv'), Type.Literal('json')])),
      },
      { additionalProperties: false },
    );
    const good = { plan: 'api', 'a/b': 1, terms: { start: 'x' } };
    expect(bodyFault(schema, good)).toBeNull();
    const { 'a/b': _, ...less } = good;
    for (const [body, path, message] of [
      [less, '/a~1b', "body must have required property 'a/b'"],
      [{ ...good, terms: {} }, '/terms/start', "body/terms must have required property 'start'"],
      [{ ...good, more: 1 }, '/more', "body must not have the property 'more'"],
      [{ ...good, plan: 'x' }, '/plan', 'body/plan must be one of "free", "api"'],
      [{ ...good, 'a/b': 2 }, '/a~1b', 'body/a~1b must be 1'],
      [{ ...good, terms: 3 }, '/terms', 'body/terms must be object'],
      [{ ...good, form: 'xml' }, '/form', 'body/form must be one of "csv", "json"'],
    ] as const)
      expect(bodyFault(schema, body)).toMatchObject({ detail: message, problems: [{ path, message }] });
  });

  it('of strangers is not even looked at', async () => {
    expect((await post(null, '/api/v1/echo/7', { amount: 'wrong' })).statusCode).toBe(401);
  });
});

describe('every error has the one body', () => {
  const json = { 'content-type': 'application/json', authorization: 'Bearer person' };
  const cases: readonly [string, () => Promise<{ statusCode: number; body: string }>, number, string][] = [
    ['a refusal', () => app.inject('/api/v1/fail/refuse'), 409, 'no_way'],
    ['a thrown refusal', () => app.inject('/api/v1/fail/throw'), 422, 'thrown'],
    ['a bug', () => app.inject('/api/v1/fail/bug'), 500, 'internal_error'],
    ['a service that is away', () => app.inject('/api/v1/fail/away'), 503, 'unavailable'],
    ['an unknown address', () => app.inject('/api/v1/nothing'), 404, 'not_found'],
    [
      'an unknown method',
      () => app.inject({ method: 'DELETE', url: '/api/v1/people' }),
      405,
      'method_not_allowed',
    ],
    // Nobody has read them: broken JSON would be told of first.
    [
      'a body that is sent to nowhere',
      () => app.inject({ method: 'POST', url: '/nothing', headers: json, payload: '{"a' }),
      404,
      'not_found',
    ],
    [
      'a body that is sent by an unknown method',
      () => app.inject({ method: 'PUT', url: '/api/v1/people', headers: json, payload: '{"a' }),
      405,
      'method_not_allowed',
    ],
    ['a bad address', () => app.inject('/api/v1/fail/%zz'), 400, 'invalid_url'],
    ['a too long part', () => app.inject(`/api/v1/fail/${'x'.repeat(200)}`), 414, 'url_too_long'],
    [
      'broken JSON',
      () => app.inject({ method: 'POST', url: '/api/v1/echo/1', headers: json, payload: '{"a' }),
      400,
      'invalid_json',
    ],
    [
      'an empty body',
      () => app.inject({ method: 'POST', url: '/api/v1/echo/1', headers: json, payload: '' }),
      400,
      'invalid_json',
    ],
    [
      'a prototype in the body',
      () =>
        app.inject({
          method: 'POST',
          url: '/api/v1/echo/1',
          headers: json,
          payload: '{"amount":1,"__proto__":{"x":1}}',
        }),
      400,
      'invalid_json',
    ],
    [
      'a body of another type',
      () =>
        app.inject({
          method: 'POST',
          url: '/api/v1/echo/1',
          headers: { ...json, 'content-type': 'text/xml' },
          payload: '<a/>',
        }),
      415,
      'unsupported_media_type',
    ],
    [
      'a large body',
      () => post('person', '/api/v1/echo/1', { amount: 1, name: 'x'.repeat(2000) }),
      413,
      'body_too_large',
    ],
  ];
  it.each(cases)('%s', async (_, send, status, code) => {
    const response = await send();
    const body = JSON.parse(response.body) as { code: string; status: number };
    expect([response.statusCode, body.status, body.code]).toEqual([status, status, code]);
    expect(Check(ProblemSchema, body)).toBe(true);
    expect(response.body).not.toContain('secret detail');
  });

  it('names the methods that an address has', async () => {
    const { headers } = await app.inject({ method: 'PUT', url: '/api/v1/echo/1?x=1' });
    expect(headers.allow).toBe('POST');
    expect((await app.inject({ method: 'PUT', url: '/api/v1/people' })).headers.allow).toBe('GET, HEAD');
  });

  it('also where Node itself refuses', async () => {
    const server = createHttpServer(app.routing).on('clientError', answerClientError);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/fail/x?long=${'x'.repeat(20_000)}`);
    expect(answer.status).toBe(431);
    const body = await answer.json();
    expect(body).toMatchObject({ code: 'headers_too_large', status: 431 });
    expect(Check(ProblemSchema, body)).toBe(true);
    // Not into an answer that is on its way: the connection just ends.
    const socket = { writable: true, _httpMessage: { headersSent: true }, destroy: vi.fn(), end: vi.fn() };
    answerClientError(Object.assign(new Error('broken'), { code: 'HPE_INVALID_METHOD' }), socket as never);
    expect([socket.destroy.mock.calls.length, socket.end.mock.calls.length]).toEqual([1, 0]);
    server.close();
  });

  it('keeps what a refusal carries', async () => {
    expect((await app.inject('/api/v1/fail/refuse')).json()).toMatchObject({ currentRevision: 4, more: 1 });
  });
});

it('protects every answer, and names it', async () => {
  for (const url of ['/api/v1/people', '/nothing', '/api/v1/stream']) {
    const { headers } = await app.inject({ url, headers: { 'x-correlation-id': 'browser-12345' } });
    const policy = String(headers['content-security-policy']);
    expect(policy.split('; ').find((directive) => directive.startsWith('script-src'))).toBe(
      "script-src 'self'",
    );
    expect(policy).toContain("frame-ancestors 'none'");
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['strict-transport-security']).toContain('max-age=');
    expect(headers['x-correlation-id']).toBe('browser-12345');
  }
  const { headers } = await app.inject({ url: '/nothing', headers: { 'x-correlation-id': 'a b\u00e9' } });
  expect(headers['x-correlation-id']).toMatch(/^[\w-]{36}$/);
});
