import { fingerprintOf } from '@quantloom/domain/batch/reuse';
import type { BacktestAnswer } from '@quantloom/domain/contracts/backtest';
import { COLUMNS_TYPE, decodeColumns } from '@quantloom/domain/contracts/backtest-columns';
import { handleCommand } from '@quantloom/domain/kernel/handle-command';
import { RefusalError, refuse } from '@quantloom/domain/kernel/refusal';
import { TRIALS_STREAM } from '@quantloom/domain/trials/stream';
import {
  type LineageTrialsDocument,
  lineageTrialsProjection,
  trialId,
} from '@quantloom/domain/trials/trials';
import { until } from '@quantloom/projectors/testing/batch-stack';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type BatchApi, openBatchApi, SOME_ANSWER } from '../../testing/batch-api.ts';
import { asset, root } from '../../testing/blocks.ts';

let api: BatchApi;
beforeAll(async () => {
  api = await openBatchApi();
});
afterAll(() => api.close());

describe('single backtests', () => {
  const request = {
    start_date: '2010-01-04',
    end_date: '2020-12-31',
    trading_bot: root(asset('node_a', 'A1')),
  };

  it('run, and refuse what cannot run with the block at fault', async () => {
    api.engine.defect = null;
    expect((await api.call('POST', '/api/v1/backtests', request)).status).toBe(200);
    const unbound = { ...request, trading_bot: root(asset('node_a', '$A')) };
    expect((await api.call('POST', '/api/v1/backtests', unbound)).body).toMatchObject({
      status: 400,
      error: expect.stringMatching(/node_a|\$A/),
    });
    api.engine.defect = new RefusalError(refuse(400, 'no_common_dates', 'A1 and B1 have no common dates'));
    expect((await api.call('POST', '/api/v1/backtests', request)).body).toMatchObject({
      status: 400,
      code: 'no_common_dates',
    });
    // As the runner says it: a slip of the caller's, no defect.
    api.engine.defect = Object.assign(new Error('There is no data set of version v9'), {
      code: 'unknown_version',
    });
    expect(
      (await api.call('POST', '/api/v1/backtests', { ...request, data_version: 'v9' })).body,
    ).toMatchObject({ status: 400, code: 'unknown_version', error: expect.stringContaining('v9') });
    api.engine.defect = null;
  });

  it('count today by the day at the exchange, where it is still the day before', async () => {
    vi.useFakeTimers({ now: new Date('2026-11-23T02:00:00Z'), toFake: ['Date'] });
    try {
      const late = { ...request, end_date: '2999-01-01' };
      const place = { node_id: 'node_a', index: 0 };
      for (const [path, body] of [
        ['/api/v1/backtests', late],
        ['/api/v1/backtests/sensitivity', { ...late, place }],
      ] as const)
        expect((await api.call('POST', path, body)).body).toMatchObject({
          code: 'date_in_future',
          error: 'end_date 2999-01-01 is in the future: today is 2026-11-22 at the exchange',
        });
    } finally {
      vi.useRealTimers();
    }
  });

  it('refuse a simulated benchmark to who may not use simulated tickers', async () => {
    const simulated = { ...request, benchmark_ticker: 'SIM:A1' };
    const refused = await api.call('POST', '/api/v1/backtests', simulated, 'f free');
    expect(refused).toMatchObject({
      status: 403,
      body: { code: 'plan_without_simulated_tickers', errors: [{ path: '/benchmark_ticker' }] },
    });
    expect((await api.call('POST', '/api/v1/backtests', request, 'f free')).status).toBe(200);
    expect((await api.call('POST', '/api/v1/backtests', simulated)).status).toBe(200);
  });

  it('takes numbers stored as text and refuses others by name, as the command line does', async () => {
    const answer = (over: object) => api.call('POST', '/api/v1/backtests', { ...request, ...over });
    expect((await answer({ slippage_bps: '25', starting_balance: '5000', include: null })).status).toBe(200);
    for (const [over, error] of [
      [{ slippage_bps: '25.5' }, 'slippage_bps must be a whole number from 0 to 1000, not "25.5"'],
      [{ slippage_bps: 1001 }, 'slippage_bps must be a whole number from 0 to 1000, not 1001'],
      [{ starting_balance: 0 }, 'starting_balance must be a number above 0, not 0'],
      [{ start_date: '2020-02-30' }, 'start_date must be a date such as 2020-12-31, not "2020-02-30"'],
    ] as const)
      expect((await answer(over)).body).toMatchObject({ status: 400, error });
  });

  it('are run on all the terms that are given, and on none that is not', async () => {
    let asked: object | null = null;
    api.engine.answer = (wanted) => {
      asked = wanted;
      return SOME_ANSWER as BacktestAnswer;
    };
    const terms = {
      ...{ starting_balance: 5_000, slippage_bps: 25, fill: 'next-close', cash: { rate: 4 } },
      ...{ benchmark_ticker: 'B2', benchmarks: ['B3', 'B4'], indicator_prices: 'raw' },
      include: { history: true, report: true },
    };
    expect((await api.call('POST', '/api/v1/backtests', { ...request, ...terms })).status).toBe(200);
    expect(asked).toEqual({ ...request, ...terms });
    await api.call('POST', '/api/v1/backtests', request);
    expect(asked).toEqual(request);
    api.engine.answer = null;
  });

  it('answer as JSON to everybody but those who name columns', async () => {
    api.engine.defect = null;
    const call = (accept: string) => api.call('POST', '/api/v1/backtests', request, 'u1', { accept });
    for (const accept of ['*/*', 'application/json', 'text/html, application/*;q=0.5']) {
      const { headers, body } = await call(accept);
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
      expect(body).toMatchObject({ metrics: { sharpe: 1 }, benchmark_metrics: null });
    }
    const { headers, bytes } = await call(`${COLUMNS_TYPE}, application/json;q=0.9`);
    expect(headers['content-type']).toBe(COLUMNS_TYPE);
    expect(decodeColumns(bytes)).toEqual((await call('application/json')).body);
    api.engine.defect = new RefusalError(refuse(400, 'no_common_dates', 'A1 and B1 have no common dates'));
    expect(await call(COLUMNS_TYPE)).toMatchObject({ status: 400, body: { code: 'no_common_dates' } });
    api.engine.defect = null;
  });

  it('record a defect with all that replaying needs, for administrators only', async () => {
    api.engine.defect = Object.assign(new Error('division by zero'), {
      code: 'engine_defect',
      debugData: { bar_counts: { A1: 5 } },
    });
    const failed = await api.call('POST', '/api/v1/backtests', request);
    expect(failed).toMatchObject({
      status: 500,
      body: { code: 'engine_defect', error_id: expect.any(String) },
    });
    expect(failed.text).not.toContain('division');
    const id = failed.body.error_id;
    expect((await api.call('GET', '/api/v1/backtests/errors')).status).toBe(403);
    const seen = await until(async () => {
      const answer = await api.call('GET', `/api/v1/backtests/errors/${id}`, undefined, 'u1 api admin');
      return answer.status === 200 ? answer.body : null;
    });
    expect(seen).toMatchObject({
      message: 'division by zero',
      data_version: 'v1',
      outcome: 'open',
      request: { trading_bot: { id: 'node_root' } },
      debug_data: {
        error: { message: 'division by zero', stack: expect.any(Array) },
        bar_counts: { A1: 5 },
        ohlc_cache: [],
      },
    });
    const again = await api.call('POST', `/api/v1/backtests/errors/${id}/replay`, undefined, 'u1 api admin');
    expect(again.body).toMatchObject({ id, kind: 'failed', detail: 'division by zero' });
    api.engine.defect = null;
    const many = await api.call(
      'POST',
      '/api/v1/backtests/errors/replay',
      { search: 'division' },
      'u1 api admin',
    );
    expect(many.body).toEqual({
      outcomes: [{ id, kind: 'succeeded', detail: 'Ran from 2010-01-04 to 2020-12-31' }],
    });
    const after = (await api.call('GET', `/api/v1/backtests/errors/${id}`, undefined, 'u1 api admin')).body;
    expect(after).toMatchObject({
      outcome: 'succeeded',
      replays: [{ kind: 'failed' }, { kind: 'succeeded' }],
    });
    for (const [filter, count] of [
      ['outcome=succeeded', 1],
      ['outcome=open', 0],
      ['kind=backtest', 1],
      ['kind=batch', 0],
      ['search=DIVISION', 1],
      ['search=other', 0],
      ['since=2020-01-01T00:00:00.000Z', 1],
      ['since=2999-01-01T00:00:00.000Z', 0],
    ] as const) {
      const url = `/api/v1/backtests/errors?${filter}`;
      const found = await api.call('GET', url, undefined, 'u1 api admin');
      expect(found.body, filter).toHaveLength(count);
      expect(found.headers['x-total-count'], filter).toBe(String(count));
    }
  });
});

describe('the numbers around one of a strategy', () => {
  const trading_bot = { ...root(asset('node_a', 'A1')), rebalance: 'corridor', corridor: 5 };
  const request = { start_date: '2010-01-04', end_date: '2020-12-31', trading_bot };
  const around = (over: object = {}) =>
    api.call('POST', '/api/v1/backtests/sensitivity', {
      ...request,
      place: { node_id: 'node_root', index: 0 },
      ...over,
    });

  it('are run at once, and say which number stands there', async () => {
    const { status, body } = await around();
    expect(status).toBe(200);
    expect(body).toMatchObject({ value: 5, trials: 0, data_version: 'v1' });
    const rows = (body as { rows: { value: number; sharpe: number }[] }).rows;
    expect(rows.map(({ value }) => value)).toContain(5);
    expect(rows.every(({ value, sharpe }) => sharpe === value)).toBe(true);
  });

  it('refuse a place that holds no number, and what cannot run', async () => {
    expect((await around({ place: { node_id: 'node_a', index: 0 } })).body).toMatchObject({
      status: 400,
      code: 'unknown_place',
      error: expect.stringContaining('node_a'),
    });
    api.engine.defect = new RefusalError(refuse(400, 'no_common_dates', 'A1 and B1 have no common dates'));
    expect((await around()).body).toMatchObject({ status: 400, code: 'no_common_dates' });
    api.engine.defect = null;
  });

  it('count as trials only where they ran', async () => {
    const created = await api.call('POST', '/api/v1/trading-bots', {
      name: 'Some cannot run',
      type: 'bot',
      algorithm: trading_bot,
    });
    const { id } = created.body as { id: string };
    await until(async () => (await api.call('GET', `/api/v1/trading-bots/${id}`)).status === 200);
    const run = api.backtestRunner.rows;
    const rows = vi.spyOn(api.backtestRunner, 'rows').mockImplementation(async (batch) => {
      const all = await run(batch);
      const failed = { ...all.rows[0], reason: 'There are no common dates' };
      return { ...all, rows: [failed, ...all.rows.slice(1)] } as typeof all;
    });
    const { body } = await around({ strategy_id: id });
    rows.mockRestore();
    expect(body.rows[0]).toMatchObject({ reason: 'There are no common dates' });
    // Neither the one that failed nor the number itself.
    const ran = body.rows.length - 2;
    expect(body.trials).toBe(ran);
    const counted = (trials: number) =>
      until(async () => {
        const { collection } = lineageTrialsProjection;
        const found = await api.stores.readModels.get<LineageTrialsDocument>(collection.name, id);
        return found?.singleTrials === trials;
      });
    await counted(ran);
    // Whoever fills the orders at another price looks at something else: the one that failed runs now.
    await around({ strategy_id: id, fill: 'next-close' });
    await counted(2 * ran + 1);
  });

  it('count as trials of the lineage of a saved strategy, each once, the number itself not', async () => {
    const created = await api.call('POST', '/api/v1/trading-bots', {
      name: 'Pair',
      type: 'bot',
      algorithm: trading_bot,
    });
    const { id } = created.body as { id: string };
    await until(async () => (await api.call('GET', `/api/v1/trading-bots/${id}`)).status === 200);
    const first = (await around({ strategy_id: id })).body as { rows: unknown[]; trials: number };
    expect(first.trials).toBe(first.rows.length - 1);
    const trials = async () => {
      const found = await api.stores.readModels.get<LineageTrialsDocument>(
        lineageTrialsProjection.collection.name,
        id,
      );
      return found?.singleTrials ?? 0;
    };
    await until(async () => (await trials()) === first.trials);
    await around({ strategy_id: id });
    // What is counted after them shows that none of them was.
    await api.call('POST', '/api/v1/backtests', { ...request, strategy_id: id });
    await until(async () => (await trials()) > first.trials);
    expect(await trials()).toBe(first.trials + 1);
    // Nobody counts trials of a strategy that he may not see, nor learns of them.
    const wanted = { ...request, place: { node_id: 'node_root', index: 0 }, strategy_id: id };
    const stranger = () => api.call('POST', '/api/v1/backtests/sensitivity', wanted, 'u2');
    expect(await stranger()).toMatchObject({ status: 200, body: { trials: 0 } });
    await api.call('PATCH', `/api/v1/trading-bots/${id}`, { is_public: true });
    await until(async () => (await api.call('GET', `/api/v1/trading-bots/${id}`)).body.is_public);
    // What others make of a public strategy is no trial of its owner's.
    expect(await stranger()).toMatchObject({ status: 200, body: { trials: 0 } });
    // Over other dates and at other costs nothing new is tried, neither the strategy nor what is around it.
    await around({ strategy_id: id, start_date: '2012-01-04' });
    await api.call('POST', '/api/v1/backtests', { ...request, strategy_id: id, start_date: '2012-01-04' });
    await api.call('POST', '/api/v1/backtests', { ...request, strategy_id: id, slippage_bps: 3 });
    // Nor where the log has counted it by the hash of before.
    const other = { ...request, strategy_id: id, trading_bot: { ...trading_bot, corridor: 7 } };
    const { strategy_id: _, ...run } = other;
    const fingerprint = fingerprintOf(run).slice(0, 32);
    const trial = { lineageId: id, strategyId: id, userId: 'u1', fingerprint };
    await handleCommand(
      api.stores.eventStore,
      TRIALS_STREAM,
      trialId(trial),
      { type: 'CountTrial', trial },
      {
        commandId: '01ARZ3NDEKTSV4RRFFQ69G5FAV',
        correlationId: 'c1',
        actor: { kind: 'user', userId: 'u1' },
        now: '2026-01-01T00:00:00Z',
      },
    );
    await until(async () => (await trials()) === first.trials + 2);
    await api.call('POST', '/api/v1/backtests', other);
    // What is counted after all of these shows that none of them was.
    const last = { ...other, trading_bot: { ...trading_bot, corridor: 9.5 } };
    await api.call('POST', '/api/v1/backtests', last);
    await until(async () => (await trials()) > first.trials + 2);
    expect(await trials()).toBe(first.trials + 3);
  });
});
