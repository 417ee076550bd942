import { ALL_ROUTES } from '@quantloom/domain/contracts/http/all-routes';
import type { RouteContract } from '@quantloom/domain/contracts/http/route';
import { FEATURES } from '@quantloom/domain/identity/plans';
import { refuse } from '@quantloom/domain/kernel/refusal';
import { FIGURE_NAMES } from '@quantloom/domain/strategy-run/events';
import type { Principal } from '@quantloom/http/principal';
import { mountRoute } from '@quantloom/http/routes';
import { createServer } from '@quantloom/http/server';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampleBody } from '../testing/sample-body.ts';

const TAKEN = refuse(409, 'taken', 'The body came through');

type Json = Record<string, unknown>;

const EVERYBODY: Principal = {
  userId: 'user',
  subject: 'subject',
  email: 'user@example.com',
  planId: 'copy-trader',
  features: FEATURES,
  clientId: null,
  scopes: [],
  actor: { kind: 'user', userId: 'user' },
};
const withBody = ALL_ROUTES.filter(({ body }) => body !== undefined);
const named = (routes: readonly RouteContract[]) => routes.map((route) => [route.id, route] as const);

/** Bodies whose smallest value does not get past validation. */
const BODIES: Readonly<Record<string, Json>> = {
  recomputeBatchRows: { combinations: [1] },
  createUser: { email: 'ann@example.com', auth0_id: 'subject' },
  updateCurrentUser: { email: 'ann@example.com' },
  joinWaitlist: { email: 'ann@example.com' },
  putMarketDataPiece: { path: 'a.csv', offset: 0, content: 'YQ==' },
  setUserAccess: { disabled: true, reason: 'A test' },
  setUserFeature: { feature: 'web.z-score.view', granted: true, reason: 'A test' },
  useMarketDataVersion: { version: '1' },
  importStrategy: { json: '{}' },
  verifyCertificate: {
    kind: 'quantloom-certificate-1',
    strategy: { id: 's', name: 'N', revision: 0, tree_hash: '0'.repeat(64) },
    terms: {
      start_date: '2020-01-01',
      end_date: '2020-12-31',
      starting_balance: 1,
      slippage_bps: 0,
      benchmark_ticker: 'SPY',
    },
    data_version: 'v',
    engine_version: '1',
    is_simulated: false,
    result_hash: '0'.repeat(64),
    first_day: '2020-01-02',
    last_day: '2020-12-31',
    metrics: Object.fromEntries(FIGURE_NAMES.map((name) => [name, 1])),
  },
};

/** Where a field too many may hide: the body itself and every object in it that the schema describes. */
function objectsOf(schema: unknown, body: unknown, path: readonly string[] = []): (readonly string[])[] {
  const { properties } = schema as { properties?: Record<string, unknown> };
  if (!properties || typeof body !== 'object' || body === null) return [];
  return [
    path,
    ...Object.entries(properties).flatMap(([name, field]) =>
      objectsOf(field, (body as Json)[name], [...path, name]),
    ),
  ];
}

function withMadeUp(body: Json, [first, ...rest]: readonly string[]): Json {
  if (first === undefined) return { ...body, made_up: 1 };
  return { ...body, [first]: withMadeUp(body[first] as Json, rest) };
}

describe('a field that no route knows', () => {
  let app: FastifyInstance;
  beforeAll(async () => {
    app = createServer({ authenticate: async () => EVERYBODY });
    // The real stack up to the handler: every body that gets through shows itself by a refusal of its own.
    for (const contract of withBody) mountRoute(app, contract, () => TAKEN);
    await app.ready();
  });
  afterAll(() => app.close());

  const send = (route: RouteContract, payload: Json) =>
    app.inject({
      method: route.method,
      url: route.path.replaceAll(/\{\w+\}/g, '0123456789'),
      headers: { authorization: 'Bearer x' },
      payload,
    });
  const bodyOf = (route: RouteContract) => (BODIES[route.id] ?? sampleBody(route)) as Json;

  it.each(named(withBody))('%s refuses it by name, wherever it stands', async (_id, route) => {
    const body = bodyOf(route);
    const accepted = await send(route, body);
    expect(accepted.statusCode, accepted.body).toBe(TAKEN.status);
    const places = objectsOf(route.body, body);
    expect(places.length).toBeGreaterThan(0);
    for (const place of places) {
      const answer = await send(route, withMadeUp(body, place));
      expect(answer.statusCode).toBe(400);
      expect(answer.json().error).toBe(
        `body${place.map((name) => `/${name}`).join('')} must not have the property 'made_up'`,
      );
    }
  });

  /** Those whose large bodies another thread reads, with bodies that it finds nothing wrong with. */
  const documents = named(withBody.filter(({ document }) => document !== undefined));
  it.each(documents)('%s refuses it in a large body, too', async (_id, route) => {
    const body = { ...bodyOf(route), ...(route.example?.body ?? {}) } as Json;
    const inject = (payload: Json) =>
      app.inject({
        method: route.method,
        url: route.path.replaceAll(/\{\w+\}/g, '0123456789'),
        headers: { authorization: 'Bearer x', 'content-type': 'application/json' },
        payload: JSON.stringify(payload) + ' '.repeat(64 * 1024),
      });
    const accepted = await inject(body);
    expect(accepted.statusCode, accepted.body).toBe(TAKEN.status);
    const answer = await inject({ ...body, made_up: 1 });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().error).toBe("body must not have the property 'made_up'");
  });

  // What clients send back as they got it.
  const route = (id: string): RouteContract => {
    const found = ALL_ROUTES.find((contract) => contract.id === id);
    if (!found) throw new Error(`no route ${id}`);
    return found;
  };
  const answered = (id: string): Json =>
    Object.fromEntries(
      Object.keys((route(id).answer as unknown as { properties: object }).properties).map((name) => [
        name,
        null,
      ]),
    );
  it.each([
    ['createTradingBot', 'getTradingBot'],
    ['updateTradingBot', 'getTradingBot'],
    ['createVariableList', 'getVariableList'],
    ['updateVariableList', 'getVariableList'],
    ['createBatchBacktest', 'getBatchBacktest'],
    ['createBatchBacktest', 'estimateBatchBacktest'],
    ['estimateBatchBacktest', 'getBatchBacktest'],
  ])('%s takes the fields that %s answers', async (id, source) => {
    const answer = await send(route(id), { ...answered(source), ...bodyOf(route(id)), ...known(id) });
    expect(answer.statusCode, answer.body).toBe(TAKEN.status);
  });
  // Fields that both have and that are read.
  const known = (id: string): Json => {
    const all: Json = {
      name: 'N',
      is_public: false,
      status: 'draft',
      type: 'bot',
      variables: [],
      tags: [],
      is_archived: false,
      partitions: 1,
      combinations: 1,
      time_estimate: { seconds: 1 },
      ...bodyOf(route(id)),
    };
    const fields = Object.keys((route(id).body as unknown as { properties: object }).properties);
    return Object.fromEntries(Object.entries(all).filter(([name]) => fields.includes(name)));
  };

  it('a batch takes a whole trading bot as its template', async () => {
    const body = bodyOf(route('createBatchBacktest'));
    const template_bot = {
      ...answered('getTradingBot'),
      ...(body.template_bot as Json),
      id: '1',
      type: 'bot',
    };
    expect((await send(route('createBatchBacktest'), { ...body, template_bot })).statusCode).toBe(
      TAKEN.status,
    );
  });
});
