import { until } from '@quantloom/projectors/testing/batch-stack';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BatchApi, body, openBatchApi, tickers } from '../../testing/batch-api.ts';
import { asset, emptyIf, root } from '../../testing/blocks.ts';

let api: BatchApi;
beforeAll(async () => {
  api = await openBatchApi();
});
afterAll(() => api.close());

describe('estimating', () => {
  it('counts for itself and shows the usage', async () => {
    const answer = await api.call(
      'POST',
      '/api/v1/batch-backtests/estimate',
      body({ variables: { $A: ['A1', 'a1', 'A2'], $B: ['B1'] } }),
    );
    expect(answer.body).toMatchObject({
      combinations: 2,
      requested_combinations: 3,
      time_estimate: { seconds: 20 },
      usage: { monthly_limit: 1_500_000, remaining_after_backtests: expect.any(Number) },
    });
  });
  it('answers 403 with the usage where the month does not suffice', async () => {
    const big = { variables: { $A: tickers('A', 1_300), $B: tickers('B', 1_300) } };
    const answer = await api.call('POST', '/api/v1/batch-backtests/estimate', body(big));
    expect(answer).toMatchObject({
      status: 403,
      body: {
        error: 'Monthly limit exceeded',
        code: 'monthly_limit_exceeded',
        combinations: 1_690_000,
        usage: { monthly_limit: 1_500_000 },
      },
    });
    expect(answer.body.usage.remaining_after_backtests).toBeLessThan(0);
  });
  it('takes no time and no memory for billions', async () => {
    const values = tickers('A', 2_000);
    const variables = { $A: values, $B: values, $C: values, $D: values };
    const algorithm = root(...['$A', '$B', '$C', '$D'].map((name, i) => asset(`node_${i}`, name)));
    const huge = { template_bot: { name: 'T', variables: Object.keys(variables), algorithm }, variables };
    const answer = await api.call('POST', '/api/v1/batch-backtests/estimate', body(huge));
    expect(answer).toMatchObject({ status: 403, body: { combinations: 1.6e13 } });
  });
  it('is not for the free plan', async () => {
    expect((await api.call('POST', '/api/v1/batch-backtests/estimate', body(), 'f free')).status).toBe(403);
  });
});

describe('what cannot run is refused and leaves nothing behind', () => {
  it.each<[string, Record<string, unknown>, RegExp]>([
    ['an unknown ticker in a variable', { variables: { $A: ['NOSUCH'], $B: ['B1'] } }, /NOSUCH.*\$A/],
    [
      'an unknown ticker in the tree',
      {
        template_bot: {
          name: 'T',
          variables: ['$A'],
          algorithm: root(asset('node_x', 'NOSUCH'), asset('node_a', '$A')),
        },
        variables: { $A: ['A1'] },
      },
      /NOSUCH/,
    ],
    ['an empty variable', { variables: { $A: [], $B: ['B1'] } }, /\$A/],
    ['a variable that is missing', { variables: { $A: ['A1'] } }, /\$B/],
    [
      'a variable that the template does not have',
      { variables: { $A: ['A1'], $B: ['B1'], $C: ['A1'] } },
      /\$C/,
    ],
    [
      'an empty if',
      { template_bot: { name: 'T', variables: ['$A', '$B'], algorithm: root(emptyIf) } },
      /node_if/,
    ],
    [
      'a start after the end',
      { backtest_config: { start_date: '2021-01-01', end_date: '2020-01-01' } },
      /^Error: Start date must be before or equal to end date: 2021-01-01 is after 2020-01-01$/,
    ],
    ['no start', { backtest_config: { end_date: '2020-01-01' } }, /^Start date is required$/],
    ['no end', { backtest_config: { start_date: '2020-01-01' } }, /^End date is required$/],
    [
      'a date that does not exist',
      { backtest_config: { start_date: '2020-02-30', end_date: '2020-03-01' } },
      /2020-02-30/,
    ],
    ['the future', { backtest_config: { start_date: '2020-02-03', end_date: '2999-03-01' } }, /future/],
    [
      'a slippage that is none',
      { backtest_config: { start_date: '2020-02-03', end_date: '2020-03-01', slippage_bps: -1 } },
      /^slippage_bps must be a whole number from 0 to 1000, not -1$/,
    ],
    [
      'a template without variables',
      { template_bot: { name: 'T', variables: [], algorithm: root(asset('node_a', 'A1')) }, variables: {} },
      /no variables/,
    ],
    [
      'an out-of-sample date outside',
      {
        backtest_config: {
          start_date: '2010-01-04',
          end_date: '2020-12-31',
          out_of_sample_date: '2009-01-01',
        },
      },
      /out-of-sample/,
    ],
  ])('%s', async (_, over, message) => {
    const before = await api.stores.eventStore.head();
    for (const url of ['/api/v1/batch-backtests/estimate', '/api/v1/batch-backtests']) {
      const answer = await api.call('POST', url, body(over));
      expect(answer.status).toBe(400);
      expect(answer.body.error).toMatch(message);
    }
    expect(await api.stores.eventStore.head()).toBe(before);
  });
});

describe('the quota', () => {
  it('cannot be passed by creating at the same instant', async () => {
    // 6 of 270,000 each; 5 fit into 1,500,000.
    const big = { variables: { $A: tickers('A', 600), $B: tickers('B', 450) } };
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        api.call(
          'POST',
          '/api/v1/batch-backtests',
          body({
            ...big,
            name: `n${i}`,
            backtest_config: { start_date: `201${i}-01-04`, end_date: '2020-12-31' },
          }),
          'q1',
        ),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 201, 201, 403, 403, 403]);
    expect(await api.used('q1')).toBe(1_350_000);
    const ids = answers.filter(({ status }) => status === 201).map(({ body: { id } }) => id);
    for (const id of ids)
      expect((await api.call('DELETE', `/api/v1/batch-backtests/${id}`, undefined, 'q1')).status).toBe(200);
    await until(async () => (await api.used('q1')) < 1_350_000);
    const quota = async () => (await api.call('GET', '/api/v1/batch-backtests/quota', undefined, 'q1')).body;
    expect((await quota()).monthly_limit).toBe(1_500_000);
    // What was given back is given back on the page, too.
    await until(async () => (await quota()).current_monthly_usage === (await api.used('q1')));
  });

  it('is not asked twice for one batch: a request that is repeated finds its reservation', async () => {
    // More than half of the month: a second reservation would not fit.
    const big = body({ variables: { $A: tickers('A', 1_000), $B: tickers('B', 800) } });
    const create = () => api.call('POST', '/api/v1/batch-backtests', big, 's1', { 'idempotency-key': 'big' });
    const [first, second] = await Promise.all([create(), create()]);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body.id).toBe(first.body.id);
    // As if the process had died before it kept its answer.
    const keys = await api.stores.readModels.find('idempotencyKeys_v1');
    for (const { id } of keys) await api.stores.readModels.delete('idempotencyKeys_v1', id);
    const third = await create();
    expect(third).toMatchObject({ status: 201, body: { id: first.body.id, usage: first.body.usage } });
    expect(await api.used('s1')).toBe(800_000);
    await api.call('DELETE', `/api/v1/batch-backtests/${first.body.id}`, undefined, 's1');
  });

  it('counts only what no earlier batch has', async () => {
    const before = await api.used('r1');
    await api.finishedBatch({}, 'r1');
    expect((await api.used('r1')) - before).toBe(200);
    const more = { variables: { $A: tickers('A', 21), $B: tickers('B', 10) } };
    const estimate = await api.call('POST', '/api/v1/batch-backtests/estimate', body(more), 'r1');
    expect(estimate.body).toMatchObject({ combinations: 210, new_combinations: 10 });
    // The page asks for estimates with 1 bps, and runs with what its form says.
    const { slippage_bps } = body(more).backtest_config;
    const asked = body({ ...more, backtest_config: { ...body(more).backtest_config, slippage_bps: 1 } });
    for (const [planned_slippage_bps, new_combinations] of [
      [undefined, 210],
      [slippage_bps, 10],
    ])
      expect(
        await api.call('POST', '/api/v1/batch-backtests/estimate', { ...asked, planned_slippage_bps }, 'r1'),
      ).toMatchObject({ status: 200, body: { combinations: 210, new_combinations } });
    const id = await api.finishedBatch(more, 'r1');
    expect((await api.used('r1')) - before).toBe(210);
    const batch = await api.call('GET', `/api/v1/batch-backtests/${id}`, undefined, 'r1');
    expect(batch.body).toMatchObject({ new_combinations: 10, summary: { rows: 210 } });
    // What a change of it may name is the batch as it is now, not as it was defined.
    expect(batch.headers.etag).toBe(`"${batch.body.revision}"`);
  });
});
