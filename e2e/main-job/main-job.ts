import path from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Api, machineApi, until } from '../harness/api.ts';
import {
  quantloom,
  REPOSITORY,
  type RunningServer,
  removeDataDir,
  type StartOptions,
} from '../harness/server.ts';
import { asset, bind, condition, ifThenElse, root, rsiSwitch } from '../harness/templates.ts';

export const PRICES = path.join(REPOSITORY, '../shared/market-data/etf.csv.gz');
const CONFIG = {
  start_date: '2012-01-03',
  end_date: '2025-06-27',
  slippage_bps: 10,
  starting_balance: 10000,
  benchmark_ticker: 'SPY',
};
const VARIABLES = {
  $W: ['5', '10', '14', '20', '30'],
  $A: [
    'SPY',
    'QQQ',
    'MDY',
    'IWM',
    'EFA',
    'EEM',
    'VTI',
    'XLE',
    'XLP',
    'XLU',
    'TQQQ',
    'SPXL',
    'SPLV',
    'EWJ',
    'IEV',
  ],
  $B: ['TLT', 'IEF', 'SHY', 'GLD', 'BIL', 'AGG', 'LQD', 'TIP', 'HYG', 'UUP', 'FXY', 'BTAL', 'TMF', 'SH'],
};
const COMBINATIONS = 5 * 15 * 14;

function close(actual: number, expected: number): boolean {
  return Math.abs(actual - expected) <= 1e-9 * Math.abs(expected) + 1e-12;
}

/** What the product is for, as a client sees it: on every way to run it. */
export function mainJob(start: (options?: StartOptions) => Promise<RunningServer>): void {
  let server: RunningServer;
  let api: Api;
  beforeAll(async () => {
    server = await start();
    const imported = await quantloom(server.dataDir, 'data', 'import', PRICES);
    expect(imported.code, imported.stderr).toBe(0);
    api = await machineApi(server.url);
  }, 300_000);
  afterAll(async () => {
    await server?.stop();
    if (server) await removeDataDir(server.dataDir);
  });

  const template = async (algorithm = rsiSwitch()) => {
    const created = await api.post('/api/v1/trading-bots', {
      name: algorithm.name,
      is_public: false,
      status: 'draft',
      type: 'template',
      variables: Object.keys(VARIABLES),
      algorithm,
    });
    expect(created.status, JSON.stringify(created.body)).toBe(201);
    return created.body;
  };
  const request = (bot: unknown) => ({
    template_bot: bot,
    variables: VARIABLES,
    partitions: 1,
    backtest_config: CONFIG,
  });
  const create = async (bot: unknown) => {
    const estimate = await api.post('/api/v1/batch-backtests/estimate', request(bot));
    expect(estimate.status, JSON.stringify(estimate.body)).toBe(200);
    expect(estimate.body).toMatchObject({ combinations: COMBINATIONS, requested_combinations: COMBINATIONS });
    const { partitions, combinations, time_estimate } = estimate.body;
    const created = await api.post('/api/v1/batch-backtests', {
      ...request(bot),
      name: 'Main job',
      is_public: false,
      partitions,
      combinations,
      time_estimate,
    });
    expect(created.status, JSON.stringify(created.body)).toBe(201);
    return created.body.id as string;
  };
  const finished = (id: string) =>
    until(
      async () => (await api.get(`/api/v1/batch-backtests/${id}`)).body,
      ({ status }) => status === 'Finished' || status === 'Error',
      240_000,
    );
  const rowsOf = async (id: string): Promise<Record<string, string>[]> => {
    // A store that a busy machine keeps from answering for a moment is away for that moment, and the answer says so.
    const results = await until(
      () => api.get(`/api/v1/batch-backtests/${id}/results`),
      ({ status }) => status !== 503,
    );
    expect(results.status).toBe(200);
    return parse(results.body as string, { columns: true });
  };

  it('runs a batch of 1,050 combinations whose rows equal their single backtests', async () => {
    const bot = await template();
    const id = await create(bot);
    expect(await finished(id)).toMatchObject({
      status: 'Finished',
      combinations: COMBINATIONS,
      job_names: [],
    });
    const rows = await rowsOf(id);
    expect(rows).toHaveLength(COMBINATIONS);
    expect(Object.keys(rows[0] ?? {}).slice(0, 5)).toEqual(['start_date', 'end_date', '$W', '$A', '$B']);
    // Every row in order: the last variable varies fastest.
    expect(rows.map((row) => [row.$W, row.$A, row.$B])).toEqual(
      VARIABLES.$W.flatMap((w) => VARIABLES.$A.flatMap((a) => VARIABLES.$B.map((b) => [w, a, b]))),
    );
    for (let index = 0; index < rows.length; index += 21) {
      const row = rows[index] ?? {};
      const single = await api.post('/api/v1/backtests', {
        ...CONFIG,
        trading_bot: bind(bot.algorithm, { $W: Number(row.$W), $A: row.$A ?? '', $B: row.$B ?? '' }),
      });
      expect(single.status, JSON.stringify(single.body)).toBe(200);
      const { metrics, calculated_dates } = single.body;
      expect([row.start_date, row.end_date]).toEqual([calculated_dates.first_day, calculated_dates.last_day]);
      const pairs = [
        ['cumulative_return', metrics.cumulative_return],
        ['annualized_return', metrics.annualized_return],
        ['standard_deviation', metrics.standard_deviation],
        ['max_drawdown', metrics.max_drawdown],
        ['calmer_ratio', metrics.calmer],
        ['sharpe_ratio', metrics.sharpe],
        ['trailing_1_month', metrics.trailing_1_month],
        ['trailing_3_month', metrics.trailing_3_month],
      ] as const;
      for (const [column, expected] of pairs)
        expect(
          close(Number(row[column]), expected),
          `${column} of row ${index}: ${row[column]} against ${expected}`,
        ).toBe(true);
    }
  });

  it('finishes a batch with exact rows after kill -9 in the middle', async () => {
    const tickers = [...VARIABLES.$A, ...VARIABLES.$B];
    const bot = await template();
    const usage = async () =>
      (await api.get('/api/v1/batch-backtests/quota')).body.current_monthly_usage as number;
    let charged = await usage();
    /** Undefined where the batch was over before the kill. */
    const killDuring = async (count: number, slippage: number) => {
      const windows = Array.from({ length: count }, (_, index) => String(index + 2));
      const combinations = count * tickers.length ** 2;
      const created = await api.post('/api/v1/batch-backtests', {
        ...request(bot),
        variables: { $W: windows, $A: tickers, $B: tickers },
        backtest_config: { ...CONFIG, slippage_bps: slippage },
        name: `Killed among ${combinations}`,
        is_public: false,
      });
      expect(created.status, JSON.stringify(created.body)).toBe(201);
      charged += combinations;
      const id = created.body.id as string;
      // A read side of several processes may not know the batch yet.
      const before = await until(
        async () => (await api.get(`/api/v1/batch-backtests/${id}`)).body,
        ({ status, progress }) => (progress?.rows ?? 0) > 0 || status === 'Finished',
      );
      return before.status === 'Finished' || before.progress.rows >= combinations
        ? undefined
        : { id, windows, combinations };
    };
    // Twice as much on a machine that is through before the first progress is seen.
    const batch = (await killDuring(500, 11)) ?? (await killDuring(1_000, 12));
    if (!batch) throw new Error('Both batches were over before their first progress was seen');
    const { id, windows, combinations } = batch;
    await server.kill();

    server = await start({ dataDir: server.dataDir });
    api = await machineApi(server.url);
    expect(await finished(id)).toMatchObject({ status: 'Finished', combinations });
    const rows = await rowsOf(id);
    expect(rows).toHaveLength(combinations);
    const misplaced = rows.findIndex((row, index) => {
      const [w, a, b] = [Math.floor(index / tickers.length ** 2), Math.floor(index / tickers.length), index];
      const isInPlace =
        row.$W === windows[w] &&
        row.$A === tickers[a % tickers.length] &&
        row.$B === tickers[b % tickers.length];
      return !isInPlace || row.start_date === '' || row.cumulative_return === '';
    });
    expect(misplaced, 'first row that is lost, doubled or empty').toBe(-1);
    expect(await usage()).toBe(charged);
  });

  it('keeps the rows of an unknown ticker among known ones, and names it before anything is spent', async () => {
    const body = {
      ...request(await template()),
      variables: { $W: ['10'], $A: ['SPY', 'NOSUCH'], $B: ['TLT'] },
    };
    const estimate = await api.post('/api/v1/batch-backtests/estimate', body);
    expect(estimate.body).toMatchObject({ combinations: 2, unknown_tickers: { $A: ['NOSUCH'] } });
    const created = await api.post('/api/v1/batch-backtests', {
      ...body,
      ...estimate.body,
      name: 'One unknown',
    });
    expect(created.status, JSON.stringify(created.body)).toBe(201);
    expect(await finished(created.body.id)).toMatchObject({ status: 'Finished' });
    const rows = await rowsOf(created.body.id);
    expect(rows.map((row) => [row.$A, row.start_date !== '', row.sharpe_ratio !== ''])).toEqual([
      ['SPY', true, true],
      ['NOSUCH', false, false],
    ]);
    const failures = await api.get(`/api/v1/batch-backtests/${created.body.id}/results/failures`);
    expect(failures.body.failures).toMatchObject([
      { combination: 1, reason: expect.stringContaining('NOSUCH') },
    ]);
  });

  it.each([
    [
      'an unknown ticker',
      (body: Body) => ({ ...body, variables: { ...body.variables, $A: ['NOSUCH'] } }),
      /NOSUCH/,
    ],
    ['an empty variable', (body: Body) => ({ ...body, variables: { ...body.variables, $B: [] } }), /\$B/],
    [
      'a start after the end',
      (body: Body) => ({ ...body, backtest_config: { ...CONFIG, start_date: '2025-06-28' } }),
      /Start date must be before or equal to end date/,
    ],
  ])('refuses %s and leaves no event behind', async (_, change, message) => {
    const bot = await template();
    await expectRefusal(change(request(bot) as Body), message);
  });

  it('refuses a template with an empty if, naming the block, and leaves no event behind', async () => {
    const block = ifThenElse([], [asset('$A')], [asset('$B')]);
    const bot = await template(
      root(
        'Empty if',
        ifThenElse([condition({ lhs_fn_params: { window: '$W' } })], [asset('SPY')], [block]),
      ) as never,
    );
    await expectRefusal(request(bot) as Body, new RegExp(block.id));
  });

  it('has a sound log after all this', async () => {
    const { code, stdout, stderr } = await quantloom(server.dataDir, 'log', 'verify');
    expect(code, stdout + stderr).toBe(0);
  });

  async function expectRefusal(body: Body, message: RegExp): Promise<void> {
    const before = await eventCount();
    const estimate = await api.post('/api/v1/batch-backtests/estimate', body);
    expect(estimate.status).toBeGreaterThanOrEqual(400);
    expect(estimate.status).toBeLessThan(500);
    expect(estimate.body.error).toMatch(message);
    const created = await api.post('/api/v1/batch-backtests', {
      ...body,
      name: 'Refused',
      is_public: false,
      combinations: 1,
      time_estimate: { seconds: 1 },
    });
    expect(created.status).toBeGreaterThanOrEqual(400);
    expect(created.status).toBeLessThan(500);
    expect(created.body.error).toMatch(message);
    expect(await eventCount()).toBe(before);
  }

  async function eventCount(): Promise<number> {
    const exported = await quantloom(server.dataDir, 'log', 'export');
    expect(exported.code, exported.stderr).toBe(0);
    return exported.stdout.trim().split('\n').length;
  }
}

interface Body {
  readonly template_bot: unknown;
  readonly variables: Record<string, string[]>;
  readonly partitions: number;
  readonly backtest_config: Record<string, unknown>;
}
