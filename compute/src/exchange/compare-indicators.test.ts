import { createReadStream, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createGunzip } from 'node:zlib';
import { comparisonItems } from '@quantloom/domain/exchange/compared-report';
import { answerIn } from '@quantloom/domain/exchange/import-source';
import type { AnswerIndicators } from '@quantloom/domain/exchange/source-answer';
import { describe, expect, test } from 'vitest';
import { PriceCsvReader } from '../data/price-csv.ts';
import { compareIndicators, tickersOfAnswer } from './compare-indicators.ts';

const day = (date: string) => Math.round(Date.parse(date) / 86_400_000);
const series = (ticker: string, last: string, closes: readonly number[]) => ({
  ticker,
  days: Int32Array.from(closes, (_, index) => day(last) - closes.length + 1 + index),
  closes: Float64Array.from(closes),
});
const answer = (values: string): AnswerIndicators => {
  const found = answerIn(`{:last-market-day ${day('2022-10-24')}, :latest-feat-vals {${values}}}`);
  if (!found) throw new Error('no answer');
  return found;
};

describe('compareIndicators', () => {
  test('computes on our prices, scaled to the close that the answer names', () => {
    const given = answer(
      '{:feature :price, :ticker "SPY"} 200.0, {:feature :mean-price, :ticker "SPY", :window-days 2} 150.000M, ' +
        '{:feature :cum-return-pct, :ticker "SPY", :window-days 1} 0.5, {:feature :min-date, :ticker "SPY"} nil, ' +
        '{:feature :vibe, :ticker "SPY"} 3, {:feature :price, :ticker "QQQ"} 1.0',
    );
    const prices = new Map([['SPY', series('SPY', '2022-10-25', [1, 10, 20, 99])]]);
    const { rows, counts, date } = compareIndicators(given, prices, 'adjusted');
    expect(date).toBe('2022-10-24');
    expect(rows.map(({ feature, theirs, ours, agrees }) => [feature, theirs, ours, agrees])).toEqual([
      ['price', '1.0', null, null],
      ['cum-return-pct', '0.5', '1.0', false],
      ['mean-price', '150.000', '150.000', true],
      ['price', '200.0', '200.0', true],
      ['vibe', '3', null, null],
    ]);
    expect(counts).toEqual({ agree: 2, differ: 1, missing: 2, left_out: 0 });
  });

  test.each([
    ['150', '150', true],
    ['150.0', '150.0', true],
    ['150.00', '150.02', false],
    ['150.02', '150.02', true],
    ['1.5E2', '150', true],
    ['1.5000E2', '150.02', false],
    ['1.5002E2', '150.02', true],
    ['1500.16E-1', '150.016', true],
    ['1500.10e-1', '150.016', false],
  ])('a mean of 150.016 and one written as %s are compared to the last digit', (written, ours, agrees) => {
    const given = answer(`{:feature :mean-price, :ticker "SPY", :window-days 2} ${written}`);
    const prices = new Map([['SPY', series('SPY', '2022-10-24', [100.032, 200])]]);
    expect(compareIndicators(given, prices, 'adjusted').rows).toMatchObject([
      { theirs: written, ours, agrees },
    ]);
  });

  test('fractions are the numbers that they spell, compared to 8 digits', () => {
    const given = answer(
      '{:feature :price, :ticker "SPY"} 602/3, {:feature :mean-price, :ticker "SPY", :window-days 2} 301/2, ' +
        '{:feature :cum-return-pct, :ticker "SPY", :window-days 1} 1/3',
    );
    const prices = new Map([['SPY', series('SPY', '2022-10-24', [301, 602])]]);
    expect(compareIndicators(given, prices, 'adjusted').rows).toMatchObject([
      { theirs: '1/3', ours: '1.00000000', agrees: false, relative_difference: 2 },
      { theirs: '301/2', ours: '150.50000000', agrees: true, relative_difference: 0 },
      { theirs: '602/3', ours: '200.66666667', agrees: true, relative_difference: 0 },
    ]);
  });

  test.each([
    ['7.5E-4', '0.00100', false],
    ['1.0E-3', '0.0010', true],
  ])('a return of a thousandth is compared to the digits of %s', (written, ours, agrees) => {
    const given = answer(`{:feature :cum-return-pct, :ticker "SPY", :window-days 1} ${written}`);
    const prices = new Map([['SPY', series('SPY', '2022-10-24', [1000, 1001])]]);
    expect(compareIndicators(given, prices, 'adjusted').rows).toMatchObject([
      { theirs: written, ours, agrees },
    ]);
  });

  test.each([
    ['1.0000E-4', true],
    ['0.9950E-4', false],
  ])('a return is compared as far as prices of eight digits tell it: %s', (written, agrees) => {
    const given = answer(`{:feature :cum-return-pct, :ticker "SPY", :window-days 1} ${written}`);
    const prices = new Map([['SPY', series('SPY', '2022-10-24', [10_000, 10_001.003])]]);
    expect(compareIndicators(given, prices, 'adjusted').rows).toMatchObject([{ agrees }]);
  });

  test('a difference of a function is held against other tickers, and not against its own', () => {
    const mean = (ticker: string, days: number, said: string) =>
      `{:feature :mean-price, :ticker "${ticker}", :window-days ${days}} ${said}`;
    const prices = new Map(
      ['SPY', 'QQQ'].map((ticker) => [ticker, series(ticker, '2022-10-24', [100, 200, 300])]),
    );
    const reasons = (...values: string[]) =>
      compareIndicators(answer(values.join(', ')), prices, 'adjusted').rows.map(({ reason }) => reason);
    const own = [mean('SPY', 2, '250'), mean('SPY', 3, '150')];
    expect(reasons(...own)).toEqual([null, 'its prices are not adjusted for dividends']);
    expect(reasons(mean('QQQ', 2, '250'), ...own)).toEqual([
      ...[null, null],
      'its prices are not adjusted for dividends; the same function agrees on QQQ',
    ]);
    // One that differs as well speaks for nobody.
    expect(reasons(mean('QQQ', 2, '150'), ...own)).toEqual([
      'its prices are not adjusted for dividends; the same function agrees on SPY',
      ...[null, 'its prices are not adjusted for dividends'],
    ]);
  });

  test('what prices of eight digits leave open of a return is not left open of a close', () => {
    const given = answer(
      '{:feature :price, :ticker "SPY"} 0.0003000, {:feature :mean-price, :ticker "SPY", :window-days 2} 0.0002503',
    );
    const prices = new Map([['SPY', series('SPY', '2022-10-24', [0.0002, 0.0003])]]);
    expect(compareIndicators(given, prices, 'adjusted').rows).toMatchObject([
      { feature: 'mean-price', ours: '0.0002500', agrees: false },
      { feature: 'price', agrees: true },
    ]);
  });

  test('each difference is a line of the report', () => {
    const given = answer('{:feature :cum-return-pct, :ticker "SPY", :window-days 1} 0.5');
    const prices = new Map([['SPY', series('SPY', '2022-10-24', [10, 20])]]);
    expect(comparisonItems(compareIndicators(given, prices, 'adjusted'))).toMatchObject([
      {
        kind: 'differs',
        said: 'cum-return-pct over 1 days of SPY on 2022-10-24: 0.5',
        became: '1.0, on adjusted prices',
        effect: '100% of the value: its prices are not adjusted for dividends',
      },
      { kind: 'taken', became: expect.stringContaining('0 agree') },
    ]);
  });

  const shared = [4, 5]
    .map((up) => path.join(import.meta.dirname, '../'.repeat(up), 'shared'))
    .find(existsSync);
  test.skipIf(shared === undefined)(
    'a real answer (shared/symphonies/weird.edn; skipped where it is absent)',
    async () => {
      const given = answerIn(readFileSync(path.join(shared ?? '', 'symphonies/weird.edn'), 'utf8'));
      if (!given) throw new Error('no answer');
      const reader = new PriceCsvReader(tickersOfAnswer(given));
      const file = path.join(shared ?? '', 'market-data/etf.csv.gz');
      for await (const chunk of createReadStream(file).compose(createGunzip()))
        reader.push(chunk as Uint8Array);
      const { rows } = compareIndicators(given, reader.finish().prices, 'adjusted');
      const of = (feature: string, ticker: string, window: number | null) =>
        rows.find((row) => row.feature === feature && row.ticker === ticker && row.window === window);
      expect(of('mean-price', 'SPY', 200)).toMatchObject({
        theirs: '412.035750',
        ours: '409.207047',
        agrees: false,
      });
      expect(of('relative-strength-index', 'SHY', 10)).toMatchObject({
        theirs: '41.7212',
        ours: '43.1268',
        agrees: false,
      });
      // Each difference is explained by the price basis, those of long exponential averages by a short history too.
      const differing = rows.filter(({ agrees }) => agrees === false);
      expect(differing.map(({ ticker, feature, window }) => `${ticker} ${feature} ${window}`)).toEqual([
        'BIL relative-strength-index 5',
        'QQQ relative-strength-index 10',
        'SHY relative-strength-index 10',
        'SPY exponential-moving-average-price 210',
        'SPY exponential-moving-average-price 360',
        'SPY mean-price 200',
        'SPY mean-price 360',
        'SPY moving-average-return 210',
        'SPY relative-strength-index 7',
        'SPY relative-strength-index 10',
      ]);
      for (const { reason } of differing) expect(reason).toContain('not adjusted for dividends');
      expect(of('exponential-moving-average-price', 'SPY', 360)?.reason).toContain('its history is short');
      // The functions themselves agree where no dividend was paid.
      for (const [feature, ticker, window] of [
        ['relative-strength-index', 'UVXY', 10],
        ['relative-strength-index', 'TQQQ', 14],
        ['mean-price', 'TQQQ', 20],
        ['moving-average-return', 'TQQQ', 5],
        ['moving-average-return', 'DBC', 360],
      ] as const)
        expect(of(feature, ticker, window)?.agrees, `${feature} ${ticker}`).toBe(true);
      expect(of('relative-strength-index', 'TQQQ', 10)).toMatchObject({ theirs: '53.9421', agrees: true });
      expect(of('standard-deviation-return', 'DBC', 20)).toMatchObject({ agrees: true });
      expect(of('relative-strength-index', 'UVXY', 13)).toMatchObject({ agrees: true });
    },
  );
});
