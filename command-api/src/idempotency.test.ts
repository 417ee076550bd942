import { createLocalBilling } from '@quantloom/adapters/billing/local/local-billing';
import { USE_LIMITS } from '@quantloom/domain/limits/limits';
import type { ReadDocument } from '@quantloom/domain/ports/read-models';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Caller, startTestApi, type TestApi } from '../testing/test-api.ts';

const list = { name: 'L', variables: ['SPY'] };
const url = '/api/v1/variable-lists';
const KEYS = 'idempotencyKeys_v1';
const tree = { id: 'r', node_type: 'root', name: 'R', children: [] };

describe('idempotency keys', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi({ billing: createLocalBilling({ publicUrl: 'http://localhost' }) });
  });
  afterAll(async () => {
    await api.close();
  });
  const post = (key: string, body: unknown = list, caller: Caller = 'paid', path = url) =>
    api.call(caller, 'POST', path, body, { 'idempotency-key': key });
  /** As if the process had died before it kept its answers. */
  const forget = async () => {
    const kept = await api.deps.readModels.find(KEYS, { where: { status: 201 } });
    expect(kept.length).toBeGreaterThan(0);
    for (const { id } of kept) await api.deps.readModels.delete(KEYS, id);
  };
  const count = async (caller: Caller = 'paid') => (await api.call(caller, 'GET', url)).json().length;

  it('are the caller’s and the route’s own', async () => {
    const ids = [
      (await post('same')).json().id,
      (await post('same', list, 'other')).json().id,
      (
        await post(
          'same',
          { name: 'B', algorithm: { id: 'r', node_type: 'root' } },
          'paid',
          '/api/v1/trading-bots',
        )
      ).json().id,
    ];
    expect(new Set(ids).size).toBe(3);
    expect(ids.every((id) => typeof id === 'string')).toBe(true);
  });

  it('don’t mind the order of keys in the body', async () => {
    const first = await post('order', { name: 'L', variables: ['SPY'] });
    const second = await post('order', { variables: ['SPY'], name: 'L' });
    expect(second.json()).toEqual(first.json());
    const bots = '/api/v1/trading-bots';
    const bot = await post('deep-order', { name: 'B', algorithm: tree }, 'paid', bots);
    expect(bot.statusCode).toBe(201);
    const { id, ...others } = tree;
    const turned = { name: 'B', algorithm: { ...others, id } };
    expect((await post('deep-order', turned, 'paid', bots)).json()).toEqual(bot.json());
  });

  it('let a refused request be tried again', async () => {
    const before = await count();
    expect((await post('again', { name: '', variables: ['SPY'] })).statusCode).toBe(422);
    expect((await post('again', { name: '', variables: ['SPY'] })).statusCode).toBe(422);
    expect(await count()).toBe(before);
  });

  it('let a request be carried out that there was no room for, once there is', async () => {
    const { readModels } = api.deps;
    const count = vi.spyOn(readModels, 'count').mockResolvedValue(USE_LIMITS.api.storedThings);
    const refused = await post('room');
    expect([refused.statusCode, refused.json().code]).toEqual([413, 'storage_full']);
    count.mockRestore();
    const ends = async () =>
      (await readModels.find<ReadDocument & { readonly expiresAt: string }>(KEYS))
        .map(({ expiresAt }) => expiresAt)
        .sort()
        .at(-1);
    const before = await ends();
    api.advance(60_000);
    const created = await post('room');
    // The day of a key begins with its first use.
    expect(await ends()).toBe(before);
    expect(created.statusCode).toBe(201);
    expect(created.headers['idempotent-replayed']).toBeUndefined();
    expect((await post('room')).json()).toEqual(created.json());
  });

  it('answer the same after a crash between the event and the kept answer', async () => {
    const first = await post('crash');
    await forget();
    const before = await count();
    const again = await post('crash');
    expect(again.json()).toEqual(first.json());
    expect(again.headers.etag).toBe(first.headers.etag);
    expect(again.headers['idempotent-replayed']).toBeUndefined();
    expect(await count()).toBe(before);
  });

  it('answer two requests of the same moment alike: by what the first of them has written', async () => {
    const before = await count();
    let now = api.deps.clock.now().getTime();
    const clock = vi.spyOn(api.deps.clock, 'now').mockImplementation(() => {
      now += 1_000;
      return new Date(now);
    });
    const answers = await Promise.all([post('at-once'), post('at-once')]);
    clock.mockRestore();
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201]);
    expect(answers[1]?.json()).toEqual(answers[0]?.json());
    expect(await count()).toBe(before + 1);
  });

  it('answer the first result although the thing has changed since', async () => {
    const first = await post('changed');
    await api.call('paid', 'PATCH', `${url}/${first.json().id}`, { name: 'Later' });
    expect((await post('changed')).json()).toEqual(first.json());
    await forget();
    expect((await post('changed')).json()).toEqual(first.json());
  });

  it('answer with all that the first answer said, whatever other keys came meanwhile', async () => {
    const first = await post('whole');
    await post('meanwhile');
    const again = await post('whole');
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect([again.statusCode, again.body]).toEqual([first.statusCode, first.body]);
    for (const name of ['etag', 'location', 'content-type', 'x-quantloom-position']) {
      expect(first.headers[name], name).toBeDefined();
      expect(again.headers[name], name).toBe(first.headers[name]);
    }
  });

  it('keep nothing of an answer that holds a secret', async () => {
    const feed = async () =>
      await api.call('paid', 'POST', '/api/v1/alerts/feed', undefined, { 'idempotency-key': 'secret' });
    const first = await feed();
    expect(first.statusCode, first.body).toBe(201);
    const kept = JSON.stringify(await api.deps.readModels.find(KEYS));
    expect(kept).not.toContain(first.json().atom_url);
    const second = await feed();
    expect([second.statusCode, second.json().atom_url === first.json().atom_url]).toEqual([201, false]);
  });

  it('are no visitor’s who asks for something else from the same address', async () => {
    for (const email of ['ann@example.com', 'bob@example.com']) {
      const key = { 'idempotency-key': 'visitor' };
      const { statusCode, body } = await api.call(null, 'POST', '/api/v1/waitlist', { email }, key);
      expect(statusCode, body).toBe(201);
    }
  });

  it('compare the bytes of a body that is not parsed', async () => {
    const stripe = '/api/v1/billing/stripe';
    const large = { text: 'x'.repeat(1_000_000) };
    expect((await post('bytes', large, 'paid', stripe)).statusCode).toBe(404);
    expect((await post('bytes', large, 'paid', stripe)).statusCode).toBe(404);
    expect((await post('bytes', { text: 'y' }, 'paid', stripe)).json().code).toBe('idempotency_key_reused');
  });

  it('make another thing where one is used again after a day', async () => {
    const first = await post('another-day');
    expect(first.statusCode).toBe(201);
    expect((await post('another-day')).json().id).toBe(first.json().id);
    api.advance(25 * 60 * 60 * 1000);
    const second = await post('another-day');
    expect(second.statusCode).toBe(201);
    expect(second.json().id).not.toBe(first.json().id);
  });

  it('are forgotten after a day, and removed', async () => {
    await post('old');
    api.advance(25 * 60 * 60 * 1000);
    await post('new');
    const left = await api.deps.readModels.find<ReadDocument & { readonly expiresAt: string }>(KEYS);
    expect(left).toHaveLength(1);
    expect((left[0]?.expiresAt ?? '') > api.deps.clock.now().toISOString()).toBe(true);
  });
});

describe('two people editing one trading bot', () => {
  it('cannot overwrite each other without noticing', async () => {
    const api = await startTestApi();
    const tree = (name: string) => ({ id: 'r', node_type: 'root', name, children: [] });
    const { id } = (
      await api.call('paid', 'POST', '/api/v1/trading-bots', { name: 'B', algorithm: tree('0') })
    ).json();
    const save = (name: string) =>
      api.call(
        'paid',
        'PATCH',
        `/api/v1/trading-bots/${id}`,
        { algorithm: tree(name) },
        { 'if-match': '"0"' },
      );
    const answers = await Promise.all(['1', '2', '3', '4'].map(save));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409, 409, 409]);
    for (const answer of answers)
      if (answer.statusCode === 409)
        expect(answer.json()).toMatchObject({ code: 'wrong_revision', currentRevision: 1 });
    // Who does not say what he has seen still loses nothing: every version is in the history.
    await api.call('paid', 'PATCH', `/api/v1/trading-bots/${id}`, { algorithm: tree('5') });
    expect((await api.call('paid', 'GET', `/api/v1/trading-bots/${id}/history`)).json().entries).toHaveLength(
      3,
    );
    await api.close();
  });
});

describe('a loop of new keys', () => {
  it('leaves as many rows as a user has changes a day, a visitor fewer, and what is kept counts as written', async () => {
    const counts = new Map<string, number>();
    const api = await startTestApi({
      billing: createLocalBilling({ publicUrl: 'http://localhost' }),
      rateLimits: {
        hit: async (key, _, more = 1) => {
          counts.set(key, (counts.get(key) ?? 0) + more);
          return { hits: counts.get(key) ?? 0, endsInMs: 1_000 };
        },
        reset: async (key) => void counts.delete(key),
      },
    });
    const rows = async () => (await api.deps.readModels.find(KEYS)).length;
    const post = (caller: Caller | null, path: string, body: unknown) =>
      api.call(caller, 'POST', path, body, { 'idempotency-key': `k${counts.size}-${Math.random()}` });
    expect((await post('paid', '/api/v1/import', { json: 'nothing' })).statusCode).toBe(422);
    expect((await post('paid', url, list)).statusCode).toBe(201);
    expect(counts.get('keys:user-paid')).toBe(2);
    expect(counts.get('written:user-paid')).toBeGreaterThan(1_100);
    expect(counts.get('changes:user-paid')).toBe(1);
    const before = await rows();
    counts.set('keys:user-paid', USE_LIMITS.api.changesPerDay);
    expect((await post('paid', '/api/v1/import', { json: 'nothing' })).statusCode).toBe(429);
    counts.set('keys:127.0.0.1', 1_000);
    expect((await post(null, '/api/v1/waitlist', { email: 'a@example.com' })).statusCode).toBe(429);
    expect(await rows()).toBe(before);
    await api.close();
  });
});
