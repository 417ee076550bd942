import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Asset, PriceSeries } from '../ports/market-data.ts';
import { day, formatDay } from './day.ts';
import { demoAssets, demoSeries } from './demo/demo-data-set.ts';
import { shortRate } from './leveraged-funds.ts';
import { simulatedAssets, simulatedDefinition, simulateTicker } from './simulated-tickers.ts';
import { sessionsBetween } from './trading-calendar.ts';

const REAL = new URL('../../../../shared/market-data/etf.csv.gz', import.meta.url).pathname;

function series(ticker: string, days: ArrayLike<number>, closes: ArrayLike<number>): PriceSeries {
  return { ticker, days: Int32Array.from(days), closes: Float64Array.from(closes) };
}

const days = sessionsBetween(day('2012-01-03'), day('2012-03-30'));
const qqq = series(
  'QQQ',
  days,
  Array.from(days, (_, i) => 50 * 1.01 ** i),
);
/** Listed on the 11th day. */
const tqqq = series(
  'TQQQ',
  days.slice(10),
  Array.from(days.slice(10), (_, i) => 20 * 1.05 ** i),
);

const loader = (...loaded: PriceSeries[]) => {
  const byTicker = new Map(loaded.map((one) => [one.ticker, one]));
  return async (ticker: string) => byTicker.get(ticker) ?? null;
};
const make = (ticker: string, ...loaded: PriceSeries[]) =>
  simulateTicker(ticker, loader(...loaded), '2012-03-30');

describe('simulated tickers', () => {
  it('resets the multiple every day, less borrowing and cost', async () => {
    const simulated = (await make('SIM:TQQQ', qqq)) as PriceSeries;
    expect([...simulated.days]).toEqual([...qqq.days]);
    const expected = 3 * 0.01 - (2 * shortRate(2012) + 0.0088) / 252;
    for (let i = 1; i < days.length; i++)
      expect((simulated.closes[i] as number) / (simulated.closes[i - 1] as number) - 1).toBeCloseTo(
        expected,
        12,
      );
  });

  it('takes the returns of the fund itself from its listing on', async () => {
    const simulated = (await make('SIM:TQQQ', qqq, tqqq)) as PriceSeries;
    const move = (i: number) => (simulated.closes[i] as number) / (simulated.closes[i - 1] as number) - 1;
    expect(move(10)).toBeCloseTo(3 * 0.01 - (2 * shortRate(2012) + 0.0088) / 252, 12);
    for (let i = 11; i < days.length; i++) expect(move(i)).toBeCloseTo(0.05, 12);
  });

  it('takes the multiple where the fund has no price of the day before', async () => {
    const gap = series(
      'TQQQ',
      tqqq.days.filter((_, i) => i !== 5),
      tqqq.closes.filter((_, i) => i !== 5),
    );
    const simulated = (await make('SIM:TQQQ', qqq, gap)) as PriceSeries;
    const move = (i: number) => (simulated.closes[i] as number) / (simulated.closes[i - 1] as number) - 1;
    expect(move(14)).toBeCloseTo(0.05, 12);
    for (const i of [15, 16])
      expect(move(i)).toBeCloseTo(3 * 0.01 - (2 * shortRate(2012) + 0.0088) / 252, 12);
    expect(move(17)).toBeCloseTo(0.05, 12);
  });

  it('offers multiples and inverses of any loaded ticker', async () => {
    const move = async (ticker: string) => {
      const simulated = (await make(ticker, qqq)) as PriceSeries;
      return (simulated.closes[1] as number) / (simulated.closes[0] as number) - 1;
    };
    expect(await move('SIM:QQQ2X')).toBeCloseTo(0.02, 3);
    expect(await move('SIM:QQQ1S')).toBeCloseTo(-0.01, 3);
    expect(await move('sim:qqq3s')).toBeCloseTo(-0.03, 3);
  });

  it('never falls to nothing, however far the index falls in a day', async () => {
    const crash = series('QQQ', days.slice(0, 4), [100, 60, 61, 60]);
    const simulated = (await make('SIM:TQQQ', crash)) as PriceSeries;
    expect(simulated.closes.every((close) => close > 0)).toBe(true);
    expect(simulated.closes[1]).toBeCloseTo(1, 9);
  });

  it('has cash that stands still and bills that earn the rate of their year', async () => {
    const cash = (await make('SIM:CASH')) as PriceSeries;
    expect(formatDay(cash.days[0] as number)).toBe('1990-01-02');
    expect(formatDay(cash.days.at(-1) as number)).toBe('2012-03-30');
    expect(new Set(cash.closes)).toEqual(new Set([100]));
    const bills = (await make('SIM:BIL')) as PriceSeries;
    const price = (date: string) => bills.closes[bills.days.indexOf(day(date))] as number;
    expect(price('2001-01-02') / price('2000-01-03') - 1).toBeCloseTo(0.06, 2);
  });

  it.each(['SIM:', 'SIM:NOPE', 'TQQQ', 'SIM:QQQ9X', 'SIM:TMF', 'SIM:X', ''])(
    'knows no %j where it has only QQQ',
    async (ticker) => {
      expect(await make(ticker, qqq)).toBeNull();
    },
  );

  it('lists what the loaded series allow, labelled as simulated', () => {
    const real: Asset = {
      ticker: 'QQQ',
      name: 'Invesco QQQ Trust',
      firstDay: '1999-03-10',
      lastDay: '2025-09-26',
      source: 'etf.csv',
      adjustment: 'splits_and_dividends',
      isSimulated: false,
    };
    const listed = simulatedAssets([real]);
    expect(listed.map(({ ticker }) => ticker)).toEqual([
      'SIM:CASH',
      'SIM:BIL',
      'SIM:QLD',
      'SIM:TQQQ',
      'SIM:PSQ',
      'SIM:QID',
      'SIM:SQQQ',
    ]);
    for (const asset of listed) {
      expect(asset.isSimulated).toBe(true);
      expect(asset.name).toContain('(simulated)');
      expect(asset.lastDay).toBe('2025-09-26');
    }
    expect(listed[3]).toMatchObject({ firstDay: '1999-03-10' });
  });

  it('does not take the place of a stored ticker of that name', () => {
    const [qqqAsset] = demoAssets().filter(({ ticker }) => ticker === 'QQQ') as [Asset];
    const stored = [qqqAsset, { ...qqqAsset, ticker: 'SIM:TQQQ' }];
    expect(simulatedAssets(stored).map(({ ticker }) => ticker)).not.toContain('SIM:TQQQ');
  });

  it('follows its definition on the demo data set', async () => {
    const simulated = (await simulateTicker(
      'SIM:SPXL',
      async (ticker) => demoSeries(ticker),
      '2026-11-20',
    )) as PriceSeries;
    expect(formatDay(simulated.days[0] as number)).toBe('1993-01-29');
    expect(simulatedDefinition('SIM:SPXL')).toMatchObject({ base: 'SPY', multiple: 3, fund: 'SPXL' });
  });
});

describe.skipIf(!existsSync(REAL))(
  'simulated funds beside real ones (skipped where ../shared/market-data is missing)',
  () => {
    function real(ticker: string): PriceSeries {
      const rows = gunzipSync(readFileSync(REAL))
        .toString()
        .trim()
        .split('\n')
        .slice(1)
        .map((line) => line.split(','));
      const own = rows.filter(([, symbol]) => symbol === ticker);
      return series(
        ticker,
        own.map(([date]) => day(date as string)),
        own.map(([, , close]) => Number(close)),
      );
    }

    it.each([
      ['TQQQ', 'QQQ', 0.015],
      ['SPXL', 'SPY', 0.03],
      ['SH', 'SPY', 0.015],
      ['TMF', 'TLT', 0.03],
    ])(
      '%s from %s alone: the real daily moves, and within %f a year of its growth',
      async (ticker, base, tolerance) => {
        const fund = real(ticker);
        // Without the fund itself, so that nothing but the multiple makes it.
        const simulated = (await simulateTicker(
          `SIM:${ticker}`,
          loader(real(base)),
          '2025-09-26',
        )) as PriceSeries;
        const at = new Map([...simulated.days].map((value, i) => [value, i]));
        const first = at.get(fund.days[0] as number) as number;
        const last = at.get(fund.days.at(-1) as number) as number;
        const years = (last - first) / 252;
        const growth = (closes: Float64Array, from: number, to: number) =>
          ((closes[to] as number) / (closes[from] as number)) ** (1 / years) - 1;
        const difference =
          growth(simulated.closes, first, last) - growth(fund.closes, 0, fund.closes.length - 1);
        expect(Math.abs(difference)).toBeLessThan(tolerance);
        let squares = 0;
        for (let i = 1; i < fund.days.length; i++) {
          const k = at.get(fund.days[i] as number) as number;
          const own = (fund.closes[i] as number) / (fund.closes[i - 1] as number);
          squares += (own - (simulated.closes[k] as number) / (simulated.closes[k - 1] as number)) ** 2;
        }
        // Half a percent a day, against daily moves of one to four.
        expect(Math.sqrt(squares / fund.days.length)).toBeLessThan(0.006);
      },
    );
  },
);
