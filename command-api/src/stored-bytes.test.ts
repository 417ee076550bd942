import { bytesOf, STORAGE_DAY_MS, USE_LIMITS } from '@quantloom/domain/limits/limits';
import type { RateLimits } from '@quantloom/domain/ports/rate-limits';
import type { StoredBytesDocument } from '@quantloom/domain/stored-bytes/projection';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startTestApi, type TestApi } from '../testing/test-api.ts';

const common = { weight: { num: 100, den: 100 }, is_collapsed: false };
const asset = (i: number, ticker: string) => ({
  ...common,
  id: `node_${i}`,
  node_type: 'asset',
  ticker,
  name: ticker,
});
const tree = (blocks: number, ticker = 'SPY') => ({
  ...common,
  id: 'root',
  node_type: 'root',
  name: 'S',
  description: '',
  rebalance: 'daily',
  version: 'v1',
  children: Array.from({ length: blocks }, (_, i) => asset(i, ticker)),
});

function counting(): RateLimits & { readonly counts: Map<string, number> } {
  const counts = new Map<string, number>();
  return {
    counts,
    hit: async (key, _, hits = 1) => {
      counts.set(key, (counts.get(key) ?? 0) + hits);
      return { hits: counts.get(key) ?? 0, endsInMs: STORAGE_DAY_MS };
    },
    reset: async (key) => void counts.delete(key),
  };
}

describe('the room of a user', () => {
  let api: TestApi;
  let rateLimits: ReturnType<typeof counting>;
  beforeEach(async () => {
    rateLimits = counting();
    api = await startTestApi({ rateLimits });
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await api.close();
  });

  const storage = async () => (await api.call('free', 'GET', '/api/v1/users/me/storage')).json();
  const create = (blocks: number, ticker?: string) =>
    api.call('free', 'POST', '/api/v1/trading-bots', { name: 'S', algorithm: tree(blocks, ticker) });

  /** What the log holds of the user's streams: events' data, and each tree once for each strategy. */
  const inLog = async (deleted: readonly string[] = []): Promise<number> => {
    const seen = new Set<string>();
    let sum = 0;
    for await (const { stream, data } of api.deps.eventStore.readAll(-1n)) {
      if (!stream.startsWith('strategy-') || deleted.some((id) => stream.endsWith(id))) continue;
      sum += JSON.stringify(data).length;
      const { tree: stored } = data as { tree?: { hash: string; size: number } };
      if (!stored || seen.has(`${stream} ${stored.hash}`)) continue;
      seen.add(`${stream} ${stored.hash}`);
      sum += stored.size;
    }
    return sum;
  };

  it('is counted exactly by what the log holds, given back by a deletion and taken again by undoing it', async () => {
    expect((await storage()).used_bytes).toBe(0);
    const { id } = (await create(500)).json();
    await api.call('free', 'PATCH', `/api/v1/trading-bots/${id}`, { algorithm: tree(500, 'TLT') });
    // A tree that it had before costs nothing again.
    await api.call('free', 'PATCH', `/api/v1/trading-bots/${id}`, { algorithm: tree(500) });
    const other = (await create(3)).json();
    expect((await storage()).used_bytes).toBe(await inLog());
    await api.call('free', 'DELETE', `/api/v1/drafts/${id}`);
    expect((await storage()).used_bytes).toBe(await inLog([id]));
    await api.call('free', 'POST', `/api/v1/trading-bots/${id}/undo-delete`);
    expect((await storage()).used_bytes).toBe(await inLog());
    const { storedMegabytes, writtenMegabytesPerDay } = USE_LIMITS.free;
    expect(await storage()).toMatchObject({
      written_bytes: rateLimits.counts.get('written:user-free'),
      limit_bytes: bytesOf(storedMegabytes),
      daily_limit_bytes: bytesOf(writtenMegabytesPerDay),
    });
    expect(other.id).not.toBe(id);
  });

  it('is refused where none is left, in words, and small changes and deletions go on', async () => {
    const { id } = (await create(500)).json();
    const limit = USE_LIMITS.free.storedMegabytes * 1024 * 1024;
    const sum = api.deps.readModels.sum.bind(api.deps.readModels);
    vi.spyOn(api.deps.readModels, 'sum').mockImplementation(
      async (...given) => (await sum(...given)) + limit - 100_000,
    );
    const refused = await create(1_000, 'QQQ');
    expect(refused.statusCode).toBe(413);
    expect(refused.json()).toMatchObject({ code: 'storage_full', limit_bytes: limit });
    expect(refused.json().error).toMatch(
      /^This takes 0\.\d+ MB, and 0\.\d+ MB of the 1,000 MB that your plan has are left\./,
    );
    const before = await inLog();
    expect((await api.call('free', 'PATCH', `/api/v1/trading-bots/${id}`, { name: 'T' })).statusCode).toBe(
      200,
    );
    expect((await api.call('free', 'DELETE', `/api/v1/drafts/${id}`)).statusCode).toBe(200);
    expect(await inLog()).toBeLessThan(before + 500);
    for await (const { type, data } of api.deps.eventStore.readAll(-1n))
      if (type === 'TreeStored') expect((data as { text: string }).text).not.toContain('QQQ');
  });

  it('is not taken again by a tree that the strategy had before', async () => {
    const { id } = (await create(500)).json();
    const save = (ticker?: string) =>
      api.call('free', 'PATCH', `/api/v1/trading-bots/${id}`, { algorithm: tree(500, ticker) });
    expect((await save('TLT')).statusCode).toBe(200);
    const limit = USE_LIMITS.free.storedMegabytes * 1024 * 1024;
    vi.spyOn(api.deps.readModels, 'sum').mockResolvedValue(limit - 1_000);
    expect((await save()).statusCode).toBe(200);
    expect((await save('GLD')).json()).toMatchObject({ code: 'storage_full' });
    // Of another strategy it counts anew: it goes with this one.
    expect((await create(500)).json()).toMatchObject({ code: 'storage_full' });
  });

  it('is not passed by calls at the same time', async () => {
    const limit = USE_LIMITS.free.storedMegabytes * 1024 * 1024;
    const room = JSON.stringify(tree(1_000)).length * 3.5;
    const sum = api.deps.readModels.sum.bind(api.deps.readModels);
    vi.spyOn(api.deps.readModels, 'sum').mockImplementation(
      async (...given) => (await sum(...given)) + limit - room,
    );
    const answers = await Promise.all(
      ['A', 'B', 'C', 'D', 'E', 'F', 'G'].map((ticker) => create(1_000, ticker)),
    );
    expect(answers.filter(({ statusCode }) => statusCode === 201).length).toBeLessThanOrEqual(3);
    expect(answers.some(({ statusCode }) => statusCode === 413)).toBe(true);
    const documents = await api.deps.readModels.find<StoredBytesDocument>('storedBytes_v1');
    expect(documents.reduce((bytes, document) => bytes + document.bytes, 0)).toBeLessThanOrEqual(room);
  });

  it('has an end by the day as well, so that saving and deleting in turn does not fill the disk', async () => {
    rateLimits.counts.set('written:user-free', USE_LIMITS.free.writtenMegabytesPerDay * 1024 * 1024 - 1_000);
    const refused = await create(500);
    expect(refused.statusCode).toBe(429);
    expect(refused.headers['retry-after']).toBe(String(STORAGE_DAY_MS / 1000));
    expect(refused.json()).toMatchObject({ code: 'written_limit', left_bytes: 1_000 });
    expect((await create(2)).statusCode).toBe(201);
    rateLimits.counts.set('written:user-free', 2 * USE_LIMITS.free.writtenMegabytesPerDay * 1024 * 1024);
    expect((await create(2)).statusCode).toBe(429);
  });

  it('counts what is beside the data, and every change of whatever: a loop of small ones has an end by the day', async () => {
    const { id } = (await create(2)).json();
    const mark = (method: 'POST' | 'DELETE') =>
      api.call('free', method, `/api/v1/trading-bots/${id}/favorite`, method === 'POST' ? {} : undefined);
    const before = rateLimits.counts.get('written:user-free') ?? 0;
    expect((await mark('POST')).statusCode).toBe(200);
    expect(rateLimits.counts.get('written:user-free')).toBeGreaterThan(before + 1_000);
    expect(rateLimits.counts.get('changes:user-free')).toBe(2);
    rateLimits.counts.set('changes:user-free', USE_LIMITS.free.changesPerDay);
    const refused = await mark('DELETE');
    expect(refused.statusCode).toBe(429);
    expect(refused.json().error).toBe(
      'Too many changes: your plan has 20,000 a day. Please try again in 24 hours.',
    );
    expect(rateLimits.counts.get('changes:user-free')).toBe(USE_LIMITS.free.changesPerDay);
  });

  it('has an end by number as well: what is small is in every list', async () => {
    const { id } = (await create(2)).json();
    const count = api.deps.readModels.count.bind(api.deps.readModels);
    vi.spyOn(api.deps.readModels, 'count').mockImplementation(
      async (...given) => (await count(...given)) + USE_LIMITS.free.storedThings - 1,
    );
    const refused = await create(2);
    expect(refused.statusCode).toBe(413);
    expect(refused.json()).toMatchObject({ code: 'storage_full' });
    expect((await api.call('free', 'POST', `/api/v1/trading-bots/${id}/clone`)).statusCode).toBe(413);
    expect((await api.call('free', 'PATCH', `/api/v1/trading-bots/${id}`, { name: 'T' })).statusCode).toBe(
      200,
    );
  });
});
