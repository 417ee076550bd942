/** What several strategies come to together, by weights of one's own. */

/** What a strategy was worth by day. */
export interface Curve {
  /** `YYYY-MM-DD`, ascending. */
  readonly days: readonly string[];
  /** Above 0. */
  readonly values: readonly number[];
}

export interface Member {
  readonly id: string;
  /** 0 to 100. */
  readonly percent: number;
  readonly curve: Curve;
}

/** When money is moved between the strategies, so that each has its weight again. */
export const REBALANCE_PERIODS = ['daily', 'monthly', 'quarterly', 'yearly', 'never'] as const;
export type RebalancePeriod = (typeof REBALANCE_PERIODS)[number];

export interface Combination {
  readonly days: readonly string[];
  /** What 1 has become; 1 on the first day. */
  readonly values: readonly number[];
  /** By member: what it has added. Together they are the last value less 1. */
  readonly contributions: ReadonlyMap<string, number>;
}

export interface CombineOptions {
  readonly rebalance: RebalancePeriod;
  /**
   * `first`: the curve begins with the first strategy, and the shares of those that have not begun yet are cash.
   * `all`: it begins on the first day on which all of them have.
   */
  readonly start: 'first' | 'all';
}

/**
 * What the members come to together. Between two trades each of them is left alone; at the closes of the last
 * day of a period, and whenever one begins, all have their weights again, and what is missing to 100% is
 * cash, which earns nothing. Moving money between strategies costs nothing here. A member that has no value
 * on a day of others counts with its last one.
 *
 * @param members weights of 100 in all or less; those of weight 0 have no part
 */
export function combine(members: readonly Member[], { rebalance, start }: CombineOptions): Combination {
  const parts = members.filter(({ percent, curve }) => percent > 0 && curve.days.length > 0);
  const contributions = new Map(parts.map(({ id }) => [id, 0]));
  const begins = parts.map(({ curve }) => curve.days[0] as string).sort();
  const from = start === 'first' ? begins[0] : begins.at(-1);
  if (from === undefined) return { days: [], values: [], contributions };
  const days = daysOf(parts, from);
  const columns = parts.map(({ curve }) => valuesOn(days, curve));
  const values: number[] = [1];
  let value = 1;
  /** Of each member: how much of its curve is held. */
  let held: number[] = [];
  for (const [t, day] of days.entries()) {
    const before = t === 0 ? null : t - 1;
    if (before !== null) {
      let earned = 0;
      for (const [i, column] of columns.entries()) {
        const had = held[i] ?? 0;
        if (had === 0) continue;
        const gain = had * ((column[t] as number) - (column[before] as number));
        const { id } = parts[i] as Member;
        contributions.set(id, (contributions.get(id) ?? 0) + gain);
        earned += gain;
      }
      value += earned;
      values.push(value);
    }
    const hasBegun = columns.some(
      (column) =>
        !Number.isNaN(column[t] as number) && (before === null || Number.isNaN(column[before] as number)),
    );
    if (!hasBegun && !endsPeriod(day, days[t + 1], rebalance)) continue;
    const worth = value;
    held = columns.map((column, i) => {
      const price = column[t] as number;
      return Number.isNaN(price) ? 0 : ((parts[i] as Member).percent / 100) * (worth / price);
    });
  }
  return { days, values, contributions };
}

/** All days of the members from a day on. */
function daysOf(members: readonly Pick<Member, 'curve'>[], from: string): string[] {
  const days = new Set(members.flatMap(({ curve }) => curve.days.filter((day) => day >= from)));
  return [...days].sort();
}

/** The values of a curve on these days, the last one before where there is none; NaN before the first. */
function valuesOn(days: readonly string[], { days: own, values }: Curve): Float64Array {
  let next = 0;
  let last = Number.NaN;
  return Float64Array.from(days, (day) => {
    while (next < own.length && (own[next] as string) <= day) {
      last = values[next] as number;
      next += 1;
    }
    return last;
  });
}

function endsPeriod(day: string, next: string | undefined, rebalance: RebalancePeriod): boolean {
  if (rebalance === 'daily') return true;
  if (rebalance === 'never' || next === undefined) return false;
  return periodOf(day, rebalance) !== periodOf(next, rebalance);
}

function periodOf(day: string, rebalance: 'monthly' | 'quarterly' | 'yearly'): string {
  const [year, month] = [day.slice(0, 4), day.slice(5, 7)];
  if (rebalance === 'yearly') return year;
  return rebalance === 'monthly' ? `${year}-${month}` : `${year} ${Math.ceil(Number(month) / 3)}`;
}

/** Days that two strategies need in common before their correlation says anything. */
export const LEAST_COMMON_DAYS = 20;

/**
 * Pearson's correlation of the daily returns of each pair, over the days on which both have one (a value on
 * it and on the day before it, of all days of these members). Null with fewer than 20 of them, or where one
 * of both does not move.
 *
 * @returns a row for each member, in their order; 1 on the diagonal
 */
export function correlations(members: readonly Pick<Member, 'curve'>[]): (number | null)[][] {
  const days = daysOf(members, '');
  const place = new Map(days.map((day, t) => [day, t]));
  const returns = members.map(({ curve: { days: own, values } }) => {
    const column = new Float64Array(days.length).fill(Number.NaN);
    for (let i = 1; i < own.length; i += 1) {
      const t = place.get(own[i] as string) as number;
      if (days[t - 1] === own[i - 1]) column[t] = (values[i] as number) / (values[i - 1] as number) - 1;
    }
    return column;
  });
  const rows = returns.map((): (number | null)[] => new Array(members.length).fill(null));
  for (const [i, one] of returns.entries()) {
    (rows[i] as (number | null)[])[i] = 1;
    for (let j = i + 1; j < returns.length; j += 1) {
      const found = correlation(one, returns[j] as Float64Array);
      (rows[i] as (number | null)[])[j] = found;
      (rows[j] as (number | null)[])[i] = found;
    }
  }
  return rows;
}

function correlation(one: Float64Array, other: Float64Array): number | null {
  let [count, meanOne, meanOther, squares, otherSquares, products] = [0, 0, 0, 0, 0, 0];
  for (let t = 0; t < one.length; t += 1) {
    const [a, b] = [one[t] as number, other[t] as number];
    if (Number.isNaN(a) || Number.isNaN(b)) continue;
    // Running means (Welford 1962): no difference of large sums.
    count += 1;
    const [fromOne, fromOther] = [a - meanOne, b - meanOther];
    meanOne += fromOne / count;
    meanOther += fromOther / count;
    squares += fromOne * (a - meanOne);
    otherSquares += fromOther * (b - meanOther);
    products += fromOne * (b - meanOther);
  }
  const scale = Math.sqrt(squares) * Math.sqrt(otherSquares);
  if (count < LEAST_COMMON_DAYS || !(scale > 0)) return null;
  return Math.max(-1, Math.min(1, products / scale));
}

/** A ticker in all strategies together. */
export interface Exposure {
  readonly ticker: string;
  /** Of the whole portfolio. */
  readonly percent: number;
  /** Ids of the strategies that hold it. */
  readonly heldBy: readonly string[];
}

/**
 * How much of the portfolio is in each ticker, the largest first; what is missing to 100 is cash.
 *
 * @param members weights in percent, and what each holds in percent of itself
 */
export function exposures(
  members: readonly {
    readonly id: string;
    readonly percent: number;
    readonly holdings: Readonly<Record<string, number>>;
  }[],
): { readonly rows: readonly Exposure[]; readonly cash: number } {
  const found = new Map<string, { percent: number; heldBy: string[] }>();
  for (const { id, percent, holdings } of members)
    for (const [ticker, held] of Object.entries(holdings)) {
      if (percent <= 0 || held === 0) continue;
      const sum = found.get(ticker) ?? { percent: 0, heldBy: [] };
      found.set(ticker, { percent: sum.percent + (percent * held) / 100, heldBy: [...sum.heldBy, id] });
    }
  const rows = [...found].map(([ticker, sum]) => ({ ticker, ...sum }));
  rows.sort((a, b) => b.percent - a.percent || (a.ticker < b.ticker ? -1 : 1));
  return { rows, cash: 100 - rows.reduce((sum, { percent }) => sum + percent, 0) };
}
