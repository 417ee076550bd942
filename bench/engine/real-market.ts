import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import type { PriceSeries } from '@quantloom/domain/ports/market-data';

/** Real prices of exchange-traded funds; not part of the project. */
export const REAL_PRICES = fileURLToPath(new URL('../../../shared/market-data/etf.csv.gz', import.meta.url));

/** Columns `date,ticker,adj_close`, sorted by ticker, then date. Null where the file is not there. */
export function realMarket(path = REAL_PRICES): Map<string, PriceSeries> | null {
  if (!existsSync(path)) return null;
  const rows = new Map<string, { days: number[]; closes: number[] }>();
  for (const line of gunzipSync(readFileSync(path)).toString('utf8').split('\n').slice(1)) {
    const [date, ticker, close] = line.trim().split(',');
    if (date === undefined || ticker === undefined || close === undefined) continue;
    const series = rows.get(ticker) ?? { days: [], closes: [] };
    rows.set(ticker, series);
    series.days.push(Date.parse(`${date}T00:00:00Z`) / 86_400_000);
    series.closes.push(Number(close));
  }
  return new Map(
    Array.from(rows, ([ticker, { days, closes }]) => [
      ticker,
      { ticker, days: Int32Array.from(days), closes: Float64Array.from(closes) },
    ]),
  );
}
