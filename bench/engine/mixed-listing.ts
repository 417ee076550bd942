import type { PriceSeries } from '@quantloom/domain/ports/market-data';
import { timeBatch } from './engine-run.ts';
import { realMarket } from './real-market.ts';
import { generator, type Market } from './synthetic-market.ts';
import { rate, table } from './timing.ts';
import { asset, batch, condition, either, root } from './trees.ts';

type Prices = ReadonlyMap<string, PriceSeries>;

const TICKERS = 100;
const FIRST = 200;
const LAST_LISTING = 7500;
/** Of ten tickers three are there from the first day, and one is delisted. */
const OLD = 0.3;
const DELISTED = 0.1;
const SHORTEST = 500;

/** The market with tickers that begin, and some that end, on days of their own. */
function staggered(market: Market): Prices {
  const random = generator(5);
  const prices = new Map(market.prices);
  for (const ticker of market.tickers.slice(1, TICKERS + 1)) {
    const series = market.prices.get(ticker);
    if (series === undefined) continue;
    const first = random() < OLD ? 0 : Math.floor(random() * LAST_LISTING);
    const room = series.days.length - first - SHORTEST;
    const end = random() < DELISTED ? first + SHORTEST + Math.floor(random() * room) : series.days.length;
    prices.set(ticker, {
      ticker,
      days: series.days.slice(first, end),
      closes: series.closes.slice(first, end),
    });
  }
  return prices;
}

/**
 * Real tickers with the prices of their last days repeated back to the benchmark's first one: equal days,
 * real returns.
 */
function equalDays(prices: Prices): Prices {
  const days = prices.get('SPY')?.days ?? new Int32Array(0);
  return new Map(
    [...prices].map(([ticker, series]) => {
      if (series.days.length >= days.length) return [ticker, series];
      const closes = Float64Array.from(days, (_, i) => series.closes[i % series.closes.length] as number);
      return [ticker, { ticker, days, closes }];
    }),
  );
}

/**
 * W1 over many tickers: backtests a second where all have the same days, and where they are listed and
 * delisted on days of their own.
 */
export function mixedListing(market: Market): void {
  const date = (day: number) =>
    new Date((market.days[day] as number) * 86_400_000).toISOString().slice(0, 10);
  const own = market.tickers.slice(1, TICKERS + 1);
  const rows = [
    measured('simulated', market.prices, staggered(market), own, date(FIRST), date(market.days.length - 1)),
  ];
  const real = realMarket();
  if (real !== null) {
    const tickers = [...real.keys()].filter((ticker) => ticker !== 'SPY');
    rows.push(measured('real', equalDays(real), real, tickers, '1994-01-03', '2025-06-27'));
  }
  console.log(
    '\nW1 over half of the tickers in each branch, by their listing days; backtests per second, one core',
  );
  console.log(
    table(['', 'tickers', 'combos', 'equal: fresh', 'warm', 'mixed: fresh', 'warm', 'x equal', 'warm'], rows),
  );
}

function measured(
  name: string,
  equal: Prices,
  mixed: Prices,
  tickers: readonly string[],
  start: string,
  end: string,
): string[] {
  const half = Math.floor(tickers.length / 2);
  const variables = { $A: tickers.slice(0, half), $B: tickers.slice(half, 2 * half), $W: [5, 10, 14, 20] };
  const tree = either(
    condition(['relative-strength-index', '$W', 'SPY'], 'gt', 70),
    asset('$A'),
    asset('$B'),
  );
  const request = batch(root(tree), variables, { start, end });
  const [same, own] = [timeBatch(request, equal), timeBatch(request, mixed)];
  const speed = (ms: number) => (same.combinations / ms) * 1000;
  return [
    name,
    String(2 * half),
    String(same.combinations),
    rate(speed(same.fresh)),
    rate(speed(same.again)),
    rate(speed(own.fresh)),
    rate(speed(own.again)),
    (same.fresh / own.fresh).toFixed(2),
    (same.again / own.again).toFixed(2),
  ];
}
