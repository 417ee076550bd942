import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BatchApi, openBatchApi } from '../../testing/batch-api.ts';

let api: BatchApi;
beforeAll(async () => {
  api = await openBatchApi();
});
afterAll(() => api.close());

const DATE = '2016-01-04';
const withDate = (date = DATE) => ({
  backtest_config: {
    start_date: '2010-01-04',
    end_date: '2020-12-31',
    slippage_bps: 10,
    out_of_sample_date: date,
  },
});
const path = (id: string, rest = '') => `/api/v1/batch-backtests/${id}${rest}`;
const get = async (id: string, rest: string) => {
  const answer = await api.call('GET', path(id, rest));
  expect(answer.status, answer.text).toBe(200);
  return answer;
};

describe('a batch with an out-of-sample date', () => {
  it('is ranked, filtered, painted and downloaded in sample', async () => {
    const id = await api.finishedBatch(withDate());
    const columns = (
      await get(id, '/results?format=json&limit=3&columns=combination,in_sharpe_ratio,sharpe_ratio')
    ).body;
    expect(columns.columns).toEqual(['combination', 'in_sharpe_ratio', 'sharpe_ratio']);
    for (const [, inSample, shown] of columns.rows) expect(shown).toBe(inSample);
    // In sample the fake figures rise with the combination; over the whole period another one is the best.
    const ranked = (await get(id, '/results?format=json&limit=2&sort=sharpe_ratio:desc&columns=combination'))
      .body;
    expect(ranked.rows).toEqual([[199], [198]]);
    const few = (
      await get(id, '/results?format=json&filter=sharpe_ratio:gt:190&columns=combination&limit=20')
    ).body;
    expect(few.total).toBe(9);
    const detail = (await get(id, '')).body;
    expect(detail.summary).toMatchObject({ part: 'in_sample', best: { combination: 199 } });
    expect(detail.out_of_sample).toEqual({ date: DATE, opened: null });
    const peaks = (await get(id, '/analysis/peaks')).body;
    expect(peaks.best.combination).toBe(199);
    const map = (await get(id, '/analysis/heat-map?x=$B&y=$A')).body;
    expect(map.best.at(-1).at(-1)).toBeCloseTo(199, 0);
    const histograms = (await get(id, '/analysis/histograms')).body.histograms;
    expect(
      histograms.find(({ metric }: { metric: string }) => metric === 'sharpe_ratio').max,
    ).toBeGreaterThan(190);
    const file = (await get(id, '/results?format=csv')).text.split('\n')[0];
    expect(file).toContain('in_sharpe_ratio');
    expect(file).not.toContain('out_');
    expect(file).not.toMatch(/,sharpe_ratio/);
  });

  it('has in all columns each metric once, and those of the other part once it is opened', async () => {
    const id = await api.finishedBatch(withDate());
    const shut = (await get(id, '/results?format=json&limit=1&columns=all')).body.columns;
    expect(shut).toEqual(expect.arrayContaining(['combination', '$A', 'in_sharpe_ratio']));
    for (const name of ['sharpe_ratio', 'out_sharpe_ratio', 'block_sum_9', 'trades'])
      expect(shut).not.toContain(name);
    expect((await api.call('POST', path(id, '/out-of-sample'))).status).toBe(200);
    const open = (await get(id, '/results?format=csv&columns=all')).text.split('\n')[0]?.split(',') ?? [];
    expect(open).toEqual(expect.arrayContaining(['out_sharpe_ratio', 'block_sum_9', 'trades']));
    expect(new Set(open).size).toBe(open.length);
  });

  it('shows the other fill while it is shut, which is of the days before, and runs its rows again', async () => {
    const { backtest_config } = withDate();
    const id = await api.finishedBatch({ backtest_config: { ...backtest_config, both_fills: true } });
    const rest = '/results?format=json&limit=1&sort=other_fill_sharpe_ratio:desc';
    const { columns } = (await get(id, rest)).body;
    expect(columns.slice(-4)).toEqual([
      'other_fill_annualized_return',
      'other_fill_cumulative_return',
      'other_fill_max_drawdown',
      'other_fill_sharpe_ratio',
    ]);
    const again = await api.call('POST', path(id, '/rows'), { combinations: [1] });
    expect(again.status, again.text).toBe(200);
    await api.call('POST', path(id, '/out-of-sample'));
    const file = (await get(id, '/results?format=csv')).text.split('\n')[0] ?? '';
    expect(file).toMatch(/other_fill_sharpe_ratio,out_cumulative_return/);
  });

  it.each([
    '/results?format=json&columns=out_sharpe_ratio',
    '/results?format=json&sort=trades:desc',
    '/results?format=csv&sort=out_sharpe_ratio:desc',
    '/results?format=json&filter=out_sharpe_ratio:gt:0',
    '/results?format=csv&columns=block_sum_9',
    '/results?link=true&columns=skewness',
  ])('keeps %s shut until it is opened', async (rest) => {
    const id = await api.finishedBatch(withDate());
    const shut = await api.call('GET', path(id, rest));
    expect(shut.status).toBe(409);
    expect(shut.body.code).toBe('out_of_sample_locked');
    expect((await api.call('POST', path(id, '/out-of-sample'))).status).toBe(200);
    await get(id, rest);
  });

  it('is opened once, by its owner, and the answer says when and by whom', async () => {
    const id = await api.finishedBatch({ ...withDate(), is_public: true });
    const stranger = await api.call('POST', path(id, '/out-of-sample'), undefined, 'stranger');
    expect(stranger.status).toBe(404);
    expect((await api.call('POST', path(id, '/out-of-sample'))).status).toBe(200);
    const first = (await get(id, '/out-of-sample')).body;
    expect(first.opened).toMatchObject({ by_you: true });
    expect((await api.call('POST', path(id, '/out-of-sample'))).status).toBe(200);
    expect((await get(id, '/out-of-sample')).body).toEqual(first);
    const file = (await get(id, '/results?format=csv')).text.split('\n')[0];
    expect(file).toMatch(/in_sharpe_ratio.*out_sharpe_ratio/);
  });

  it('says which batches had ranked those days before', async () => {
    const early = await api.finishedBatch({ name: 'Early', ...withDate('2019-01-01') });
    const late = await api.finishedBatch({ name: 'Late', ...withDate('2017-01-03') });
    const known = (await get(late, '/out-of-sample')).body;
    expect(known.ranked_whole).toBe(false);
    expect(known.seen_before.batches.map(({ id }: { id: string }) => id)).toContain(early);
    // What came later changes nothing about what was known then.
    expect((await get(early, '/out-of-sample')).body.seen_before.batches).not.toContainEqual(
      expect.objectContaining({ id: late }),
    );
  });

  it('names nobody’s batches to others, and says how many there were', async () => {
    await api.finishedBatch({ name: 'Early', ...withDate('2019-01-01') });
    const late = await api.finishedBatch({ name: 'Late', ...withDate('2017-01-03'), is_public: true });
    const own = (await get(late, '/out-of-sample')).body.seen_before;
    const others = await api.call('GET', path(late, '/out-of-sample'), undefined, 'stranger');
    expect(own.batches.length).toBeGreaterThan(0);
    expect(others.body.seen_before).toEqual({ count: own.count, batches: [] });
  });

  it('has nothing to open without a date', async () => {
    const id = await api.finishedBatch();
    const answer = await api.call('POST', path(id, '/out-of-sample'));
    expect([answer.status, answer.body.code]).toEqual([409, 'no_out_of_sample_date']);
    expect((await get(id, '/out-of-sample')).body.date).toBeNull();
  });
});
