import type { Asset } from '@quantloom/domain/ports/market-data';

/** Names of columns of prices, best first, and what their prices are. */
export const PRICE_NAMES: readonly (readonly [name: string, adjustment: Asset['adjustment']])[] = [
  ['adjclose', 'splits_and_dividends'],
  ['adjustedclose', 'splits_and_dividends'],
  ['closeadj', 'splits_and_dividends'],
  ['closeadjusted', 'splits_and_dividends'],
  ['adjustedcloseprice', 'splits_and_dividends'],
  ['adjcloseprice', 'splits_and_dividends'],
  ['adjustedprice', 'splits_and_dividends'],
  ['adjprice', 'splits_and_dividends'],
  ['adjusted', 'splits_and_dividends'],
  ['totalreturn', 'splits_and_dividends'],
  ['close', 'unknown'],
  ['closeprice', 'unknown'],
  ['closelast', 'unknown'],
  ['last', 'unknown'],
  ['price', 'unknown'],
  ['value', 'unknown'],
  // German, French, Spanish, Italian, Portuguese, Polish.
  ['schlusskurs', 'unknown'],
  ['schluss', 'unknown'],
  ['zuletzt', 'unknown'],
  ['cloture', 'unknown'],
  ['dernier', 'unknown'],
  ['cierre', 'unknown'],
  ['ultimo', 'unknown'],
  ['chiusura', 'unknown'],
  ['fechamento', 'unknown'],
  ['zamkniecie', 'unknown'],
];

/** A header as the lists above spell it: `Adj. Close` becomes `adjclose`. */
export function plainHeader(header: string): string {
  return header
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '');
}
