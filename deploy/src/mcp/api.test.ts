import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { CallError, HttpApi } from './api.ts';

const SETTINGS = {
  url: 'http://app.example',
  clientId: 'client',
  clientSecret: 'secret',
  audience: 'api',
};
const pauses = vi.hoisted(() => [] as number[]);
vi.mock('node:timers/promises', () => ({
  setTimeout: async (milliseconds: number) => void pauses.push(milliseconds),
}));

interface Asked {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}
let asked: Asked[];
let tokens: number;
let tokenAnswer: () => Response;
let answers: Response[];

const json = (body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });

beforeEach(() => {
  [asked, tokens, answers] = [[], 0, []];
  pauses.length = 0;
  tokenAnswer = () => json({ access_token: `token-${tokens}`, expires_in: 100 });
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.stubGlobal('fetch', async (url: URL, init: RequestInit) => {
    const body: unknown = init.body === undefined ? undefined : JSON.parse(String(init.body));
    if (url.pathname === '/oauth/token') {
      tokens += 1;
      expect(body).toMatchObject({ grant_type: 'client_credentials', client_id: 'client', audience: 'api' });
      return tokenAnswer();
    }
    asked.push({ url: url.href, headers: init.headers as Record<string, string>, body });
    return answers.shift() ?? json({ done: true });
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it('asks with one token until shortly before it ends, and then with a new one', async () => {
  const api = new HttpApi(SETTINGS);
  expect(await api.call('GET', '/api/v1/a', { query: { sort: 'x:desc', filter: 'a&b' } })).toEqual({
    done: true,
  });
  expect(asked[0]?.url).toBe('http://app.example/api/v1/a?sort=x%3Adesc&filter=a%26b');
  expect(asked[0]?.headers['content-type']).toBeUndefined();
  vi.setSystemTime(Date.now() + 89_000);
  await api.call('POST', '/api/v1/b', { body: { some: 1 } });
  expect(asked[1]).toMatchObject({ headers: { 'content-type': 'application/json' }, body: { some: 1 } });
  expect(tokens).toBe(1);
  vi.setSystemTime(Date.now() + 1_001);
  await api.call('GET', '/api/v1/c');
  expect(asked.map(({ headers }) => headers.authorization)).toEqual([
    'Bearer token-1',
    'Bearer token-1',
    'Bearer token-2',
  ]);
});

it('gets another token once where the server takes the one it has no longer', async () => {
  const api = new HttpApi(SETTINGS);
  answers = [json({}, 401)];
  await api.call('GET', '/api/v1/a');
  expect(tokens).toBe(2);
  answers = [json({}, 401), json({ error: 'You may not do this', code: 'no' }, 401)];
  await expect(api.call('GET', '/api/v1/a')).rejects.toThrow('You may not do this');
  expect(tokens).toBe(3);
});

it('waits as long as it is asked to, six times at most, and tells what the server says then', async () => {
  const api = new HttpApi(SETTINGS);
  answers = [json({}, 429, { 'retry-after': '7' }), json({}, 503)];
  expect(await api.call('GET', '/api/v1/a')).toEqual({ done: true });
  expect(pauses).toEqual([7_000, 1_000]);
  asked = [];
  answers = Array.from({ length: 9 }, () => json({ error: 'Please wait', code: 'busy' }, 429));
  await expect(api.call('GET', '/api/v1/a')).rejects.toMatchObject({
    message: 'Please wait',
    problem: { code: 'busy' },
  });
  expect(asked).toHaveLength(6);
});

it('passes a refusal on at once, also one that is no JSON', async () => {
  const api = new HttpApi(SETTINGS);
  answers = [json({ error: 'There is no such batch', code: 'batch_not_found' }, 404)];
  const refused = api.call('GET', '/api/v1/a');
  await expect(refused).rejects.toThrow(CallError);
  await expect(refused).rejects.toMatchObject({ problem: { code: 'batch_not_found' } });
  answers = [new Response('<html>', { status: 502 })];
  await expect(api.call('GET', '/api/v1/a')).rejects.toThrow('The server answered 502');
  expect(pauses).toEqual([]);
  tokenAnswer = () => json({ error: 'invalid_client', error_description: 'The secret is wrong' }, 401);
  await expect(new HttpApi(SETTINGS).call('GET', '/api/v1/a')).rejects.toThrow('The secret is wrong');
});
