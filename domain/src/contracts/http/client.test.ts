import { Type } from 'typebox';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { ApiError, createApiClient, pathOf } from './client.ts';
import { defineRoute, IDEMPOTENCY_HEADER, POSITION_HEADER } from './route.ts';

const getThing = defineRoute({
  id: 'getThing',
  method: 'GET',
  path: '/api/v1/things/{id}',
  side: 'query',
  tag: 'Things',
  summary: 'A thing',
  access: { kind: 'user', machine: true },
  params: Type.Object({ id: Type.String() }),
  query: Type.Object({ limit: Type.Optional(Type.Integer()) }),
  answer: Type.Object({ name: Type.String() }),
});
const listThings = defineRoute({
  id: 'listThings',
  method: 'GET',
  path: '/api/v1/things',
  side: 'query',
  tag: 'Things',
  summary: 'Things',
  access: { kind: 'public' },
  answer: Type.Array(Type.String()),
});
const saveThing = defineRoute({
  id: 'saveThing',
  method: 'POST',
  path: '/api/v1/things',
  side: 'command',
  tag: 'Things',
  summary: 'Save',
  access: { kind: 'user', machine: true },
  body: Type.Object({ name: Type.String() }),
  answer: Type.Object({ id: Type.String() }),
});
const joinWaitlist = { ...saveThing, path: '/api/v1/waitlist', access: { kind: 'public' } as const };

type Sent = { url: string; init: RequestInit & { headers: Headers } };
function rig(answers: (() => Response)[], token: (fresh: boolean) => Promise<string | null> | string | null) {
  const sent: Sent[] = [];
  const client = createApiClient({
    accessToken: ({ fresh }) => token(fresh),
    tokenWaitMs: 20,
    fetch: async (url, init) => {
      sent.push({ url, init: init as Sent['init'] });
      return (answers.shift() ?? (() => Response.json({})))();
    },
  });
  return { client, sent };
}

describe('the API client', () => {
  it('fills parameters and query, and gives the typed body', async () => {
    const { client, sent } = rig([() => Response.json({ name: 'x' })], () => 't');
    const answer = await client.call(getThing, { params: { id: 'a b' }, query: { limit: 2 } });
    expectTypeOf(answer).toEqualTypeOf<{ name: string }>();
    expect(answer).toEqual({ name: 'x' });
    expect(sent[0]?.url).toBe('/api/v1/things/a%20b?limit=2');
    expect(sent[0]?.init.headers.get('authorization')).toBe('Bearer t');
  });

  it('names a missing parameter', () => {
    expect(() => pathOf(getThing, {})).toThrow('Parameter id of /api/v1/things/{id} is missing');
  });

  it('sends a GET without a token after the wait, but no POST, PATCH or DELETE', async () => {
    const { client, sent } = rig([], () => new Promise(() => {}));
    await client.call(listThings);
    expect(sent[0]?.init.headers.has('authorization')).toBe(false);
    for (const method of ['POST', 'PATCH', 'DELETE'] as const)
      await expect(client.call({ ...saveThing, method }, { body: { name: 'n' } })).rejects.toThrow(
        'Missing Authorization header',
      );
    expect(sent).toHaveLength(1);
    await client.call(joinWaitlist, { body: { name: 'n' } });
    expect(sent).toHaveLength(2);
  });

  it('takes a rejected token as none', async () => {
    const { client } = rig([], () => Promise.reject(new Error('login_required')));
    await expect(client.call(saveThing, { body: { name: 'n' } })).rejects.toThrow('Missing Authorization');
  });

  it('turns a refusal into an error with status and body', async () => {
    const body = { error: 'No such thing', code: 'not_found', status: 404 };
    const { client } = rig(
      [
        () => Response.json(body, { status: 404 }),
        () => new Response('<html>', { status: 502 }),
        () => Response.json({ error: 'Slow down' }, { status: 429, headers: { 'retry-after': '7' } }),
      ],
      () => 't',
    );
    const failed = async () => (await client.call(listThings).catch((error: unknown) => error)) as ApiError;
    expect(await failed()).toMatchObject({ message: 'No such thing', status: 404, code: 'not_found', body });
    const second = await failed();
    expect(second).toBeInstanceOf(ApiError);
    expect(second).toMatchObject({ message: 'API request failed', status: 502, body: '<html>', code: null });
    expect(await failed()).toMatchObject({ status: 429, retryAfter: 7 });
  });

  it('accepts CSV from a GET only, and names any other type', async () => {
    const csv = () => new Response('a,b', { headers: { 'content-type': 'text/csv; charset=utf-8' } });
    const { client } = rig(
      [csv, csv, () => new Response('x', { headers: { 'content-type': 'text/html' } })],
      () => 't',
    );
    expect(await client.call(listThings)).toBe('a,b');
    await expect(client.call(saveThing, { body: { name: 'n' } })).rejects.toThrow(
      'Unsupported content type: text/csv; charset=utf-8',
    );
    await expect(client.call(listThings)).rejects.toThrow('Unsupported content type: text/html');
  });

  it('keeps the highest position seen and sends it', async () => {
    const at = (position: string) => () => Response.json({}, { headers: { [POSITION_HEADER]: position } });
    const { client, sent } = rig([at('9'), at('10'), at('2')], () => 't');
    for (let call = 0; call < 4; call += 1) await client.call(listThings);
    expect(sent.map((request) => request.init.headers.get(POSITION_HEADER))).toEqual([null, '9', '10', '10']);
    expect(client.position).toBe('10');
  });

  it('sends If-Match and Idempotency-Key, and reads the revision from the ETag', async () => {
    const { client, sent } = rig([() => Response.json({ id: '1' }, { headers: { etag: '"4"' } })], () => 't');
    const answer = await client.request(saveThing, {
      body: { name: 'n' },
      ifMatch: 3,
      idempotencyKey: 'k',
    });
    expect(answer.revision).toBe(4);
    expect(sent[0]?.init.headers.get('if-match')).toBe('"3"');
    expect(sent[0]?.init.headers.get(IDEMPOTENCY_HEADER)).toBe('k');
    expect(sent[0]?.init.body).toBe('{"name":"n"}');
  });

  it('repeats a 401 once, with a fresh token', async () => {
    const refused = () => Response.json({ error: 'Expired', code: 'invalid_token' }, { status: 401 });
    const { client, sent } = rig([refused, () => Response.json({ name: 'x' })], (fresh) =>
      fresh ? 'new' : 'old',
    );
    await client.call(getThing, { params: { id: '1' } });
    expect(sent.map((request) => request.init.headers.get('authorization'))).toEqual([
      'Bearer old',
      'Bearer new',
    ]);
  });

  it('gives null for 204', async () => {
    const { client } = rig([() => new Response(null, { status: 204 })], () => 't');
    expect(await client.call({ ...saveThing, method: 'DELETE' }, { body: { name: 'n' } })).toBeNull();
  });
});
