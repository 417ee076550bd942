import type { BatchEvent } from '@quantloom/domain/batch/events';
import { batchDefinitionsProjection, batchesProjection } from '@quantloom/domain/batch/projections';
import { BATCH_STREAM } from '@quantloom/domain/batch/stream';
import { EXAMPLE_BATCH } from '@quantloom/domain/contracts/http/examples';
import { PLANS } from '@quantloom/domain/identity/plans';
import { handleCommand, loadState } from '@quantloom/domain/kernel/handle-command';
import { RefusalError, refuse } from '@quantloom/domain/kernel/refusal';
import { costOfRun } from '@quantloom/domain/limits/cost';
import { MAX_BATCH_TICKERS, USE_LIMITS } from '@quantloom/domain/limits/limits';
import { exchangeMonth } from '@quantloom/domain/market-data/exchange-day';
import type { BacktestRunner, RunOptions } from '@quantloom/domain/ports/backtest-runner';
import type { MarketData } from '@quantloom/domain/ports/market-data';
import { sizeOf } from '@quantloom/domain/strategy/size';
import { finished, started } from '@quantloom/domain/testing/batch-builders';
import { countedLimits } from '@quantloom/domain/testing/counted-limits';
import { USAGE_STREAM, usageId } from '@quantloom/domain/usage/stream';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { appendToBatch, leaveOfMonth, systemContext, usedOfMonth } from '../../testing/batch-months.ts';
import { type Caller, startTestApi, type TestApi } from '../../testing/test-api.ts';
import { forgetKeptAnswers } from '../idempotency.ts';

const BATCHES = '/api/v1/batch-backtests';
const ESTIMATE = `${BATCHES}/estimate`;
const DATA_SET = {
  version: 'v1',
  createdAt: '2026-01-01T00:00:00.000Z',
  label: 'test',
  isSimulated: false,
  lastDay: '2025-12-31',
  assetCount: 1,
};

let api: TestApi;
type Writable = { -readonly [Key in keyof MarketData]: MarketData[Key] };
/** What measuring a batch is asked with, and what it fails with. */
let measured: RunOptions[];
let fault: unknown;
/** What happens while a batch is measured. */
let meanwhile: () => Promise<unknown>;
/** Seconds of work that it is measured to take. */
let workSeconds: number;
/** Milliseconds that measuring it takes. */
let spentMs: number;
const load: MarketData['load'] = async (_version, tickers) => {
  const prices = { days: Int32Array.of(17_000, 17_001), closes: Float64Array.of(1, 1) };
  return new Map(tickers.map((ticker) => [ticker, { ticker, ...prices }]));
};
const estimate: BacktestRunner['estimate'] = async (_request, options = {}) => {
  measured.push(options);
  await meanwhile();
  if (fault) throw fault;
  const counts = { requestedCombinations: 6, combinations: 6, partitions: 1 };
  return { ...counts, seconds: 21, fixedSeconds: 1, workSeconds, dataVersion: 'v1', spentMs };
};
const rateLimits = countedLimits();
const marketData = { versions: async () => [DATA_SET], assets: async () => [] } as never as Writable;

beforeAll(async () => {
  api = await startTestApi({ rateLimits, marketData, backtestRunner: { estimate } as BacktestRunner });
});
afterAll(() => api.close());
beforeEach(() => {
  Object.assign(marketData, { load, current: async () => DATA_SET });
  rateLimits.hits.clear();
  measured = [];
  fault = null;
  meanwhile = async () => undefined;
  workSeconds = 1;
  spentMs = 1;
  // Each test has a month of its own.
  api.advance(32 * 86_400_000);
});
afterEach(() => vi.restoreAllMocks());

const post = async (body: object = {}, caller: Caller = 'paid', url = BATCHES, headers = {}) =>
  await api.call(caller, 'POST', url, { ...EXAMPLE_BATCH, ...body }, headers);
const read = async (id: string, caller: Caller = 'paid') => await api.call(caller, 'GET', `${BATCHES}/${id}`);
const stateOf = async (id: string) => {
  const { state } = await loadState(api.deps.eventStore, BATCH_STREAM, id);
  if (!('created' in state)) throw new Error(`There is no batch ${id}`);
  return state.created;
};
const usageOf = (userId: string) => usageId(userId, exchangeMonth(api.deps.clock.now()));
const used = (userId = 'user-paid') => usedOfMonth(api, userId);
const context = () => systemContext(api);
const append = (id: string, events: readonly BatchEvent[], after: number) =>
  appendToBatch(api, id, events, after);
const leave = (combinations: number) => leaveOfMonth(api, 'user-paid', combinations);

describe('creating a batch', () => {
  it('says where it is, and is its owner’s alone unless he says otherwise', async () => {
    const made = await post({ name: ' Mine ' });
    const { id, revision } = made.json();
    expect(made.statusCode, made.body).toBe(201);
    expect(made.headers).toMatchObject({ location: `${BATCHES}/${id}`, etag: `"${revision}"` });
    expect(made.json()).toMatchObject({ name: 'Mine', combinations: 6, time_estimate: { seconds: 21 } });
    expect((await read(id)).statusCode).toBe(200);
    expect((await read(id, 'other')).statusCode).toBe(404);
    const shown = await post({ is_public: true });
    expect((await read(shown.json().id, 'other')).statusCode).toBe(200);
  });

  it('names it by its template where it has no name, and refuses a long one before anything is taken', async () => {
    for (const name of [undefined, '   '])
      expect((await post({ name })).json().name).toBe('Backtest based on Two of them');
    const before = [await used(), await api.deps.eventStore.head()];
    const long = await post({ name: 'x'.repeat(201) });
    expect([long.statusCode, long.json().code]).toEqual([400, 'name_too_long']);
    expect([await used(), await api.deps.eventStore.head()]).toEqual(before);
    expect((await post({ name: 'x'.repeat(200) })).statusCode).toBe(201);
  });

  it('fits into a month that has room for exactly it, and not into a smaller one', async () => {
    await leave(6);
    const made = await post();
    expect(made.json().usage).toMatchObject({ remaining: 6, remaining_after_backtests: 0 });
    await api.call('paid', 'DELETE', `${BATCHES}/${made.json().id}`);
    await leave(5);
    for (const url of [BATCHES, ESTIMATE]) {
      const refused = await post({}, 'paid', url);
      expect(refused.statusCode, refused.body).toBe(403);
      expect(refused.json()).toMatchObject({
        combinations: 6,
        requested_combinations: 6,
        new_combinations: 6,
      });
    }
    // Nothing is measured for what cannot run.
    expect(measured).toHaveLength(1);
  });

  it('comes by its second try where the first one died with its part of the month reserved', async () => {
    await leave(6);
    const { eventStore } = api.deps;
    const write = eventStore.append.bind(eventStore);
    const append = vi.spyOn(eventStore, 'append').mockImplementation(async (stream, ...given) => {
      if (stream.startsWith('batch-')) throw new Error('the process has died');
      return await write(stream, ...given);
    });
    const create = async () => await post({}, 'paid', BATCHES, { 'idempotency-key': 'died' });
    expect((await create()).statusCode).toBe(500);
    append.mockRestore();
    expect(await used()).toBe(PLANS.api.monthlyBacktests);
    const made = await create();
    expect(made.statusCode, made.body).toBe(201);
    expect(made.json().usage).toMatchObject({ remaining: 6, remaining_after_backtests: 0 });
    expect(await used()).toBe(PLANS.api.monthlyBacktests);
  });

  it('comes by a later try, too, where an outage was so long that its part was given back', async () => {
    await leave(6);
    const { eventStore } = api.deps;
    const write = eventStore.append.bind(eventStore);
    const create = async () => await post({}, 'paid', BATCHES, { 'idempotency-key': 'outage' });
    const giveBack = async () => {
      let batchId = '';
      const append = vi.spyOn(eventStore, 'append').mockImplementation(async (stream, ...given) => {
        if (!stream.startsWith('batch-')) return await write(stream, ...given);
        batchId = stream.slice('batch-'.length);
        throw new Error('the log is away');
      });
      expect((await create()).statusCode).toBe(500);
      append.mockRestore();
      const of = { userId: 'user-paid', batchId };
      const abandon = { type: 'AbandonBatchBacktest', ...of } as const;
      await handleCommand(eventStore, BATCH_STREAM, batchId, abandon, context());
      const month = exchangeMonth(api.deps.clock.now());
      const release = { type: 'ReleaseQuota', ...of, month, combinations: 'all' } as const;
      const reason = 'batch_never_created';
      const usage = usageOf('user-paid');
      await handleCommand(eventStore, USAGE_STREAM, usage, { ...release, reason }, context());
      return batchId;
    };
    const given = [await giveBack(), await giveBack()];
    expect(new Set(given).size).toBe(2);
    expect(await used()).toBe(PLANS.api.monthlyBacktests - 6);
    const made = await create();
    expect(made.statusCode, made.body).toBe(201);
    expect(given).not.toContain(made.json().id);
    // As if the process had died before it kept its answer.
    await forgetKeptAnswers(api.deps.readModels);
    expect((await create()).json().id).toBe(made.json().id);
    expect(await used()).toBe(PLANS.api.monthlyBacktests);
    // Also where its owner has deleted it meanwhile, there is no other one.
    expect((await api.call('paid', 'DELETE', `${BATCHES}/${made.json().id}`)).statusCode).toBe(200);
    await forgetKeptAnswers(api.deps.readModels);
    expect((await create()).json().id).toBe(made.json().id);
  });

  it('takes nothing from the month where there is no room for it', async () => {
    vi.spyOn(api.deps.readModels, 'count').mockResolvedValue(USE_LIMITS.api.storedThings);
    expect((await post()).json()).toMatchObject({ status: 413, code: 'storage_full' });
    expect(await used()).toBe(0);
  });

  it('counts simulated tickers in values as well as in the tree', async () => {
    const { template_bot, variables } = EXAMPLE_BATCH;
    expect((await stateOf((await post()).json().id)).isSimulated).toBe(false);
    const value = await post({ variables: { ...variables, $SECOND: ['SIM:TLT'] } });
    expect((await stateOf(value.json().id)).isSimulated).toBe(true);
    const tree = JSON.parse(
      JSON.stringify(template_bot).replaceAll('$SECOND', 'SIM:TLT').replace(',"SIM:TLT"]', ']'),
    );
    const fixed = await post({ template_bot: tree, variables: { $FIRST: variables.$FIRST } });
    expect(fixed.statusCode, fixed.body).toBe(201);
    expect((await stateOf(fixed.json().id)).isSimulated).toBe(true);
  });

  it('counts trials of what was never saved by user, and of a strategy where its maker may see it', async () => {
    const [own, others] = [await post(), await post({}, 'other')];
    const [first, second] = [await stateOf(own.json().id), await stateOf(others.json().id)];
    expect(first.lineageId).toMatch(/^tree-user-paid-/);
    expect(second.lineageId).toMatch(/^tree-user-other-/);
    const { name, algorithm } = EXAMPLE_BATCH.template_bot;
    const { id } = (await api.call('paid', 'POST', '/api/v1/trading-bots', { name, algorithm })).json();
    const template_bot = { ...EXAMPLE_BATCH.template_bot, id };
    const strategyOf = async (caller: Caller) =>
      (await stateOf((await post({ template_bot }, caller)).json().id)).strategyId;
    expect(await strategyOf('paid')).toBe(id);
    expect(await strategyOf('other')).toBeNull();
  });

  it('names the revision of its strategy where the template is what is saved', async () => {
    const { name, algorithm } = EXAMPLE_BATCH.template_bot;
    const { id } = (await api.call('paid', 'POST', '/api/v1/trading-bots', { name, algorithm })).json();
    const revisionOf = async (tree: object) => {
      const template_bot = { ...EXAMPLE_BATCH.template_bot, id, algorithm: tree };
      return (await stateOf((await post({ template_bot })).json().id)).strategyRevision;
    };
    expect(await revisionOf(algorithm)).toBe(0);
    expect(await revisionOf({ ...algorithm, rebalance: 'monthly' })).toBeNull();
  });
});

describe('a batch that takes rows over', () => {
  const { $FIRST, $SECOND } = EXAMPLE_BATCH.variables;
  /** Two combinations more than its source has. */
  let more: object;
  let year = 2000;
  const copied = () => rateLimits.hits.get(`copied:user-paid:${exchangeMonth(api.deps.clock.now())}`) ?? 0;
  let source: string;
  beforeEach(async () => {
    // No test finds rows of another one.
    year += 1;
    const backtest_config = { start_date: `${year}-01-02`, end_date: '2019-12-31' };
    more = { backtest_config, variables: { $FIRST: [...$FIRST, 'DIA'], $SECOND } };
    source = (await post({ backtest_config })).json().id;
    const summary = { rows: 6 } as never;
    await append(source, [{ type: 'BatchBacktestFinished', data: { batchId: source, summary } }], 0);
    await api.deps.consistency?.whenReached(await api.deps.eventStore.head(), {
      projections: [batchesProjection, batchDefinitionsProjection],
      timeoutMs: 5_000,
    });
  });

  it('is charged for the others alone, once, however often it is asked for', async () => {
    const create = async () => await post(more, 'paid', BATCHES, { 'idempotency-key': 'once' });
    const first = await create();
    expect(first.json()).toMatchObject({ combinations: 8, new_combinations: 2 });
    expect((await stateOf(first.json().id)).reuse).toEqual([{ batchId: source, count: 6 }]);
    expect([await used(), copied()]).toEqual([8, 6]);
    // As if the process had died before it kept its answer.
    await forgetKeptAnswers(api.deps.readModels);
    // It would be cut otherwise by now, and is as it was made.
    workSeconds = 10_000;
    const again = await create();
    expect([again.statusCode, again.json().id]).toEqual([201, first.json().id]);
    expect(again.json().partitions).toBe(first.json().partitions);
    expect(again.json().usage).toEqual(first.json().usage);
    expect([await used(), copied()]).toEqual([8, 6]);
  });

  it('takes them from the newest that has them', async () => {
    api.advance(1_000);
    const newer = (await post(more)).json().id;
    const summary = { rows: 8 } as never;
    await append(newer, [{ type: 'BatchBacktestFinished', data: { batchId: newer, summary } }], 0);
    await api.deps.consistency?.whenReached(await api.deps.eventStore.head(), {
      projections: [batchesProjection, batchDefinitionsProjection],
      timeoutMs: 5_000,
    });
    api.advance(1_000);
    expect((await stateOf((await post(more)).json().id)).reuse).toEqual([{ batchId: newer, count: 8 }]);
  });

  it('keeps what has them until they are taken', async () => {
    const { id } = (await post(more)).json();
    await api.deps.consistency?.whenReached(await api.deps.eventStore.head(), {
      projections: [batchesProjection, batchDefinitionsProjection],
      timeoutMs: 5_000,
    });
    const removed = async (batch: string) =>
      (await api.call('paid', 'DELETE', `${BATCHES}/${batch}`)).statusCode;
    expect([await removed(source), await removed(id), await removed(source)]).toEqual([409, 200, 200]);
  });

  it('takes none where the month has been used up meanwhile', async () => {
    meanwhile = () => leave(1);
    expect((await post(more)).json()).toMatchObject({ status: 403, code: 'monthly_limit_exceeded' });
    expect(copied()).toBe(0);
  });

  it('is refused, and charged nothing, where what has them was deleted meanwhile', async () => {
    meanwhile = () => api.call('paid', 'DELETE', `${BATCHES}/${source}`);
    const refused = await post(more);
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'too_many_changes']);
    expect([await used(), copied()]).toEqual([6, 0]);
  });

  it('counts them once more only where it comes under another id, as nobody waited for the first', async () => {
    const { eventStore } = api.deps;
    const write = eventStore.append.bind(eventStore);
    let first = '';
    const mock = vi.spyOn(eventStore, 'append').mockImplementation(async (stream, ...given) => {
      if (!stream.startsWith('batch-')) return await write(stream, ...given);
      first = stream.slice('batch-'.length);
      throw new Error('the process has died');
    });
    const create = async () => await post(more, 'paid', BATCHES, { 'idempotency-key': 'late' });
    expect((await create()).statusCode).toBe(500);
    mock.mockRestore();
    // Of an attempt that died nobody knows whether the rows are taken over.
    expect(copied()).toBe(6);
    meanwhile = async () => {
      const abandon = { type: 'AbandonBatchBacktest', userId: 'user-paid', batchId: first } as const;
      await handleCommand(eventStore, BATCH_STREAM, first, abandon, context());
    };
    const made = await create();
    expect([made.statusCode, made.json().id === first]).toEqual([201, false]);
    expect(copied()).toBe(12);
  });

  it('takes nobody else’s, and none of what is under way', async () => {
    const fresh = async (caller: Caller) => (await post(more, caller, ESTIMATE)).json().new_combinations;
    expect(await fresh('other')).toBe(8);
    expect(await fresh('paid')).toBe(2);
    await append(
      source,
      [{ type: 'BatchBacktestReplayed', data: { batchId: source, errorId: 'e', partitions: [0] } }],
      1,
    );
    await api.call('paid', 'GET', `${BATCHES}/${source}`);
    await expect.poll(() => fresh('paid')).toBe(8);
  });
});

describe('measuring a batch', () => {
  it('foretells what each row takes by the period, both ends included, and by its fills', async () => {
    const size = sizeOf(EXAMPLE_BATCH.template_bot.algorithm as never);
    const period = { start_date: '2015-01-02', end_date: '2015-01-11' };
    await post({ backtest_config: period }, 'paid', ESTIMATE);
    await post({ backtest_config: { ...period, both_fills: true } }, 'paid', ESTIMATE);
    const one = costOfRun(size, 10);
    expect(measured.map(({ expectedMs }) => expectedMs)).toEqual([one, 2 * one]);
    const deadlineMs = USE_LIMITS.api.deadlineSeconds * 1000;
    expect(measured[0]).toMatchObject({ dataVersion: 'v1', owner: 'user-paid', deadlineMs });
  });

  it('costs what it took, where that was more than was foretold', async () => {
    spentMs = 4_000;
    await post({}, 'paid', ESTIMATE);
    expect(rateLimits.hits.get('cost:user-paid')).toBeGreaterThanOrEqual(4_000);
  });

  it('is not done where the budget of the minute has room for the call, and not for the rows', async () => {
    // The rows of so few years take a millisecond.
    vi.spyOn(rateLimits, 'hit').mockImplementation(async (key, _, more = 1) => {
      return { hits: key.startsWith('cost:') && more === 1 ? 1e9 : 1, endsInMs: 30_000 };
    });
    expect((await post({}, 'paid', ESTIMATE)).json()).toMatchObject({ status: 429, code: 'cost_limit' });
    expect(measured).toEqual([]);
  });

  it('answers what the engine refuses, as an error or carried by one, and breaks where it breaks', async () => {
    const refusal = refuse(400, 'no_common_dates', 'SPY and TLT have no common dates');
    for (const one of [new RefusalError(refusal), Object.assign(new Error('worker'), { refusal })]) {
      fault = one;
      expect((await post({}, 'paid', ESTIMATE)).json()).toMatchObject({
        status: 400,
        code: 'no_common_dates',
      });
      expect((await post()).json()).toMatchObject({ status: 400, code: 'no_common_dates' });
    }
    fault = new Error('division by zero');
    expect((await post()).statusCode).toBe(500);
    expect(await used()).toBe(0);
  });

  it('has to have prices', async () => {
    marketData.current = async () => {
      throw Object.assign(new Error('none'), { code: 'no_data_set' });
    };
    expect((await post({}, 'paid', ESTIMATE)).json()).toMatchObject({ status: 409, code: 'no_data_set' });
    marketData.current = async () => {
      throw new Error('The disk is away');
    };
    expect((await post({}, 'paid', ESTIMATE)).statusCode).toBe(500);
  });

  it('looks for every ticker, and takes as many as a batch may name', async () => {
    const asked: string[] = [];
    marketData.load = async (version, tickers) => {
      asked.push(...tickers);
      return await load(version, tickers);
    };
    const values = Array.from({ length: MAX_BATCH_TICKERS }, (_, i) => `T${i}`);
    const ask = (second: string) =>
      post({ variables: { $FIRST: values, $SECOND: [second] } }, 'paid', ESTIMATE);
    expect((await ask('T0')).statusCode).toBe(200);
    expect(asked.toSorted()).toEqual(values.toSorted());
    expect((await ask('TLT')).json()).toMatchObject({ status: 400, code: 'too_many_tickers' });
  });
});

describe('changing a batch', () => {
  it('takes exactly one change, and tells its revision', async () => {
    const { id } = (await post({ name: 'Before' })).json();
    const patch = (body: object, headers = {}) =>
      api.call('paid', 'PATCH', `${BATCHES}/${id}`, body, headers);
    for (const body of [{}, { name: 'After', is_public: true }])
      expect((await patch(body)).json()).toMatchObject({ status: 400, code: 'one_change_at_a_time' });
    expect((await read(id)).json()).toMatchObject({ name: 'Before', is_public: false });
    const changed = await patch({ is_public: true }, { 'if-match': '"0"' });
    expect([changed.json(), changed.headers.etag]).toEqual([{ id, revision: 1 }, '"1"']);
    expect((await patch({ name: 'Late' }, { 'if-match': '"0"' })).json().code).toBe('wrong_revision');
    await patch({ is_public: false });
    await patch({ note: 'why' });
    expect((await patch({ note: '' })).statusCode).toBe(200);
    expect((await read(id)).json()).toMatchObject({ name: 'Before', is_public: false, note: '' });
  });

  it('is stopped and deleted whatever has been written since, by its owner alone', async () => {
    workSeconds = 1_000;
    const { id, partitions } = (await post({ is_public: true })).json();
    expect(partitions).toBeGreaterThan(1);
    await api.call('paid', 'PATCH', `${BATCHES}/${id}`, { name: 'Later' });
    const stop = (caller: Caller) => api.call(caller, 'POST', `${BATCHES}/${id}/stop`);
    const remove = (caller: Caller) => api.call(caller, 'DELETE', `${BATCHES}/${id}`);
    for (const call of [stop, remove]) expect((await call('other')).statusCode).toBe(404);
    expect((await stop('paid')).json()).toMatchObject({ status: 409, code: 'no_rows_yet' });
    await append(id, [started(0), finished(0)], 1);
    const stopped = await stop('paid');
    expect([stopped.json(), stopped.headers.etag]).toEqual([{ id, revision: 4 }, '"4"']);
    expect(stopped.headers['x-quantloom-position']).toBeDefined();
    const deleted = await remove('paid');
    expect([deleted.json(), deleted.headers.etag]).toEqual([{ id, deleted: true }, '"5"']);
    expect((await read(id)).statusCode).toBe(404);
  });
});
