import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runBacktest } from '@quantloom/compute/engine/answers/backtest';
import { figuresOf } from '@quantloom/compute/engine/figures/run-figures';
import { treeFingerprint } from '@quantloom/domain/batch/reuse';
import { CERTIFICATE_KIND } from '@quantloom/domain/certificate/certificate';
import { EXAMPLE_ALGORITHM } from '@quantloom/domain/contracts/http/examples';
import { ENGINE_VERSION } from '@quantloom/domain/kernel/product';
import type { PriceSeries } from '@quantloom/domain/ports/market-data';
import { figuresOfMetrics } from '@quantloom/domain/strategy-run/events';
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { MarketDataFactory } from './price-source.ts';
import { verifyCommand } from './verify.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'verify-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const days = Int32Array.from({ length: 600 }, (_, t) => 14_000 + t);
const series = (slope: number): PriceSeries => ({
  days,
  ticker: '',
  closes: Float64Array.from(days, (_, t) => 100 + slope * t + Math.sin(t)),
});
const manifest = {
  version: 'v1',
  createdAt: '2026-01-01T00:00:00Z',
  label: 'v1',
  isSimulated: false,
  lastDay: '2009-12-23',
  assetCount: 3,
};
const prices = (tickers: readonly string[]) =>
  new Map(tickers.map((ticker, i) => [ticker, series((ticker.length + i) / 100)]));
const openMarketData = (async () => ({
  current: async () => manifest,
  versions: async () => [manifest],
  assets: async () => [],
  load: async (_: string, tickers: readonly string[]) => prices(tickers),
  close: async () => undefined,
})) as unknown as MarketDataFactory;

const terms = {
  start_date: '2008-05-01',
  end_date: '2009-12-23',
  starting_balance: 10_000,
  slippage_bps: 10,
  benchmark_ticker: 'SPY',
};

/** A certificate of what the engine says of these prices. */
async function certificate(madeBy = ENGINE_VERSION): Promise<Record<string, unknown>> {
  const { tickersOf } = await import('@quantloom/compute/engine/model/tickers');
  const request = { ...terms, trading_bot: EXAMPLE_ALGORITHM as never };
  const provenance = { data_version: 'v1', engine_version: madeBy, is_simulated: false };
  let found: ReturnType<typeof figuresOf> | undefined;
  runBacktest(request, prices(tickersOf(EXAMPLE_ALGORITHM as never, {}, request)), {
    today: '2026-11-22',
    onRun: (run) => {
      found = figuresOf(run, provenance);
    },
  });
  if (!found) throw new Error('The engine said nothing');
  return {
    kind: CERTIFICATE_KIND,
    strategy: {
      id: 's',
      name: 'Half',
      revision: 0,
      tree_hash: treeFingerprint(EXAMPLE_ALGORITHM as never),
    },
    terms,
    data_version: 'v1',
    engine_version: madeBy,
    is_simulated: false,
    result_hash: found.provenance.result_hash,
    first_day: found.firstDay,
    last_day: found.lastDay,
    metrics: figuresOfMetrics(found.metrics),
    trading_bot: EXAMPLE_ALGORITHM,
  };
}

let printed = '';
beforeEach(() => {
  printed = '';
  process.exitCode = undefined;
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text);
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
});

async function verified(body: object, ...words: string[]) {
  const file = path.join(folder, 'certificate.json');
  writeFileSync(file, JSON.stringify(body));
  await verifyCommand(openMarketData).parseAsync([file, ...words], { from: 'user' });
  return { ...JSON.parse(printed), code: process.exitCode };
}

it('confirms a result, and ends with 0', async () => {
  expect(await verified(await certificate())).toEqual({ confirmed: true, findings: [], code: undefined });
});

it('confirms what another engine has made, where this one computes the same', async () => {
  const { findings, ...found } = await verified(await certificate('1.0.0'));
  expect(found).toEqual({ confirmed: true, code: undefined });
  expect(findings).toEqual([expect.stringMatching(/made by engine 1\.0\.0, .* the same, bit by bit\.$/)]);
});

it('takes the strategy from another file', async () => {
  const { trading_bot: tree, ...bare } = await certificate();
  const file = path.join(folder, 'strategy.json');
  writeFileSync(file, JSON.stringify(tree));
  expect(await verified(bare, '--strategy', file)).toMatchObject({ confirmed: true });
});

it.each([
  ['no strategy', { trading_bot: undefined }, /does not hold the strategy/],
  ['a version that is gone', { data_version: 'v0' }, /prices of version v0 are not here/],
  ['a hash of something else', { result_hash: 'f'.repeat(64) }, /^Result hash: f{64}/],
])('says what is wrong with %s, and ends with 1', async (_, over, sentence) => {
  expect(await verified({ ...(await certificate()), ...over })).toEqual({
    confirmed: false,
    findings: [expect.stringMatching(sentence)],
    code: 1,
  });
});
