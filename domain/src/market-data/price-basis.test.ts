import { describe, expect, it } from 'vitest';
import type { Asset } from '../ports/market-data.ts';
import {
  basesOf,
  basisByTicker,
  basisWarning,
  indicatorPricesInWords,
  namedIndicatorPrices,
  nameOnBasis,
  readNameOnBasis,
} from './price-basis.ts';
import { canonicalTicker } from './ticker.ts';

const asset = (ticker: string, adjustment: Asset['adjustment'], isSimulated = false): Asset => ({
  ticker,
  name: ticker,
  firstDay: '2020-01-02',
  lastDay: '2020-01-03',
  source: 'x.csv',
  adjustment,
  isSimulated,
});

describe('bases of prices', () => {
  it('names each basis of the real prices once', () => {
    const bases = basisByTicker([
      asset('A', 'unknown'),
      asset('B', 'none'),
      asset('C', 'unknown'),
      asset('S', 'splits', true),
    ]);
    expect(
      basesOf(
        bases,
        ['A', 'C', 'B', 'S', '@X'].map((ticker) => ({ ticker })),
      ),
    ).toEqual(['none', 'unknown']);
  });

  it.each([
    [['splits_and_dividends'], null],
    [[], null],
    [['splits_and_dividends', 'unknown'], /Nothing says/],
    [['splits', 'unknown'], /leave dividends out/],
    [['none', 'splits'], /not adjusted/],
  ] as const)('warns of %j', (bases, expected) => {
    const warning = basisWarning(bases);
    if (expected === null) expect(warning).toBeNull();
    else expect(warning).toMatch(expected);
  });
});

describe('closes on another basis', () => {
  it('have names that are no tickers, and lead back to theirs', () => {
    for (const ticker of ['SPY', 'BRK.B', 'SIM:SPY'])
      for (const [prices, basis] of [
        ['splits', 'splits'],
        ['raw', 'none'],
      ] as const) {
        const name = nameOnBasis(ticker, prices);
        expect(readNameOnBasis(name)).toEqual({ ticker, basis });
        expect(canonicalTicker(name)).toBeNull();
      }
    for (const name of ['SPY', '|splits', 'SPY|', 'SPY|adjusted', 'SPY|none', ''])
      expect(readNameOnBasis(name)).toBeNull();
  });

  it('are named in a result, which says nothing of the adjusted ones', () => {
    expect(namedIndicatorPrices('raw')).toEqual({ indicator_prices: 'raw' });
    for (const prices of ['adjusted', null, undefined] as const)
      expect(namedIndicatorPrices(prices)).toEqual({});
    expect((['splits', 'raw', 'adjusted'] as const).map(indicatorPricesInWords)).toEqual([
      'closes adjusted for splits only',
      'closes as they were paid, adjusted for nothing',
      'adjusted closes',
    ]);
  });
});
