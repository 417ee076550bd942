import type { RouteContract } from '@quantloom/domain/contracts/http/route';
import { ProblemSchema } from '@quantloom/domain/contracts/http/route';
import { FEATURES } from '@quantloom/domain/identity/plans';
import { handleCommand } from '@quantloom/domain/kernel/handle-command';
import { USER_STREAM } from '@quantloom/domain/user/user';
import fc from 'fast-check';
import { Value } from 'typebox/value';
import { ulid } from 'ulid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { embeddedDeps } from '../testing/embedded-deps.ts';
import { sampleBody } from '../testing/sample-body.ts';
import { PRINCIPALS, startTestApi, type TestApi } from '../testing/test-api.ts';

const contracts: RouteContract[] = [];
let api: TestApi;
beforeAll(async () => {
  api = await startTestApi(await embeddedDeps(), (contract) => contracts.push(contract));
  const { userId, subject, email } = PRINCIPALS.admin;
  const context = {
    commandId: ulid(),
    correlationId: ulid(),
    actor: { kind: 'user', userId },
    now: new Date().toISOString(),
  } as const;
  const command = {
    type: 'RegisterUser',
    userId,
    subject,
    email,
    planId: 'api',
    grantedFeatures: FEATURES,
  } as const;
  await handleCommand(api.deps.eventStore, USER_STREAM, userId, command, context);
}, 30_000);
afterAll(async () => {
  await api.close();
});

interface Attempt {
  readonly contract: RouteContract;
  readonly url: string;
  readonly payload?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Sends something that is at best half right, and says what is wrong with the answer: a 5xx, no problem body,
 * or a refusal that wrote.
 */
async function faultOf({ contract, url, payload, headers = {} }: Attempt): Promise<string | null> {
  const before = await api.deps.eventStore.head();
  const answer = await api.app.inject({
    method: contract.method,
    url,
    ...(payload !== undefined && { payload }),
    headers: {
      // Admins may call everything but what is for machines only, so the input reaches the handler.
      authorization: 'Bearer admin',
      ...(payload !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
  });
  const about =
    `${contract.method} ${url} ${(payload ?? '').slice(0, 200)} → ${answer.statusCode} ` +
    `${answer.body.slice(0, 200)}`;
  if (answer.statusCode >= 500) return about;
  if (answer.statusCode < 400) return null;
  if (!Value.Check(ProblemSchema, answer.json()) || answer.json().error === '')
    return `no problem body: ${about}`;
  if ((await api.deps.eventStore.head()) !== before) return `refused, but wrote: ${about}`;
  return null;
}

function urlOf(contract: RouteContract, value = 'x'): string {
  return contract.path.replaceAll(/\{(\w+)\}/g, (_, name) =>
    name === 'revision' || name === 'combination' ? '0' : encodeURIComponent(value),
  );
}

/** Streams that only end when the client goes. */
const isEndless = ({ path }: RouteContract) => path.endsWith('/events');
const withBody = () => contracts.filter(({ body }) => body !== undefined);
const faultsOf = async (attempts: Iterable<Attempt>): Promise<string[]> => {
  const faults: string[] = [];
  for (const attempt of attempts) {
    const fault = await faultOf(attempt);
    if (fault !== null) faults.push(fault);
  }
  return faults;
};

const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
const deepTree = `${'{"algorithm":{"node_type":"root","id":"r","children":['.repeat(1)}${'{"node_type":"group","id":"g","children":['.repeat(20_000)}${']}'.repeat(20_000)}]}}`;
const PAYLOADS: Readonly<Record<string, string>> = {
  null: 'null',
  number: '1e999',
  text: '"text"',
  list: '[]',
  empty: '{}',
  nothing: '',
  malformed: '{"name":',
  binary: '\u0000\u0001',
  prototype: '{"__proto__":{"isAdmin":true},"name":"x"}',
  constructor: '{"constructor":{"prototype":{"x":1}},"name":"x"}',
  'nested prototype': '{"algorithm":{"__proto__":{"node_type":"root"}},"json":{"__proto__":1}}',
  deep,
  'deep fields': `{"name":${deep},"algorithm":${deep},"json":${deep},"variables":${deep},"email":${deep}}`,
  'deep tree': deepTree,
  'deep import': `{"json":${deepTree}}`,
  'many keys': JSON.stringify(
    Object.fromEntries(Array.from({ length: 20_000 }, (_, key) => [`k${key}`, key])),
  ),
  'long text': JSON.stringify({
    name: 'x'.repeat(500_000),
    email: 'x'.repeat(100_000),
    variables: ['x'.repeat(100_000)],
  }),
};

describe('every route', () => {
  it.each(Object.entries(PAYLOADS))('refuses or takes a body that is %s', async (_, payload) => {
    const faults = await faultsOf(
      withBody().map((contract) => ({ contract, url: urlOf(contract), payload })),
    );
    expect(faults).toEqual([]);
  });

  it('refuses a body above its limit with 413', async () => {
    const wrong: string[] = [];
    for (const contract of withBody()) {
      const payload = JSON.stringify({ name: 'x'.repeat((contract.bodyLimit ?? 1024 * 1024) + 1) });
      const answer = await api.app.inject({
        method: contract.method,
        url: urlOf(contract),
        payload,
        headers: { authorization: 'Bearer admin', 'content-type': 'application/json' },
      });
      if (answer.statusCode !== 413) wrong.push(`${contract.id}: ${answer.statusCode}`);
    }
    expect(wrong).toEqual([]);
  });

  it('refuses other content types', async () => {
    const headers = { 'content-type': 'application/xml' };
    const faults = await faultsOf(
      withBody().map((contract) => ({ contract, url: urlOf(contract), payload: '<a/>', headers })),
    );
    expect(faults).toEqual([]);
  });

  it('survives odd ids, queries and headers', async () => {
    const ids = [
      '%00',
      '..',
      '../../etc/passwd',
      'a'.repeat(2000),
      '💥',
      "' OR 1=1 --",
      '__proto__',
      'constructor',
      '$ne',
    ];
    const queries = [
      'limit=-1',
      'limit=abc',
      'limit=1e9',
      'before=1.5',
      'search=%25&search=x',
      'skip=99999999999',
      'after=x',
      '__proto__[x]=1',
      `search=${'x'.repeat(5000)}`,
    ];
    const headers: Record<string, string>[] = [
      { 'if-match': 'abc' },
      { 'if-match': '"99999999999999999999"' },
      { 'idempotency-key': 'x'.repeat(300) },
      { 'idempotency-key': 'ü' },
      { 'x-quantloom-position': '-1' },
      { 'x-quantloom-position': '99999999999999999999999' },
      { 'x-correlation-id': '\u007f' },
    ];
    const attempts = contracts
      .filter((contract) => !isEndless(contract))
      .flatMap((contract): Attempt[] => {
        const payload = contract.body ? JSON.stringify(sampleBody(contract)) : undefined;
        const base = { contract, ...(payload !== undefined && { payload }) };
        return [
          ...(contract.path.includes('{') ? ids.map((id) => ({ ...base, url: urlOf(contract, id) })) : []),
          ...queries.map((query) => ({ ...base, url: `${urlOf(contract)}?${query}` })),
          ...headers.map((more) => ({ ...base, url: urlOf(contract), headers: more })),
        ];
      });
    expect(await faultsOf(attempts)).toEqual([]);
  }, 120_000);

  it('survives random bodies, and good ones with random fields', async () => {
    const rubbish = fc.jsonValue({ maxDepth: 3 });
    const spoil = fc.record({
      keep: fc.array(fc.boolean(), { maxLength: 12 }),
      values: fc.array(rubbish, { minLength: 12, maxLength: 12 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.nat(), rubbish, spoil, async (index, random, { keep, values }) => {
        const routes = withBody();
        const contract = routes[index % routes.length] as RouteContract;
        const sample = sampleBody(contract);
        const spoilt =
          typeof sample === 'object' && sample !== null
            ? Object.fromEntries(
                Object.entries(sample).map(([key, value], place) => [
                  key,
                  keep[place] ? value : values[place % 12],
                ]),
              )
            : random;
        for (const body of [random, spoilt])
          expect(await faultOf({ contract, url: urlOf(contract), payload: JSON.stringify(body) })).toBeNull();
      }),
      { numRuns: 300 },
    );
  }, 120_000);
});
