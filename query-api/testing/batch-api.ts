import { createHash } from 'node:crypto';
import { registerIdempotency } from '@quantloom/command-api/idempotency';
import { mountBacktestErrors } from '@quantloom/command-api/routes/backtest-errors';
import { mountBatches } from '@quantloom/command-api/routes/batches';
import { mountFollows } from '@quantloom/command-api/routes/follows';
import { mountHoldOut } from '@quantloom/command-api/routes/hold-out';
import { mountSharedResults } from '@quantloom/command-api/routes/shared-results';
import { mountStrategies } from '@quantloom/command-api/routes/strategies';
import { mountVariableLists } from '@quantloom/command-api/routes/variable-lists';
import type { BacktestAnswer, BacktestRequest, BatchRequest } from '@quantloom/domain/contracts/backtest';
import { encodeColumns } from '@quantloom/domain/contracts/backtest-columns';
import type { SeriesReport } from '@quantloom/domain/contracts/backtest-report';
import { METRIC_COLUMNS, type MetricColumn } from '@quantloom/domain/contracts/result-block';
import { FEATURES, type Feature, type PlanId } from '@quantloom/domain/identity/plans';
import { loadState } from '@quantloom/domain/kernel/handle-command';
import { StateCache } from '@quantloom/domain/kernel/state-cache';
import { day } from '@quantloom/domain/market-data/day';
import { exchangeMonth } from '@quantloom/domain/market-data/exchange-day';
import type { AnswerForm, RunFigures, RunOptions } from '@quantloom/domain/ports/backtest-runner';
import type { PriceSeries } from '@quantloom/domain/ports/market-data';
import type { RateLimits } from '@quantloom/domain/ports/rate-limits';
import { PROJECTIONS } from '@quantloom/domain/projections';
import { hashesOf } from '@quantloom/domain/strategy/run-hashes';
import { parsedRequest, type RunRequest } from '@quantloom/domain/strategy/written-tree';
import { USAGE_STREAM, usageId } from '@quantloom/domain/usage/stream';
import { createServer } from '@quantloom/http/server';
import {
  clock,
  fakeRunner,
  openStores,
  type StoredValue,
  startStack,
  until,
} from '@quantloom/projectors/testing/batch-stack';
import type { FastifyInstance } from 'fastify';
import { ulid } from 'ulid';
import { projectorConsistency } from '../src/consistency.ts';
import type { ReadDeps } from '../src/deps.ts';
import { withMissingResultsTold } from '../src/missing-results.ts';
import { mountResultPages } from '../src/result-pages/mount-result-pages.ts';
import { mountAsLived } from '../src/routes/as-lived.ts';
import { mountBacktestErrorQueries } from '../src/routes/backtest-errors.ts';
import { mountBacktests } from '../src/routes/backtests.ts';
import { mountBatchAnalyses } from '../src/routes/batch-queries.ts';
import { mountBatchQueries } from '../src/routes/batches.ts';
import { mountCertificates } from '../src/routes/certificates.ts';
import { mountForwardTestQueries } from '../src/routes/forward-tests.ts';
import { mountBatchResults } from '../src/routes/results.ts';
import { mountSensitivity } from '../src/routes/sensitivity.ts';
import { mountSharedResultQueries } from '../src/routes/shared-results.ts';
import { mountStrategyQueries } from '../src/routes/strategies.ts';
import { mountStrategyRunQueries } from '../src/routes/strategy-runs.ts';
import { asset, root } from './blocks.ts';
import { dailyRowsOf } from './daily-rows.ts';

export const tickers = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, i) => `${prefix}${i}`);
/** A batch of 20 x 10 combinations, with changes. */
export const body = (over: Record<string, unknown> = {}) => ({
  name: 'A and B',
  is_public: false,
  template_bot: {
    name: 'Pair',
    variables: ['$A', '$B'],
    algorithm: root(asset('node_a', '$A'), asset('node_b', '$B')),
  },
  variables: { $A: tickers('A', 20), $B: tickers('B', 10) },
  partitions: 1,
  backtest_config: { start_date: '2010-01-04', end_date: '2020-12-31', slippage_bps: 10 },
  combinations: 1,
  time_estimate: { seconds: 0 },
  ...over,
});

/** What every single backtest answers, unless a test says otherwise. */
export const SOME_ANSWER: Omit<BacktestAnswer, 'history' | 'explanation' | 'benchmarks'> = {
  metrics: {
    duration: 4014,
    cumulative_return: 1.5,
    annualized_return: 0.09,
    standard_deviation: 0.16,
    max_drawdown: 0.2,
    calmer: 0.45,
    sharpe: 1,
    trailing_1_month: 0.01,
    trailing_3_month: 0.02,
  },
  benchmark_metrics: null,
  calculated_dates: {
    first_day: '2010-01-04',
    last_day: '2020-12-31',
    first_day_decided_by: [],
    last_day_decided_by: [],
    first_defined: {},
  },
};

/** What these tests take for the hash of a result. */
const fakeHash = (metrics: BacktestAnswer['metrics']) =>
  createHash('sha256').update(JSON.stringify(metrics)).digest('hex');

/** What is kept of an answer; of another engine only where it says so. */
function figuresOf(answer: typeof SOME_ANSWER, options: RunOptions): RunFigures {
  const { metrics, calculated_dates: dates } = answer;
  return {
    metrics,
    firstDay: dates.first_day,
    lastDay: dates.last_day,
    line: [1, 2.5],
    provenance: {
      data_version: options.dataVersion ?? 'v1',
      engine_version: answer.provenance?.engine_version ?? '1',
      is_simulated: true,
      result_hash: answer.provenance?.result_hash ?? fakeHash(metrics),
    },
    ...(options.madeBy !== undefined && { hashAsMade: fakeHash(metrics) }),
  };
}

const DAYS = 1_000;
/** What a run answers that was asked for its history and its report: it doubles, and its benchmark stays. */
export function wholeAnswer(): BacktestAnswer {
  const timestamps = Array.from({ length: DAYS }, (_, t) => (14_600 + t) * 86_400);
  return {
    ...SOME_ANSWER,
    benchmark_metrics: SOME_ANSWER.metrics,
    history: {
      timestamps,
      value: timestamps.map((_, t) => 10_000 * (1 + t / (DAYS - 1))),
      benchmark_value: timestamps.map(() => 10_000),
      tickers: {},
      indicators: {},
      turnover: timestamps.map(() => 0),
    },
    report: {
      ...SOME_SERIES,
      correlation: 0.5,
      beta: 1,
      alpha: 0,
      tracking_error: null,
      information_ratio: null,
      up_capture: null,
      down_capture: null,
      turnover_per_year: 2,
      trades: 3,
      costs: 0,
      exposure: 1,
      holdings: {},
      benchmark: SOME_SERIES,
    },
    provenance: {
      data_version: 'v1',
      engine_version: '1',
      is_simulated: true,
      result_hash: fakeHash(SOME_ANSWER.metrics),
    },
  };
}

const SOME_SERIES: SeriesReport = {
  sortino: 1.5,
  skewness: 0,
  excess_kurtosis: 0,
  value_at_risk_95: 0,
  expected_shortfall_95: 0,
  ulcer_index: 0.1,
  average_drawdown: 0,
  longest_drawdown_days: 0,
  drawdowns: [
    {
      peak: '2010-02-01',
      trough: '2010-03-01',
      recovery: null,
      depth: 0.2,
      days_to_trough: 28,
      days_to_recovery: null,
    },
  ],
  best_day: null,
  worst_day: null,
  positive_days: 1,
  monthly_returns: [],
  yearly_returns: [{ period: '2010', return: 0.25, is_partial: false }],
  best_month: null,
  worst_month: null,
  positive_months: 1,
  best_year: null,
  worst_year: null,
  positive_years: 1,
  rolling_12_months: [],
};

export type BatchApi = Awaited<ReturnType<typeof openBatchApi>>;

/** Ten days up to 2026-01-05, each a point above the one before. */
function tenDays(ticker: string): PriceSeries {
  const last = day('2026-01-05');
  return {
    ticker,
    days: Int32Array.from({ length: 10 }, (_, i) => last - 9 + i),
    closes: Float64Array.from({ length: 10 }, (_, i) => 100 + i),
  };
}

/**
 * Both sides of batches on the embedded stores with projections, process manager and a compute node whose
 * engine is a fake. The `authorization` header names the caller: `user plan [admin]`.
 */
export async function openBatchApi({
  dataVersion = 'v1',
  lastDay = '2026-01-01',
  rateLimits,
  also = [],
}: {
  readonly dataVersion?: string;
  readonly lastDay?: string;
  /** Default: nothing is counted, and nothing costs. */
  readonly rateLimits?: RateLimits;
  /** Reads besides those about batches and strategies. */
  readonly also?: readonly ((app: FastifyInstance, deps: ReadDeps) => void)[];
} = {}) {
  /** What the next single backtests fail with. */
  const engine: {
    defect: Error | null;
    /** What they answer in place of the same for all. */
    answer: ((request: BacktestRequest) => BacktestAnswer) | null;
    /** What a block of a batch waits for before it runs. */
    before: ((range: { readonly from: number; readonly to: number }) => Promise<void>) | null;
    /** What the next batches store in place of what they would. */
    stored: StoredValue | null;
  } = { defect: null, answer: null, before: null, stored: null };

  /** Of the market data, from now on. */
  const prices = { version: dataVersion };
  const stores = await openStores();
  const stack = await startStack(
    stores,
    fakeRunner({
      before: async (_work, range) => engine.before?.(range),
      stored: (name, combination) => engine.stored?.(name, combination),
    }),
    { projections: PROJECTIONS },
  );
  const known = (ticker: string) => /^[AB]\d+$/.test(ticker) || ticker === 'SPY';
  const manifest = {
    version: dataVersion,
    createdAt: '2026-01-01T00:00:00Z',
    label: 'test',
    isSimulated: true,
    lastDay,
    assetCount: 3,
  };
  const run = async (request: BacktestRequest, options: RunOptions = {}) => {
    if (engine.defect) throw engine.defect;
    const answer = engine.answer?.(request) ?? SOME_ANSWER;
    options.onFigures?.(figuresOf(answer, options));
    return answer;
  };
  const deps = {
    ...stores,
    resultStore: withMissingResultsTold(stores.results),
    clock,
    newId: ulid,
    stateCache: new StateCache(),
    marketData: {
      current: async () => ({ ...manifest, ...prices }),
      versions: async () => [manifest],
      assets: async () => [],
      load: async (_version: string, asked: readonly string[]) =>
        new Map(asked.filter(known).map((ticker) => [ticker, tenDays(ticker)])),
    },
    backtestRunner: {
      run,
      dailyRows: dailyRowsOf(run),
      runAs: async (form: AnswerForm, given: RunRequest, options: RunOptions = {}) => {
        if (engine.defect) throw engine.defect;
        const request = parsedRequest(given);
        options.onHashes?.(hashesOf(request, (text) => createHash('sha256').update(text).digest('hex')));
        const answer = engine.answer?.(request) ?? SOME_ANSWER;
        options.onFigures?.(figuresOf(answer, options));
        return form === 'columns'
          ? encodeColumns(answer as never)
          : new TextEncoder().encode(JSON.stringify(answer));
      },
      rows: async ({ variables }: BatchRequest) => {
        if (engine.defect) throw engine.defect;
        const [[name = '', values = []] = []] = Object.entries(variables);
        return {
          dataVersion: 'v1',
          rows: values.map((value) => ({
            values: { [name]: value },
            metrics: Object.fromEntries(METRIC_COLUMNS.map((column) => [column, Number(value)])) as Record<
              MetricColumn,
              number
            >,
            reason: null,
          })),
        };
      },
      estimate: async () => ({
        requestedCombinations: 0,
        combinations: 0,
        seconds: 20,
        fixedSeconds: 0.1,
        workSeconds: 20,
        partitions: 7,
        dataVersion: 'v1',
        spentMs: 0,
      }),
    },
    consistency: projectorConsistency(stack.projectors),
    linkSecret: new Uint8Array(32).fill(7),
    ...(rateLimits && { rateLimits }),
  };
  // The header names the caller: `user plan [admin]`.
  const app = createServer({
    ...(rateLimits && { rateLimits }),
    authenticate: async (header) => {
      if (!header) return null;
      const [userId = '', planId = 'api', role] = header.split(' ');
      const features = FEATURES.filter((name: Feature) => name !== 'web.admin.view' || role === 'admin');
      return {
        userId,
        subject: userId,
        email: `${userId}@example.com`,
        planId: planId as PlanId,
        features: planId === 'free' ? [] : features,
        clientId: null,
        scopes: [],
        actor: { kind: 'user', userId },
      };
    },
  });
  await app.register(async (scope) => {
    registerIdempotency(scope, deps);
    mountStrategies(scope, deps);
    mountHoldOut(scope, deps);
    mountVariableLists(scope, deps);
    mountSharedResults(scope, deps);
    mountFollows(scope, deps);
    mountBatches(scope, deps);
    mountBacktestErrors(scope, deps);
  });
  await app.register(async (scope) => {
    mountStrategyQueries(scope, deps);
    mountStrategyRunQueries(scope, deps);
    mountSharedResultQueries(scope, deps);
    mountForwardTestQueries(scope, deps);
    mountAsLived(scope, deps);
    mountCertificates(scope, deps);
    mountResultPages(scope, { ...deps, publicOrigin: 'https://quantloom.example' });
    mountBatchQueries(scope, deps);
    mountBatchResults(scope, deps);
    mountBacktests(scope, deps);
    mountSensitivity(scope, deps);
    mountBacktestErrorQueries(scope, deps);
    mountBatchAnalyses(scope, deps);
    for (const mount of also) mount(scope, deps);
  });
  await app.ready();

  let position: string | undefined;
  async function call(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    url: string,
    payload?: unknown,
    user = 'u1',
    headers = {},
  ) {
    const response = await app.inject({
      method,
      url,
      headers: { authorization: user, ...(position && { 'x-quantloom-position': position }), ...headers },
      ...(payload !== undefined && { payload: payload as object }),
    });
    position = (response.headers['x-quantloom-position'] as string | undefined) ?? position;
    const isJson = String(response.headers['content-type']).includes('json');
    return {
      status: response.statusCode,
      headers: response.headers,
      text: response.body,
      bytes: response.rawPayload,
      body: isJson ? response.json() : null,
    };
  }
  /** Quota used this month. */
  const used = async (user: string) => {
    const id = usageId(user, exchangeMonth(clock.now()));
    return (await loadState(stores.eventStore, USAGE_STREAM, id)).state.used;
  };
  /** Creates a batch and waits for its end. */
  async function finishedBatch(over: Record<string, unknown> = {}, user = 'u1'): Promise<string> {
    const created = await call('POST', '/api/v1/batch-backtests', body(over), user);
    if (created.status !== 201) throw new Error(created.text);
    const { id } = created.body;
    await until(
      async () =>
        (await call('GET', `/api/v1/batch-backtests/${id}`, undefined, user)).body?.status === 'Finished',
    );
    return id;
  }

  /** One whose days from 2016 on are held out of its figures. */
  const splitBatch = (): Promise<string> =>
    finishedBatch({
      backtest_config: {
        start_date: '2010-01-04',
        end_date: '2020-12-31',
        slippage_bps: 10,
        out_of_sample_date: '2016-01-04',
      },
    });

  return {
    app,
    stores,
    linkSecret: deps.linkSecret,
    engine,
    prices,
    backtestRunner: deps.backtestRunner,
    projectors: stack.projectors,
    call,
    used,
    finishedBatch,
    splitBatch,
    close: async () => {
      await app.close();
      await stack.stop();
      await stores.close();
      stores.remove();
    },
  };
}
