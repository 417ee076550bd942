import { costOfRun } from '@quantloom/domain/limits/cost';
import { sizeOf } from '@quantloom/domain/strategy/size';
import { countedLimits } from '@quantloom/domain/testing/counted-limits';
import { until } from '@quantloom/projectors/testing/batch-stack';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { type BatchApi, openBatchApi } from '../../testing/batch-api.ts';
import { asset, root } from '../../testing/blocks.ts';
import { daysBetween } from './backtests.ts';

const rateLimits = countedLimits();
let api: BatchApi;
beforeAll(async () => {
  api = await openBatchApi({ rateLimits });
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => api.close());

// So large and over so many days that running it is dearer than reading it.
const many = Array.from({ length: 300 }, (_, i) => asset(`node_${i}`, 'A1'));
const tree = { ...root(...many), rebalance: 'corridor', corridor: 5 } as ReturnType<typeof root>;
const terms = { start_date: '1950-01-03', end_date: '2020-12-31' };
const ofOne = costOfRun(sizeOf(tree as never), daysBetween(terms.start_date, terms.end_date));
const charged = () => rateLimits.hits.get('cost:u1') ?? 0;

it('what is around a number is charged for all of its neighbours before any of them is run', async () => {
  const { rows } = api.backtestRunner;
  let [before, neighbours] = [0, 0];
  vi.spyOn(api.backtestRunner, 'rows').mockImplementation(async (batch) => {
    before = charged();
    const found = await rows(batch);
    neighbours = found.rows.length;
    return found;
  });
  rateLimits.hits.clear();
  const place = { node_id: 'node_root', index: 0 };
  const answer = await api.call('POST', '/api/v1/backtests/sensitivity', {
    ...terms,
    trading_bot: tree,
    place,
  });
  expect(answer.status).toBe(200);
  expect(neighbours).toBeGreaterThan(4);
  expect(before).toBeGreaterThanOrEqual((neighbours * ofOne) / 4);
});

it('a certificate is computed again at the cost, and in the turn, of whoever asks', async () => {
  const created = await api.call('POST', '/api/v1/trading-bots', { name: 'Mine', algorithm: tree });
  const { id } = created.body;
  await until(async () => (await api.call('GET', `/api/v1/trading-bots/${id}`)).status === 200);
  const run = await api.call('POST', '/api/v1/backtests', { ...terms, trading_bot: tree, strategy_id: id });
  const recorded = run.headers['x-quantloom-run'];
  const { body } = await api.call('GET', `/api/v1/trading-bots/${id}/runs/${recorded}/certificate`);
  const again = vi.spyOn(api.backtestRunner, 'runAs');
  rateLimits.hits.clear();
  await api.call('POST', '/api/v1/certificates/verify', body, 'u2');
  expect(again.mock.calls.map(([, , options]) => options)).toEqual([
    expect.objectContaining({ owner: 'u2', dataVersion: 'v1', madeBy: '1', expectedMs: ofOne }),
  ]);
  expect([...rateLimits.hits.keys()]).toContain('cost:u2');
  expect(charged()).toBe(0);
});
