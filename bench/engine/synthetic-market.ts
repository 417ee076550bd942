import type { PriceSeries } from '@quantloom/domain/ports/market-data';

/** A made-up market: every ticker on every trading day. */
export interface Market {
  readonly prices: ReadonlyMap<string, PriceSeries>;
  readonly days: Int32Array;
  readonly tickers: readonly string[];
}

const MS_PER_DAY = 86_400_000;
const FIRST_DAY = Date.UTC(1990, 0, 2) / MS_PER_DAY;

/**
 * Weekdays from 1990-01-02 with a few left out as holidays, and geometric Brownian motion with a common
 * factor: SPY, then T000, T001, … The same for the same arguments on every machine.
 */
export function syntheticMarket(dayCount: number, tickerCount: number, seed = 7): Market {
  const random = generator(seed);
  const days = new Int32Array(dayCount);
  for (let day = FIRST_DAY, i = 0; i < dayCount; day++) {
    const weekday = new Date(day * MS_PER_DAY).getUTCDay();
    if (weekday === 0 || weekday === 6 || (day - FIRST_DAY) % 37 === 20) continue;
    days[i++] = day;
  }
  const factor = Float64Array.from({ length: dayCount }, () => 0.00035 + 0.01 * normal(random));
  const tickers = ['SPY', ...Array.from({ length: tickerCount }, (_, i) => `T${String(i).padStart(3, '0')}`)];
  const prices = new Map<string, PriceSeries>();
  for (const ticker of tickers) {
    const isBenchmark = ticker === 'SPY';
    const beta = isBenchmark ? 1 : 0.4 + 1.1 * random();
    const own = isBenchmark ? 0.0008 : 0.008 + 0.017 * random();
    const drift = isBenchmark ? 0 : 0.00015 * normal(random);
    const closes = new Float64Array(dayCount);
    let level = Math.log(isBenchmark ? 25 : 5 + 75 * random());
    for (let i = 0; i < dayCount; i++) {
      if (i > 0) level += drift + beta * (factor[i] as number) + own * normal(random);
      closes[i] = Math.exp(level);
    }
    prices.set(ticker, { ticker, days, closes });
  }
  return { prices, days, tickers };
}

/** Uniform numbers in [0, 1), by the mulberry32 generator. */
export function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Standard normal, by Box and Muller. */
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
