import { EXAMPLE_ALGORITHM, EXAMPLE_BATCH } from '@quantloom/domain/contracts/http/examples';
import type { BacktestRunner } from '@quantloom/domain/ports/backtest-runner';
import type { MarketData } from '@quantloom/domain/ports/market-data';
import type { MarketDataImports } from '@quantloom/domain/ports/market-data-imports';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { embeddedDeps } from '../testing/embedded-deps.ts';
import { startTestApi, type TestApi } from '../testing/test-api.ts';

const FULL =
  'There is no room left on the disk of this server, so nothing was saved. Its operator has to ' +
  'make room; then try again.';

/** What a file system without room answers. */
const noRoom = async () => {
  throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
};
const marketDataImports: MarketDataImports = {
  begin: noRoom,
  put: noRoom,
  run: noRoom,
  state: async () => null,
  changedResults: async () => null,
  use: noRoom,
};

/** The log's file may grow no more: SQLite then says the same as on a disk without room. */
function fillDisk({ database }: TestApi): void {
  const { page_count } = database.durable.prepare('PRAGMA page_count').get() as { page_count: number };
  database.durable.exec(`PRAGMA max_page_count = ${page_count}`);
}

function makeRoom({ database }: TestApi): void {
  database.durable.exec('PRAGMA max_page_count = 4294967294');
}

describe('on a full disk', () => {
  let api: TestApi;
  beforeAll(async () => {
    const deps = await embeddedDeps();
    const { backtestRunner, marketData } = deps;
    if (!backtestRunner || !marketData) throw new Error('The test has no engine');
    const estimate: BacktestRunner['estimate'] = async () => ({
      requestedCombinations: 6,
      combinations: 6,
      seconds: 1,
      fixedSeconds: 1,
      workSeconds: 1,
      partitions: 1,
      dataVersion: (await marketData.current()).version,
      spentMs: 1,
    });
    const prices = { days: Int32Array.of(17_000, 17_001), closes: Float64Array.of(1, 1) };
    const load: MarketData['load'] = async (_version, tickers) =>
      new Map(tickers.map((ticker) => [ticker, { ticker, ...prices }]));
    api = await startTestApi({
      ...deps,
      backtestRunner: { ...backtestRunner, estimate },
      marketData: { ...marketData, load },
      marketDataImports,
    });
  });
  afterAll(() => api.close());

  // Larger than what is left on the pages that the file has.
  const long = 'x'.repeat(9_000);
  const bot = {
    name: 'Half and half',
    algorithm: { ...EXAMPLE_ALGORITHM, description: long },
  };
  const writes: readonly (readonly [string, 'POST' | 'PATCH', () => string, () => unknown])[] = [
    ['a trading bot', 'POST', () => '/api/v1/trading-bots', () => bot],
    [
      'a variable list',
      'POST',
      () => '/api/v1/variable-lists',
      () => ({ name: 'L', variables: Array.from({ length: 3_000 }, (_, i) => `T${i}`) }),
    ],
    [
      'a batch',
      'POST',
      () => '/api/v1/batch-backtests',
      () => ({
        ...EXAMPLE_BATCH,
        template_bot: {
          ...EXAMPLE_BATCH.template_bot,
          algorithm: { ...EXAMPLE_BATCH.template_bot.algorithm, description: long },
        },
      }),
    ],
  ];

  it.each(writes)(
    '%s is answered with 507 and a sentence, and saved once there is room again',
    async (_what, method, url, body) => {
      fillDisk(api);
      const refused = await api.call('paid', method, url(), body());
      expect(refused.statusCode, refused.body).toBe(507);
      expect(refused.json()).toMatchObject({ error: FULL, code: 'disk_full', status: 507 });
      expect(refused.headers['retry-after']).toBe('60');
      // Reading goes on.
      expect((await api.call('paid', 'GET', '/api/v1/drafts')).statusCode).toBe(200);

      makeRoom(api);
      const saved = await api.call('paid', method, url(), body());
      expect(saved.statusCode, saved.body).toBe(201);
    },
  );

  it.each([
    ['begin', '/api/v1/admin/market-data/imports', undefined],
    [
      'a piece of a file',
      '/api/v1/admin/market-data/imports/0123456789/pieces',
      { path: 'a.csv', offset: 0, content: 'YQ==' },
    ],
    ['an import', '/api/v1/admin/market-data/imports/0123456789/run', { publish: true }],
    ['another version', '/api/v1/admin/market-data/use', { version: 'v' }],
  ])('market data: %s is answered with 507 and a sentence', async (_what, url, body) => {
    const refused = await api.call('admin', 'POST', url, body);
    expect(refused.statusCode, refused.body).toBe(507);
    expect(refused.json()).toMatchObject({ error: FULL, code: 'disk_full' });
  });
});
