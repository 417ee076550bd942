import type { Asset } from '@quantloom/domain/ports/market-data';
import { CURRENCY_CODES } from './numbers.ts';

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
  // German, French, Spanish, Italian, Portuguese: a table with both closes must not pass for one with the plain ones.
  ['adjschluss', 'splits_and_dividends'],
  ['adjschlusskurs', 'splits_and_dividends'],
  ['bereinigterschluss', 'splits_and_dividends'],
  ['bereinigterschlusskurs', 'splits_and_dividends'],
  ['schlussbereinigt', 'splits_and_dividends'],
  ['schlusskursbereinigt', 'splits_and_dividends'],
  ['angepassterschlusskurs', 'splits_and_dividends'],
  ['clotureaj', 'splits_and_dividends'],
  ['clotureajustee', 'splits_and_dividends'],
  ['coursdeclotureajuste', 'splits_and_dividends'],
  ['cierreaj', 'splits_and_dividends'],
  ['cierreajustado', 'splits_and_dividends'],
  ['preciodecierreajustado', 'splits_and_dividends'],
  ['chiusaggiust', 'splits_and_dividends'],
  ['chiusuraaggiustata', 'splits_and_dividends'],
  ['chiusurarettificata', 'splits_and_dividends'],
  ['fechamentoajustado', 'splits_and_dividends'],
  // Japanese sources adjust for splits, and not for dividends.
  ['調整後終値', 'splits'],
  ['修正後終値', 'splits'],
  ['close', 'unknown'],
  ['closeprice', 'unknown'],
  ['closelast', 'unknown'],
  ['closingprice', 'unknown'],
  ['priceclose', 'unknown'],
  ['last', 'unknown'],
  ['lastprice', 'unknown'],
  ['pxlast', 'unknown'],
  ['price', 'unknown'],
  ['value', 'unknown'],
  // German, French, Spanish, Italian, Portuguese, Polish, Japanese, Chinese, Russian.
  ['schlusskurs', 'unknown'],
  ['schlußkurs', 'unknown'],
  ['schluss', 'unknown'],
  ['zuletzt', 'unknown'],
  ['kurs', 'unknown'],
  ['cloture', 'unknown'],
  ['coursdecloture', 'unknown'],
  ['clot', 'unknown'],
  ['dernier', 'unknown'],
  ['cours', 'unknown'],
  ['cierre', 'unknown'],
  ['preciodecierre', 'unknown'],
  ['ultimo', 'unknown'],
  ['precio', 'unknown'],
  ['chiusura', 'unknown'],
  ['prezzo', 'unknown'],
  ['fechamento', 'unknown'],
  ['preco', 'unknown'],
  ['zamkniecie', 'unknown'],
  ['終値', 'unknown'],
  ['收盘', 'unknown'],
  ['收盘价', 'unknown'],
  ['цена', 'unknown'],
];

/** A currency behind a name: `Close (USD)`. */
const CURRENCY = new RegExp(String.raw`\s*[([](?:${CURRENCY_CODES.join('|')}|[$€£¥])[)\]]\s*$`, 'i');

/**
 * A header as the lists above spell it, in whatever script: `Adj. Close` becomes `adjclose`, `Clôture (EUR)`
 * becomes `cloture`.
 */
export function plainHeader(header: string): string {
  return header
    .replace(CURRENCY, '')
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}
