import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Api, machineApi, until } from '@quantloom/e2e/harness/api.ts';
import { quantloom, type RunningServer, removeDataDir, startServer } from '@quantloom/e2e/harness/server.ts';
import { REAL_PRICES } from '../engine/real-market.ts';
import { table } from '../engine/timing.ts';
import { type Job, jobs } from './jobs.ts';
import { otherJobs } from './other-jobs.ts';

/**
 * Estimated against actual seconds of batches on the embedded product: each batch as the first job of a fresh
 * process, and all of them one after the other in one process.
 *
 *     node bench/estimates/main.ts [--data etf|demo] [--only cold|warm] [--set first|other] [--jobs regular-expression]
 *
 * `actual` is from the batch's creation to its end, waiting included; `answered` the milliseconds that the
 * estimate took.
 */
const { values: options } = parseArgs({
  options: {
    data: { type: 'string', default: 'etf' },
    only: { type: 'string' },
    jobs: { type: 'string', default: '.' },
    set: { type: 'string', default: 'first' },
  },
});

interface Measured {
  readonly name: string;
  readonly state: 'cold' | 'warm';
  readonly combinations: number;
  readonly estimate: number;
  readonly actual: number;
  /** From the first partition's start to the end, as the batch shows it. */
  readonly running: number;
  readonly answeredMs: number;
  readonly createdMs: number;
}

const seconds = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 1000;

/** Estimates, creates and waits for a batch. The slippage makes it a new one, whose rows are not there already. */
async function measure(api: Api, job: Job, slippage: number, state: Measured['state']): Promise<Measured> {
  const body = {
    ...job.request,
    partitions: 1,
    backtest_config: { ...job.request.backtest_config, slippage_bps: slippage },
  };
  const begin = performance.now();
  const estimate = await api.post('/api/v1/batch-backtests/estimate', {
    ...body,
    backtest_config: { ...body.backtest_config, slippage_bps: 1 },
  });
  const answeredMs = performance.now() - begin;
  if (estimate.status !== 200) throw new Error(`${job.name}: ${JSON.stringify(estimate.body)}`);
  const asked = performance.now();
  const created = await api.post('/api/v1/batch-backtests', { ...estimate.body, ...body, name: job.name });
  const createdMs = performance.now() - asked;
  if (created.status !== 201) throw new Error(`${job.name}: ${JSON.stringify(created.body)}`);
  const batch = await until(
    async () => (await api.get(`/api/v1/batch-backtests/${created.body.id}`)).body,
    ({ status }) => status === 'Finished' || status === 'Error',
    280_000,
  );
  if (batch.status !== 'Finished') throw new Error(`${job.name}: ${batch.error}`);
  return {
    name: job.name,
    state,
    combinations: batch.combinations,
    estimate: estimate.body.time_estimate.seconds,
    actual: seconds(batch.created_at, batch.time_actual.end_time),
    running: seconds(batch.time_actual.start_time, batch.time_actual.end_time),
    answeredMs,
    createdMs,
  };
}

const cells = (row: Measured): string[] => [
  `${row.state} ${row.name}`,
  String(row.combinations),
  row.estimate.toFixed(3),
  row.actual.toFixed(3),
  (row.estimate / row.actual).toFixed(2),
  row.running.toFixed(3),
  row.answeredMs.toFixed(0),
  row.createdMs.toFixed(0),
];
const HEADER = [
  'batch',
  'combinations',
  'estimate s',
  'actual s',
  'ratio',
  'running s',
  'answered ms',
  'created ms',
];

async function main(): Promise<void> {
  const rows: Measured[] = [];
  let server: RunningServer | undefined;
  const restart = async () => {
    await server?.stop();
    server = await startServer(server ? { dataDir: server.dataDir } : {});
    return server;
  };
  try {
    const { url, dataDir } = await restart();
    if (options.data === 'etf') {
      if (!existsSync(REAL_PRICES)) throw new Error(`${REAL_PRICES} is missing; --data demo needs no file`);
      const { code, stdout } = await quantloom(dataDir, 'data', 'import', REAL_PRICES);
      if (code !== 0) throw new Error(stdout);
    }
    const assets = (await (await machineApi(url)).get('/api/v1/tickers')).body.data as Asset[];
    const make = options.set === 'other' ? otherJobs : jobs;
    const chosen = make(tickersOf(assets), datesOf(assets)).filter(({ name }) =>
      new RegExp(options.jobs).test(name),
    );
    const report = (row: Measured) => {
      rows.push(row);
      process.stderr.write(`${cells(row).join('  ')}\n`);
    };
    let slippage = 2;
    if (options.only !== 'warm')
      for (const job of chosen)
        report(await measure(await machineApi((await restart()).url), job, slippage++, 'cold'));
    if (options.only !== 'cold') {
      const api = await machineApi((await restart()).url);
      for (const job of chosen) report(await measure(api, job, slippage++, 'warm'));
    }
  } finally {
    await server?.stop();
    if (server) await removeDataDir(server.dataDir);
  }
  const ratios = rows.map(({ estimate, actual }) => estimate / actual);
  const within = ratios.filter((ratio) => ratio >= 0.5 && ratio <= 2).length;
  process.stdout.write(`${table(HEADER, rows.map(cells))}\n`);
  process.stdout.write(
    `${within} of ${rows.length} within a factor of 2; ratios ${Math.min(...ratios).toFixed(2)} to ` +
      `${Math.max(...ratios).toFixed(2)}\n`,
  );
}

interface Asset {
  readonly ticker: string;
  readonly first_day: string;
  readonly last_day: string;
}

/** Assets with the longest histories first, late listings last. */
function tickersOf(assets: readonly Asset[]): string[] {
  return [...assets]
    .sort((a, b) => a.first_day.localeCompare(b.first_day) || a.ticker.localeCompare(b.ticker))
    .map(({ ticker }) => ticker)
    .slice(0, 32);
}

function datesOf(assets: readonly Asset[]): { start: string; end: string } {
  const spy = assets.find(({ ticker }) => ticker === 'SPY');
  if (!spy) throw new Error('The data set has no SPY');
  return { start: spy.first_day, end: spy.last_day };
}

await main();
