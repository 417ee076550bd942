/**
 * A year of an installation, made up and imported: import, first start, pages while it catches up and after,
 * a small batch, stop, second start, and memory. The person who asks has very much (15,000 strategies, 12,000
 * batches where the log has room for them).
 *
 *   node bench/log/year-bench.ts [events…]        default 50,000, 500,000 and 2,000,000
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { writeYear } from '@quantloom/e2e/log/write-year.ts';
import { type Call, type MeasuredServer, signIn, startMeasuredServer } from '../results/measured-server.ts';

const REPOSITORY = path.resolve(import.meta.dirname, '../..');
const PAGES = [
  '/api/v1/drafts?limit=100&sort=updated:desc',
  '/api/v1/drafts?limit=100&sort=name:asc&skip=10000',
  '/api/v1/drafts?limit=100&search=momentum%20spy',
  '/api/v1/variable-lists?limit=100&sort=created:desc',
  '/api/v1/batch-backtests?limit=100&sort=created:desc',
  '/api/v1/batch-backtests?limit=100&search=qqq&status=Finished',
  '/api/v1/batch-backtests?limit=1000',
  '/api/v1/batch-backtests/quota',
];

/** Seconds that `work` takes. */
async function seconds(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
}

const at = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ??
  Number.NaN;
const spread = (values: readonly number[]) =>
  `p50 ${at(values, 0.5).toFixed(0)} ms, p95 ${at(values, 0.95).toFixed(0)} ms, longest ` +
  `${at(values, 1).toFixed(0)} ms (${values.length})`;

interface Asked {
  readonly page: string;
  readonly ms: number;
}

/** All of them, and the page with the largest p95. */
function spreadOfPages(asked: readonly Asked[]): string {
  const slowest = PAGES.map((page) => ({
    page,
    p95: at(
      asked.filter((one) => one.page === page).map(({ ms }) => ms),
      0.95,
    ),
  })).toSorted((a, b) => b.p95 - a.p95)[0];
  return `${spread(asked.map(({ ms }) => ms))}; slowest by p95: ${slowest?.page} ${slowest?.p95.toFixed(0)} ms`;
}

/** Asks for one page after the other, five a second as a person who is in a hurry, until `isDone`. */
async function browse(call: Call, isDone: (asked: number) => Promise<boolean>): Promise<Asked[]> {
  const times: Asked[] = [];
  for (let i = 0; !(await isDone(i)); i += 1) {
    const page = PAGES[i % PAGES.length] ?? '';
    await call('GET', page, undefined, (ms) => times.push({ page, ms }));
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return times;
}

/** The longest way that a projection has still to go. */
async function lag(server: MeasuredServer): Promise<number> {
  const text = await (await fetch(`${server.url}/metrics`)).text();
  const values = text.matchAll(/^\w*projection_lag\{[^}]*\} (\S+)$/gm);
  return Math.max(0, ...Array.from(values, ([, value]) => Number(value)));
}

const BATCH = {
  name: 'A small one',
  template_bot: {
    name: 'T',
    variables: ['$A'],
    algorithm: {
      id: 'node_r',
      node_type: 'root',
      name: 'T',
      description: '',
      rebalance: 'daily',
      version: 'v1',
      weight: { num: 100, den: 100 },
      is_collapsed: false,
      children: [
        {
          id: 'node_a',
          node_type: 'asset',
          ticker: '$A',
          name: '$A',
          weight: { num: 100, den: 100 },
          is_collapsed: false,
        },
      ],
    },
  },
  variables: { $A: ['SPY', 'TLT'] },
  backtest_config: { start_date: '2015-01-01', end_date: '2020-12-31', slippage_bps: 10 },
};

async function smallBatch(call: Call, number: number): Promise<number> {
  // A slippage of its own, so that no row of an earlier one is taken.
  const config = { ...BATCH.backtest_config, slippage_bps: number };
  return await seconds(async () => {
    const { id } = await call<{ id: string }>('POST', '/api/v1/batch-backtests', {
      ...BATCH,
      backtest_config: config,
    });
    for (;;) {
      const found = await call<{ id: string; status: string }[]>(
        'GET',
        '/api/v1/batch-backtests?limit=5&sort=created:desc',
      );
      const status = found.find((batch) => batch.id === id)?.status;
      if (status === 'Finished') return;
      if (status === 'Error') throw new Error('The small batch failed');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  });
}

async function measure(events: number): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'quantloom-year-'));
  const dataDir = path.join(folder, 'data');
  const say = (what: string, value: string) =>
    console.log(`${events.toLocaleString('en-US').padStart(9)}  ${what.padEnd(34)} ${value}`);
  try {
    const file = path.join(folder, 'year.jsonl');
    // Open ones would be computed on a data set that is not there.
    await writeYear(file, events, { openBatches: 0 });
    const command = ['deploy/src/quantloom.ts', 'log', 'import', file];
    const options = { cwd: REPOSITORY, env: { ...process.env, DATA_DIR: dataDir } };
    const importing = await seconds(() => promisify(execFile)(process.execPath, command, options));
    say('import', `${importing.toFixed(1)} s`);
    await rm(file);

    const starting = performance.now();
    let server = await startMeasuredServer(dataDir);
    try {
      say('first start', `${((performance.now() - starting) / 1000).toFixed(1)} s`);
      const began = performance.now();
      const { call } = await signIn(server.url);
      const meanwhile = await browse(
        call,
        async (asked) => asked >= PAGES.length && (await lag(server)) === 0,
      );
      say('first start: caught up after', `${((performance.now() - began) / 1000).toFixed(1)} s`);
      say('pages while catching up', spreadOfPages(meanwhile));
      say('memory, most while catching up', `${server.peakMegabytes().toFixed(0)} MB`);
      const after = await browse(call, async (asked) => asked >= 5 * PAGES.length);
      say('pages afterwards', spreadOfPages(after));
      const small = [];
      for (let i = 0; i < 5; i += 1) small.push((await smallBatch(call, i)) * 1000);
      say('a small batch', spread(small));
      say('memory, most since', `${server.peakMegabytes().toFixed(0)} MB`);
    } finally {
      say('stop', `${(await seconds(() => server.stop())).toFixed(1)} s`);
    }
    const again = await seconds(async () => {
      server = await startMeasuredServer(dataDir);
    });
    say('second start', `${again.toFixed(1)} s`);
    say('second stop', `${(await seconds(() => server.stop())).toFixed(1)} s`);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

const given = process.argv.slice(2).map(Number);
const sizes = given.length > 0 ? given : [50_000, 500_000, 2_000_000];
if (sizes.some((size) => !Number.isInteger(size) || size < 1_000))
  throw new Error('Sizes are whole numbers from 1,000');
for (const size of sizes) await measure(size);
