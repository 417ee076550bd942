import type { Random } from '@quantloom/domain/market-data/demo/deterministic';
import { marketOfSeed } from '@quantloom/domain/market-data/demo/factors';
import { aboveMean, BILLS, belowRsi, bills, pricesOf, type Scenario, switching } from './scenarios.ts';

/** First of the demo's days that is used: SPY's first year. */
const FROM = 780;

/** The same returns in a random order: what is left is their distribution alone. */
function shuffled(returns: Float64Array, random: Random): Float64Array {
  const order = Float64Array.from(returns);
  for (let i = order.length - 1; i > 0; i -= 1) {
    const j = random.below(i + 1);
    [order[i], order[j]] = [order[j] as number, order[i] as number];
  }
  return order;
}

/**
 * The demo's market, made with other seeds, and switches between it and bills: do the simulated prices let
 * rules earn something?
 */
export function simulatedMarket(
  rule: 'RSI below' | 'RSI above' | 'trend',
  order: 'as made' | 'days in random order',
): Scenario {
  return {
    truth: order === 'as made' ? 'model' : 'nothing',
    name: `demo's simulated market, ${order}: ${rule} rules`,
    make: (random) => {
      const made = marketOfSeed(`verdict-${random.integer()}`).returns.slice(FROM);
      const market = order === 'as made' ? made : shuffled(made, random);
      const cash = bills(market.length);
      const prices = pricesOf(market);
      const holds =
        rule !== 'trend'
          ? [5, 10, 14, 20, 30].flatMap((window) =>
              [30, 35, 40, 45, 50, 55, 60, 65].map((level) => {
                const isBelow = belowRsi(market, window, level);
                return rule === 'RSI below' ? isBelow : (day: number) => !isBelow(day);
              }),
            )
          : Array.from({ length: 40 }, (_, i) => aboveMean(prices, 5 * (i + 1)));
      // Twice the market as well, as a leveraged fund would be.
      const twice = market.map((value) => 2 * value - BILLS - 0.01 / 252);
      return {
        benchmark: market,
        cash,
        rows: [market, twice].flatMap((asset) => holds.map((isHeld) => switching(isHeld, asset, cash))),
      };
    },
  };
}
