import type { Random } from '@quantloom/domain/market-data/demo/deterministic';

/**
 * One row of a made-up batch: its returns, and those of the mix that it held on average; null where it holds
 * one asset alone.
 */
export interface MadeRow {
  readonly returns: Float64Array;
  readonly ownMix: Float64Array | null;
  /** It has an alpha by construction. */
  readonly isReal: boolean;
  /** It moves little: it has the highest Sharpe ratio where cash is not taken off, without earning more than cash. */
  readonly isNearlyCash?: boolean;
}

/** A made-up batch. All series are daily returns of the same days. */
export interface MadeBatch {
  readonly rows: readonly MadeRow[];
  readonly benchmark: Float64Array;
  readonly cash: Float64Array;
}

/**
 * What is true of the rows by construction. To call one real is wrong where `nothing` is; where `holdings`
 * have an alpha that is there whoever holds them, it is wrong as well, since the verdict asks what the
 * choices add; where a `row` or the `model` has one, it is right.
 */
export type Truth = 'nothing' | 'holdings' | 'row' | 'model';

export interface Scenario {
  readonly name: string;
  readonly truth: Truth;
  readonly make: (random: Random) => MadeBatch;
}

export const BILLS = 0.03 / 252;
const YEARS = 15;
const DAYS = YEARS * 252;
const COST = 0.0005;

export const series = (make: (day: number) => number, days = DAYS) =>
  Float64Array.from({ length: days }, (_, day) => make(day));
export const bills = (days = DAYS) => series(() => BILLS, days);
export const shares = (random: Random) => series(() => BILLS + 0.05 / 252 + 0.011 * random.normal());

/** Prices from returns, one more than there are returns. */
export function pricesOf(returns: Float64Array): Float64Array {
  const prices = new Float64Array(returns.length + 1).fill(1);
  for (const [day, value] of returns.entries()) prices[day + 1] = (prices[day] as number) * (1 + value);
  return prices;
}

/** Days on which the price is above its mean over a window. */
export function aboveMean(prices: Float64Array, window: number): (day: number) => boolean {
  const totals = new Float64Array(prices.length + 1);
  for (const [day, price] of prices.entries()) totals[day + 1] = (totals[day] as number) + price;
  return (day) => {
    const from = Math.max(0, day - window + 1);
    const mean = ((totals[day + 1] as number) - (totals[from] as number)) / (day + 1 - from);
    return (prices[day] as number) > mean;
  };
}

/**
 * Days on which the RSI of J. W. Wilder (1978), with his smoothing, is below a level: a rule that buys what
 * has fallen.
 */
export function belowRsi(returns: Float64Array, window: number, level: number): (day: number) => boolean {
  let [up, down] = [0, 0];
  const isBelow = Uint8Array.from([0, ...returns], (value) => {
    up += (Math.max(value, 0) - up) / window;
    down += (Math.max(-value, 0) - down) / window;
    return Number(100 * up < level * (up + down));
  });
  return (day) => isBelow[day] === 1;
}

/** A row that holds one of two series each day, as decided at the close before; switching costs. */
export function switching(
  holdsFirst: (day: number) => boolean,
  first: Float64Array,
  second: Float64Array,
): MadeRow {
  let share = 0;
  let before: boolean | null = null;
  const returns = first.map((value, day) => {
    const isFirst = holdsFirst(day);
    share += isFirst ? 1 / first.length : 0;
    const cost = before !== null && before !== isFirst ? 2 * COST : 0;
    before = isFirst;
    return (isFirst ? value : (second[day] as number)) - cost;
  });
  return {
    returns,
    ownMix: first.map((value, day) => share * value + (1 - share) * (second[day] as number)),
    isReal: false,
  };
}

/** Daily returns of a mix of assets that is held without a change, by the share of each. */
const mixOf = (assets: readonly Float64Array[], shares: readonly number[]) =>
  series(
    (day) => assets.reduce((sum, asset, i) => sum + (shares[i] ?? 0) * (asset[day] as number), 0),
    assets[0]?.length ?? 0,
  );

/** A row that holds the best of some assets by their return over a window. */
function rotation(assets: readonly Float64Array[], prices: readonly Float64Array[], window: number): MadeRow {
  const held = assets.map(() => 0);
  let before = -1;
  const days = assets[0]?.length ?? 0;
  const returns = series((day) => {
    let best = 0;
    let most = Number.NEGATIVE_INFINITY;
    for (const [asset, price] of prices.entries()) {
      const gain = (price[day] as number) / (price[Math.max(0, day - window)] as number);
      if (gain > most) {
        most = gain;
        best = asset;
      }
    }
    held[best] = (held[best] ?? 0) + 1 / days;
    const cost = before >= 0 && before !== best ? 2 * COST : 0;
    before = best;
    return (assets[best]?.[day] as number) - cost;
  }, days);
  return { returns, ownMix: mixOf(assets, held), isReal: false };
}

/** A row that holds one of several series each day, as decided at the close before; changing costs nothing here. */
function choosing(choice: (day: number) => number, assets: readonly Float64Array[]): MadeRow {
  const days = assets[0]?.length ?? 0;
  const held = assets.map(() => 0);
  const returns = series((day) => {
    const asset = choice(day);
    held[asset] = (held[asset] ?? 0) + 1 / days;
    return assets[asset]?.[day] as number;
  }, days);
  return { returns, ownMix: mixOf(assets, held), isReal: false };
}

export const factorAssets = (random: Random, market: Float64Array, count: number) =>
  Array.from({ length: count }, () => {
    const beta = 0.6 + 0.8 * random.uniform();
    const noise = 0.008 + 0.012 * random.uniform();
    return market.map((value) => BILLS + beta * (value - BILLS) + noise * random.normal());
  });

/** Batches without any alpha. */
export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'pure noise, 200 rows',
    truth: 'nothing',
    make: (random) => ({
      benchmark: shares(random),
      cash: bills(),
      rows: Array.from({ length: 200 }, () => ({
        returns: series(() => BILLS + 0.01 * random.normal()),
        ownMix: null,
        isReal: false,
      })),
    }),
  },
  {
    name: 'random timing of shares against bills, 200 random walks',
    truth: 'nothing',
    make: (random) => {
      const market = shares(random);
      const cash = bills();
      return {
        benchmark: market,
        cash,
        rows: Array.from({ length: 200 }, () => {
          const walk = pricesOf(series(() => 0.015 * random.normal()));
          return switching(aboveMean(walk, 50), market, cash);
        }),
      };
    },
  },
  {
    name: 'market factor and noise: trend rules on 40 assets',
    truth: 'nothing',
    make: (random) => {
      const market = shares(random);
      const cash = bills();
      const assets = factorAssets(random, market, 40);
      return {
        benchmark: market,
        cash,
        rows: assets.flatMap((asset) => {
          const prices = pricesOf(asset);
          return [20, 50, 100, 200].map((window) => switching(aboveMean(prices, window), asset, cash));
        }),
      };
    },
  },
  {
    name: 'market factor and noise: RSI rules on 40 assets',
    truth: 'nothing',
    make: (random) => {
      const market = shares(random);
      const cash = bills();
      return {
        benchmark: market,
        cash,
        rows: factorAssets(random, market, 40).flatMap((asset) =>
          [30, 40, 50, 60].map((level) => switching(belowRsi(asset, 14, level), asset, cash)),
        ),
      };
    },
  },
  {
    name: 'market factor and noise: momentum among 4 of 24 assets',
    truth: 'nothing',
    make: (random) => {
      const market = shares(random);
      const assets = factorAssets(random, market, 24);
      const prices = assets.map(pricesOf);
      return {
        benchmark: market,
        cash: bills(),
        rows: Array.from({ length: 150 }, () => {
          const chosen = Array.from({ length: 4 }, () => random.below(24));
          return rotation(
            chosen.map((i) => assets[i] as Float64Array),
            chosen.map((i) => prices[i] as Float64Array),
            [20, 60, 120][random.below(3)] ?? 20,
          );
        }),
      };
    },
  },
  {
    name: 'market factor and noise: equal-weight baskets',
    truth: 'nothing',
    make: (random) => {
      const market = shares(random);
      const assets = factorAssets(random, market, 24);
      return {
        benchmark: market,
        cash: bills(),
        rows: Array.from({ length: 200 }, () => {
          const chosen = Array.from({ length: 5 }, () => assets[random.below(24)] as Float64Array);
          const returns = series((day) => chosen.reduce((sum, asset) => sum + (asset[day] as number) / 5, 0));
          return { returns, ownMix: returns, isReal: false };
        }),
      };
    },
  },
  {
    name: 'leveraged shares, with and without a trend rule',
    truth: 'nothing',
    make: (random) => {
      const market = shares(random);
      const cash = bills();
      const prices = pricesOf(market);
      return {
        benchmark: market,
        cash,
        rows: [1, 2, 3].flatMap((multiple) => {
          const fund = market.map((value) => multiple * value - (multiple - 1) * BILLS - 0.01 / 252);
          return Array.from({ length: 40 }, (_, i) => switching(aboveMean(prices, 5 * (i + 1)), fund, cash));
        }),
      };
    },
  },
  {
    name: 'bills among the assets: hold one of 30',
    truth: 'nothing',
    make: (random) => {
      const market = shares(random);
      const cash = bills();
      const assets = factorAssets(random, market, 29);
      return {
        benchmark: market,
        cash,
        rows: [...assets, cash.map((value) => value + 0.00002 * random.normal())].map((returns) => ({
          returns,
          ownMix: null,
          isReal: false,
        })),
      };
    },
  },
];

/**
 * One strategy with an alpha of `alpha` a year at `deviation` a year beyond the benchmark, among worthless
 * ones of the same kind.
 *
 * @param shared correlation of what the worthless ones do beyond the benchmark: variants of one idea resemble
 *   each other
 */
export function oneReal({
  alpha,
  deviation,
  worthless,
  shared = 0,
}: {
  alpha: number;
  deviation: number;
  worthless: number;
  shared?: number;
}): Scenario {
  const alike = shared > 0 ? ` (correlation ${shared})` : '';
  return {
    truth: alpha > 0 ? 'row' : 'nothing',
    name:
      `alpha ${(alpha * 100).toFixed(0)} % at ${(deviation * 100).toFixed(0)} % among ${worthless} ` +
      `worthless${alike}`,
    make: (random) => {
      const market = shares(random);
      const idea = series(() => random.normal());
      const [common, own] = [Math.sqrt(shared), Math.sqrt(1 - shared)];
      const daily = deviation / Math.sqrt(252);
      return {
        benchmark: market,
        cash: bills(),
        rows: Array.from({ length: worthless + 1 }, (_, row) => ({
          returns: market.map((value, day) =>
            row === 0
              ? value + daily * random.normal() + alpha / 252
              : value + daily * (common * (idea[day] as number) + own * random.normal()),
          ),
          ownMix: null,
          isReal: row === 0,
        })),
      };
    },
  };
}

/**
 * Like shares, bonds and gold: two of three assets have an alpha that is there whoever holds them, and walks
 * that know nothing say which is held. Every row has a true alpha of some 6% a year, and its choices have
 * none: that is what it may not be called real for.
 *
 * @param knows a year, what the choices of one of the rows earn beyond luck
 */
export function randomSwitching(knows = 0): Scenario {
  const gift = knows > 0 ? `, one knows ${(knows * 100).toFixed(0)} %` : '';
  return {
    truth: knows > 0 ? 'row' : 'holdings',
    name: `random switching among assets with alpha, 200 walks${gift}`,
    make: (random) => {
      const market = shares(random);
      const withAlpha = (alpha: number, deviation: number) =>
        series(() => BILLS + alpha / 252 + (deviation / Math.sqrt(252)) * random.normal());
      const assets = [market, withAlpha(0.12, 0.14), withAlpha(0.12, 0.16)];
      return {
        benchmark: market,
        cash: bills(),
        rows: Array.from({ length: 200 }, (_, row) => {
          const [first, second] = [0, 0].map(() =>
            aboveMean(pricesOf(series(() => 0.015 * random.normal())), 50),
          );
          const made = choosing((day) => (first?.(day) ? 0 : second?.(day) ? 1 : 2), assets);
          if (row > 0 || knows === 0) return made;
          return { ...made, returns: made.returns.map((daily) => daily + knows / 252), isReal: true };
        }),
      };
    },
  };
}

/**
 * Days of real returns drawn again in runs of about 20, all assets together: their means, deviations and
 * correlations stay, and nothing of yesterday says anything about tomorrow beyond a month. The alpha that an
 * asset had in these years it has in every draw; its choices have none.
 */
export function resampled(assets: readonly Float64Array[], benchmark: Float64Array): Scenario {
  return {
    truth: 'holdings',
    name: `resampled real prices: trend and momentum on ${assets.length} assets`,
    make: (random) => {
      const days = benchmark.length;
      const order: number[] = [];
      while (order.length < days) {
        const start = random.below(days);
        for (let step = 0; step < 20 && order.length < days; step += 1) order.push((start + step) % days);
      }
      const again = (values: Float64Array) => Float64Array.from(order, (day) => values[day] as number);
      const drawn = assets.map(again);
      const prices = drawn.map(pricesOf);
      const cash = bills(days);
      const pick = () => random.below(drawn.length);
      return {
        benchmark: again(benchmark),
        cash,
        rows: Array.from({ length: 160 }, (_, i) => {
          const one = pick();
          const price = prices[one] as Float64Array;
          const window = [20, 50, 100, 200][i % 4] ?? 20;
          if (i % 2 === 0) return switching(aboveMean(price, window), drawn[one] as Float64Array, cash);
          const chosen = [pick(), pick(), pick()];
          return rotation(
            chosen.map((c) => drawn[c] as Float64Array),
            chosen.map((c) => prices[c] as Float64Array),
            window,
          );
        }),
      };
    },
  };
}
