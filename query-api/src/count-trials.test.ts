import { changesKey, USE_LIMITS, writtenKey } from '@quantloom/domain/limits/limits';
import { countedLimits } from '@quantloom/domain/testing/counted-limits';
import { type LineageTrialsDocument, lineageTrialsProjection } from '@quantloom/domain/trials/trials';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type BatchApi, openBatchApi } from '../testing/batch-api.ts';
import { asset, root } from '../testing/blocks.ts';
import { projectorConsistency } from './consistency.ts';

const rateLimits = countedLimits();
let api: BatchApi;
let id: string;
beforeAll(async () => {
  api = await openBatchApi({ rateLimits });
});
afterAll(() => api.close());
beforeEach(async () => {
  const body = { name: 'Shared', algorithm: tree, is_public: true };
  id = (await api.call('POST', '/api/v1/trading-bots', body)).body.id;
  await api.call('GET', `/api/v1/trading-bots/${id}`);
  rateLimits.hits.clear();
});

const tree = { ...root(asset('node_a', 'A1')), rebalance: 'corridor', corridor: 5 };
const other = { ...root(asset('node_a', 'B1')), rebalance: 'corridor', corridor: 5 };
const run = (trading_bot: object, user: string) =>
  api.call(
    'POST',
    '/api/v1/backtests',
    { start_date: '2010-01-04', end_date: '2020-12-31', trading_bot, strategy_id: id },
    user,
  );
const around = (user: string) =>
  api.call(
    'POST',
    '/api/v1/backtests/sensitivity',
    {
      start_date: '2010-01-04',
      end_date: '2020-12-31',
      trading_bot: tree,
      strategy_id: id,
      place: { node_id: 'node_root', index: 0 },
    },
    user,
  );
/** Counted up to the head of the log. */
const trials = async () => {
  const { name } = lineageTrialsProjection.collection;
  const head = await api.stores.eventStore.head();
  const reached = { projections: [lineageTrialsProjection], timeoutMs: 30_000 };
  expect(await projectorConsistency(api.projectors).whenReached(head, reached)).toBe(true);
  return (await api.stores.readModels.get<LineageTrialsDocument>(name, id))?.singleTrials ?? 0;
};

it('a stranger’s run of a public strategy is a trial of it, his run of another tree under its name is none', async () => {
  expect((await run(other, 'u2')).status).toBe(200);
  expect((await around('u2')).body).toMatchObject({ trials: 0 });
  expect(await trials()).toBe(0);
  const seen = (await api.call('GET', `/api/v1/trading-bots/${id}`, undefined, 'u2')).body.algorithm;
  await run(seen, 'u2');
  expect(await trials()).toBe(1);
  // What its owner makes of it before he saves it is one of his.
  await run(other, 'u1');
  expect(await trials()).toBe(2);
});

it('a trial is one of the changes of the day, and none is kept where there are no more', async () => {
  const third = { ...tree, corridor: 7 };
  await run({ ...tree, corridor: 6 }, 'u1');
  expect(rateLimits.hits.get(changesKey('u1'))).toBeGreaterThanOrEqual(1);
  expect(rateLimits.hits.get(writtenKey('u1'))).toBeGreaterThan(1_000);
  const before = await trials();
  const { changesPerDay } = USE_LIMITS.api;
  rateLimits.hits.set(changesKey('u1'), changesPerDay);
  expect((await run(third, 'u1')).status).toBe(200);
  expect((await around('u1')).status).toBe(200);
  expect(rateLimits.hits.get(changesKey('u1'))).toBe(changesPerDay);
  expect(await trials()).toBe(before);
  rateLimits.hits.clear();
  await run(third, 'u1');
  expect(await trials()).toBe(before + 1);
});
