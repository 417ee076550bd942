import { describe, expect, it } from 'vitest';
import { tickerOfFile } from './file-ticker.ts';

const of = (file: string, ...known: string[]) => {
  const found = tickerOfFile(`some/Folder/${file}`, (ticker) => known.includes(ticker));
  return found.ticker ?? found.reason;
};

describe('the ticker that the name of a file tells', () => {
  it.each<[string, string]>([
    ['SPY.csv', 'SPY'],
    ['SPY.csv.gz', 'SPY'],
    ['SPY (2).csv', 'SPY'],
    ['SPY - Copy.CSV', 'SPY'],
    ['spy.parquet', 'SPY'],
    ['brk_b.csv', 'BRK-B'],
    ['BRK.B.txt', 'BRK-B'],
    ['ABCD_daily_2010-01-01_2020-12-31.csv', 'ABCD'],
    ['prices ABCD 20201231 adjusted.csv', 'ABCD'],
    ['spy_us_d.csv', 'SPY'],
    ['daily_adjusted_IBM.csv', 'IBM'],
    ['TIME_SERIES_DAILY_IBM.csv', 'IBM'],
    ['SPY ETF Stock Price History.csv', 'SPY'],
    ['BATS_SPY, 1D.csv', 'SPY'],
    ['NASDAQ_AAPL, 1D_0a1b2.csv', 'AAPL'],
    ['BATS_SPY, 1D - Copy (2).csv', 'SPY'],
    ['A.csv', 'A'],
    ['abcd.csv', 'ABCD'],
    ['abcde.us.csv', 'ABCDE'],
  ])('of %s', (file, ticker) => {
    expect(of(file)).toBe(ticker);
  });

  it.each<[string, RegExp]>([
    ['data.csv', /not a ticker/],
    ['all.csv', /not a ticker/],
    ['SPY_QQQ.csv', /not a ticker/],
    ['data_A.csv', /holds A, which may be no ticker/],
    ['abcde.csv', /which may be a name and no ticker/],
    ['Abcd.csv', /which may be a name and no ticker/],
    ['toolongname.csv', /which is no ticker/],
    ['spy_us_w.csv', /no daily prices \(Stooq/],
    ['spy_us_m.csv', /no daily prices \(Stooq/],
    ['zzz_d.csv', /share of Warsaw \(Stooq writes zzz_us_d/],
    ['weekly_IBM.csv', /no daily prices/],
    ['HistoricalData_1700000000000.csv', /tells no ticker/],
    ['Apple Stock Price History.csv', /holds Apple, which is a name/],
    ['BATS_SPY, 60.csv', /no daily prices \(TradingView/],
    ['XETR_SAP, 1D.csv', /exchange outside the United States, XETR/],
    ['2020-01-01.csv', /not a ticker/],
  ])('is none of %s', (file, reason) => {
    expect(of(file)).toMatch(reason);
  });

  it('may be any that is known', () => {
    expect(of('abcde.csv', 'ABCDE')).toBe('ABCDE');
    expect(of('zzz_d.csv', 'ZZZ')).toBe('ZZZ');
    expect(of('ALL.csv', 'ALL')).toBe('ALL');
    // Words that describe are tickers only where they are known, and in capital letters.
    expect(of('ALL.csv')).toMatch(/not a ticker/);
    expect(of('all.csv', 'ALL')).toMatch(/not a ticker/);
  });
});
