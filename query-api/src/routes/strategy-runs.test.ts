import { until } from '@quantloom/projectors/testing/batch-stack';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type BatchApi, openBatchApi, SOME_ANSWER } from '../../testing/batch-api.ts';
import { asset, root } from '../../testing/blocks.ts';

let api: BatchApi;
beforeAll(async () => {
  api = await openBatchApi();
});
afterAll(() => api.close());

const tree = root(asset('node_a', 'A1'));
const terms = { start_date: '2010-01-04', end_date: '2020-12-31' };

async function saved(algorithm: unknown = tree, user = 'u1'): Promise<string> {
  const created = await api.call('POST', '/api/v1/trading-bots', { name: 'Mine', algorithm }, user);
  expect(created.status).toBe(201);
  return created.body.id;
}
const run = (strategy_id: string, over: object = {}, user = 'u1') =>
  api.call('POST', '/api/v1/backtests', { ...terms, trading_bot: tree, strategy_id, ...over }, user);
const runsOf = (id: string, user = 'u1') =>
  api.call('GET', `/api/v1/trading-bots/${id}/runs`, undefined, user);
const returning = (figures: Partial<Record<keyof typeof SOME_ANSWER.metrics, number | null>>) => () => ({
  ...SOME_ANSWER,
  metrics: { ...SOME_ANSWER.metrics, ...figures } as typeof SOME_ANSWER.metrics,
});

describe('runs of a saved strategy', () => {
  it('are recorded with all that they were made of, once each', async () => {
    const id = await saved();
    const first = await run(id);
    expect(first.headers['x-quantloom-run']).toEqual(expect.any(String));
    expect((await run(id)).headers['x-quantloom-run']).toBe(first.headers['x-quantloom-run']);
    const runs = await runsOf(id);
    expect(runs.headers['x-total-count']).toBe('1');
    expect(runs.body).toEqual([
      {
        id: first.headers['x-quantloom-run'],
        at: expect.any(String),
        revision: 0,
        terms: { ...terms, starting_balance: 10_000, slippage_bps: 10, benchmark_ticker: 'SPY' },
        data_version: 'v1',
        engine_version: '1',
        is_simulated: true,
        result_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        first_day: '2010-01-04',
        last_day: '2020-12-31',
        metrics: SOME_ANSWER.metrics,
        line: [1, 2.5],
      },
    ]);
    const other = await run(id, { slippage_bps: 20, include: { history: true } });
    expect(other.headers['x-quantloom-run']).not.toBe(first.headers['x-quantloom-run']);
    expect((await runsOf(id)).body).toMatchObject([{ terms: { slippage_bps: 20 } }, {}]);
    const path = `/api/v1/trading-bots/${id}/runs`;
    const older = await api.call('GET', `${path}?limit=1&skip=1`);
    expect(older.body).toMatchObject([{ terms: { slippage_bps: 10 } }]);
    expect(older.headers['x-total-count']).toBe('2');
    expect((await api.call('GET', `${path}/last`)).body).toMatchObject({ terms: { slippage_bps: 20 } });
    expect((await api.call('GET', `${path}/${first.headers['x-quantloom-run']}`)).body).toMatchObject({
      terms: { slippage_bps: 10 },
    });
    expect((await api.call('GET', `${path}/nothing`)).status).toBe(404);
  });

  it('are recorded of a strategy so large that another thread reads it', async () => {
    const large = root(...Array.from({ length: 800 }, (_, i) => asset(`node_${i}`, 'A1')));
    expect(JSON.stringify(large).length).toBeGreaterThan(64 * 1024);
    const id = await saved(large);
    // As it was written into the log.
    const kept = (await api.call('GET', `/api/v1/trading-bots/${id}`)).body.algorithm;
    const first = await run(id, { trading_bot: kept });
    expect(first).toMatchObject({ status: 200, body: { metrics: SOME_ANSWER.metrics } });
    expect((await runsOf(id)).body).toMatchObject([{ id: first.headers['x-quantloom-run'] }]);
    const [, ...others] = large.children;
    const other = await run(id, { trading_bot: { ...large, children: others } });
    expect(other.status).toBe(200);
    expect(other.headers).not.toHaveProperty('x-quantloom-run');
    const later = await run(id, { trading_bot: large, start_date: '2999-01-01' });
    expect(later).toMatchObject({ status: 400, body: { code: 'date_in_future' } });
  });

  it('are recorded of the tree that a page sent to be saved, though it is stored in another form', async () => {
    // The server works out the version, and writes the fields in an order of its own.
    const monthly = { ...tree, rebalance: 'monthly' };
    const [spare, ...blocks] = Array.from({ length: 200 }, (_, i) => {
      const { id, node_type, ...others } = asset(`node_${i}`, 'A1');
      return { id, ...others, node_type };
    });
    const large = root(...blocks);
    expect(JSON.stringify(large).length).toBeGreaterThan(16_384);
    for (const [sent, other] of [
      [monthly, { ...monthly, rebalance: 'weekly' }],
      [large, root(...blocks.slice(1), spare)],
    ]) {
      const id = await saved(sent);
      const kept = (await api.call('GET', `/api/v1/trading-bots/${id}`)).body.algorithm;
      expect(JSON.stringify(kept)).not.toBe(JSON.stringify(sent));
      const recorded = (await run(id, { trading_bot: sent })).headers['x-quantloom-run'];
      expect(recorded).toEqual(expect.any(String));
      // A run of what was loaded again is the same one.
      expect((await run(id, { trading_bot: kept })).headers['x-quantloom-run']).toBe(recorded);
      expect((await run(id, { trading_bot: other })).headers).not.toHaveProperty('x-quantloom-run');
      const path = `/api/v1/trading-bots/${id}/runs/last/certificate`;
      const { body: certificate } = await api.call('GET', path);
      expect((await api.call('POST', '/api/v1/certificates/verify', certificate)).body).toEqual({
        confirmed: true,
        findings: [],
      });
    }
  });

  it('are not recorded of what is not saved, nor of what belongs to others', async () => {
    const id = await saved();
    expect((await run(id, { trading_bot: root(asset('node_a', 'B1')) })).headers).not.toHaveProperty(
      'x-quantloom-run',
    );
    await api.call('PATCH', `/api/v1/trading-bots/${id}`, { is_public: true });
    expect((await run(id, {}, 'u2')).headers).not.toHaveProperty('x-quantloom-run');
    expect((await runsOf(id)).body).toEqual([]);
    expect((await runsOf(id, 'u2')).status).toBe(404);
    expect((await api.call('GET', `/api/v1/trading-bots/${id}/runs/last`)).status).toBe(404);
  });

  it('are those of the strategy that is asked for: none of another one, whosever it is', async () => {
    const mine = await saved();
    const others = await saved(tree, 'u2');
    const theirs = (await run(others, {}, 'u2')).headers['x-quantloom-run'];
    expect(theirs).toEqual(expect.any(String));
    const at = (id: string, user: string) =>
      api.call('GET', `/api/v1/trading-bots/${id}/runs/${theirs}`, undefined, user);
    await until(async () => (await at(others, 'u2')).status === 200);
    expect((await at(mine, 'u1')).status).toBe(404);
    const certificate = `/api/v1/trading-bots/${mine}/runs/${theirs}/certificate`;
    expect((await api.call('GET', certificate)).status).toBe(404);
  });

  it('are not recorded where their owner has no room left; the answer comes all the same', async () => {
    const id = await saved();
    const full = vi.spyOn(api.stores.readModels, 'sum').mockResolvedValue(Number.MAX_SAFE_INTEGER);
    const answer = await run(id);
    expect(answer).toMatchObject({ status: 200, body: { metrics: SOME_ANSWER.metrics } });
    expect(answer.headers).not.toHaveProperty('x-quantloom-run');
    full.mockRestore();
    expect((await runsOf(id)).body).toEqual([]);
    const recorded = (await run(id)).headers['x-quantloom-run'];
    expect((await runsOf(id)).body).toMatchObject([{ id: recorded }]);
  });

  it('stand in the lists, which the server sorts by their figures; what has none comes last', async () => {
    const user = 'lister';
    const ids: Record<string, string> = {};
    for (const [name, sharpe, annualized_return, max_drawdown] of [
      ['low', -0.5, 0.3, 0.1],
      ['high', 2, 0.1, 0.4],
      ['none', null, null, null],
    ] as const) {
      const id = await saved(tree, user);
      ids[id] = name;
      api.engine.answer = returning({ sharpe, annualized_return, max_drawdown });
      await run(id, {}, user);
    }
    api.engine.answer = null;
    ids[await saved(tree, user)] = 'never';
    const names = async (sort: string) => {
      const { body } = await api.call('GET', `/api/v1/drafts?sort=${sort}`, undefined, user);
      return body.map(({ id }: { id: string }) => ids[id]);
    };
    const sorted = await until(async () => {
      const found = await names('sharpe:desc');
      return found[0] === 'high' ? found : null;
    });
    expect(sorted.slice(0, 2)).toEqual(['high', 'low']);
    for (const [sort, first, second] of [
      ['sharpe:asc', 'low', 'high'],
      ['return:desc', 'low', 'high'],
      ['return:asc', 'high', 'low'],
      ['drawdown:desc', 'high', 'low'],
      ['drawdown:asc', 'low', 'high'],
    ] as const)
      expect((await names(sort)).slice(0, 2), sort).toEqual([first, second]);
    const { body } = await api.call('GET', '/api/v1/drafts?sort=sharpe:desc&lines=true', undefined, user);
    expect(body[0].last_run).toMatchObject({ metrics: { sharpe: 2 }, line: [1, 2.5] });
    const bare = await api.call('GET', '/api/v1/drafts?sort=sharpe:desc', undefined, user);
    expect(bare.body[0].last_run).not.toHaveProperty('line');
    expect(bare.body.filter((draft: { last_run: unknown }) => draft.last_run === null)).toHaveLength(1);
  });

  it('have a certificate that can be computed again, with or without the strategy', async () => {
    const id = await saved();
    const recorded = (await run(id)).headers['x-quantloom-run'];
    const path = `/api/v1/trading-bots/${id}/runs/${recorded}/certificate`;
    const { body: certificate } = await api.call('GET', path);
    expect(certificate).toMatchObject({
      kind: 'quantloom-certificate-1',
      strategy: { id, revision: 0, name: 'Mine' },
      data_version: 'v1',
      trading_bot: { node_type: 'root' },
    });
    const verified = async (over: object = {}, user = 'u1') =>
      (await api.call('POST', '/api/v1/certificates/verify', { ...certificate, ...over }, user)).body;
    expect(await verified()).toEqual({ confirmed: true, findings: [] });
    expect(await verified({}, 'u2')).toEqual({ confirmed: true, findings: [] });
    expect(await verified({ engine_version: '0.9' })).toEqual({
      confirmed: true,
      findings: [expect.stringContaining('made by engine 0.9, and this is engine 1')],
    });
    const sharpe = { ...certificate.metrics, sharpe: 3 };
    expect(await verified({ metrics: sharpe })).toEqual({
      confirmed: false,
      findings: ['sharpe: 3 in the certificate, 1 computed.'],
    });
    const other = { trading_bot: root(asset('node_a', 'B1')) };
    expect((await verified(other)).findings).toEqual([expect.stringContaining('another one')]);

    const bare = await api.call('GET', `${path}?strategy=without`);
    expect(bare.body).not.toHaveProperty('trading_bot');
    const without = async (user: string) =>
      (await api.call('POST', '/api/v1/certificates/verify', bare.body, user)).body;
    expect(await without('u1')).toEqual({ confirmed: true, findings: [] });
    expect(await without('u2')).toMatchObject({ confirmed: false });
    expect((await api.call('GET', path, undefined, 'u2')).status).toBe(404);
    api.engine.defect = Object.assign(new Error('gone'), { code: 'unknown_version' });
    expect((await verified()).findings).toEqual([expect.stringContaining('version v1 are not here')]);
    api.engine.defect = null;
    expect((await api.call('POST', '/api/v1/certificates/verify', { kind: 'x' })).status).toBe(400);
  });
});

describe('order among strategies', () => {
  it('is shown to their owner alone, however public they are', async () => {
    const id = await saved(tree, 'tidy2');
    const url = `/api/v1/trading-bots/${id}`;
    const order = { tags: ['My clients'], is_archived: true };
    await api.call('PATCH', url, { ...order, is_public: true }, 'tidy2');
    await until(async () => (await api.call('GET', url, undefined, 'stranger')).status === 200);
    expect((await api.call('GET', url, undefined, 'tidy2')).body).toMatchObject(order);
    const shown = await api.call('GET', url, undefined, 'stranger');
    expect(shown.body).toMatchObject({ is_public: true, tags: [], is_archived: false });
    expect(shown.text).not.toContain('clients');
  });

  it('lists by tag, leaves out what is archived, and counts tags', async () => {
    const user = 'tidy';
    const [a, b, c] = [await saved(tree, user), await saved(tree, user), await saved(tree, user)];
    const change = (id: string, body: object) => api.call('PATCH', `/api/v1/trading-bots/${id}`, body, user);
    expect((await change(a, { tags: [' Trend', 'Bonds'] })).body.tags).toEqual(['Trend', 'Bonds']);
    await change(b, { tags: ['trend'] });
    await change(c, { tags: ['trend'], is_archived: true });
    const ids = async (query: string) => {
      const answer = await api.call('GET', `/api/v1/drafts?${query}`, undefined, user);
      expect(answer.headers['x-total-count']).toBe(String(answer.body.length));
      return answer.body.map((draft: { id: string }) => draft.id).sort();
    };
    expect(await ids('tag=TREND')).toEqual([a, b].sort());
    expect(await ids('')).toEqual([a, b].sort());
    expect(await ids('archived=only')).toEqual([c]);
    expect((await api.call('GET', '/api/v1/drafts/tags', undefined, user)).body).toEqual([
      { tag: 'bonds', count: 1 },
      { tag: 'trend', count: 2 },
    ]);
    // What is archived and deleted comes back to the archive.
    await api.call('DELETE', `/api/v1/drafts/${c}`, undefined, user);
    expect(await ids('archived=only')).toEqual([]);
    await api.call('POST', `/api/v1/trading-bots/${c}/undo-delete`, undefined, user);
    expect(await ids('archived=only')).toEqual([c]);
    await change(c, { is_archived: false });
    expect(await ids('tag=trend')).toHaveLength(3);
    expect((await change(a, { tags: ['a,b'] })).body).toMatchObject({ status: 422, code: 'invalid_tags' });
  });
});
