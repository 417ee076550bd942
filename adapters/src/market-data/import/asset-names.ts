import { knownName } from '@quantloom/domain/market-data/demo/demo-data-set';

/** A name for a ticker that came without one: the one it had before, else a well-known one, else the ticker. */
export function nameOfTicker(ticker: string, before: string | undefined): string {
  if (before !== undefined && before !== ticker) return before;
  return knownName(ticker) ?? ticker;
}
