import type { PriceSeries } from '@quantloom/domain/ports/market-data';
import type { SharedPrices } from './protocol.ts';

const shared = new WeakMap<PriceSeries, PriceSeries>();
const numbers = new WeakMap<PriceSeries, number>();
let nextNumber = 0;

/** The series in shared memory: those that are there already as they are, the others copied once. */
export function sharePrices(prices: ReadonlyMap<string, PriceSeries>): SharedPrices {
  return new Map(Array.from(prices, ([ticker, series]) => [ticker, shareSeries(series)]));
}

function shareSeries(series: PriceSeries): PriceSeries {
  if (series.days.buffer instanceof SharedArrayBuffer && series.closes.buffer instanceof SharedArrayBuffer)
    return series;
  let copy = shared.get(series);
  if (copy === undefined) {
    const days = new Int32Array(new SharedArrayBuffer(series.days.byteLength));
    const closes = new Float64Array(new SharedArrayBuffer(series.closes.byteLength));
    days.set(series.days);
    closes.set(series.closes);
    copy = { ticker: series.ticker, days, closes };
    shared.set(series, copy);
  }
  return copy;
}

/** Tells sets of prices apart by the identity of their series, not by their numbers. */
export function identityOf(prices: SharedPrices): string {
  return Array.from(prices, ([ticker, series]) => {
    let number = numbers.get(series);
    if (number === undefined) {
      number = nextNumber++;
      numbers.set(series, number);
    }
    return `${ticker}=${number}`;
  }).join(',');
}
