import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { day, formatDay } from '../day.ts';
import { LEVERAGED_FUNDS, leveragedReturn } from '../leveraged-funds.ts';
import { annualVolatility, checkSeries } from '../series-checks.ts';
import { isSession } from '../trading-calendar.ts';
import { CALIBRATIONS } from './calibration.ts';
import {
  DEMO_MANIFEST,
  DEMO_VERSION,
  demoAssets,
  demoManifest,
  demoSeries,
  knownName,
  lastDayOfDemo,
  listingDay,
} from './demo-data-set.ts';
import { isDemoVersion } from './demo-version.ts';
import { exponential, Random, squareRoot } from './deterministic.ts';
import { DEMO_LAST_DAY, DEMO_SEED, demoFactors, marketOfSeed } from './factors.ts';
import { regimesOf } from './regimes.ts';

function returnsByDay(ticker: string): Map<number, number> {
  const { days, closes } = demoSeries(ticker);
  const returns = new Map<number, number>();
  for (let i = 1; i < days.length; i++)
    returns.set(days[i] as number, (closes[i] as number) / (closes[i - 1] as number) - 1);
  return returns;
}

function correlation(a: Map<number, number>, b: Map<number, number>): number {
  const pairs = [...a].flatMap(([value, x]) => (b.has(value) ? [[x, b.get(value) as number] as const] : []));
  const mean = (k: 0 | 1) => pairs.reduce((sum, pair) => sum + pair[k], 0) / pairs.length;
  const [mx, my] = [mean(0), mean(1)];
  let xy = 0;
  let xx = 0;
  let yy = 0;
  for (const [x, y] of pairs) {
    xy += (x - mx) * (y - my);
    xx += (x - mx) ** 2;
    yy += (y - my) ** 2;
  }
  return xy / Math.sqrt(xx * yy);
}

function worstDrawdown(closes: Float64Array): number {
  let peak = 0;
  let worst = 0;
  for (const close of closes) {
    peak = Math.max(peak, close);
    worst = Math.max(worst, 1 - close / peak);
  }
  return worst;
}

/** The bits of a series, for ever. */
function fingerprint(ticker: string, lastDay = DEMO_LAST_DAY): string {
  const { days, closes } = demoSeries(ticker, lastDay);
  return createHash('sha256')
    .update(new Uint8Array(days))
    .update(new Uint8Array(closes.buffer))
    .digest('hex')
    .slice(0, 16);
}

/** The same of everything that is known of some assets. */
function fingerprintOf(told: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(told)).digest('hex').slice(0, 16);
}

describe('demo data set', () => {
  it('has 10,000 assets and more, each under its own ticker, and says that it is simulated', () => {
    const assets = demoAssets();
    expect(assets.length).toBeGreaterThanOrEqual(10_000);
    expect(new Set(assets.map(({ ticker }) => ticker)).size).toBe(assets.length);
    expect(assets.every(({ isSimulated, source }) => isSimulated && source === 'simulated')).toBe(true);
    expect(DEMO_MANIFEST).toMatchObject({
      isSimulated: true,
      assetCount: assets.length,
      lastDay: DEMO_LAST_DAY,
    });
  });

  it.each([
    ['SPY', '1993-01-29'],
    ['QQQ', '1999-03-10'],
    ['TLT', '2002-07-30'],
    ['GLD', '2004-11-18'],
    ['TQQQ', '2010-02-11'],
    ['XLK', '1998-12-22'],
    ['META', '2012-05-18'],
    ['AAPL', '1990-01-02'],
  ])('begins %s on %s', (ticker, first) => {
    const { days } = demoSeries(ticker);
    expect(formatDay(days[0] as number)).toBe(first);
    expect(formatDay(days.at(-1) as number)).toBe(DEMO_LAST_DAY);
  });

  it('states the days that the series have, in sessions only, with usable prices', () => {
    const assets = demoAssets();
    const sample = assets.filter(({ ticker }, i) => !ticker.startsWith('Z') || i % 97 === 0);
    expect(sample.length).toBeGreaterThan(350);
    for (const asset of sample) {
      const { days, closes } = demoSeries(asset.ticker);
      expect(formatDay(days[0] as number), asset.ticker).toBe(asset.firstDay);
      expect(formatDay(days.at(-1) as number), asset.ticker).toBe(asset.lastDay);
      expect(days.length).toBeGreaterThan(100);
      expect(days.every(isSession)).toBe(true);
      expect(closes.every((close) => close > 0 && Number.isFinite(close))).toBe(true);
    }
  });

  it('has assets that are no longer traded', () => {
    const gone = demoAssets().filter(({ lastDay }) => lastDay < DEMO_LAST_DAY);
    expect(gone.length).toBeGreaterThan(1000);
  });

  const spy = returnsByDay('SPY');
  it.each(CALIBRATIONS)('$ticker moves as stated', ({ ticker, ...stated }) => {
    const { closes } = demoSeries(ticker);
    const years = (closes.length - 1) / 252;
    const measured = {
      volatility: annualVolatility(closes),
      correlation: correlation(returnsByDay(ticker), spy),
      drawdown: worstDrawdown(closes),
      growth: ((closes.at(-1) as number) / (closes[0] as number)) ** (1 / years) - 1,
    };
    for (const [figure, [least, most]] of Object.entries(stated)) {
      const value = measured[figure as keyof typeof measured];
      expect(value, `${figure} of ${ticker}`).toBeGreaterThanOrEqual(least - 1e-9);
      expect(value, `${figure} of ${ticker}`).toBeLessThanOrEqual(most + 1e-9);
    }
  });

  it('has fat tails and calm and stormy times, as markets do', () => {
    const values = [...spy.values()];
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const moment = (k: number) => values.reduce((sum, value) => sum + (value - mean) ** k, 0) / values.length;
    expect(moment(4) / moment(2) ** 2).toBeGreaterThan(6);
    const squares = values.map((value) => value ** 2);
    const level = squares.reduce((sum, value) => sum + value, 0) / squares.length;
    let lagged = 0;
    let total = 0;
    for (let i = 1; i < squares.length; i++) {
      lagged += ((squares[i] as number) - level) * ((squares[i - 1] as number) - level);
      total += ((squares[i] as number) - level) ** 2;
    }
    expect(lagged / total).toBeGreaterThan(0.1);
  });

  it('makes leveraged funds the daily multiple of their index less the stated cost', () => {
    for (const fund of LEVERAGED_FUNDS) {
      const base = returnsByDay(fund.base);
      let worst = 0;
      for (const [value, own] of returnsByDay(fund.ticker)) {
        const index = base.get(value);
        if (index === undefined) continue;
        const year = Number(formatDay(value).slice(0, 4));
        worst = Math.max(worst, Math.abs(own - leveragedReturn(fund, index, year)));
      }
      expect(worst, fund.ticker).toBeLessThan(1e-9);
    }
  });

  it('passes the checks that real data go through', () => {
    for (const ticker of ['SPY', 'QQQ', 'TLT', 'GLD', 'BIL', 'KO', 'XLE', 'EEM'])
      expect(
        checkSeries(demoSeries(ticker), {
          lastDay: demoFactors().days.at(-1) as number,
          listedOn: undefined,
        }),
      ).toEqual([]);
  });

  it('gives the same bits on every machine, for ever', () => {
    // Changing one of these means another model: it then needs another DEMO_VERSION.
    expect(
      Object.fromEntries(
        ['SPY', 'TQQQ', 'BIL', 'UVXY', 'KO', 'ZABCD'].map((ticker) => [ticker, fingerprint(ticker)]),
      ),
    ).toMatchInlineSnapshot(`
      {
        "BIL": "7c78f6b2119f5d31",
        "KO": "864b9a247c53d7a6",
        "SPY": "440ba829c4d30340",
        "TQQQ": "adcafbf7e40328a6",
        "UVXY": "361794ce8d3fd0a0",
        "ZABCD": "443b74afd40cb38c",
      }
    `);
  });

  it('has the same assets on every machine, for ever, and the prices of each', () => {
    // As above: which assets there are, since when, and how the invented ones move belongs to the model.
    const invented = demoAssets().filter(({ name }, i) => name.includes('(invented') && i % 200 === 0);
    expect(invented.length).toBeGreaterThan(40);
    expect([
      fingerprintOf(demoAssets()),
      fingerprintOf(demoAssets('2030-06-28')),
      fingerprintOf(invented.map(({ ticker }) => fingerprint(ticker))),
      fingerprintOf(LEVERAGED_FUNDS.map(({ ticker }) => fingerprint(ticker))),
    ]).toMatchInlineSnapshot(`
      [
        "69efbf0d0401fbce",
        "ce50b70cf0744c1b",
        "7218391dfca0116b",
        "156d7f3af3013f7d",
      ]
    `);
  });

  it('has them in the order of their tickers, and the same list as long as its end is the same', () => {
    const assets = demoAssets();
    expect(assets.every(({ ticker }, i) => i === 0 || (assets[i - 1]?.ticker ?? '') < ticker)).toBe(true);
    expect(demoAssets(DEMO_LAST_DAY)).toBe(assets);
    expect(demoAssets('2026-11-23')).not.toBe(assets);
  });

  it('knows no other ticker', () => {
    expect(() => demoSeries('NOPE')).toThrow(new RangeError('NOPE is not in the demo data set'));
  });

  it('has prices of between 15 and 415 on the day of its first end, in cents', () => {
    for (const { ticker, lastDay } of demoAssets().filter((_, i) => i % 137 === 0)) {
      const last = demoSeries(ticker).closes.at(-1) as number;
      expect(last >= 15 && last < 415, ticker).toBe(true);
      expect(last * 100, ticker).toBeCloseTo(Math.round(last * 100), 6);
      const { days, closes } = demoSeries(ticker, '2027-06-30');
      expect(closes[days.indexOf(day(lastDay))], ticker).toBe(last);
    }
  });

  it('ends each stretch of its market where its regime says, whatever the seed', () => {
    const [one, other] = [marketOfSeed(DEMO_SEED), marketOfSeed('another')];
    expect(one.returns).toEqual(demoFactors().returns.market);
    expect(one.returns).not.toEqual(other.returns);
    for (const { days, returns } of [one, other]) {
      let at = 1;
      for (const { until, multiple } of regimesOf('market')) {
        let value = 1;
        for (; at < days.length && (days[at] as number) <= day(until); at++)
          value *= 1 + (returns[at] as number);
        expect(value, until).toBeCloseTo(multiple, 9);
      }
      expect(at).toBe(days.length);
    }
  });

  describe('when it moves on', () => {
    const ENDS = ['2026-11-23', '2026-11-25', '2027-12-31', '2036-11-20'];
    const TICKERS = ['SPY', 'TQQQ', 'BIL', 'UVXY', 'KO', 'ZABCD', 'USO', 'COIN'];

    it('leaves every day that was there bit for bit, whatever was made before', () => {
      // The latest first: what is kept of it must give the earlier ones the same.
      const longest = new Map(TICKERS.map((ticker) => [ticker, demoSeries(ticker, '2036-11-20')]));
      for (const end of [...ENDS.toReversed(), DEMO_LAST_DAY])
        for (const ticker of TICKERS) {
          const { days, closes } = demoSeries(ticker, end);
          const later = longest.get(ticker);
          expect(later?.days.slice(0, days.length), `${ticker} until ${end}`).toEqual(days);
          expect(later?.closes.slice(0, closes.length), `${ticker} until ${end}`).toEqual(closes);
        }
    });

    it('gives a day to each that is still traded, and none to those that are gone', () => {
      const assets = demoAssets('2026-11-23');
      const before = new Map(demoAssets().map(({ ticker, lastDay }) => [ticker, lastDay]));
      for (const { ticker, lastDay } of assets)
        expect(lastDay).toBe(before.get(ticker) === DEMO_LAST_DAY ? '2026-11-23' : before.get(ticker));
      const gone = assets.find(({ lastDay }) => lastDay < DEMO_LAST_DAY)?.ticker ?? '';
      expect(demoSeries(gone, '2026-11-23').days).toEqual(demoSeries(gone).days);
      expect(demoSeries('SPY', '2026-11-23').days.length).toBe(demoSeries('SPY').days.length + 1);
    });

    it('has the sessions of the exchange and usable prices, in ten years too', () => {
      for (const { ticker, lastDay } of demoAssets('2036-11-20').filter((_, i) => i % 97 === 0)) {
        const { days, closes } = demoSeries(ticker, '2036-11-20');
        expect(formatDay(days.at(-1) as number), ticker).toBe(lastDay);
        expect(days.every(isSession)).toBe(true);
        expect(
          closes.every((close) => close > 0 && Number.isFinite(close)),
          ticker,
        ).toBe(true);
      }
      const { days, closes } = demoSeries('SPY', '2036-11-20');
      const moved = closes.slice(days.findIndex((one) => formatDay(one) === DEMO_LAST_DAY));
      expect(annualVolatility(moved)).toBeGreaterThan(0.1);
      expect(annualVolatility(moved)).toBeLessThan(0.25);
      expect(worstDrawdown(moved)).toBeLessThan(0.6);
    });

    it('names each end by a version of its own, and knows no other', () => {
      expect(DEMO_VERSION).toBe('20261120T000000Z-demo1');
      const manifest = demoManifest('2026-11-25');
      const { version } = manifest;
      expect(manifest).toEqual({
        version: '20261125T000000Z-demo1',
        createdAt: '2026-11-25T00:00:00.000Z',
        label: 'Demo: simulated prices',
        isSimulated: true,
        lastDay: '2026-11-25',
        assetCount: demoAssets().length,
      });
      expect(isDemoVersion(version)).toBe(true);
      expect([DEMO_VERSION, version].map(lastDayOfDemo)).toEqual([DEMO_LAST_DAY, '2026-11-25']);
      for (const other of [
        '20261119T000000Z-demo1', // before its first end
        '20261126T000000Z-demo1', // Thanksgiving
        '20261131T000000Z-demo1',
        '20261125T000000Z-demo2',
        '20261125T000001Z-demo1',
        '21261125T000000Z-demo1',
        '20261125T000000Z-3f9c',
      ])
        expect(lastDayOfDemo(other), other).toBeNull();
    });

    it('gives the same bits on every machine, for ever', () => {
      // Installations have lived through these days: another model needs another DEMO_VERSION.
      expect(
        Object.fromEntries(TICKERS.map((ticker) => [ticker, fingerprint(ticker, '2027-12-31')])),
      ).toMatchInlineSnapshot(`
        {
          "BIL": "a086b940778d61c9",
          "COIN": "f3c075a22f3e951a",
          "KO": "733e12362717d63c",
          "SPY": "1c28d6a128a63574",
          "TQQQ": "0213aa1a2d507440",
          "USO": "a0c09309e4eb06c3",
          "UVXY": "a4f90a77c5747a34",
          "ZABCD": "a3e44e6fbdea9b0b",
        }
      `);
    });
  });

  it('knows names and listing days of well-known tickers only', () => {
    expect(knownName('BRK-B')).toBe('Berkshire Hathaway Inc. Class B');
    expect(knownName('TQQQ')).toBe('ProShares UltraPro QQQ');
    expect(knownName('ZABCD')).toBeNull();
    expect(knownName('NOPE')).toBeNull();
    expect(listingDay('NOPE')).toBeNull();
    expect(formatDay(listingDay('AAPL') as number)).toBe('1980-12-12');
    expect(listingDay('ZABCD')).toBeNull();
  });
});

describe('deterministic arithmetic', () => {
  it('agrees with the usual functions', () => {
    for (let x = -6; x <= 6; x += 0.37) expect(exponential(x) / Math.exp(x)).toBeCloseTo(1, 11);
    for (const x of [1e-6, 0.01, 0.5, 1, 2, 252, 1e6])
      expect(squareRoot(x) / Math.sqrt(x)).toBeCloseTo(1, 14);
  });

  it('draws whole numbers below a bound, each as often as the others', () => {
    const random = new Random('dice');
    const counts = Array<number>(6).fill(0);
    for (let i = 0; i < 60_000; i++) {
      const drawn = random.below(6);
      counts[drawn] = (counts[drawn] ?? Number.NaN) + 1;
    }
    for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(500);
  });

  it('draws numbers of mean 0 and variance 1, and other ones for every seed', () => {
    const random = new Random('test');
    let sum = 0;
    let squares = 0;
    for (let i = 0; i < 100_000; i++) {
      const value = random.normal();
      sum += value;
      squares += value * value;
    }
    expect(Math.abs(sum / 100_000)).toBeLessThan(0.02);
    expect(squares / 100_000).toBeCloseTo(1, 1);
    expect(new Random('a').integer()).not.toBe(new Random('b').integer());
    expect(
      Array.from(
        { length: 3 },
        (
          (other) => () =>
            other.integer()
        )(new Random('quantloom')),
      ),
    ).toMatchInlineSnapshot(`
      [
        808936500,
        215431184,
        4192330234,
      ]
    `);
  });
});
