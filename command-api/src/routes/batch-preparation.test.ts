import { batchDefinitionsProjection, batchesProjection } from '@quantloom/domain/batch/projections';
import { BATCH_STREAM } from '@quantloom/domain/batch/stream';
import { EXAMPLE_BATCH } from '@quantloom/domain/contracts/http/examples';
import { loadState } from '@quantloom/domain/kernel/handle-command';
import type { BacktestRunner } from '@quantloom/domain/ports/backtest-runner';
import type { MarketData } from '@quantloom/domain/ports/market-data';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { appendToBatch } from '../../testing/batch-months.ts';
import { startTestApi, type TestApi } from '../../testing/test-api.ts';

const BATCHES = '/api/v1/batch-backtests';
const ESTIMATE = `${BATCHES}/estimate`;
const BOTS = '/api/v1/trading-bots';
const WHOLE = { start_date: '2010-01-04', end_date: '2019-12-31' };
const { template_bot, variables } = EXAMPLE_BATCH;
const { name, algorithm } = template_bot;

let api: TestApi;
/** Seconds of work that a batch is measured to take. */
let workSeconds = 1;
/** Tickers without prices. */
const nameless = new Set<string>();
const marketData = {
  versions: async () => [],
  assets: async () => [],
  current: async () => ({ version: 'v1', isSimulated: false, lastDay: '2025-12-31', assetCount: 1 }),
  load: async (_version: string, tickers: readonly string[]) => {
    const prices = { days: Int32Array.of(17_000, 17_001), closes: Float64Array.of(1, 1) };
    const known = tickers.filter((ticker) => !nameless.has(ticker));
    return new Map(known.map((ticker) => [ticker, { ticker, ...prices }]));
  },
} as never as MarketData;
const estimate: BacktestRunner['estimate'] = async () => {
  const counts = { requestedCombinations: 8, combinations: 8, partitions: 1 };
  return { ...counts, seconds: 21, fixedSeconds: 1, workSeconds, dataVersion: 'v1', spentMs: 1 };
};

beforeAll(async () => {
  api = await startTestApi({ marketData, backtestRunner: { estimate } as BacktestRunner });
});
afterAll(() => api.close());
beforeEach(() => {
  workSeconds = 1;
  nameless.clear();
  // Nothing of an earlier test is still under way, and each has a month of its own.
  api.advance(32 * 86_400_000);
});

const post = async (body: object = {}, url = BATCHES) =>
  await api.call('paid', 'POST', url, { ...EXAMPLE_BATCH, ...body });
const create = async (body: object = {}) => {
  const made = await post(body);
  expect(made.statusCode, made.body).toBe(201);
  const { state } = await loadState(api.deps.eventStore, BATCH_STREAM, made.json().id);
  if (!('created' in state)) throw new Error('There is no batch');
  return state.created;
};
/** A batch that has finished, of which the read models know. */
const finished = async (body: object): Promise<string> => {
  const { batchId } = await create(body);
  const summary = { rows: 6 } as never;
  await appendToBatch(api, batchId, [{ type: 'BatchBacktestFinished', data: { batchId, summary } }], 0);
  await api.deps.consistency?.whenReached(await api.deps.eventStore.head(), {
    projections: [batchesProjection, batchDefinitionsProjection],
    timeoutMs: 5_000,
  });
  return batchId;
};
const save = async (): Promise<string> =>
  (await api.call('paid', 'POST', BOTS, { name, algorithm })).json().id;
const until = (instant: string) => api.advance(Date.parse(instant) - api.deps.clock.now().getTime());

describe('rows that are there already', () => {
  const backtest_config = { ...WHOLE, slippage_bps: 7 };
  /** Two combinations more, the last ones. */
  const more = { backtest_config, variables: { ...variables, $FIRST: [...variables.$FIRST, 'DIA'] } };

  it('cost neither time nor a part of the month, partition by partition', async () => {
    const source = await finished({ backtest_config });
    workSeconds = 10_000;
    expect((await post(more, ESTIMATE)).json().time_estimate).toEqual({ seconds: 1 + (20 * 2) / 8 });
    const { quotaByPartition, partitionSize, reuse } = await create(more);
    expect(reuse).toEqual([{ batchId: source, count: 6 }]);
    expect([partitionSize, quotaByPartition]).toEqual([1, [0, 0, 0, 0, 0, 0, 1, 1]]);
  });

  it('are of no use where they show the days that the strategy holds out', async () => {
    const shown = { ...WHOLE, slippage_bps: 8 };
    await finished({ backtest_config: shown });
    expect((await post({ backtest_config: shown }, ESTIMATE)).json().new_combinations).toBe(0);
    const id = await save();
    const held = await api.call('paid', 'POST', `${BOTS}/${id}/hold-out`, { date: '2018-01-02' });
    expect(held.statusCode, held.body).toBe(200);
    const batch = await create({ backtest_config: shown, template_bot: { ...template_bot, id } });
    expect(batch).toMatchObject({ reuse: [], holdOutDate: '2018-01-02' });
    expect(batch.config.out_of_sample_date).toBe('2018-01-02');
  });
});

it('a strategy that was deleted is the origin of no batch', async () => {
  const id = await save();
  const batch = { template_bot: { ...template_bot, id } };
  expect((await create(batch)).strategyId).toBe(id);
  expect((await api.call('paid', 'DELETE', `/api/v1/drafts/${id}`)).statusCode).toBe(200);
  expect((await create(batch)).strategyId).toBeNull();
});

it('looks for the tickers that only the terms name', async () => {
  const backtest_config = { ...WHOLE, cash: { ticker: 'BIL' }, benchmarks: ['DIA'] };
  await create({ backtest_config });
  for (const ticker of ['BIL', 'DIA']) {
    nameless.add(ticker);
    const refused = await post({ backtest_config });
    expect(refused.statusCode, refused.body).toBe(400);
    expect(refused.json().error).toContain(ticker);
    nameless.clear();
  }
});

describe('in the evening before the first of a month, where that has begun in Greenwich', () => {
  beforeEach(() => until('2031-02-01T02:00:00.000Z'));

  it('a batch is of the month that it still is at the exchange', async () => {
    expect((await create({ backtest_config: WHOLE })).quotaMonth).toBe('2031-01');
  });

  it('a period ends a day after the exchange’s at the latest', async () => {
    const ending = (end_date: string) => post({ backtest_config: { ...WHOLE, end_date } });
    expect((await ending('2031-02-01')).statusCode).toBe(201);
    expect((await ending('2031-02-02')).statusCode).toBe(400);
  });
});
