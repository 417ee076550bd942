import { type BatchDocument, batchesProjection } from '@quantloom/domain/batch/projections';
import { costOfRows } from '@quantloom/domain/limits/cost';
import { countedLimits } from '@quantloom/domain/testing/counted-limits';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { type BatchApi, openBatchApi } from '../../testing/batch-api.ts';

const rateLimits = countedLimits();
let api: BatchApi;
beforeAll(async () => {
  api = await openBatchApi({ rateLimits });
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => api.close());

it('counts the reasons of failures once for all pages, and charges that by rows', async () => {
  const id = await api.finishedBatch();
  const { readModels, results } = api.stores;
  const { name } = batchesProjection.collection;
  const batch = await readModels.get<BatchDocument>(name, id);
  if (!batch?.summary) throw new Error('The batch has not ended');
  // As many as are counted at most.
  await readModels.put(name, { ...batch, summary: { ...batch.summary, failures: 100_000 } } as BatchDocument);
  const reads = vi.spyOn(results, 'failures');
  const costs: number[] = [];
  for (const limit of [1, 2, 1]) {
    rateLimits.hits.clear();
    const answer = await api.call('GET', `/api/v1/batch-backtests/${id}/results/failures?limit=${limit}`);
    expect(answer.body).toMatchObject({ total: 100_000, reasons: [{ count: 1 }, { count: 1 }] });
    costs.push(rateLimits.hits.get('cost:u1') ?? 0);
  }
  expect(costs[0]).toBeGreaterThanOrEqual(costOfRows(100_000, 'file'));
  expect(costs[1]).toBeLessThan(20);
  expect(costs[2]).toBeLessThan(20);
  expect(reads.mock.calls.map(([, options]) => options?.limit)).toEqual([1, 100_000, 2, 1]);
});

it('counts the reasons anew where there are more failures than at the last look', async () => {
  const id = await api.finishedBatch();
  const { readModels, results } = api.stores;
  const reasons = async () =>
    (await api.call('GET', `/api/v1/batch-backtests/${id}/results/failures`)).body.reasons;
  // Equally frequent ones go by their text, whatever row they are of.
  expect(await reasons()).toEqual(
    ['no common dates for 194', 'no common dates for 97'].map((reason) => ({ reason, count: 1 })),
  );
  const read = results.failures.bind(results);
  vi.spyOn(results, 'failures').mockImplementation(async (batchId, page) => [
    ...(await read(batchId, page)),
    { combination: 199, reason: 'stopped by its owner' },
  ]);
  const { name } = batchesProjection.collection;
  const batch = await readModels.get<BatchDocument>(name, id);
  await readModels.put(name, { ...batch, summary: { ...batch?.summary, failures: 3 } } as BatchDocument);
  expect(await reasons()).toContainEqual({ reason: 'stopped by its owner', count: 1 });
});
