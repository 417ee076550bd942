import { RefusalError, refuse } from '@quantloom/domain/kernel/refusal';
import type { RunOptions } from '@quantloom/domain/ports/backtest-runner';
import { countedLimits } from '@quantloom/domain/testing/counted-limits';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type BatchApi, openBatchApi, SOME_ANSWER } from '../testing/batch-api.ts';
import { asset, root } from '../testing/blocks.ts';

const rateLimits = countedLimits();
let api: BatchApi;
beforeAll(async () => {
  api = await openBatchApi({ rateLimits });
  api.engine.defect = Object.assign(new Error('division by zero'), { code: 'engine_defect' });
});
afterAll(() => api.close());

const fail = async (start: string, user = 'u1') => {
  const body = { start_date: start, end_date: '2020-12-31', trading_bot: root(asset('node_a', 'A1')) };
  const answer = await api.call('POST', '/api/v1/backtests', body, user);
  expect(answer).toMatchObject({ status: 500, body: { code: 'engine_defect' } });
  return answer.body as { error: string; error_id?: string };
};
const events = async () => {
  let count = 0;
  for await (const _ of api.stores.eventStore.readAll(-1n, {
    filter: { streamPrefixes: ['backtestError-'] },
  }))
    count += 1;
  return count;
};

it('records the same failure of the same request once, and so many different ones of a user a day', async () => {
  const first = await fail('2010-01-04');
  expect(first.error).toContain('has been recorded');
  expect(await fail('2010-01-04')).toMatchObject({ error_id: first.error_id });
  expect(await events()).toBe(1);
  expect((await fail('2010-01-04', 'u2')).error_id).not.toBe(first.error_id);
  for (let day = 5; day < 24; day++)
    expect((await fail(`2010-01-${String(day).padStart(2, '0')}`)).error_id).toBeDefined();
  const beyond = await fail('2010-02-01');
  expect(beyond.error_id).toBeUndefined();
  expect(beyond.error).not.toContain('The error has been recorded');
  // One that is known is named all the same.
  expect(await fail('2010-01-04')).toMatchObject({ error_id: first.error_id });
  expect(await events()).toBe(21);
});

it('tells failures on other market data apart, which is run again on them', async () => {
  const on = async (version: string) => {
    api.prices.version = version;
    return (await fail('2012-01-04', 'u3')).error_id;
  };
  const first = await on('v1');
  expect(await on('v2')).not.toBe(first);
  expect(await on('v1')).toBe(first);
});

it('charges what a run took that failed, one by itself and one of the numbers around it', async () => {
  const spent = 25_000;
  const failing = async (_request: unknown, { onSpent }: RunOptions = {}): Promise<never> => {
    onSpent?.(spent);
    throw new RefusalError(refuse(400, 'no_common_dates', 'A1 and B1 have no common dates'));
  };
  const spies = [
    vi.spyOn(api.backtestRunner, 'runAs').mockImplementation((_form, ...given) => failing(...given)),
    vi.spyOn(api.backtestRunner, 'rows').mockImplementation(failing),
  ];
  const trading_bot = { ...root(asset('node_a', 'A1')), rebalance: 'corridor', corridor: 5 };
  const body = { start_date: '2010-01-04', end_date: '2020-12-31', trading_bot };
  const place = { node_id: 'node_root', index: 0 };
  for (const [path, wanted] of [
    ['/api/v1/backtests', body],
    ['/api/v1/backtests/sensitivity', { ...body, place }],
  ] as const) {
    rateLimits.hits.delete('cost:u4');
    expect(await api.call('POST', path, wanted, 'u4')).toMatchObject({ status: 400 });
    expect(rateLimits.hits.get('cost:u4'), path).toBeGreaterThanOrEqual(spent);
  }
  for (const spy of spies) spy.mockRestore();
});

it('charges what it took to compute a certificate again, also where that came to nothing', async () => {
  const algorithm = root(asset('node_a', 'A1'));
  const made = await api.call('POST', '/api/v1/trading-bots', { name: 'Mine', algorithm }, 'u6');
  const days = { start_date: '2010-01-04', end_date: '2020-12-31' };
  const run = { ...days, trading_bot: algorithm, strategy_id: made.body.id };
  const { defect } = api.engine;
  api.engine.defect = null;
  expect(await api.call('POST', '/api/v1/backtests', run, 'u6')).toMatchObject({ status: 200 });
  api.engine.defect = defect;
  const path = `/api/v1/trading-bots/${made.body.id}/runs/last/certificate`;
  const { body: certificate } = await api.call('GET', path, undefined, 'u6');
  const spent = 25_000;
  const spy = vi.spyOn(api.backtestRunner, 'runAs').mockImplementation(async (_form, _request, options) => {
    options?.onSpent?.(spent);
    throw new RefusalError(refuse(400, 'no_common_dates', 'A1 and B1 have no common dates'));
  });
  rateLimits.hits.delete('cost:u6');
  const verified = await api.call('POST', '/api/v1/certificates/verify', certificate, 'u6');
  spy.mockRestore();
  expect(verified).toMatchObject({ status: 200, body: { confirmed: false } });
  expect(rateLimits.hits.get('cost:u6')).toBeGreaterThanOrEqual(spent);
});

it('charges what picked rows took before one of them met a defect', async () => {
  const id = await api.finishedBatch({}, 'u5');
  const run = vi.spyOn(api.backtestRunner, 'run').mockImplementation(async (_request, { onSpent } = {}) => {
    onSpent?.(12_000);
    if (run.mock.calls.length === 2) throw new Error('division by zero');
    return SOME_ANSWER;
  });
  rateLimits.hits.delete('cost:u5');
  const url = `/api/v1/batch-backtests/${id}/rows`;
  const failed = await api.call('POST', url, { combinations: [1, 2, 3] }, 'u5');
  run.mockRestore();
  expect(failed).toMatchObject({ status: 500, body: { code: 'engine_defect' } });
  expect(rateLimits.hits.get('cost:u5')).toBeGreaterThanOrEqual(24_000);
});
