/**
 * Starts the product as its image does, from the folder that this runs in, and uses it: page, sign-in of a
 * machine client, a backtest. Prints what it saw as JSON. For a place without network: everything that it
 * asks is on loopback.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

const [dataDir = ''] = process.argv.slice(2);
const CLIENT = { id: 'offline-probe', secret: 'offline-probe-secret' };
const READY_MS = 90_000;
const url = 'http://127.0.0.1:8080';

const product = spawn(process.execPath, ['deploy/src/start.ts'], {
  env: {
    ...process.env,
    NODE_ENV: 'production',
    HOST: '0.0.0.0',
    PORT: '8080',
    PUBLIC_URL: url,
    DATA_DIR: dataDir,
    WEB_PAGES: 'built',
    BOOTSTRAP_API_CLIENT: `${CLIENT.id}:${CLIENT.secret}`,
  },
  stdio: ['ignore', 'inherit', 'inherit'],
});
try {
  const deadline = Date.now() + READY_MS;
  while (!(await fetch(`${url}/ready`).catch(() => null))?.ok) {
    if (product.exitCode !== null || Date.now() > deadline) throw new Error('The product did not get ready');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const page = await (await fetch(url)).text();
  const scripts = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path ?? '');
  const assets = await Promise.all(scripts.map(async (path) => (await fetch(url + path)).status));
  const { audience } = (await (await fetch(`${url}/config.json`)).json()) as { audience: string };
  const token = (await (
    await fetch(`${url}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        audience,
        scope: 'api:backtester',
      }),
    })
  ).json()) as { access_token?: string };
  const weight = { num: 100, den: 100 };
  const backtest = await fetch(`${url}/api/v1/backtests`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token.access_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      start_date: '2015-01-02',
      end_date: '2020-12-31',
      slippage_bps: 0,
      starting_balance: 10_000,
      benchmark_ticker: 'SPY',
      trading_bot: {
        id: 'node_01k00000000000000000000001',
        weight,
        is_collapsed: false,
        node_type: 'root',
        name: 'Offline',
        description: '',
        rebalance: 'daily',
        version: 'v1',
        children: [
          {
            id: 'node_01k00000000000000000000002',
            weight: { num: 0, den: 100 },
            is_collapsed: false,
            node_type: 'asset',
            ticker: 'SPY',
            name: 'SPY',
          },
        ],
      },
    }),
  });
  const { metrics } = (await backtest.json()) as { metrics?: { cumulative_return?: number } };
  const outside = await fetch('http://192.0.2.1', { signal: AbortSignal.timeout(5_000) }).then(
    () => 'reached',
    (error: Error & { cause?: { code?: string } }) => error.cause?.code ?? error.name,
  );
  console.log(
    JSON.stringify({
      page: page.includes('<div id='),
      assets,
      backtest: backtest.status,
      cumulativeReturn: metrics?.cumulative_return,
      outside,
    }),
  );
} finally {
  if (product.exitCode === null) {
    product.kill('SIGTERM');
    await once(product, 'exit');
  }
}
