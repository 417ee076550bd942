import {
  BATCH_ANALYSES_COLLECTION,
  type BatchDocument,
  batchesProjection,
} from '@quantloom/domain/batch/projections';
import { BATCH_STREAM } from '@quantloom/domain/batch/stream';
import { loadState } from '@quantloom/domain/kernel/handle-command';
import { fakeSharpe, until } from '@quantloom/projectors/testing/batch-stack';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type BatchApi, openBatchApi, SOME_ANSWER } from '../../testing/batch-api.ts';
import { createAnalysisThreads } from '../analysis/analysis-threads.ts';
import { openVerdictPreparation } from '../analysis/prepare-verdict.ts';
import { VerdictCores } from '../analysis/verdict-core.ts';

let api: BatchApi;
beforeAll(async () => {
  api = await openBatchApi();
});
afterAll(() => api.close());

/** Sharpe ratios of the rows of the fake batch that have not failed. */
const scatterSharpes = (rows: number) =>
  Array.from({ length: rows }, (_, k) => (k > 0 && k % 97 === 0 ? 0 : fakeSharpe(k)));

describe('analysis', () => {
  it('answers every question about a finished batch', async () => {
    const id = await api.finishedBatch();
    const get = async (path: string) => {
      const answer = await api.call('GET', `/api/v1/batch-backtests/${id}/analysis/${path}`);
      expect(answer.status, `${path}: ${answer.text}`).toBe(200);
      return answer.body;
    };
    const { histograms } = await get('histograms?bins=10');
    const sharpe = histograms.find(({ metric }: { metric: string }) => metric === 'sharpe_ratio');
    expect(sharpe.bins.reduce((sum: number, bin: { count: number }) => sum + bin.count, 0)).toBe(198);
    const heat = await get('heat-map?x=$A&y=$B');
    expect([heat.best.length, heat.best[0].length]).toEqual([10, 20]);
    expect(heat.count.flat().filter((count: number) => count === 1)).toHaveLength(198);
    for (const grid of ['best', 'mean', 'worst']) expect(heat[grid][4][3]).toBe(fakeSharpe(34));
    // The combinations 97 and 194 have failed.
    expect([heat.count[7][9], heat.best[7][9]]).toEqual([0, null]);
    const part = await get('heat-map?x=$A&y=$B&x_order=mean&x_from=0&x_to=5&cells=3');
    expect(part.x).toMatchObject({ step: 2, from: 0, total: 20 });
    expect(part.x.values).toHaveLength(5);
    expect([part.best.length, part.best[0].length]).toEqual([3, 3]);
    const { x, y } = await get('heat-map?x=$A&y=$B&x_from=0&x_to=5&y_from=2&y_to=6');
    expect([x.from, x.values.length, y.from, y.values.length]).toEqual([0, 5, 2, 4]);
    const effects = await get('variables');
    expect(effects.variables.map(({ name }: { name: string }) => name)).toEqual(['$A', '$B']);
    expect(effects.variables[0].slices).toHaveLength(20);
    const scatter = await get('scatter?points=50');
    expect(scatter.points.length).toBe(50);
    expect(scatter.frontier.length).toBeGreaterThan(0);
    expect([scatter.z, scatter.frontier[0].z]).toEqual([null, null]);
    // The one with the best Sharpe ratio is beaten by none, wherever it stands: above, across or third; so is
    // the smallest drawdown.
    const top = Math.max(...scatterSharpes(200));
    for (const [query, place] of [
      ['x=sharpe_ratio&y=annualized_return', 'x'],
      ['x=standard_deviation&y=sharpe_ratio', 'y'],
      ['x=max_drawdown&y=annualized_return&z=sharpe_ratio', 'z'],
    ] as const) {
      const { frontier, frontier_total: total } = await get(`scatter?${query}`);
      expect(frontier).toHaveLength(total);
      expect(Math.max(...frontier.map((point: Record<string, number>) => point[place]))).toBe(top);
    }
    const calmest = await get('scatter?x=annualized_return&y=max_drawdown&points=200');
    expect(Math.min(...calmest.frontier.map(({ y }: { y: number }) => y))).toBe(
      Math.min(...calmest.points.map(({ y }: { y: number }) => y)),
    );
    const peaks = await get('peaks');
    expect(peaks.best.value).toBe(
      Math.max(...Array.from({ length: 200 }, (_, k) => (k > 0 && k % 97 === 0 ? 0 : fakeSharpe(k)))),
    );
    // The fake drawdowns grow with the combination; the smallest is the best, and what failed has none.
    const calm = await get('heat-map?x=$A&y=$B&metric=max_drawdown&cells=1');
    expect(calm.best[0][0]).toBeLessThan(calm.worst[0][0]);
    const [slice] = (await get('variables?metric=max_drawdown')).variables[0].slices;
    expect(slice.best).toBeLessThan(slice.worst);
    const low = await get('peaks?metric=max_drawdown');
    expect(low.best.combination).toBe(0);
    expect(low.best.value).toBeGreaterThanOrEqual(0);
    expect(low.median).toBeGreaterThan(low.best.value);
    const [lowest] = low.peaks;
    expect(lowest.combination).toBe(0);
    // Whatever is beside the smallest one is larger.
    expect(lowest.neighbour_median).toBeGreaterThan(lowest.value);
    const steady = (await get('robust?limit=200&metric=max_drawdown')).rows.map(
      (row: { neighbourhood_median: number }) => row.neighbourhood_median,
    );
    expect(steady).toEqual(steady.toSorted((a: number, b: number) => a - b));
    const tops = (await get('parallel?size=50&metric=max_drawdown')).rows.filter(
      (row: { is_top: boolean }) => row.is_top,
    );
    expect(Math.max(...tops.map((row: { combination: number }) => row.combination))).toBeLessThan(20);
    // All 198 rows are in the sample: where all were the best, none would stand out.
    const all = (await get('parallel?size=2000')).rows.filter((row: { is_top: boolean }) => row.is_top);
    expect(all).toHaveLength(19);
    expect((await get('robust?limit=5')).rows).toHaveLength(5);
    expect((await get('parallel?size=50')).rows.length).toBeGreaterThanOrEqual(50);
    const verdict = await get('verdict');
    expect(verdict.trials).toMatchObject({ batch: 200 });
    expect(verdict.figures.map(({ key }: { key: string }) => key)).toContain('deflated_sharpe');
    expect(await get('verdict')).toEqual(verdict);
    expect((await api.call('GET', `/api/v1/batch-backtests/${id}/analysis/heat-map?x=$A&y=$A`)).status).toBe(
      400,
    );
    const other = await api.finishedBatch({
      backtest_config: { start_date: '2011-01-04', end_date: '2020-12-31' },
    });
    expect(await get(`compare?with=${other}`)).toMatchObject({
      matched: 198,
      unmatched: { this: 0, other: 0 },
      equal: 198,
      higher: 0,
      lower: 0,
      correlation: 1,
      differences: [{ name: 'Start date' }],
    });
    // Medians of today, whatever was told before.
    const { readModels } = api.stores;
    const { name } = batchesProjection.collection;
    const document = (await readModels.get<BatchDocument>(name, other)) as BatchDocument;
    const summary = { ...document.summary, medians: { sharpe_ratio: 7 } } as BatchDocument['summary'];
    await readModels.put(name, { ...document, _revision: document._revision + 1, summary } as BatchDocument);
    const { medians } = await get(`compare?with=${other}`);
    expect(medians).toContainEqual(expect.objectContaining({ metric: 'sharpe_ratio', other: 7 }));
  });

  it('says beside the distribution how long rows are that begin with their tickers, and where the benchmark lies', async () => {
    // Most rows begin late.
    api.engine.stored = (name, k) => (name === 'n' && k < 150 ? 500 : undefined);
    const asked: string[] = [];
    api.engine.answer = ({ trading_bot, end_date }) => {
      const [, ticker = ''] = /"ticker":"([^"]+)"/.exec(JSON.stringify(trading_bot)) ?? [];
      asked.push(`${ticker} until ${end_date}`);
      return { ...SOME_ANSWER, metrics: { ...SOME_ANSWER.metrics, sharpe: 0.55, calmer: null } };
    };
    const config = { start_date: '2012-01-04', end_date: '2020-12-31' };
    const id = await api.finishedBatch({ backtest_config: config });
    const held = await api.finishedBatch({
      backtest_config: { ...config, out_of_sample_date: '2020-01-02', benchmark_ticker: 'A1' },
    });
    api.engine.stored = null;
    const ask = async (batch: string) =>
      (await api.call('GET', `/api/v1/batch-backtests/${batch}/analysis/histograms`)).body;
    const answer = await ask(id);
    expect(answer.days).toBe(500);
    expect(answer.benchmark).toMatchObject({
      ticker: 'SPY',
      metrics: { sharpe_ratio: 0.55, annualized_return: 0.09, calmer_ratio: null },
    });
    // What is held out is the end of every row, and the benchmark's too.
    const locked = await ask(held);
    expect(locked.days).toBeGreaterThan(240);
    expect(locked.days).toBeLessThan(260);
    expect(locked.benchmark.ticker).toBe('A1');
    expect(asked).toEqual(['SPY until 2020-12-31', 'A1 until 2020-01-01']);
    // Medians that an earlier release took over all days know what is held out.
    const { readModels } = api.stores;
    const { name } = batchesProjection.collection;
    const document = (await readModels.get<BatchDocument>(name, held)) as BatchDocument;
    const { part, ...summary } = document.summary as NonNullable<BatchDocument['summary']>;
    const medianIn = async (bins: number) =>
      (await api.call('GET', `/api/v1/batch-backtests/${held}/analysis/histograms?bins=${bins}`)).body
        .histograms[0].median;
    expect([part, await medianIn(7)]).toEqual(['in_sample', expect.any(Number)]);
    await readModels.put(name, { ...document, summary } as BatchDocument);
    expect(await medianIn(8)).toBeNull();
    // A picture without the mark where the engine is away; with it at the next look.
    const other = await api.finishedBatch({ backtest_config: { ...config, start_date: '2012-01-05' } });
    api.engine.defect = new Error('the pool is gone');
    expect(await ask(other)).toMatchObject({ benchmark: null, days: 2_500 });
    api.engine.defect = null;
    expect((await ask(other)).benchmark).toMatchObject({ ticker: 'SPY' });
    api.engine.answer = null;
  });

  it('answers for the rows that meet the filters of the results, and refuses a filter of no column', async () => {
    const id = await api.finishedBatch();
    const ask = (path: string) => api.call('GET', `/api/v1/batch-backtests/${id}/analysis/${path}`);
    const only = async (path: string) => (await ask(`${path}filter=$A:in:A3|A4&filter=$B:in:B1|B2|B4`)).body;
    const kept = [31, 32, 34, 41, 42, 44];
    const values = kept.map(fakeSharpe).toSorted((a, b) => a - b);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const { histograms } = await only('histograms?bins=10&');
    const sharpe = histograms.find(({ metric }: { metric: string }) => metric === 'sharpe_ratio');
    expect(sharpe).toMatchObject({ count: 6, min: values[0], max: values[5] });
    expect(sharpe.mean).toBeCloseTo(mean, 12);
    expect(sharpe.median).toBeCloseTo(((values[2] as number) + (values[3] as number)) / 2, 12);
    const heat = await only('heat-map?x=$A&y=$B&');
    expect([heat.x.values, heat.y.values]).toEqual([
      ['A3', 'A4'],
      ['B1', 'B2', 'B4'],
    ]);
    expect(heat.best[2][1]).toBe(fakeSharpe(44));
    const { variables } = await only('variables?');
    expect(variables.map(({ slices }: { slices: unknown[] }) => slices.length)).toEqual([2, 3]);
    const combinations = (answer: { combination: number }[]) => answer.map(({ combination }) => combination);
    const scatter = await only('scatter?points=50&');
    expect(scatter.total).toBe(6);
    expect(combinations(scatter.points)).toEqual(kept);
    expect(kept).toEqual(expect.arrayContaining(combinations(scatter.frontier)));
    expect(combinations((await only('parallel?size=50&')).rows)).toEqual(kept);
    expect(await ask('scatter?filter=nothing:gte:1')).toMatchObject({
      status: 400,
      body: { code: 'unknown_column' },
    });
  });

  it('compares a batch with one that the caller may see, not with what the owner of the first may', async () => {
    const shown = await api.finishedBatch({ is_public: true });
    const hidden = await api.finishedBatch();
    const compare = (user: string) =>
      api.call('GET', `/api/v1/batch-backtests/${shown}/analysis/compare?with=${hidden}`, undefined, user);
    expect(await compare('u2')).toMatchObject({ status: 404, body: { code: 'batch_not_found' } });
    expect((await compare('u1')).status).toBe(200);
  });

  it('names what two batches differ in, and no setting that one of them leaves out and the other one spells', async () => {
    const days = { start_date: '2010-01-04', end_date: '2020-12-31' };
    const plain = await api.finishedBatch({ backtest_config: days });
    const compare = async (config: object) => {
      const other = await api.finishedBatch({ backtest_config: { ...days, ...config } });
      const url = `/api/v1/batch-backtests/${plain}/analysis/compare?with=${other}`;
      return (await api.call('GET', url)).body.differences;
    };
    expect(await compare({ slippage_bps: 10, benchmark_ticker: 'SPY' })).toEqual([]);
    expect(await compare({ slippage_bps: 11, end_date: '2020-12-30' })).toEqual([
      { name: 'End date', this: '2020-12-31', other: '2020-12-30' },
      { name: 'Slippage (bps)', this: '10', other: '11' },
    ]);
  });

  it('finds what no row beats by the side of a metric that is better, across and third as well', async () => {
    const id = await api.finishedBatch();
    const get = async (query: string) =>
      (await api.call('GET', `/api/v1/batch-backtests/${id}/analysis/scatter?points=200&${query}`)).body;
    // Drawdowns are better the smaller they are, and the fake ones grow with the combination.
    for (const [query, place] of [
      ['x=max_drawdown&y=annualized_return', 'x'],
      ['x=sharpe_ratio&y=annualized_return&z=max_drawdown', 'z'],
    ] as const) {
      const { frontier, points } = await get(query);
      const best = Math.min(...points.map((point: Record<string, number>) => point[place]));
      expect(Math.min(...frontier.map((point: Record<string, number>) => point[place])), query).toBe(best);
    }
  });

  it('records a defect of the engine that picked rows meet, as single backtests do', async () => {
    const id = await api.finishedBatch();
    api.engine.defect = Object.assign(new Error('division by zero'), { code: 'engine_defect' });
    const failed = await api.call('POST', `/api/v1/batch-backtests/${id}/rows`, { combinations: [3] });
    api.engine.defect = null;
    expect(failed).toMatchObject({
      status: 500,
      body: { code: 'engine_defect', error_id: expect.any(String) },
    });
    expect(failed.text).not.toContain('division');
    const seen = await until(async () => {
      const { status, body } = await api.call(
        'GET',
        `/api/v1/backtests/errors/${failed.body.error_id}`,
        undefined,
        'u1 api admin',
      );
      return status === 200 ? body : null;
    });
    expect(seen).toMatchObject({ message: 'division by zero', data_version: 'v1', outcome: 'open' });
  });

  it('gives no verdict before all trials are counted', async () => {
    const id = await api.finishedBatch();
    const verdict = () => api.call('GET', `/api/v1/batch-backtests/${id}/analysis/verdict`);
    const head = await api.stores.eventStore.head();
    const behind = vi.spyOn(api.projectors, 'whenReached').mockResolvedValue(false);
    const refused = await verdict();
    const asked = behind.mock.lastCall;
    behind.mockRestore();
    expect([refused.status, refused.body.code]).toEqual([503, 'unavailable']);
    // All trials that the log knows of, not only those that some other read model has seen.
    expect(asked).toEqual([head, expect.objectContaining({ projections: ['lineageTrials'] })]);
    expect((await verdict()).status).toBe(200);
  });

  it('waits for a verdict that this process is at, in place of making it twice', async () => {
    const id = await api.finishedBatch();
    const state = (await loadState(api.stores.eventStore, BATCH_STREAM, id)).state;
    if (!('created' in state)) throw new Error('no batch');
    const { combinations, variables, config, template, dataVersion } = state.created;
    const batch = { id, combinations, variables, algorithm: template.algorithm, config, dataVersion };
    const { readModels, results: store } = api.stores;
    const runner = { ...api.backtestRunner, run: vi.fn(api.backtestRunner.run) };
    const threads = createAnalysisThreads();
    const preparing = new VerdictCores({ readModels, store, threads, runner });
    const asked = new VerdictCores({ readModels, store, threads, runner, others: preparing });
    const [one, other] = await Promise.all([preparing.judged(batch), asked.judged(batch)]);
    await threads.close();
    expect(other).toBe(one);
    // What cash earned is asked for: to rank rows by, once more before they are tested, and by the test. The
    // engine of this test has no daily values to go on with.
    expect(runner.run).toHaveBeenCalledTimes(3);
  });

  it('makes a verdict once that a compute node and those who look at it want at the same time', async () => {
    const id = await api.finishedBatch();
    const state = (await loadState(api.stores.eventStore, BATCH_STREAM, id)).state;
    if (!('created' in state)) throw new Error('no batch');
    const { combinations, variables, config, template, dataVersion } = state.created;
    const batch = { id, combinations, variables, algorithm: template.algorithm, config, dataVersion };
    const { readModels, results: store } = api.stores;
    const threads = createAnalysisThreads();
    const run = vi.fn(api.backtestRunner.run);
    const reading = vi.spyOn(store, 'readColumns');
    // Processes: nothing is shared by them but what is stored.
    const processes = [0, 1, 2].map(
      () =>
        new VerdictCores({
          readModels,
          store,
          threads,
          runner: { ...api.backtestRunner, run },
          times: { silenceMs: 3_600_000, lookMs: 1 },
        }),
    );
    const columnsOf = async (ask: () => Promise<unknown>) => {
      reading.mockClear();
      const answer = await ask();
      return { answer, reads: reading.mock.calls.length };
    };
    const cores = await columnsOf(() => Promise.all(processes.map((each) => each.core(batch))));
    const judged = await columnsOf(() => Promise.all(processes.map((each) => each.judged(batch))));
    // What one of them alone reads for it.
    await readModels.delete(BATCH_ANALYSES_COLLECTION.name, id);
    const [alone] = processes as [VerdictCores];
    const aloneCore = await columnsOf(() => alone.core(batch));
    const aloneJudged = await columnsOf(() => alone.judged(batch));
    reading.mockRestore();
    await threads.close();
    expect([cores.reads, judged.reads]).toEqual([aloneCore.reads, aloneJudged.reads]);
    expect(cores.reads).toBeGreaterThan(0);
    expect(judged.answer).toEqual([0, 1, 2].map(() => aloneJudged.answer));
    // What cash earned is asked for: to rank rows by, once more before they are tested, and by the test. The
    // engine of this test has no daily values to go on with, which is no lasting answer.
    expect(run).toHaveBeenCalledTimes(6);
  });

  it('takes the dear part of a verdict from where it was prepared', async () => {
    const id = await api.finishedBatch();
    const before = await api.stores.readModels.get(BATCH_ANALYSES_COLLECTION.name, id);
    expect(before).toBeNull();
    const state = (await loadState(api.stores.eventStore, BATCH_STREAM, id)).state;
    if (!('created' in state)) throw new Error('no batch');
    const { readModels, results: resultStore } = api.stores;
    const log = { error: () => {} };
    const { backtestRunner } = api;
    const preparation = openVerdictPreparation({ readModels, resultStore, backtestRunner, log });
    await preparation.prepare(state.created);
    await preparation.idle();
    await preparation.close();
    const kept = await readModels.get(BATCH_ANALYSES_COLLECTION.name, id);
    expect(kept).toMatchObject({ core: { count: 198, best: { combination: expect.any(Number) } } });
    const answer = await api.call('GET', `/api/v1/batch-backtests/${id}/analysis/verdict`);
    expect(answer.body.best.combination).toBe(
      (kept as unknown as { core: { best: { combination: number } } }).core.best.combination,
    );
  });
});
