import { signInByForm, TestBrowser } from '@quantloom/adapters/testing/identity/test-browser';
import { STARTERS } from '@quantloom/domain/strategy/starters';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { brokenValue, inlined, type JsonSchema, validValue } from '../harness/schema-arbitrary.ts';
import { type RunningServer, removeDataDir, startServer } from '../harness/server.ts';
import { rsiSwitch } from '../harness/templates.ts';

interface Content {
  readonly schema: JsonSchema;
  readonly example?: unknown;
}
interface Documented {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, Content>>;
}
interface Operation {
  readonly method: string;
  readonly path: string;
  readonly operationId: string;
  readonly parameters: readonly { name: string; in: string; required?: boolean; schema: JsonSchema }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, Documented>>;
}

/** Runs of each operation: half with input that the document allows, half with broken input. */
const RUNS = 24;
/** Those that would take the caller's rights or session away come last. */
const LAST = ['changePlan', 'updateCurrentUser', 'setUserAccess', 'setUserFeature', 'setUserPlan'];

let server: RunningServer;
let token: string;
let operations: Operation[];
const ids: string[] = [];
const validators = new Map<string, ValidateFunction>();

beforeAll(async () => {
  server = await startServer();
  // The first account: administrator, and on the API plan. People are not limited to 300 requests a minute.
  const browser = new TestBrowser(server.url);
  const tokens = await signInByForm(browser, 'fuzz@example.com', 'correct horse battery', 'signup');
  token = tokens.access_token;
  const { sub } = JSON.parse(atob((token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/'))) as {
    sub: string;
  };
  await send('POST', '/api/v1/users', { email: 'fuzz@example.com', auth0_id: sub });
  const seeds: readonly [string, unknown][] = [
    ['/api/v1/trading-bots', { name: 'Seed', algorithm: rsiSwitch() }],
    ['/api/v1/variable-lists', { name: 'Seed', tickers: ['SPY', 'TLT'], list: ['SPY', 'TLT'] }],
  ];
  for (const [path, body] of seeds) {
    const { id } = (await (await send('POST', path, body)).json()) as { id?: string };
    if (id) ids.push(id);
  }
  expect(ids.length).toBeGreaterThan(0);

  const document = (await (await fetch(`${server.url}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, Omit<Operation, 'method' | 'path'>>>;
    components: { schemas: Record<string, JsonSchema>; responses: Record<string, Documented> };
  };
  const { schemas, responses } = document.components;
  const whole = (schema: JsonSchema) => inlined(schema, schemas);
  const ajv = new Ajv2020({ strict: false, allErrors: false });
  (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
  operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => {
      const content = operation.requestBody?.content['application/json'];
      return {
        ...operation,
        path,
        method: method.toUpperCase(),
        parameters: operation.parameters.map((one) => ({ ...one, schema: whole(one.schema) })),
        ...(content && {
          requestBody: { content: { 'application/json': { ...content, schema: whole(content.schema) } } },
        }),
      };
    }),
  );
  operations.sort(
    (left, right) =>
      LAST.indexOf(left.operationId) - LAST.indexOf(right.operationId) || (left.path < right.path ? -1 : 1),
  );
  const definitions = JSON.parse(
    JSON.stringify(schemas).replaceAll('#/components/schemas/', '#/$defs/'),
  ) as object;
  for (const operation of operations)
    for (const [status, given] of Object.entries(operation.responses)) {
      const { content } = given.$ref ? (responses[given.$ref.split('/').at(-1) ?? ''] ?? given) : given;
      const schema = Object.values(content ?? {})[0]?.schema;
      if (!schema) continue;
      const inline = JSON.parse(
        JSON.stringify(schema).replaceAll('#/components/schemas/', '#/$defs/'),
      ) as JsonSchema;
      validators.set(`${operation.operationId} ${status}`, ajv.compile({ ...inline, $defs: definitions }));
    }
});
afterAll(async () => {
  await server.stop();
  await removeDataDir(server.dataDir);
});

/**
 * Waits for the next minute where this one has no requests left: what is refused for that tells nothing of an
 * operation.
 */
async function send(method: string, path: string, body?: unknown): Promise<Response> {
  const response = await fetch(server.url + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(20_000),
  });
  const wait = Number(response.headers.get('retry-after') ?? 0);
  if (response.status !== 429 || response.headers.get('ratelimit-remaining') !== '0' || wait === 0)
    return response;
  await response.body?.cancel();
  await new Promise((resolve) => setTimeout(resolve, wait * 1_000));
  return await send(method, path, body);
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** One request of an operation: path, and a body where it takes one. */
function requests(operation: Operation): fc.Arbitrary<{ path: string; body?: unknown }> {
  const inPath = operation.parameters.filter((parameter) => parameter.in === 'path');
  const inQuery = operation.parameters.filter((parameter) => parameter.in === 'query');
  const knownId = fc.constantFrom(...ids);
  const pathValues = fc.record(
    Object.fromEntries(
      inPath.map(({ name, schema }) => [
        name,
        fc.oneof(name === 'id' ? knownId : validValue(schema), validValue(schema), brokenValue(schema)),
      ]),
    ),
  );
  const queryValues = fc.record(
    Object.fromEntries(
      inQuery.map(({ name, schema }) => [name, fc.oneof(validValue(schema), brokenValue(schema))]),
    ),
    { requiredKeys: [] },
  );
  const content = operation.requestBody?.content['application/json'];
  const body = content
    ? fc.oneof(
        ...(content.example === undefined ? [] : [fc.constant(content.example)]),
        validValue(content.schema),
        brokenValue(content.schema),
      )
    : fc.constant(undefined);
  return fc.record({ pathValues, queryValues, body }).map((input) => {
    const path = operation.path.replaceAll(
      /\{(\w+)\}/g,
      (_, name: string) => encodeURIComponent(asText(input.pathValues[name]).toWellFormed()) || '%20',
    );
    const query = new URLSearchParams(
      Object.entries(input.queryValues).map(([name, value]): [string, string] => [
        name,
        asText(value).toWellFormed(),
      ]),
    ).toString();
    return { path: query === '' ? path : `${path}?${query}`, body: input.body };
  });
}

async function fault(
  operation: Operation,
  request: { path: string; body?: unknown },
): Promise<string | null> {
  const response = await send(operation.method, request.path, request.body);
  const { status } = response;
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('text/event-stream')) {
    await response.body?.cancel();
    return null;
  }
  const text = await response.text();
  if (status >= 500) return `${status} ${text.slice(0, 300)}`;
  if (status === 304 || status === 204) return null;
  if (!/^application\/(problem\+)?json/.test(type)) return status < 300 ? null : `${status} as ${type}`;
  if (text === '') return `${status} says JSON and is empty`;
  const body = JSON.parse(text) as Record<string, unknown>;
  if (
    status >= 400 &&
    (typeof body.error !== 'string' || typeof body.code !== 'string' || body.status !== status)
  )
    return `${status} without the error body: ${text.slice(0, 300)}`;
  const validate =
    validators.get(`${operation.operationId} ${status}`) ??
    validators.get(`${operation.operationId} default`);
  if (!validate) return `${status} is not documented`;
  return validate(body)
    ? null
    : `${status} does not match its schema: ${JSON.stringify(validate.errors?.[0])}`;
}

it('answers whatever comes as it documents, and never with 5xx', async () => {
  expect(operations.length).toBeGreaterThan(40);
  const faults: string[] = [];
  const statuses = new Map<string, number>();
  for (const operation of operations)
    for (const request of fc.sample(requests(operation), { numRuns: RUNS, seed: 20_261_121 })) {
      const found = await fault(operation, request);
      statuses.set(operation.operationId, (statuses.get(operation.operationId) ?? 0) + 1);
      if (found)
        faults.push(
          `${operation.method} ${request.path.slice(0, 120)} ${JSON.stringify(request.body)?.slice(0, 200)}: ${found}`,
        );
    }
  expect(faults.join('\n')).toBe('');
  expect(statuses.size).toBe(operations.length);
});

it('documents the whole answer of a backtest', async () => {
  const validate = validators.get('runBacktest 200');
  let nodes = 0;
  const newId = () => `node_${String(nodes++).padStart(26, '0')}`;
  const starters = STARTERS.filter(({ type }) => type === 'bot').map((starter) => starter.build(newId));
  expect(starters.length).toBeGreaterThan(2);
  for (const algorithm of starters) {
    const response = await send('POST', '/api/v1/backtests', {
      start_date: '2015-01-02',
      end_date: '2019-12-31',
      benchmarks: ['QQQ'],
      include: { history: true, explanation: true, report: true, debug: true, attribution: true },
      trading_bot: algorithm,
    });
    const answer = (await response.json()) as object;
    expect(response.status, JSON.stringify(answer).slice(0, 300)).toBe(200);
    for (const part of ['history', 'explanation', 'report', 'benchmarks', 'attribution'])
      expect(answer).toHaveProperty(part);
    expect(validate?.(answer), JSON.stringify(validate?.errors?.[0])).toBe(true);
  }
});
