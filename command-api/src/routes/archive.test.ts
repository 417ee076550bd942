import { once } from 'node:events';
import { get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { API_CLIENT_STREAM } from '@quantloom/domain/api-client/api-client';
import { batchDefinitionsProjection, batchesProjection } from '@quantloom/domain/batch/projections';
import { handleCommand } from '@quantloom/domain/kernel/handle-command';
import { costOfRows } from '@quantloom/domain/limits/cost';
import type { ReadDocument } from '@quantloom/domain/ports/read-models';
import { type ResultStore, ResultsMissingError } from '@quantloom/domain/ports/result-store';
import { countedLimits } from '@quantloom/domain/testing/counted-limits';
import { USER_STREAM } from '@quantloom/domain/user/user';
import { strFromU8, unzipSync } from 'fflate';
import { ulid } from 'ulid';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Caller, startTestApi, type TestApi } from '../../testing/test-api.ts';

const common = { weight: { num: 100, den: 100 }, is_collapsed: false };
const algorithm = (ticker: string) => ({
  ...common,
  id: 'root',
  node_type: 'root',
  name: 'S',
  description: '',
  rebalance: 'daily',
  version: 'v1',
  children: [{ ...common, id: 'asset', node_type: 'asset', ticker, name: ticker }],
});
const HOSTILE = ['../../../etc/passwd', 'CON', 'a\\b:c*?', '🚀'.repeat(60), 'con', 'same', 'same', '...'];
const URL_OF = '/api/v1/users/me/archive';

describe('archive', () => {
  let api: TestApi;
  beforeEach(async () => {
    api = await startTestApi();
  });
  afterEach(async () => {
    await api.close();
  });

  const create = async (caller: Caller, name: string): Promise<string> =>
    (await api.call(caller, 'POST', '/api/v1/trading-bots', { name, algorithm: algorithm('SPY') })).json().id;

  const register = (userId: string) =>
    handleCommand(
      api.deps.eventStore,
      USER_STREAM,
      userId,
      {
        type: 'RegisterUser',
        userId,
        subject: `test|${userId}`,
        email: `${userId}@example.com`,
        planId: 'free',
        grantedFeatures: [],
      },
      {
        commandId: ulid(),
        correlationId: 'test',
        actor: { kind: 'user', userId },
        now: new Date().toISOString(),
      },
    );

  async function archiveOf(caller: Caller): Promise<Map<string, string>> {
    const answer = await api.call(caller, 'GET', URL_OF);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'cache-control': 'no-store',
    });
    const files = Object.entries(unzipSync(new Uint8Array(answer.rawPayload)));
    return new Map(files.map(([path, bytes]) => [path, strFromU8(bytes)]));
  }
  const json = (files: Map<string, string>, path: string) => JSON.parse(files.get(path) ?? 'null');

  it('holds strategies with all revisions, which can be imported again', async () => {
    const id = await create('paid', 'First');
    await api.call('paid', 'PATCH', `/api/v1/trading-bots/${id}`, { algorithm: algorithm('QQQ') });
    await api.call('paid', 'PATCH', `/api/v1/trading-bots/${id}`, { name: 'Renamed' });
    const files = await archiveOf('paid');
    const folder = `strategies/Renamed-${id}`;
    expect([...files.keys()].filter((path) => path.startsWith(folder)).sort()).toEqual([
      `${folder}/current.json`,
      `${folder}/history.json`,
      `${folder}/revisions/0000.json`,
      `${folder}/revisions/0001.json`,
    ]);
    expect(json(files, `${folder}/revisions/0000.json`)).toMatchObject({ name: 'First', revision: 0 });
    expect(json(files, `${folder}/history.json`)).toMatchObject([
      { revision: 0, event: 'StrategyCreated', by: 'user' },
      { revision: 1, event: 'StrategySaved' },
      { revision: 2, event: 'StrategyRenamed', summary: 'Strategy renamed' },
    ]);
    const current = await api.call('paid', 'GET', `/api/v1/trading-bots/${id}`);
    expect(json(files, `${folder}/current.json`)).toEqual(current.json());

    const source = json(files, `${folder}/current.json`);
    const again = await api.call('other', 'POST', '/api/v1/import', { json: source });
    expect(again.statusCode, again.body).toBeLessThan(300);
    expect(again.body).toContain('QQQ');
  });

  it('holds each revision of a strategy once, however many there are', async () => {
    const id = await create('paid', 'Busy');
    for (let i = 1; i <= 24; i += 1)
      await api.call('paid', 'PATCH', `/api/v1/trading-bots/${id}`, { algorithm: algorithm(`T${i}`) });
    const files = await archiveOf('paid');
    const history = json(files, `strategies/Busy-${id}/history.json`);
    expect(history.map(({ revision }: { revision: number }) => revision)).toEqual(
      Array.from({ length: 25 }, (_, i) => i),
    );
    const revisions = [...files.keys()].filter((path) => path.includes('/revisions/'));
    expect(revisions).toHaveLength(25);
    expect(files.get(`strategies/Busy-${id}/revisions/0013.json`)).toContain('"T13"');
    expect(json(files, `strategies/Busy-${id}/current.json`)).toMatchObject({ revision: 24 });
  });

  it('gives every hostile name a file of its own that any system can hold', async () => {
    for (const name of HOSTILE) await create('paid', name);
    const files = await archiveOf('paid');
    const current = [...files.keys()].filter((path) => path.endsWith('/current.json'));
    expect(new Set(current.map((path) => path.toLowerCase())).size).toBe(HOSTILE.length);
    for (const part of current.flatMap((path) => path.split('/'))) {
      expect(part).toMatch(/^[^<>:"\\|?*]*[^<>:"\\|?*. ]$/);
      expect(part).not.toMatch(/^(con|\.)/i);
      expect(Buffer.byteLength(part)).toBeLessThan(255);
    }
    expect(current.map((path) => json(files, path).name).sort()).toEqual([...HOSTILE].sort());
  });

  it('holds nothing of other people, nothing deleted and no secret, and says what it holds', async () => {
    await create('other', 'Of the other');
    const gone = await create('paid', 'Deleted');
    await api.call('paid', 'DELETE', `/api/v1/drafts/${gone}`);
    await create('paid', 'Mine');
    await api.call('paid', 'POST', '/api/v1/variable-lists', {
      name: 'My list',
      is_public: false,
      variables: ['SPY', 'QQQ'],
    });
    const files = await archiveOf('paid');
    const all = [...files].flat().join('\n');
    expect(all).toContain('Mine');
    expect(all).not.toContain('Of the other');
    expect(all).not.toContain('user-other');
    expect([...files.keys()].join('\n')).not.toContain('Deleted');
    expect(json(files, 'account.json')).toMatchObject({ id: 'user-paid', email: 'user-paid@example.com' });
    expect(all).not.toMatch(/secret"|password"/i);
    expect(files.get('README.txt')).toContain('current.json');
    expect(files.get('history.jsonl')?.trim().split('\n').length).toBeGreaterThan(2);
    expect([...files.keys()].filter((path) => path.startsWith('variable-lists/My list-'))).toHaveLength(1);
  });

  it('holds what was chosen, and until when programs may act', async () => {
    await register('user-paid');
    const [createdAt, endsAt] = ['2026-01-02T03:04:05.000Z', '2099-01-01T00:00:00.000Z'];
    await handleCommand(
      api.deps.eventStore,
      API_CLIENT_STREAM,
      'user-paid',
      {
        ...{ type: 'CreateApiClient', userId: 'user-paid', clientId: 'c1', name: 'CI', scopes: ['read'] },
        ...{ endsAt, isOnlyOne: false, now: createdAt },
      },
      {
        ...{ commandId: ulid(), correlationId: 'test', now: createdAt },
        actor: { kind: 'user', userId: 'user-paid' },
      },
    );
    const portfolio = { members: [{ strategy_id: 'a', percent: 62.5 }], rebalance: 'quarterly' };
    await api.call('paid', 'PATCH', '/api/v1/preferences', { amount: 10, portfolio });
    for (const [name, is_default] of [
      ['Costs', false],
      ['Risk', true],
    ])
      await api.call('paid', 'POST', '/api/v1/result-views', {
        ...{
          name,
          is_default,
          columns: ['trades'],
          filters: [],
          picture: 'heat-map',
          metric: 'sharpe_ratio',
        },
        order: { by: 'column', column: 'trades', direction: 'asc' },
      });
    const id = await create('paid', 'Mine');
    await api.call('paid', 'POST', `/api/v1/trading-bots/${id}/favorite`);
    const files = await archiveOf('paid');
    expect(json(files, 'account.json').api_clients).toEqual([
      { id: 'c1', name: 'CI', scopes: ['read'], created_at: createdAt, ends_at: endsAt },
    ]);
    expect(json(files, 'preferences.json')).toEqual({ amount: 10, portfolio });
    expect(json(files, 'result-views.json').views).toMatchObject([
      { name: 'Costs', is_default: false },
      { name: 'Risk', is_default: true },
    ]);
    expect(json(files, 'favorites.json')).toEqual({ strategy_ids: [id] });
  });

  it('has the rows of each batch that are there, and says where they are gone', async () => {
    await api.close();
    const ranges: Record<string, { from: number; to: number }[]> = {
      b1: [{ from: 0, to: 4 }],
      b2: [{ from: 0, to: 4 }],
      b3: [],
      // One partition is lost.
      b7: [{ from: 2, to: 4 }],
    };
    const asked: unknown[] = [];
    const resultStore = {
      storedRanges: async (id: string) => {
        if (!ranges[id]) throw new ResultsMissingError(id);
        return ranges[id];
      },
      async *stream(id: string, query: unknown, format: string) {
        asked.push([id, query, format]);
        yield Buffer.from(`combination\r\n${id}\r\n`);
      },
    };
    api = await startTestApi({ resultStore: resultStore as unknown as ResultStore });
    const stored = async (id: string, userId: string, more: object) => {
      const common = { id, _revision: 0, _position: '0', userId };
      await api.deps.readModels.put(batchesProjection.collection.name, {
        ...common,
        name: `Batch: ${id}`,
        createdAt: '2026-01-02T03:04:05.000Z',
        finishedAt: null,
        status: 'Finished',
        combinations: 4,
        partitions: 2,
        partitionSize: 2,
        openPartitions: [],
        pins: [{ combination: 3, note: 'Mine', pinnedAt: '2026-01-03T03:04:05.000Z' }],
        ...more,
      } as ReadDocument);
      await api.deps.readModels.put(batchDefinitionsProjection.collection.name, {
        ...common,
        templateBot: {},
        variables: {},
        variableNames: [],
        backtestConfig: { start_date: '2020-01-01' },
      } as ReadDocument);
    };
    await stored('b1', 'user-paid', {});
    await stored('b2', 'user-paid', { status: 'Stopped', openPartitions: [1] });
    await stored('b3', 'user-paid', {});
    await stored('b4', 'user-paid', {});
    await stored('b5', 'user-paid', { status: 'Queued', openPartitions: [0, 1] });
    await stored('b6', 'user-other', {});
    await stored('b7', 'user-paid', {});
    const files = await archiveOf('paid');
    expect([...files.keys()].filter((path) => path.startsWith('batches/')).sort()).toEqual([
      'batches/Batch_ b1-b1/definition.json',
      'batches/Batch_ b1-b1/results.csv',
      'batches/Batch_ b2-b2/definition.json',
      'batches/Batch_ b2-b2/results_partial.csv',
      'batches/Batch_ b3-b3/definition.json',
      'batches/Batch_ b3-b3/results-missing.txt',
      'batches/Batch_ b4-b4/definition.json',
      'batches/Batch_ b4-b4/results-missing.txt',
      'batches/Batch_ b5-b5/definition.json',
      'batches/Batch_ b7-b7/definition.json',
      'batches/Batch_ b7-b7/results-missing.txt',
    ]);
    // As the API writes it, whatever the document is like.
    expect(JSON.parse(files.get('batches/Batch_ b1-b1/definition.json') ?? '')).toEqual({
      id: 'b1',
      name: 'Batch: b1',
      created_at: '2026-01-02T03:04:05.000Z',
      finished_at: null,
      status: 'Finished',
      combinations: 4,
      partitions: 2,
      partition_size: 2,
      pins: [{ combination: 3, note: 'Mine', pinned_at: '2026-01-03T03:04:05.000Z' }],
      template_bot: {},
      variables: {},
      variable_names: [],
      backtest_config: { start_date: '2020-01-01' },
    });
    expect(files.get('batches/Batch_ b1-b1/results.csv')).toBe('combination\r\nb1\r\n');
    expect(asked).toEqual([
      ['b1', {}, 'csv'],
      ['b2', { filters: [{ column: 'combination', op: 'lt', value: 2 }] }, 'csv'],
    ]);
  });

  it('costs what its owner has, whatever others have', async () => {
    await api.close();
    const rateLimits = countedLimits();
    const resultStore = { storedRanges: async () => [] } as unknown as ResultStore;
    api = await startTestApi({ resultStore, rateLimits });
    const million = 1_000_000;
    const { name } = batchesProjection.collection;
    const put = (id: string, userId: string, combinations: number) =>
      api.deps.readModels.put(name, {
        ...{ id, userId, combinations, name: id, status: 'Queued', openPartitions: [] },
        ...{ _revision: 0, _position: '0' },
      } as ReadDocument);
    await put('b1', 'user-other', 50 * million);
    const cost = async () => {
      rateLimits.hits.clear();
      await archiveOf('paid');
      return rateLimits.hits.get('cost:user-paid') ?? 0;
    };
    expect(await cost()).toBeLessThan(100);
    await put('b2', 'user-paid', million);
    expect(await cost()).toBeGreaterThanOrEqual(costOfRows(million, 'file'));
  });

  it('is for people, not for programs or visitors', async () => {
    expect((await api.call('machine', 'GET', URL_OF)).statusCode).toBe(403);
    expect((await api.call(null, 'GET', URL_OF)).statusCode).toBe(401);
  });

  it('can be fetched by a link that opens for a minute and for one person only', async () => {
    await register('user-paid');
    // Waited for by the position of this write.
    await create('paid', 'Mine');
    const link = new URL((await api.call('paid', 'GET', `${URL_OF}?link=true`)).json().presigned_url);
    const open = (url: URL) => api.app.inject({ method: 'GET', url: url.pathname + url.search });
    expect((await open(link)).headers['content-type']).toBe('application/octet-stream');
    const others = new URL(link);
    others.searchParams.set('user', 'user-other');
    expect((await open(others)).json().code).toBe('invalid_link');
    const longer = new URL(link);
    longer.searchParams.set('expires', '99999999999');
    expect((await open(longer)).json().code).toBe('invalid_link');
    const at = Number(link.searchParams.get('expires')) * 1_000;
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    try {
      // To the millisecond that it names.
      api.advance(at - api.deps.clock.now().getTime());
      expect((await open(link)).headers['content-type']).toBe('application/octet-stream');
      api.advance(1);
      expect((await open(link)).json().code).toBe('link_expired');
    } finally {
      vi.useRealTimers();
    }
  });

  it('is written once at a time, and no longer than its reader stays', async () => {
    await create('paid', 'Mine');
    // A tree that does not become smaller fills what a connection holds.
    const description = Array.from({ length: 40_000 }, (_, i) => Math.imul(i, 2654435761).toString(36)).join(
      ' ',
    );
    for (let i = 0; i < 30; i += 1)
      await api.call('paid', 'POST', '/api/v1/trading-bots', {
        name: `Large ${i}`,
        algorithm: { ...algorithm('SPY'), description },
      });
    await api.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = api.app.server.address() as AddressInfo;
    const headers = { authorization: 'Bearer paid' };
    const request = get({ port, host: '127.0.0.1', path: URL_OF, headers });
    const [response] = await once(request, 'response');
    expect(response.statusCode).toBe(200);
    const second = await api.call('paid', 'GET', URL_OF);
    expect(second.statusCode).toBe(429);
    expect(second.headers['retry-after']).toBe('60');
    expect((await api.call('other', 'GET', URL_OF)).statusCode).toBe(200);
    response.destroy();
    await expect
      .poll(async () => (await api.call('paid', 'GET', `${URL_OF}?link=true`)).statusCode)
      .toBe(200);
  });
});
