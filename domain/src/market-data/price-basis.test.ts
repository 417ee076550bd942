import { describe, expect, it } from 'vitest';
import type { Asset } from '../ports/market-data.ts';
import { basesOf, basisByTicker, basisWarning } from './price-basis.ts';

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
