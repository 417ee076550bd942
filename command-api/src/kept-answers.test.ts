import type { TokenClaims } from '@quantloom/domain/ports/identity';
import type { ReadDocument, ReadModels } from '@quantloom/domain/ports/read-models';
import { createServer } from '@quantloom/http/server';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { ulid } from 'ulid';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { WriteDeps } from './deps.ts';
import { type KeptAnswer, registerIdempotency } from './idempotency.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const MOST_KEPT = 16 * 1024;

let app: FastifyInstance;
let kept: Map<string, KeptAnswer>;
let now: number;
/** How often the route was asked. */
let calls: number;
let commandIds: string[];
let answer: (reply: FastifyReply) => string;

beforeEach(async () => {
  [kept, now, calls, answer] = [new Map(), Date.parse('2026-03-04T10:00:00.000Z'), 0, () => '"done"'];
  commandIds = [];
  const readModels = {
    ensureCollection: async () => undefined,
    get: async (_: string, id: string) => kept.get(id) ?? null,
    put: async (_: string, document: ReadDocument) => void kept.set(document.id, document as KeptAnswer),
    find: async () => [],
  } as unknown as ReadModels;
  app = createServer({ authenticate: async () => null });
  // As a valid token of somebody without an account is read.
  app.addHook('onRequest', async (request) => {
    const subject = request.headers['x-subject'];
    if (typeof subject === 'string') request.identityClaims = { subject } as TokenClaims;
  });
  registerIdempotency(app, { readModels, clock: { now: () => new Date(now) }, newId: ulid } as WriteDeps);
  for (const url of ['/things', '/others'])
    app.post(url, async (request, reply) => {
      calls += 1;
      commandIds.push(request.commandId);
      return await reply.type('application/json; charset=utf-8').send(answer(reply));
    });
  await app.ready();
});
afterEach(() => app.close());

const post = (url = '/things', body: object = {}, key = 'one', remoteAddress = '192.0.2.1') =>
  app.inject({ method: 'POST', url, payload: body, headers: { 'idempotency-key': key }, remoteAddress });

describe('an answer that is kept for its key', () => {
  it('lives for a day to the millisecond, and is nobody’s when the day is over', async () => {
    await post();
    const [first] = kept.values();
    now += DAY_MS - 1;
    expect((await post()).headers['idempotent-replayed']).toBe('true');
    now += 1;
    expect((await post()).headers['idempotent-replayed']).toBeUndefined();
    expect(calls).toBe(2);
    const [again] = kept.values();
    expect(again?.commandId).not.toBe(first?.commandId);
    expect(Date.parse(again?.expiresAt ?? '')).toBe(now + DAY_MS);
  });

  it('ends a day after its key was first used, also where the first try came to nothing', async () => {
    const first = now;
    answer = (reply) => {
      reply.code(503);
      return '{}';
    };
    await post();
    now += DAY_MS / 2;
    answer = () => '"done"';
    await post();
    expect([...kept.values()].map(({ expiresAt }) => Date.parse(expiresAt))).toEqual([first + DAY_MS]);
    now = first + DAY_MS;
    expect((await post()).headers['idempotent-replayed']).toBeUndefined();
  });

  it('is of the command that was tried first, also past midnight: it may have got as far as the log', async () => {
    answer = (reply) => {
      reply.code(500);
      return '{}';
    };
    await post();
    now += (DAY_MS * 3) / 4;
    answer = () => '"done"';
    await post();
    expect(commandIds).toHaveLength(2);
    expect(commandIds[1]).toBe(commandIds[0]);
    await post('/things', {}, 'two');
    expect(commandIds[2]).not.toBe(commandIds[0]);
  });

  it('is nobody else’s where a token says who asks, though nobody has an account yet', async () => {
    const register = (subject: string) =>
      app.inject({
        method: 'POST',
        url: '/things',
        payload: {},
        headers: { 'idempotency-key': 'one', 'x-subject': subject },
      });
    answer = () => `"account ${calls}"`;
    expect((await register('ann')).body).toBe('"account 1"');
    // From the same address, with the same body and key.
    expect((await register('bob')).body).toBe('"account 2"');
    expect((await register('ann')).body).toBe('"account 1"');
  });

  it('has 16,384 characters at most: what is longer is answered by the command itself', async () => {
    answer = () => JSON.stringify('x'.repeat(MOST_KEPT - 2));
    await post();
    const replayed = await post();
    expect(replayed.headers['idempotent-replayed']).toBe('true');
    expect(replayed.body).toHaveLength(MOST_KEPT);
    expect(calls).toBe(1);
    answer = () => JSON.stringify('x'.repeat(MOST_KEPT - 1));
    await post('/things', {}, 'two');
    expect((await post('/things', {}, 'two')).headers['idempotent-replayed']).toBeUndefined();
    expect(calls).toBe(3);
    expect([...kept.values()].map(({ payload }) => payload?.length ?? null)).toEqual([MOST_KEPT, null]);
  });

  it('comes again with all that its reader goes on with: status, revision, place and position', async () => {
    answer = (reply) => {
      reply.code(201).headers({ etag: '"0"', location: '/things/1', 'x-quantloom-position': '17' });
      return '{"id":"1"}';
    };
    const [first, again] = [await post(), await post()];
    expect(calls).toBe(1);
    const told = ({ statusCode, body, headers }: typeof first) => {
      const { etag, location, 'content-type': type, 'x-quantloom-position': position } = headers;
      return { statusCode, body, etag, location, type, position };
    };
    expect(told(again)).toEqual(told(first));
    expect(told(again)).toMatchObject({
      statusCode: 201,
      etag: '"0"',
      location: '/things/1',
      position: '17',
    });
  });

  it.each([400, 404, 409, 429, 500, 503])('is none where the request was refused with %i', async (status) => {
    answer = (reply) => {
      reply.code(status);
      return '{}';
    };
    await post();
    answer = () => '"done"';
    expect(await post()).toMatchObject({ statusCode: 200, body: '"done"' });
    expect(calls).toBe(2);
  });

  it('is that of its route, and of a stranger only where he sends the same again', async () => {
    await post();
    expect((await post('/others')).headers['idempotent-replayed']).toBeUndefined();
    const other = await post('/things', { other: true });
    expect([other.statusCode, other.headers['idempotent-replayed']]).toEqual([200, undefined]);
    expect((await post()).headers['idempotent-replayed']).toBe('true');
    expect(calls).toBe(3);
    const elsewhere = await post('/things', {}, 'one', '192.0.2.2');
    expect(elsewhere.headers['idempotent-replayed']).toBeUndefined();
    expect(calls).toBe(4);
  });
});
