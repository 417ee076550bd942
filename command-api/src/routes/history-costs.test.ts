import { StateCache } from '@quantloom/domain/kernel/state-cache';
import { costOfEvents, costOfStream } from '@quantloom/domain/limits/cost';
import { USE_LIMITS } from '@quantloom/domain/limits/limits';
import { countedLimits } from '@quantloom/domain/testing/counted-limits';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../testing/test-api.ts';

const rateLimits = countedLimits();
let api: TestApi;
/** Keeps nothing: as where the streams of many others were needed since. */
class NoCache extends StateCache {
  override set() {}
}
beforeAll(async () => {
  api = await startTestApi({ rateLimits, stateCache: new NoCache() });
});
afterAll(() => api.close());

const costOf = async (path: string, body?: object) => {
  rateLimits.hits.clear();
  const answer = await api.call('paid', body ? 'PATCH' : 'GET', path, body);
  expect(answer.statusCode, answer.body).toBe(200);
  return rateLimits.hits.get('cost:user-paid') ?? 0;
};
const common = { weight: { num: 100, den: 100 }, is_collapsed: false };
/** Just too small to be stored by itself. */
const tree = (i: number, tickers = 90) => ({
  ...common,
  id: 'root',
  node_type: 'root',
  name: `S ${i}`,
  description: '',
  rebalance: 'daily',
  version: 'v1',
  children: Array.from({ length: tickers }, (_, n) => ({
    ...common,
    id: `node_${n}`,
    node_type: 'asset',
    ticker: 'SPY',
    name: 'SPY',
  })),
});

it('charges what is read of a long stream: for a revision, and for a change where its state is not at hand', async () => {
  const made = await api.call('paid', 'POST', '/api/v1/trading-bots', { name: 'T', algorithm: tree(0) });
  expect(made.statusCode, made.body).toBe(201);
  const path = `/api/v1/trading-bots/${made.json().id}`;
  const first = await costOf(path, { name: 'First' });
  for (let i = 1; i <= 120; i++) await costOf(path, { algorithm: tree(i) });
  expect((await costOf(`${path}/history/120`)) - (await costOf(`${path}/history/0`))).toBe(costOfEvents(120));
  const last = await costOf(path, { name: 'Last' });
  expect(last - first).toBeGreaterThanOrEqual(Math.floor(costOfStream(1_000_000)));
});

it('charges for restoring an earlier revision by its size, and refuses what nothing is left for', async () => {
  const made = await api.call('paid', 'POST', '/api/v1/trading-bots', { name: 'R', algorithm: tree(0) });
  const path = `/api/v1/trading-bots/${made.json().id}`;
  await costOf(path, { algorithm: tree(1, 1) });
  const restore = async (revision: number) => {
    rateLimits.hits.clear();
    const { statusCode } = await api.call('paid', 'POST', `${path}/history/${revision}/restore`);
    return { statusCode, cost: rateLimits.hits.get('cost:user-paid') ?? 0 };
  };
  const small = await restore(1);
  const large = await restore(0);
  expect([small.statusCode, large.statusCode]).toEqual([200, 200]);
  // There are 89 blocks more to be read, of which each is foretold to take 0.45 ms.
  expect(large.cost - small.cost).toBeGreaterThanOrEqual(Math.floor(89 * 0.45));
  rateLimits.hits.set('cost:user-paid', USE_LIMITS.api.costPerMinute * 1000 - 30);
  const refused = await api.call('paid', 'POST', `${path}/history/0/restore`);
  rateLimits.hits.clear();
  expect([refused.statusCode, refused.json().code]).toEqual([429, 'cost_limit']);
});

it('charges what reading a large tree again took, where an earlier revision is restored', async () => {
  const made = await api.call('paid', 'POST', '/api/v1/trading-bots', { name: 'L', algorithm: tree(0, 900) });
  expect(made.statusCode, made.body).toBe(201);
  const path = `/api/v1/trading-bots/${made.json().id}`;
  await costOf(path, { algorithm: tree(1, 900) });
  const { run } = api.app.documents;
  api.app.documents.run = async (owner, kind, given, onSpent) => {
    onSpent?.(3_000);
    return run.call(api.app.documents, owner, kind, given);
  };
  rateLimits.hits.clear();
  const answer = await api.call('paid', 'POST', `${path}/history/0/restore`);
  api.app.documents.run = run;
  expect(answer.statusCode, answer.body).toBe(200);
  expect(rateLimits.hits.get('cost:user-paid')).toBeGreaterThanOrEqual(3_000);
});
