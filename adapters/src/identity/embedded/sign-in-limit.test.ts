import { expect, it } from 'vitest';
import { limitSignIns, limitVisits } from './sign-in-limit.ts';

const contextOf = (url: string, query: object = {}) => {
  const headers: Record<string, string> = {};
  const ctx = {
    url,
    path: url.replace(/\?.*/, ''),
    query,
    req: { headers: {}, socket: { remoteAddress: '192.0.2.1' } },
    status: 200,
    type: '',
    body: undefined as unknown,
    headers,
    set: (name: string, value: string) => {
      headers[name] = value;
    },
  };
  return ctx;
};

it('counts what one place asks for, of the management API only what is refused for its token', async () => {
  const counted: unknown[] = [];
  let wait: number | null = null;
  const limit = limitVisits(
    {
      visit: async (address) => {
        counted.push(['visit', address]);
        return wait;
      },
      manager: async (address, isFailure) => {
        counted.push(['manager', address, isFailure]);
        return wait;
      },
    },
    false,
  );
  const ask = async (path: string, status = 200) => {
    const ctx = contextOf(path);
    let isAnswered = false;
    await limit(ctx as never, async () => {
      isAnswered = true;
      ctx.status = status;
    });
    return { status: ctx.status, isAnswered, headers: ctx.headers };
  };
  await ask('/.well-known/jwks.json');
  expect(counted).toEqual([]);
  await ask('/authorize');
  await ask('/api/v2/users/ann');
  await ask('/api/v2/users/ann', 403);
  await ask('/api/v2/users/ann', 401);
  const look = ['manager', '192.0.2.1', false];
  expect(counted).toEqual([['visit', '192.0.2.1'], look, look, look, ['manager', '192.0.2.1', true]]);
  wait = 7;
  const headers = { 'retry-after': '7', 'cache-control': 'no-store' };
  const refused = { status: 429, isAnswered: false, headers };
  expect(await ask('/authorize')).toEqual(refused);
  expect(await ask('/api/v2/users/ann')).toEqual(refused);
  expect(await ask('/.well-known/jwks.json')).toMatchObject({ status: 200, isAnswered: true });
});

it('counts sign-ins apart from pages that ask silently, and takes no address that is too long', async () => {
  const counted: string[] = [];
  let wait: number | null = null;
  const count = (kind: string) => async () => {
    counted.push(kind);
    return wait;
  };
  const limit = limitSignIns({ begin: count('begin'), silent: count('silent') }, false);
  const ask = async (url: string, query = {}) => {
    const ctx = contextOf(url, query);
    await limit(ctx as never, async () => undefined);
    return ctx;
  };
  await ask('/authorize?client_id=web');
  await ask('/authorize?prompt=none', { prompt: 'none' });
  await ask('/authorize/resume');
  await ask('/u/login');
  expect(counted).toEqual(['begin', 'silent', 'silent']);
  expect((await ask(`/authorize?state=${'x'.repeat(3_000)}`)).status).toBe(414);
  expect(counted).toHaveLength(3);
  wait = 61;
  const refused = await ask('/authorize');
  expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '61' } });
  expect(String(refused.body)).toContain('wait 2 minutes');
});
