import { execFile, execFileSync } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../harness/api.ts';
import { API_CLIENT, REPOSITORY, type RunningServer, removeDataDir, startServer } from '../harness/server.ts';

/** A Python with pandas and pyarrow; `NOTEBOOK_PYTHON` names one of an environment. */
const PYTHON = process.env.NOTEBOOK_PYTHON ?? 'python3';

let server: RunningServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => {
  await server.stop();
  await removeDataDir(server.dataDir);
});

function canRead(): boolean {
  try {
    execFileSync(PYTHON, ['-c', 'import pandas, pyarrow'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

let nodes = 0;
const node = (node_type: string, more: object) => {
  nodes += 1;
  return { id: `node_${nodes}`, weight: { num: 100, den: 100 }, is_collapsed: false, node_type, ...more };
};
const asset = (ticker: string) => node('asset', { ticker, name: ticker });
const ALGORITHM = node('root', {
  name: 'Two',
  description: '',
  rebalance: 'daily',
  version: 'v1',
  children: [node('wt-cash-equal', { children: [asset('$A'), asset('$B')] })],
});

it.skipIf(!canRead())(
  'a batch is opened in Python as the guide says',
  async () => {
    const { audience } = (await (await fetch(`${server.url}/config.json`)).json()) as { audience: string };
    const answer = await fetch(`${server.url}/oauth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: API_CLIENT.id,
        client_secret: API_CLIENT.secret,
        audience,
        scope: 'api:backtester',
      }),
    });
    const { access_token: token } = (await answer.json()) as { access_token: string };
    const call = async (place: string, body?: object) => {
      const response = await fetch(`${server.url}/api/v1/batch-backtests${place}`, {
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      });
      const text = await response.text();
      if (!response.ok) throw new Error(text);
      return JSON.parse(text);
    };
    const { id } = await call('', {
      name: 'For a notebook',
      template_bot: { name: 'Two', type: 'template', variables: ['$A', '$B'], algorithm: ALGORITHM },
      variables: { $A: ['SPY', 'QQQ', 'IWM', 'EFA'], $B: ['TLT', 'IEF', 'GLD', 'BIL'] },
      // Without slippage the first day's value is the starting balance, which the cumulative return is counted from.
      backtest_config: { start_date: '2010-01-04', end_date: '2020-12-31', slippage_bps: 0 },
    });
    await until(
      () => call(`/${id}`),
      ({ status }: { status: string }) => status === 'Finished',
      100_000,
    );
    const { stdout } = await promisify(execFile)(
      PYTHON,
      [path.join(REPOSITORY, 'docs/examples/notebook.py')],
      {
        env: { ...process.env, QUANTLOOM_URL: server.url, QUANTLOOM_TOKEN: token, QUANTLOOM_BATCH: id },
      },
    );
    const read = JSON.parse(stdout) as {
      rows: number;
      columns: string[];
      best: number[];
      days: number;
      metric: number;
      growth: number[];
    };
    const page = await call(
      `/${id}/results?format=json&limit=10&sort=sharpe_ratio:desc&columns=combination,sharpe_ratio,cumulative_return`,
    );
    expect(read.rows).toBe(16);
    expect(read.columns).toEqual(
      expect.arrayContaining(['combination', '$A', 'turnover_per_year', 'block_sum_9']),
    );
    expect(read.best).toEqual(page.rows.map(([combination]: number[]) => combination));
    expect(read.metric).toBe(page.rows[0][1]);
    expect(read.days).toBeGreaterThan(2_700);
    for (const [place, [, , growth]] of (page.rows as number[][]).entries())
      expect(read.growth[place]).toBeCloseTo(growth as number, 9);
  },
  180_000,
);
