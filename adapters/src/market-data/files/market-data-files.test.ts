import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sessionsBetween } from '@quantloom/domain/market-data/trading-calendar';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { marketDataContract, type SuiteSeries } from '../../../testing/market-data/contract.ts';
import { DataSetWriter } from './data-set-writer.ts';
import { emptyReport } from './empty-report.ts';
import { layoutOf, newVersionId } from './layout.ts';
import {
  type MarketDataFiles,
  type MarketDataFilesOptions,
  openMarketDataFiles,
  publishedVersions,
} from './market-data-files.ts';

async function publish(dataDir: string, series: readonly SuiteSeries[]): Promise<string> {
  const layout = layoutOf(dataDir);
  const writer = await DataSetWriter.create(layout, 18_300);
  for (const { ticker, name, days, closes } of series)
    await writer.add(
      { ticker, name, source: 'test', adjustment: 'splits_and_dividends', isSimulated: false },
      Int32Array.from(days),
      Float64Array.from(closes),
    );
  const now = new Date();
  const version = newVersionId(now, (await publishedVersions(layout)).at(-1) ?? null);
  await writer.publish({ version, createdAt: now.toISOString(), label: 'test' }, emptyReport(version, now));
  return version;
}

marketDataContract('files', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'market-data-'));
  const marketData = await openMarketDataFiles({ dataDir, demo: false });
  return {
    marketData,
    publish: (series) => publish(dataDir, series),
    close: async () => {
      await marketData.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
});

describe('market data files', () => {
  let dataDir: string;
  const opened: MarketDataFiles[] = [];
  const open = async (options: Partial<MarketDataFilesOptions> = {}) => {
    const marketData = await openMarketDataFiles({ dataDir, ...options });
    opened.push(marketData);
    return marketData;
  };
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'market-data-'));
  });
  afterEach(async () => {
    for (const marketData of opened.splice(0)) await marketData.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  const days = Array.from(sessionsBetween(18_263, 18_300));
  const series = (ticker: string, level: number): SuiteSeries => ({
    ticker,
    name: ticker,
    days,
    closes: days.map((_, i) => level + i),
  });

  it('is the demo data set until something is published, and can be again', async () => {
    const marketData = await open();
    const demo = await marketData.current();
    expect(demo).toMatchObject({ isSimulated: true, lastDay: '2026-11-20' });
    expect((await marketData.assets(demo.version)).length).toBeGreaterThan(10_000);
    const loaded = await marketData.load(demo.version, ['SPY', 'BRK.B', 'ZABCD', 'SIM:TQQQ', 'NOPE']);
    expect([...loaded.keys()]).toEqual(['SPY', 'BRK.B', 'ZABCD', 'SIM:TQQQ']);
    for (const { closes, days: own } of loaded.values())
      expect([closes.buffer, own.buffer].every((buffer) => buffer instanceof SharedArrayBuffer)).toBe(true);
    expect(await marketData.report(demo.version)).toBeNull();
    const version = await publish(dataDir, [series('SPY', 100)]);
    expect((await marketData.current()).version).toBe(version);
    await marketData.use(demo.version);
    expect((await marketData.current()).version).toBe(demo.version);
    expect((await marketData.versions()).map((one) => one.version)).toEqual([demo.version, version]);
  });

  describe('when the demo data set moves on', () => {
    it('has a day more under another version, with the same past, and keeps the earlier versions', async () => {
      const marketData = await open();
      const before = await marketData.current();
      const moved = await marketData.moveDemoTo('2026-11-25');
      expect(moved).toMatchObject({
        version: '20261125T000000Z-demo1',
        isSimulated: true,
        lastDay: '2026-11-25',
      });
      expect(await marketData.current()).toEqual(moved);
      expect((await marketData.versions()).map(({ version }) => version)).toEqual([
        before.version,
        moved?.version,
      ]);
      const tickers = ['SPY', 'SIM:TQQQ', 'SIM:CASH', 'KO|raw'];
      const then = await marketData.load(before.version, tickers);
      const now = await marketData.load(moved?.version ?? '', tickers);
      for (const ticker of tickers) {
        const [old, more] = [then.get(ticker), now.get(ticker)];
        const count = old?.days.length ?? 0;
        expect(more?.days.length, ticker).toBe(count + 3);
        expect(more?.closes.slice(0, count), ticker).toEqual(old?.closes);
      }
      const spy = (await marketData.assets(moved?.version ?? '')).find(({ ticker }) => ticker === 'SPY');
      expect(spy).toMatchObject({ lastDay: '2026-11-25', isSimulated: true });
      expect(await marketData.report(moved?.version ?? '')).toBeNull();
    });

    it('goes forwards only, and once, whoever else moves it', async () => {
      const [one, other] = [await open(), await open()];
      expect(await one.moveDemoTo('2026-11-25')).not.toBeNull();
      expect(await other.moveDemoTo('2026-11-25')).toBeNull();
      expect(await other.moveDemoTo('2026-11-23')).toBeNull();
      expect(await other.moveDemoTo('2026-11-20')).toBeNull();
      expect((await other.current()).lastDay).toBe('2026-11-25');
    });

    it('stops where prices of somebody else’s are current, and goes on where the demo is again', async () => {
      const marketData = await open();
      const demo = await marketData.moveDemoTo('2026-11-23');
      const version = await publish(dataDir, [series('SPY', 100)]);
      expect(await marketData.moveDemoTo('2026-11-25')).toBeNull();
      expect((await marketData.current()).version).toBe(version);
      // What was computed on it is computed on it again, though it is not listed any more.
      expect((await marketData.load(demo?.version ?? '', ['SPY'])).size).toBe(1);
      await marketData.use(demo?.version ?? '');
      expect((await marketData.moveDemoTo('2026-11-25'))?.lastDay).toBe('2026-11-25');
      expect(await (await open({ demo: false })).moveDemoTo('2026-11-27')).toBeNull();
    });

    it('knows none of the demo’s versions where there is no demo, and none that was never one', async () => {
      const marketData = await open();
      await expect(marketData.assets('20261126T000000Z-demo1')).rejects.toMatchObject({
        code: 'unknown_version',
      });
      const plain = await open({ demo: false });
      await expect(plain.assets('20261125T000000Z-demo1')).rejects.toMatchObject({ code: 'unknown_version' });
    });
  });

  it('makes SIM: tickers of real series, labelled as simulated, and none where they are not wanted', async () => {
    const version = await publish(dataDir, [series('QQQ', 100)]);
    const marketData = await open();
    const assets = await marketData.assets(version);
    expect(assets.find(({ ticker }) => ticker === 'SIM:TQQQ')).toMatchObject({
      isSimulated: true,
      firstDay: '2020-01-02',
    });
    expect(assets.find(({ ticker }) => ticker === 'QQQ')?.isSimulated).toBe(false);
    const loaded = await marketData.load(version, ['SIM:TQQQ', 'SIM:CASH', 'SIM:TMF', 'sim:qqq1s']);
    expect([...loaded.keys()]).toEqual(['SIM:TQQQ', 'SIM:CASH', 'sim:qqq1s']);
    expect(loaded.get('SIM:TQQQ')?.days.length).toBe(days.length);
    const plain = await open({ simulatedTickers: false });
    expect((await plain.assets(version)).map(({ ticker }) => ticker)).toEqual(['QQQ']);
    expect((await plain.load(version, ['SIM:TQQQ', 'SIM:CASH'])).size).toBe(0);
  });

  it('takes a stored ticker that is named like a simulated one for what it is', async () => {
    const version = await publish(dataDir, [series('QQQ', 100), series('SIM:TQQQ', 7)]);
    const marketData = await open();
    expect((await marketData.load(version, ['SIM:TQQQ'])).get('SIM:TQQQ')?.closes[0]).toBe(7);
    expect((await marketData.assets(version)).filter(({ ticker }) => ticker === 'SIM:TQQQ')).toHaveLength(1);
  });

  it('keeps what fits into its memory, and reads the rest again', async () => {
    const tickers = Array.from({ length: 20 }, (_, i) => `T${i}`);
    const version = await publish(
      dataDir,
      tickers.map((ticker, i) => series(ticker, 100 * (i + 1))),
    );
    const marketData = await open({ cacheBytes: 2000 });
    const first = await marketData.load(version, tickers);
    const second = await marketData.load(version, tickers);
    const isKept = (ticker: string) => first.get(ticker)?.closes.buffer === second.get(ticker)?.closes.buffer;
    expect(tickers.filter(isKept).length).toBeLessThan(5);
    for (const ticker of tickers) expect(second.get(ticker)?.closes).toEqual(first.get(ticker)?.closes);
    const roomy = await open();
    const a = await roomy.load(version, ['T3']);
    expect((await roomy.load(version, ['t3'])).get('t3')).toBe(a.get('T3'));
  });

  it('removes old versions, but not the current one, those in use, the newest, and one replaced a moment ago', async () => {
    const versions: string[] = [];
    for (let i = 1; i <= 5; i++) versions.push(await publish(dataDir, [series('SPY', i)]));
    const marketData = await open({ demo: false });
    const left = async () => (await marketData.versions()).map(({ version }) => version);
    const later = new Date(Date.now() + 2 * 3_600_000);
    expect(await marketData.prune({ keep: 0, now: new Date(), versionsInUse: () => [] })).toEqual([]);
    const used = (await marketData.load(versions[0] as string, ['SPY'])).get('SPY');
    const removed = await marketData.prune({
      keep: 2,
      now: later,
      versionsInUse: async () => [versions[0] as string],
    });
    expect(removed).toEqual([versions[1], versions[2]]);
    expect(await left()).toEqual([versions[0], versions[3], versions[4]]);
    await marketData.use(versions[0] as string);
    await marketData.prune({ keep: 0, now: later, versionsInUse: () => [] });
    expect(await left()).toEqual([versions[0]]);
    expect(used?.closes[0]).toBe(1);
    await expect(marketData.load(versions[1] as string, ['SPY'])).rejects.toMatchObject({
      code: 'unknown_version',
    });
  });

  it('lets loads end on a version that is removed or crowded out meanwhile', async () => {
    const versions: string[] = [];
    for (let i = 0; i < 12; i++)
      versions.push(await publish(dataDir, [series('A', i + 1), series('B', i + 1)]));
    const marketData = await open({ demo: false, cacheBytes: 1000 });
    const loads: Promise<number | undefined>[] = [];
    for (let round = 0; round < 3; round++)
      for (const version of versions)
        loads.push(marketData.load(version, ['A', 'B']).then((loaded) => loaded.get('B')?.closes[0]));
    const later = new Date(Date.now() + 1e8);
    const pruned = marketData.prune({ keep: 6, now: later, versionsInUse: () => [] });
    const levels = await Promise.all(loads);
    expect(levels).toEqual([...versions, ...versions, ...versions].map((_, i) => (i % 12) + 1));
    expect((await pruned).length).toBe(6);
  });

  it('does not prune while a batch list cannot be read', async () => {
    const versions = [await publish(dataDir, [series('SPY', 1)]), await publish(dataDir, [series('SPY', 2)])];
    const marketData = await open({ demo: false });
    const prune = marketData.prune({
      keep: 0,
      now: new Date(Date.now() + 1e8),
      versionsInUse: () => Promise.reject(new Error('the log is away')),
    });
    await expect(prune).rejects.toThrow('the log is away');
    expect((await marketData.versions()).map(({ version }) => version)).toEqual(versions);
  });

  it('shares the days of series that follow the calendar', async () => {
    const version = await publish(dataDir, [
      series('A', 1),
      series('B', 2),
      { ...series('C', 3), days: days.map((value, i) => value + (i === days.length - 1 ? 100 : 0)) },
    ]);
    const loaded = await (await open()).load(version, ['A', 'B', 'C']);
    expect(loaded.get('A')?.days.buffer).toBe(loaded.get('B')?.days.buffer);
    expect(loaded.get('A')?.days.buffer).not.toBe(loaded.get('C')?.days.buffer);
    expect([...(loaded.get('B')?.days ?? [])]).toEqual(days);
  });
});
