import { SIMULATED_PREFIX } from '@quantloom/domain/market-data/simulated-prefix';
import { canonicalTicker } from '@quantloom/domain/market-data/ticker';

const US_PREFIXES = new Set([
  'NYSE',
  'NASDAQ',
  'AMEX',
  'ARCA',
  'NYSEARCA',
  'NYSEAMERICAN',
  'BATS',
  'CBOE',
  'OTC',
]);
/** What sources write in a column of exchanges for one in the United States. */
const US_EXCHANGES = new Set([
  '',
  'US',
  'USA',
  'NYSE',
  'NASDAQ',
  'NYSE ARCA',
  'NYSE MKT',
  'AMEX',
  'ARCA',
  'BATS',
  'XNYS',
  'XNAS',
]);

/**
 * The ticker that a source means: `SPY.US` and `NYSE:SPY` are SPY, `BRK.B` is BRK-B, Polygon's `BACpL` is
 * BAC-PL. Other exchanges keep their ending (`SAP.DE` is SAP-DE), so that nothing passes for the American
 * share. Null for what is no ticker.
 */
export function tickerOfSource(text: string, exchange = ''): string | null {
  let symbol = text.trim();
  // An export of the product's own simulated series; a data set may bring them along.
  if (symbol.toUpperCase().startsWith(SIMULATED_PREFIX)) return canonicalTicker(symbol);
  const [prefix, rest, ...more] = symbol.split(':');
  if (rest !== undefined) {
    if (more.length > 0 || !US_PREFIXES.has((prefix ?? '').trim().toUpperCase())) return null;
    symbol = rest.trim();
  }
  symbol = symbol.replace(/ US Equity$/i, '').replace(/\.US$/i, '');
  const preferred = /^([A-Z]{1,5})p([A-Z]?)$/.exec(symbol);
  if (preferred) symbol = `${preferred[1]}-P${preferred[2]}`;
  // Polygon writes shares that are only promised with small letters behind: AANw is no AANW.
  const promised = /^([A-Z]{1,5})(w|r|rw)$/.exec(symbol);
  if (promised) symbol = `${promised[1]}-${promised[2]?.toUpperCase()}`;
  const market = exchange.trim().toUpperCase();
  return canonicalTicker(US_EXCHANGES.has(market) ? symbol : `${symbol}-${market}`);
}
