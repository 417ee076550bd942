import { Type } from 'typebox';
import { afterEach, describe, expect, expectTypeOf, it, vi } from 'vitest';
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

describe('a request', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it('says what it takes, and nothing that it was not told', async () => {
    const { client, sent } = rig([], () => null);
    await client.call(listThings);
    const [{ url, init }] = sent as [Sent];
    expect(url).toBe('/api/v1/things');
    expect([...init.headers.keys()]).toEqual(['accept']);
    expect(init.headers.get('accept')).toMatch(/^application\/json, text\/csv;q=0\.\d, /);
    expect({ ...init, headers: null }).toEqual({ method: 'GET', headers: null });
  });

  it('carries what it was told: headers, a signal, that it outlives the page, and a revision of 0', async () => {
    const { client, sent } = rig([], () => 't');
    const { signal } = new AbortController();
    const headers = { accept: 'text/event-stream', 'x-more': '1' };
    const body = { name: 'n' };
    await client.call(saveThing, { body, headers, signal, keepalive: true, ifMatch: 0 });
    const [{ init }] = sent as [Sent];
    expect(init).toMatchObject({ method: 'POST', signal, keepalive: true, body: '{"name":"n"}' });
    expect(Object.fromEntries(init.headers)).toEqual({
      accept: 'text/event-stream',
      authorization: 'Bearer t',
      'content-type': 'application/json',
      'if-match': '"0"',
      'x-more': '1',
    });
  });

  it('goes to the origin that it was told, by the page’s own fetch where there is no other', async () => {
    const fetch = vi.fn(async () => Response.json([]));
    vi.stubGlobal('fetch', fetch);
    await createApiClient({ baseUrl: 'https://api.test', accessToken: () => null }).call(listThings);
    expect(fetch).toHaveBeenCalledWith('https://api.test/api/v1/things', expect.anything());
  });

  it('has a query of all values of a list, and of none that is not there', () => {
    const path = '/x/{id}';
    const query = { a: ['1', 2], none: undefined, nil: null, no: false, text: 'b c&' };
    expect(pathOf({ path }, { params: { id: 'é/' }, query })).toBe(
      '/x/%C3%A9%2F?a=1&a=2&no=false&text=b+c%26',
    );
    expect(pathOf({ path }, { params: { id: 0 }, query: { none: undefined } })).toBe('/x/0');
    expect(() => pathOf({ path }, { params: { id: '' } })).toThrow('Parameter id');
  });
});

describe('an answer', () => {
  it.each([
    ['"12"', 12],
    ['W/"3"', 3],
    ['"a3"', null],
    ['x"3"', null],
    ['"3"x', null],
    [null, null],
  ])('with the ETag %s is of revision %s', async (etag, revision) => {
    const { client } = rig([() => Response.json({}, { headers: etag === null ? {} : { etag } })], () => 't');
    expect(await client.request(listThings)).toMatchObject({ revision, status: 200, body: {} });
  });

  it('is read as JSON by any name of it, and is an error by others', async () => {
    const as = (type: string) => () => new Response('{"a":1}', { headers: { 'content-type': type } });
    const { client } = rig([], () => 't');
    const read = (type: string) => rig([as(type)], () => 't').client.call(listThings);
    for (const type of ['application/json', 'application/json; charset=utf-8', 'application/vnd.x-1+json'])
      expect(await read(type)).toEqual({ a: 1 });
    for (const type of ['text/json', 'xapplication/a+json', 'application/+json', 'application/xml'])
      await expect(read(type), type).rejects.toThrow(`Unsupported content type: ${type}`);
    expect(client.position).toBeNull();
    const untyped = rig([() => new Response(new Uint8Array(1))], () => 't').client;
    await expect(untyped.call(listThings)).rejects.toThrow(/^Unsupported content type: $/);
  });

  it('can be taken unread', async () => {
    const response = new Response('data: 1', { headers: { 'content-type': 'text/event-stream' } });
    const { client } = rig([() => response], () => 't');
    expect(await client.open(listThings)).toBe(response);
  });

  it('moves the position on by numbers alone, in errors too', async () => {
    const at =
      (position: string, status = 200) =>
      () =>
        Response.json({}, { status, headers: { [POSITION_HEADER]: position } });
    const { client } = rig([at('9'), at('x10'), at('10x'), at('-1'), at('11', 404)], () => 't');
    const positions: (string | null)[] = [client.position];
    for (let call = 0; call < 5; call += 1) {
      await client.call(listThings).catch(() => null);
      positions.push(client.position);
    }
    expect(positions).toEqual([null, '9', '9', '9', '9', '11']);
  });

  it.each([
    ['7', 7],
    ['0', 0],
    ['7.5', null],
    ['soon', null],
    ['x7', null],
    ['7x', null],
  ])('that says to come back after %s says %s seconds', async (after, seconds) => {
    const busy = () => Response.json({}, { status: 503, headers: { 'retry-after': after } });
    const { client } = rig([busy], () => 't');
    await expect(client.call(listThings)).rejects.toMatchObject({ retryAfter: seconds });
  });

  it('is an error in words of its own where the server has none', () => {
    const message = 'API request failed';
    for (const body of [null, undefined, 'text', 7, {}, { error: '' }, { error: 5 }, { code: 5 }])
      expect(new ApiError(500, body)).toMatchObject({
        name: 'ApiError',
        message,
        code: null,
        retryAfter: null,
      });
    expect(new ApiError(409, { error: 'No', code: 'no' })).toMatchObject({ message: 'No', code: 'no' });
  });
});

describe('a refused token', () => {
  const refused = () => Response.json({ error: 'Expired', code: 'invalid_token' }, { status: 401 });
  const told = (tokens: readonly (string | null)[], answers: (() => Response)[]) => {
    const asked: boolean[] = [];
    const sent: (string | null)[] = [];
    const errors: ApiError[] = [];
    const client = createApiClient({
      accessToken: ({ fresh }) => {
        asked.push(fresh);
        return tokens[asked.length - 1] ?? null;
      },
      fetch: async (_, init) => {
        sent.push((init.headers as Headers).get('authorization'));
        return (answers.shift() ?? refused)();
      },
      onUnauthenticated: (error) => errors.push(error),
    });
    return { client, asked, sent, errors };
  };

  it('is told of once a fresh one was refused as well', async () => {
    const { client, asked, sent, errors } = told(['old', 'new'], []);
    await expect(client.call(listThings)).rejects.toMatchObject({ status: 401, code: 'invalid_token' });
    expect([asked, sent]).toEqual([
      [false, true],
      ['Bearer old', 'Bearer new'],
    ]);
    expect(errors).toMatchObject([{ status: 401 }]);
  });

  it('is not tried again where there is no other', async () => {
    for (const tokens of [
      ['old', 'old'],
      ['old', null],
    ]) {
      const { client, sent } = told(tokens, []);
      await expect(client.call(listThings)).rejects.toMatchObject({ status: 401 });
      expect(sent).toEqual(['Bearer old']);
    }
    const { client, asked, sent } = told([null], []);
    await expect(client.call(listThings)).rejects.toMatchObject({ status: 401 });
    expect([asked, sent]).toEqual([[false], [null]]);
  });

  it('is no matter where something else went wrong', async () => {
    const { client, asked, errors } = told(['old'], [() => Response.json({}, { status: 403 })]);
    await expect(client.call(listThings)).rejects.toMatchObject({ status: 403 });
    expect([asked, errors]).toEqual([[false], []]);
  });
});
