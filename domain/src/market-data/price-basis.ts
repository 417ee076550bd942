import type { Asset, PriceSeries } from '../ports/market-data.ts';

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

/** What somebody who reads a result must know of the prices below it; null where all were adjusted for splits and dividends. */
export function basisWarning(bases: readonly PriceBasis[]): string | null {
  if (bases.includes('none'))
    return 'Some of these prices are not adjusted: splits and dividends look like losses.';
  if (bases.includes('splits')) return 'Some of these prices leave dividends out: returns are too low.';
  if (bases.includes('unknown'))
    return 'Nothing says whether some of these prices are adjusted for splits and dividends.';
  return null;
}
