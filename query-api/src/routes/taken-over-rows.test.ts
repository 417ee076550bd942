import { batchDefinitionsProjection } from '@quantloom/domain/batch/projections';
import { USE_LIMITS } from '@quantloom/domain/limits/limits';
import { countedLimits } from '@quantloom/domain/testing/counted-limits';
import { until } from '@quantloom/projectors/testing/batch-stack';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { type BatchApi, body, openBatchApi, tickers } from '../../testing/batch-api.ts';

const rateLimits = countedLimits();
let api: BatchApi;
let first: string;
beforeAll(async () => {
  api = await openBatchApi({ rateLimits });
  first = await api.finishedBatch();
});
afterAll(() => api.close());
afterEach(() => {
  api.engine.before = null;
  vi.restoreAllMocks();
  for (const key of rateLimits.hits.keys()) if (key.startsWith('cost:')) rateLimits.hits.delete(key);
});

const PATH = '/api/v1/batch-backtests';
const copied = () => {
  const [key = ''] = [...rateLimits.hits.keys()].filter((one) => one.startsWith('copied:u1:'));
  return { key, rows: rateLimits.hits.get(key) ?? 0 };
};

it('looks through earlier batches until everything is covered, and no further', async () => {
  await api.finishedBatch({ name: 'The same again' });
  const { readModels } = api.stores;
  const one = vi.spyOn(readModels, 'get');
  const many = vi.spyOn(readModels, 'getMany');
  const estimate = await api.call('POST', `${PATH}/estimate`, body());
  expect(estimate.body).toMatchObject({ combinations: 200, new_combinations: 0 });
  const { name } = batchDefinitionsProjection.collection;
  expect(one.mock.calls.filter(([collection]) => collection === name)).toHaveLength(1);
  expect(many.mock.calls.filter(([collection]) => collection === name)).toHaveLength(0);
});

it('takes over so many rows a month as a plan has, whatever the name', async () => {
  const { key, rows } = copied();
  expect(rows).toBeGreaterThanOrEqual(200);
  rateLimits.hits.set(key, USE_LIMITS.api.copiedRowsPerMonth - 250);
  await api.finishedBatch({ name: 'Once more' });
  const refused = await api.call('POST', PATH, body({ name: 'And again' }));
  expect(refused.body).toMatchObject({ status: 429, code: 'copied_rows_limit', rows: 200, left: 50 });
  expect(copied().rows).toBe(USE_LIMITS.api.copiedRowsPerMonth - 50);
  rateLimits.hits.set(key, 0);
});

it('keeps a batch whose rows another one is still to take over', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  api.engine.before = () => promise;
  const other = { variables: { $A: tickers('A', 40), $B: tickers('A', 10) } };
  const busy = await api.call('POST', PATH, body({ ...other, name: 'In the way' }));
  expect(busy.status).toBe(201);
  await until(async () => (await api.call('GET', `${PATH}/${busy.body.id}`)).body?.status === 'Running');
  const waiting = await api.call(
    'POST',
    PATH,
    body({ variables: { $A: tickers('A', 21), $B: tickers('B', 10) } }),
  );
  expect(waiting.body).toMatchObject({ new_combinations: 10 });
  expect((await api.call('GET', `${PATH}/${waiting.body.id}`)).body.status).toBe('Queued');
  const { name } = batchDefinitionsProjection.collection;
  const all = await api.stores.readModels.find(name, { where: { userId: 'u1' } });
  const earlier = all.map(({ id }) => id).filter((id) => ![busy.body.id, waiting.body.id].includes(id));
  expect(earlier).toContain(first);
  const outcomes: string[] = [];
  for (const id of earlier) {
    const { body: answer } = await api.call('DELETE', `${PATH}/${id}`);
    outcomes.push(answer.code ?? 'deleted');
  }
  // The rows are taken from one of them: the newest that has them.
  expect(outcomes.toSorted()).toEqual(['batch_in_use', ...earlier.slice(1).map(() => 'deleted')]);
  resolve();
});
