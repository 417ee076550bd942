import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, machineApi } from '../harness/api.ts';
import { quantloom, REPOSITORY, type RunningServer, removeDataDir, startServer } from '../harness/server.ts';
import { runBatch } from './batch-over-http.ts';
import { isClose } from './numbers.ts';
import { BATCHES, type BatchCase, SINGLES } from './outside-cases.ts';

const CONFIG = {
  start_date: '2015-01-01',
  end_date: '2019-12-31',
  slippage_bps: 10,
  starting_balance: 10_000,
  benchmark_ticker: 'SPY',
};
/** Where columns of a batch and figures of a backtest have different names. */
const FIGURES: Readonly<Record<string, string>> = { calmer_ratio: 'calmer', sharpe_ratio: 'sharpe' };

let server: RunningServer;
let api: Api;
let folder: string;
beforeAll(async () => {
  server = await startServer();
  folder = await mkdtemp(path.join(tmpdir(), 'quantloom-outside-'));
  const panel = path.join(REPOSITORY, 'compute/testing/golden/panels/main.csv.gz');
  const imported = await quantloom(server.dataDir, 'data', 'import', panel, '--replace');
  expect(imported.code, imported.stdout).toBe(0);
  api = await machineApi(server.url);
});
afterAll(async () => {
  await server?.stop();
  if (server) await removeDataDir(server.dataDir);
  if (folder) await rm(folder, { recursive: true, force: true });
});

const backtest = (tree: unknown, request: object = {}) =>
  api.post('/api/v1/backtests', { ...CONFIG, ...request, trading_bot: tree });

async function print(command: 'backtest' | 'batch', request: object, ...options: string[]) {
  const file = path.join(folder, 'request.json');
  await writeFile(file, JSON.stringify(request));
  return quantloom(server.dataDir, command, file, ...options);
}

describe('single backtests from outside', () => {
  it.each(SINGLES)('$about', async ({ tree, request = {}, refused, same, days }) => {
    const answered = await backtest(tree, request);
    const printed = await print('backtest', { ...CONFIG, ...request, trading_bot: tree });
    const answer = JSON.parse(printed.stdout);
    if (refused) {
      expect([answered.status, printed.code]).toEqual([400, 2]);
      expect([answer.code, answer.error]).toEqual([answered.body.code, answered.body.error]);
      for (const text of refused) expect(answer.error).toContain(text);
      return;
    }
    expect(answered.status, JSON.stringify(answered.body.error)).toBe(200);
    expect(answered.body).toEqual(answer);
    const { first_day, last_day } = answer.calculated_dates;
    if (days) expect([first_day, last_day]).toEqual(days);
    if (!same) return;
    const other = await backtest(same.tree, { ...request, ...same.request });
    expect(other.status, JSON.stringify(other.body.error)).toBe(200);
    expect(other.body.calculated_dates).toMatchObject({ first_day, last_day });
    for (const [name, value] of Object.entries(other.body.metrics))
      expect(isClose(answer.metrics[name], value), `${name}: ${answer.metrics[name]}, ${value}`).toBe(true);
  });
});

/** Values as a reader of the specification takes them: digits are numbers, and each counts once. */
const distinct = (values: readonly (string | number)[]) => [
  ...new Set(
    values.map((value) =>
      /^-?[\d.]+$/.test(String(value)) ? Number(value) : String(value).trim().toUpperCase(),
    ),
  ),
];

/** All bindings in order, the last variable fastest. */
function bindings(values: BatchCase['values']): Record<string, string | number>[] {
  return Object.entries(values).reduce<Record<string, string | number>[]>(
    (all, [name, choices]) =>
      all.flatMap((one) => distinct(choices).map((choice) => ({ ...one, [name]: choice }))),
    [{}],
  );
}

/** The tree with whole values and sides of ratios replaced. */
function bound(tree: unknown, values: Record<string, string | number>): unknown {
  const one = (text: string) => (Object.hasOwn(values, text) ? values[text] : text);
  return JSON.parse(JSON.stringify(tree), (_, value) => {
    if (typeof value !== 'string' || !value.includes('$')) return value;
    return value.includes('/') ? value.split('/').map(one).join('/') : one(value);
  });
}

describe('batches from outside', () => {
  it.each(BATCHES)('$about', async ({ tree, values, config = {}, refused, failed = [] }) => {
    const request = {
      template_bot: {
        name: 'From outside',
        type: 'template',
        variables: Object.keys(values),
        algorithm: tree,
      },
      variables: values,
      partitions: 1,
      backtest_config: { ...CONFIG, ...config },
    };
    if (refused) {
      await expect(runBatch(api, request)).rejects.toThrow(refused);
      return;
    }
    const { csv, failures } = await runBatch(api, request);
    const reasons = path.join(folder, 'failures.json');
    const printed = await print('batch', request, '--failures', reasons);
    expect(printed.code, printed.stdout).toBe(0);
    expect(printed.stdout).toBe(csv);
    expect(JSON.parse(await readFile(reasons, 'utf8'))).toEqual(failures);
    expect(Object.keys(failures).map(Number)).toEqual(failed);

    const [header = [], ...rows] = csv
      .trimEnd()
      .split('\n')
      .map((line) => line.split(','));
    const all = bindings(values);
    expect(rows).toHaveLength(all.length);
    for (const [k, binding] of all.entries()) {
      const row = Object.fromEntries(header.map((name, c) => [name, rows[k]?.[c] ?? '']));
      for (const [name, value] of Object.entries(binding)) expect(row[name], `row ${k}`).toBe(String(value));
      const single = await backtest(bound(tree, binding), config);
      if (failures[k] !== undefined) {
        expect(single.status, `row ${k}: ${failures[k]}`).toBe(400);
        expect(failures[k]).toBe(single.body.error);
        expect([row.start_date, row.end_date, row.sharpe_ratio]).toEqual(['', '', '']);
        continue;
      }
      expect(single.status, `row ${k}: ${single.body.error}`).toBe(200);
      const { calculated_dates, metrics } = single.body;
      expect([row.start_date, row.end_date]).toEqual([calculated_dates.first_day, calculated_dates.last_day]);
      for (const name of header.slice(2 + Object.keys(values).length)) {
        const expected = metrics[FIGURES[name] ?? name];
        const actual = row[name] === '' ? null : Number(row[name]);
        expect(isClose(actual, expected), `row ${k}, ${name}: ${actual} instead of ${expected}`).toBe(true);
      }
    }
  });
});
