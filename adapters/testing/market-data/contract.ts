import type { MarketData, PriceSeries } from '@quantloom/domain/ports/market-data';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

/** What the suite publishes: days since 1970-01-01 and closes by ticker. */
export interface SuiteSeries {
  readonly ticker: string;
  readonly name: string;
  readonly days: readonly number[];
  readonly closes: readonly number[];
}

export interface MarketDataUnderTest {
  readonly marketData: MarketData;
  /** Publishes a version that holds exactly these series, makes it current, and answers its id. */
  publish(series: readonly SuiteSeries[]): Promise<string>;
  close(): Promise<void>;
}

const SPY: SuiteSeries = {
  ticker: 'SPY',
  name: 'SPDR S&P 500 ETF Trust',
  // 2020-01-02, 03, 06.
  days: [18263, 18264, 18267],
  closes: [300.25, 298.5, 299.125],
};
const BRK_B: SuiteSeries = {
  ticker: 'BRK-B',
  name: 'Berkshire Hathaway Inc. Class B',
  // A session is missing, and the days lie partly outside the others'.
  days: [18263, 18267, 18268],
  closes: [226.1, 227.25, 1e-7],
};

/**
 * The contract of the `MarketData` port: a function of a factory, run on every adapter. `open` starts with
 * nothing published.
 */
export function marketDataContract(name: string, open: () => Promise<MarketDataUnderTest>): void {
  describe(`MarketData contract: ${name}`, () => {
    let subject: MarketDataUnderTest;
    beforeEach(async () => {
      subject = await open();
    });
    afterEach(() => subject.close());

    it('rejects with no_data_set while nothing is published', async () => {
      await expect(subject.marketData.current()).rejects.toMatchObject({ code: 'no_data_set' });
      expect(await subject.marketData.versions()).toEqual([]);
    });

    it('answers what was published', async () => {
      const version = await subject.publish([SPY, BRK_B]);
      const current = await subject.marketData.current();
      expect(current).toMatchObject({ version, isSimulated: false, lastDay: '2020-01-07', assetCount: 2 });
      expect(Number.isNaN(Date.parse(current.createdAt))).toBe(false);
      const assets = (await subject.marketData.assets(version)).filter(({ isSimulated }) => !isSimulated);
      expect(assets.map(({ ticker }) => ticker).sort()).toEqual(['BRK-B', 'SPY']);
      expect(assets.find(({ ticker }) => ticker === 'SPY')).toMatchObject({
        name: SPY.name,
        firstDay: '2020-01-02',
        lastDay: '2020-01-06',
      });
    });

    it('loads the very numbers, in shared memory', async () => {
      const version = await subject.publish([SPY, BRK_B]);
      const loaded = await subject.marketData.load(version, ['SPY', 'BRK-B']);
      for (const wanted of [SPY, BRK_B]) {
        const series = loaded.get(wanted.ticker) as PriceSeries;
        expect([...series.days]).toEqual(wanted.days);
        expect([...series.closes]).toEqual(wanted.closes);
        expect(series.days.buffer).toBeInstanceOf(SharedArrayBuffer);
        expect(series.closes.buffer).toBeInstanceOf(SharedArrayBuffer);
      }
    });

    it('finds every spelling and answers under the spelling asked for', async () => {
      const version = await subject.publish([SPY, BRK_B]);
      const spellings = ['BRK-B', 'BRK.B', 'BRK/B', 'BRKB', 'brk.b', 'spy'];
      const loaded = await subject.marketData.load(version, spellings);
      expect([...loaded.keys()].sort()).toEqual([...spellings].sort());
      for (const spelling of spellings.slice(0, 5)) expect(loaded.get(spelling)?.ticker).toBe('BRK-B');
      expect(loaded.get('BRKB')?.closes.buffer).toBe(loaded.get('BRK-B')?.closes.buffer);
    });

    it('leaves out what it does not know', async () => {
      const version = await subject.publish([SPY]);
      const loaded = await subject.marketData.load(version, ['NOPE', '', '$A', 'SPY', '__proto__']);
      expect([...loaded.keys()]).toEqual(['SPY']);
    });

    it('reads a series once, however many ask', async () => {
      const version = await subject.publish([SPY, BRK_B]);
      const [a, b] = await Promise.all([
        subject.marketData.load(version, ['SPY']),
        subject.marketData.load(version, ['SPY', 'SPY']),
      ]);
      expect(b.get('SPY')?.closes.buffer).toBe(a.get('SPY')?.closes.buffer);
    });

    it('keeps a version as it was when the next one is published', async () => {
      const first = await subject.publish([SPY]);
      const before = (await subject.marketData.load(first, ['SPY'])).get('SPY')?.closes.slice();
      const second = await subject.publish([{ ...SPY, closes: [1, 2, 3] }, BRK_B]);
      expect(second > first).toBe(true);
      expect((await subject.marketData.current()).version).toBe(second);
      expect((await subject.marketData.versions()).map(({ version }) => version)).toEqual([first, second]);
      const again = await subject.marketData.load(first, ['SPY', 'BRK-B']);
      expect(again.get('SPY')?.closes).toEqual(before);
      expect(again.has('BRK-B')).toBe(false);
      expect([...((await subject.marketData.load(second, ['SPY'])).get('SPY')?.closes ?? [])]).toEqual([
        1, 2, 3,
      ]);
    });

    it.each(['nope', '../..', '20200101T000000Z-0000', ''])(
      'rejects the version %j with unknown_version',
      async (version) => {
        await subject.publish([SPY]);
        await expect(subject.marketData.assets(version)).rejects.toMatchObject({ code: 'unknown_version' });
        await expect(subject.marketData.load(version, ['SPY'])).rejects.toMatchObject({
          code: 'unknown_version',
        });
      },
    );
  });
}
