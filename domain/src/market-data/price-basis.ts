import type { Asset, PriceSeries } from '../ports/market-data.ts';
import type { IndicatorPrices } from '../strategy/run-settings.ts';

/** What closes are adjusted for. */
export type PriceBasis = Asset['adjustment'];

/** The bases of the real prices that a result was computed from, each once, in alphabetical order. */
export function basesOf(
  bases: ReadonlyMap<string, PriceBasis>,
  series: Iterable<Pick<PriceSeries, 'ticker'>>,
): readonly PriceBasis[] {
  const found = new Set<PriceBasis>();
  for (const { ticker } of series) {
    const basis = bases.get(ticker);
    if (basis !== undefined) found.add(basis);
  }
  return [...found].sort();
}

/** The bases of all assets with real prices. */
export function basisByTicker(assets: Iterable<Asset>): ReadonlyMap<string, PriceBasis> {
  const bases = new Map<string, PriceBasis>();
  for (const { ticker, adjustment, isSimulated } of assets) if (!isSimulated) bases.set(ticker, adjustment);
  return bases;
}

/**
 * What somebody who reads a result must know of the prices below it; null where all were adjusted for splits
 * and dividends.
 */
export function basisWarning(bases: readonly PriceBasis[]): string | null {
  if (bases.includes('none'))
    return 'Some of these prices are not adjusted: splits and dividends look like losses.';
  if (bases.includes('splits')) return 'Some of these prices leave dividends out: returns are too low.';
  if (bases.includes('unknown'))
    return 'Nothing says whether some of these prices are adjusted for splits and dividends.';
  return null;
}

/** Closes that are kept beside those that returns are earned on. */
export type FurtherBasis = Extract<PriceBasis, 'splits' | 'none'>;

/** Other closes than the adjusted ones that decisions may read. */
export type OtherPrices = Exclude<IndicatorPrices, 'adjusted'>;

const BASIS_OF: Readonly<Record<OtherPrices, FurtherBasis>> = { splits: 'splits', raw: 'none' };

/** Stands in no ticker, so that nobody can hold or name a series under it. */
const MARK = '|';

/** The name under which `MarketData.load` gives a ticker's closes on another basis: `SPY|splits`. */
export function nameOnBasis(ticker: string, prices: OtherPrices): string {
  return `${ticker}${MARK}${prices}`;
}

/** What such a name stands for; null for all others. */
export function readNameOnBasis(
  name: string,
): { readonly ticker: string; readonly basis: FurtherBasis } | null {
  const at = name.lastIndexOf(MARK);
  const prices = name.slice(at + 1);
  return at > 0 && (prices === 'splits' || prices === 'raw')
    ? { ticker: name.slice(0, at), basis: BASIS_OF[prices] }
    : null;
}

/** What decisions were read from, in the middle of a sentence. */
export function indicatorPricesInWords(prices: IndicatorPrices): string {
  if (prices === 'splits') return 'closes adjusted for splits only';
  return prices === 'raw' ? 'closes as they were paid, adjusted for nothing' : 'adjusted closes';
}

/** The field of a result that names what decisions were read from; none for adjusted closes. */
export function namedIndicatorPrices(prices: IndicatorPrices | null | undefined): {
  readonly indicator_prices?: OtherPrices;
} {
  return prices && prices !== 'adjusted' ? { indicator_prices: prices } : {};
}
