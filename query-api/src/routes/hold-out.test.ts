import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type BatchApi, body, openBatchApi } from '../../testing/batch-api.ts';

let api: BatchApi;
beforeAll(async () => {
  api = await openBatchApi();
});
afterAll(() => api.close());

const DATE = '2016-01-04';
const template = body().template_bot as { name: string; algorithm: unknown };

async function savedBot(over: object = {}): Promise<string> {
  const saved = await api.call('POST', '/api/v1/trading-bots', { ...template, is_public: true, ...over });
  expect(saved.status, saved.text).toBe(201);
  return saved.body.id;
}
const ask = (id: string, date: string | null, user = 'u1') =>
  api.call('POST', `/api/v1/trading-bots/${id}/hold-out`, { date }, user);
/** Asked when the looks of all batches are known: a busy machine refuses it until then. */
async function holdOut(id: string, date: string | null, user = 'u1') {
  const head = await api.stores.eventStore.head();
  expect(await api.projectors.whenReached(head, { timeoutMs: 30_000 })).toBe(true);
  return await ask(id, date, user);
}
const batchOf = (id: string, config: object = {}, over: object = {}) => ({
  template_bot: { ...(body().template_bot as object), id },
  backtest_config: { ...(body().backtest_config as object), ...config },
  ...over,
});
const estimate = (id: string, config: object = {}) =>
  api.call('POST', '/api/v1/batch-backtests/estimate', body(batchOf(id, config)));

it('is set once and kept by every batch of the strategy that reaches it', async () => {
  const bot = await savedBot();
  const set = await holdOut(bot, DATE);
  expect(set.body, set.text).toMatchObject({ id: bot, hold_out: { date: DATE, given_away_until: null } });
  expect((await api.call('GET', `/api/v1/trading-bots/${bot}`)).body.hold_out).toEqual(set.body.hold_out);
  expect((await estimate(bot)).body.hold_out).toEqual({ date: DATE, holds: 'strategy' });
  const id = await api.finishedBatch(batchOf(bot));
  const batch = (await api.call('GET', `/api/v1/batch-backtests/${id}`)).body;
  expect(batch).toMatchObject({
    backtest_config: { out_of_sample_date: DATE },
    out_of_sample: { date: DATE, opened: null },
    hold_out: { date: DATE, holds: 'strategy' },
    summary: { part: 'in_sample' },
  });
  const known = (await api.call('GET', `/api/v1/batch-backtests/${id}/out-of-sample`)).body;
  expect(known).toMatchObject({ hold_out: { holds: 'strategy' }, seen_before: { count: 0 } });
});

it('is not promised before all looks of the batches are known', async () => {
  const bot = await savedBot();
  const behind = vi.spyOn(api.projectors, 'whenReached').mockResolvedValue(false);
  const refused = await ask(bot, DATE);
  expect([refused.status, refused.body.code]).toEqual([503, 'unavailable']);
  behind.mockRestore();
  expect((await api.call('GET', `/api/v1/trading-bots/${bot}`)).body.hold_out).toBeNull();
  expect((await holdOut(bot, DATE)).status).toBe(200);
});

it('leaves an earlier date and an earlier end, and refuses what would rank days that are held out', async () => {
  const bot = await savedBot();
  await holdOut(bot, DATE);
  expect((await estimate(bot, { out_of_sample_date: '2013-01-02' })).body.hold_out.holds).toBe('batch');
  expect((await estimate(bot, { end_date: '2015-12-31' })).body.hold_out.holds).toBe('not_reached');
  const late = await estimate(bot, { out_of_sample_date: '2018-01-02' });
  expect([late.status, late.body.code]).toEqual([409, 'after_hold_out']);
  expect(late.body.error).toContain('2018-01-02');
  const after = await api.call(
    'POST',
    '/api/v1/batch-backtests',
    body(batchOf(bot, { start_date: '2017-01-03' })),
  );
  expect([after.status, after.body.code]).toEqual([409, 'period_held_out']);
});

it('does not reach a strategy without one, and a template that was never saved', async () => {
  expect((await estimate(await savedBot())).body.hold_out).toBeNull();
  const unsaved = await api.call('POST', '/api/v1/batch-backtests/estimate', body());
  expect(unsaved.body.hold_out).toBeNull();
});

it('is refused after a batch of the lineage has ranked the days, its own batch named and another not', async () => {
  const bot = await savedBot();
  const own = await api.finishedBatch(batchOf(bot, {}, { name: 'Saw it all' }));
  await api.finishedBatch(batchOf(bot, {}, { name: 'Secret of u2' }), 'u2');
  const refused = await holdOut(bot, DATE);
  expect(refused.status, refused.text).toBe(409);
  expect(refused.body).toMatchObject({
    code: 'hold_out_seen',
    batches: [{ id: own, name: 'Saw it all', until: '2020-12-31' }],
    others: 1,
    free_from: '2021-01-01',
  });
  expect(refused.text).not.toContain('Secret of u2');
  expect((await holdOut(bot, '2021-01-01')).status).toBe(200);
  // Deleting the batch does not make what was seen unseen.
  await api.call('DELETE', `/api/v1/batch-backtests/${own}`);
  expect((await holdOut(bot, DATE)).body.code).toBe('hold_out_seen');
});

it('counts a batch that is still under way', async () => {
  const bot = await savedBot();
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  api.engine.before = () => held;
  try {
    const begun = await api.call(
      'POST',
      '/api/v1/batch-backtests',
      body(batchOf(bot, {}, { name: 'Under way' })),
    );
    expect(begun.status, begun.text).toBe(201);
    const refused = await holdOut(bot, DATE);
    expect([refused.body.code, refused.body.batches?.[0]?.id]).toEqual(['hold_out_seen', begun.body.id]);
  } finally {
    api.engine.before = null;
    release();
  }
});

it('goes with a clone and is changed by the owner alone', async () => {
  const bot = await savedBot();
  expect((await holdOut(bot, DATE)).status).toBe(200);
  expect((await holdOut(bot, null, 'u2')).status).toBe(403);
  const clone = await api.call('POST', `/api/v1/trading-bots/${bot}/clone`, undefined, 'u2');
  expect(clone.body.hold_out).toEqual({ date: DATE, given_away_until: null });
  expect((await holdOut(bot, '2018-01-02')).body.hold_out).toEqual({
    date: '2018-01-02',
    given_away_until: '2018-01-02',
  });
  expect((await holdOut(bot, DATE)).body.code).toBe('hold_out_given_away');
  expect((await holdOut(bot, null)).body.hold_out).toEqual({ date: null, given_away_until: '2018-01-02' });
  expect((await estimate(bot)).body.hold_out).toBeNull();
});
