import type { BatchRequest } from '@quantloom/domain/contracts/backtest';
import type { DataSetManifest, MarketData, PriceSeries } from '@quantloom/domain/ports/market-data';
import { beforeEach, describe, expect, it } from 'vitest';
import { asset, batchOf, root } from '../../testing/fixtures.ts';
import type { BacktestJobInput } from '../pool/backtest-job.ts';
import type { WorkerPool } from '../pool/worker-pool.ts';
import { createBacktestRunner } from './backtest-runner.ts';

const manifest: DataSetManifest = {
  ...{ version: 'v1', createdAt: '2026-01-01T00:00:00Z', label: 'v1' },
  ...{ isSimulated: false, lastDay: '2006-01-01', assetCount: 2 },
};
const series = (ticker: string): PriceSeries => ({
  ticker,
  days: Int32Array.of(12_000, 12_001, 12_002),
  closes: Float64Array.of(1, 1, 1),
});
const clock = { now: () => new Date('2026-11-21T10:00:00Z') };
const request = (ticker: string) => ({
  ...{ start_date: '2003-01-01', end_date: '2006-01-01' },
  trading_bot: root(asset(ticker)),
});

/** What single runs were asked for, and what one of them takes. */
let asked: BacktestJobInput[];
let takes: number;
let assets: MarketData['assets'];
/** What becomes of a range of a batch. */
let range: WorkerPool['runBatchRange'];
const marketData: MarketData = {
  current: async () => manifest,
  versions: async () => [manifest],
  assets: (version) => assets(version),
  load: async (_version, tickers) => new Map(tickers.map((ticker) => [ticker, series(ticker)])),
};
const pool = {
  threads: 1,
  runBacktest: async (input: BacktestJobInput) => {
    asked.push(input);
    input.onSpent?.(takes);
    return new Uint8Array();
  },
  runBatchRange: (...given: Parameters<WorkerPool['runBatchRange']>) => range(...given),
} as unknown as WorkerPool;
let runner: ReturnType<typeof createBacktestRunner>;

beforeEach(() => {
  [asked, takes] = [[], 5];
  assets = async () => [];
  runner = createBacktestRunner({ pool, marketData, clock });
});

describe('a single run', () => {
  it('is expected to take as long as the last one of its owner did, where that was more than is foretold', async () => {
    const expected = async (owner: string, expectedMs: number) => {
      await runner.runAs('json', request('AAA'), { owner, expectedMs });
      return asked.at(-1)?.expectedMs;
    };
    takes = 900;
    expect(await expected('ann', 7)).toBe(7);
    takes = 5;
    expect(await expected('bob', 7)).toBe(7);
    expect(await expected('ann', 7)).toBe(900);
    // That was quick again, and what is foretold counts where it is more.
    expect(await expected('ann', 7)).toBe(7);
  });

  it('says that it holds simulated prices where a single ticker has them', async () => {
    for (const ticker of ['AAA', 'SIM:AAA']) await runner.runAs('json', request(ticker));
    expect(asked.map(({ provenance }) => provenance?.is_simulated)).toEqual([false, true]);
  });

  it('is told once what it took', async () => {
    const spent: number[] = [];
    await runner.runAs('json', request('AAA'), { onSpent: (milliseconds) => void spent.push(milliseconds) });
    expect(spent).toEqual([5]);
  });

  it('is possible again after its prices could not be looked up', async () => {
    assets = () => Promise.reject(new Error('disk gone'));
    await expect(runner.runAs('json', request('AAA'))).rejects.toThrow('disk gone');
    assets = async () => [];
    await runner.runAs('json', request('AAA'));
    expect(asked).toHaveLength(1);
  });
});

describe('a small batch', () => {
  const small: BatchRequest = batchOf(root(asset('$A')), { $A: ['AAA', 'BBB'] });

  it('that nobody waits for any more is charged for what it took, and for what threads go on with', async () => {
    range = async (_input, _onBlock, { onProgress } = {}) => {
      onProgress?.(1, { cpuMilliseconds: 30, busyMilliseconds: 30 });
      throw new Error('left');
    };
    const spent: number[] = [];
    const rows = runner.rows(small, { onSpent: (milliseconds) => void spent.push(milliseconds) });
    await expect(rows).rejects.toThrow('left');
    expect(spent).toHaveLength(1);
    expect(spent[0]).toBeGreaterThan(30);
  });

  it('gives the room of its prices back, be it in vain', async () => {
    const narrow = createBacktestRunner({ pool, marketData, clock, priceBytes: 1 });
    const large = batchOf(root(asset('$A')), { $A: Array.from({ length: 120 }, (_, i) => `T${i}`) });
    const outcomes: string[] = [];
    for (const isInVain of [true, false, false]) {
      range = async () => {
        if (isInVain) throw new Error('left');
        return { cpuMilliseconds: 1, busyMilliseconds: 1 };
      };
      await narrow.rows(large, { owner: 'ann' }).then(
        () => outcomes.push('done'),
        () => outcomes.push('failed'),
      );
    }
    expect(outcomes).toEqual(['failed', 'done', 'done']);
  });
});

describe('an estimate', () => {
  it.each([
    ['a long combination: on the last thread, since the first is left to short ones', 1_000, [2]],
    ['short ones: on all that are free', 0, [0, 1]],
  ])('measures %s', async (_, expectedMs, expected) => {
    const threads = new Set<number | undefined>();
    range = async ({ thread }) => {
      threads.add(thread);
      return { cpuMilliseconds: 200, busyMilliseconds: 200 };
    };
    const measuring: WorkerPool['measuring'] = (work) => work([0, 1]);
    const wide = createBacktestRunner({ pool: { ...pool, threads: 3, measuring }, marketData, clock });
    await wide.estimate(batchOf(root(asset('$A')), { $A: ['AAA', 'BBB'] }), { expectedMs });
    expect([...threads]).toEqual(expected);
  });
});
