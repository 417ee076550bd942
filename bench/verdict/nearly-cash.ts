import type { Random } from '@quantloom/domain/market-data/demo/deterministic';
import {
  aboveMean,
  BILLS,
  bills,
  factorAssets,
  type MadeRow,
  oneReal,
  pricesOf,
  type Scenario,
  series,
  shares,
  switching,
} from './scenarios.ts';

/** Deviations a year of short bonds: all above what is recognised as cash. */
const SHORT_BONDS = [0.012, 0.015, 0.02];
/** Shares of stocks in mixes with bills. */
const MIXES = [0.05, 0.1];

/**
 * Rows that nobody would call a strategy: bills, mixes of bills and the benchmark, and short bonds, which
 * earn what bills do and move a little on their own. None has an alpha. A short bond's Sharpe ratio is about
 * 2 where cash is not taken off.
 */
function nearlyCash(market: Float64Array, random: Random): MadeRow[] {
  const row = (returns: Float64Array): MadeRow => ({
    returns,
    ownMix: null,
    isReal: false,
    isNearlyCash: true,
  });
  const moved = (deviation: number) =>
    series(() => BILLS + (deviation / Math.sqrt(252)) * random.normal(), market.length);
  const held = MIXES.map((share) => market.map((value) => BILLS + share * (value - BILLS)));
  return [
    row(moved(0.0003)),
    ...held.map((returns) => ({ ...row(returns), ownMix: returns })),
    ...SHORT_BONDS.map((deviation) => row(moved(deviation))),
  ];
}

/**
 * A batch with rows that are nearly cash among trend rules without an alpha, or beside one row that has one:
 * can they win, or keep the real one from being judged?
 */
export function nearlyCashAmong(others: string, alpha = 0): Scenario {
  return {
    name: `bills, mixes of 5 % and 10 % shares and short bonds among ${others}`,
    truth: alpha > 0 ? 'row' : 'nothing',
    make: (random) => {
      const batch =
        alpha > 0 ? oneReal({ alpha, deviation: 0.08, worthless: 500 }).make(random) : trends(random);
      return { ...batch, rows: [...batch.rows, ...nearlyCash(batch.benchmark, random)] };
    },
  };
}

function trends(random: Random) {
  const market = shares(random);
  const cash = bills();
  const rows = factorAssets(random, market, 40).flatMap((asset) => {
    const prices = pricesOf(asset);
    return [20, 50, 100, 200].map((window) => switching(aboveMean(prices, window), asset, cash));
  });
  return { benchmark: market, cash, rows };
}
