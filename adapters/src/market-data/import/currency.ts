import { MarketDataError } from '../files/market-data-error.ts';
import { CURRENCY_CODES } from './numbers.ts';
import { plainHeader } from './price-names.ts';
import type { StagedFile } from './staged-file.ts';
import type { Staging } from './staging.ts';

/** Names of columns that tell a currency: English, German, French, Spanish, Italian, Polish, Japanese. */
const COLUMN_NAMES: ReadonlySet<string> = new Set([
  ...['currency', 'pricecurrency', 'currencycode', 'ccy', 'wahrung', 'devise', 'moneda', 'divisa', 'valuta'],
  ...['waluta', '通貨'],
]);

const SIGNS: Readonly<Record<string, string>> = { $: 'USD', '€': 'EUR', '£': 'GBP', '¥': 'JPY' };

/** Which column of a header tells the currency of a row; null: none does. */
function currencyColumn(headers: readonly string[]): number | null {
  const column = headers.findIndex((header) => COLUMN_NAMES.has(plainHeader(header)));
  return column < 0 ? null : column;
}

/** The currencies that signs and codes beside prices tell (`€12.50`, `12,50 EUR`). */
function currenciesBeside(prices: Iterable<string>): string[] {
  const found = new Set<string>();
  for (const price of prices) {
    for (const [sign, code] of Object.entries(SIGNS)) if (price.includes(sign)) found.add(code);
    for (const code of CURRENCY_CODES) if (price.toUpperCase().includes(code)) found.add(code);
  }
  return [...found];
}

/**
 * What is told of the currency of a file: nothing is converted here, so that prices in euros beside an index
 * in dollars compare apples with pears. Throws `import_refused` where one ticker has several, which would be
 * joined into one series.
 */
export async function currencyNotes(file: StagedFile, staging: Staging): Promise<string[]> {
  const { headers, shape } = file.plan;
  const column = shape.kind === 'wide' ? null : currencyColumn(headers);
  if (column !== null) {
    await staging.prepare(file);
    const found = await staging.currencies(file, column);
    const mixed = found.find(({ currencies }) => currencies.length > 1);
    if (mixed)
      throw new MarketDataError(
        'import_refused',
        `${file.name}: ${mixed.ticker} has prices in ${mixed.currencies.join(' and ')} (column ` +
          `${headers[column]}). Leave one of them. Nothing was changed`,
      );
    const others = [...new Set(found.flatMap(({ currencies }) => currencies))].filter(
      (code) => code !== 'USD',
    );
    return noteOf(file.name, others, `its column ${headers[column]}`);
  }
  const at = shape.kind === 'wide' ? shape.prices.map((price) => price.column) : [shape.price];
  const prices = file.sample.flatMap((cells) => at.map((price) => cells[price] ?? ''));
  const others = currenciesBeside(prices).filter((code) => code !== 'USD');
  return noteOf(file.name, others, 'the signs beside them');
}

function noteOf(name: string, codes: readonly string[], source: string): string[] {
  if (codes.length === 0) return [];
  const words = codes.length > 5 ? `${codes.slice(0, 5).join(', ')} and others` : codes.join(', ');
  return [
    `Prices of ${name} are in ${words}, as ${source} ` +
      `${source.startsWith('its') ? 'tells' : 'tell'}: they are taken as they are, nothing is ` +
      'converted',
  ];
}
