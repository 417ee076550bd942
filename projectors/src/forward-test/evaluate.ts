import type { BacktestAnswer } from '@quantloom/domain/contracts/backtest';
import type { Decided, DecisionCorrected } from '@quantloom/domain/forward-test/decision';
import { day as dayNumber, formatDay } from '@quantloom/domain/market-data/day';
import { compareSeries } from '@quantloom/domain/market-data/series-comparison';
import type { BacktestRunner } from '@quantloom/domain/ports/backtest-runner';
import type { EventStore } from '@quantloom/domain/ports/event-store';
import type { MarketData, PriceSeries } from '@quantloom/domain/ports/market-data';
import { sizeOf } from '@quantloom/domain/strategy/size';
import { type HeldTree, type TreeStored, treeStreamOf } from '@quantloom/domain/strategy/stored-tree';
import type { Algorithm } from '@quantloom/domain/strategy/tree';

const DAY_SECONDS = 86_400;
/** Calendar days that a run begins before the record does, so that whatever depends on earlier trades has some. */
const RUN_BEFORE_DAYS = 366;
/** A strategy that takes longer is not decided, so that it cannot hold up the others. */
const DEADLINE_MS = 30_000;
/** Conditions and branches that a decision keeps: more than anybody reads, less than a hostile tree has. */
const MOST_REASONS = 200;
/** Blocks of a tree whose reasons are kept: those of a larger one would be a column of every block for every day. */
const MOST_BLOCKS_WITH_REASONS = 2_000;
/** Changed closes that a correction names. */
const MOST_RESTATED = 20;

/** A strategy at one revision, ready to be run. */
export interface FollowedStrategy {
  readonly strategyId: string;
  readonly revision: number;
  readonly algorithm: Algorithm;
}

/** The first day of the runs of a record. */
export function runFromOf(startDay: string): string {
  return formatDay(dayNumber(startDay) - RUN_BEFORE_DAYS);
}

/** The tree of a strategy, wherever it is stored. Throws where the log does not hold it, which no command leaves. */
export async function algorithmOf(
  eventStore: Pick<EventStore, 'readStream'>,
  held: HeldTree,
): Promise<Algorithm> {
  if (!held.tree) return held.algorithm;
  for await (const { data } of eventStore.readStream(treeStreamOf(held.tree.hash), { maxCount: 1 }))
    return JSON.parse((data as TreeStored['data']).text) as Algorithm;
  throw new Error(`The tree ${held.tree.hash} is not in the log`);
}

/** The days of an answer's history, `YYYY-MM-DD`. */
export function daysOf({ history }: BacktestAnswer): string[] {
  return (history?.timestamps ?? []).map((seconds) => formatDay(seconds / DAY_SECONDS));
}

/** A backtest with everything that a decision is read from. Nights stand behind the people who wait for an answer. */
export async function runUntil(
  backtestRunner: Pick<BacktestRunner, 'run'>,
  { algorithm }: FollowedStrategy,
  {
    runFrom,
    end,
    dataVersion,
    withReasons = false,
    withFlips = false,
  }: {
    readonly runFrom: string;
    readonly end: string;
    readonly dataVersion: string;
    /** Whether it is told why: conditions and branches, of a tree that is not too large for it. */
    readonly withReasons?: boolean;
    /** Whether the prices are worked out at which conditions flip on the next day. */
    readonly withFlips?: boolean;
  },
  signal: AbortSignal,
): Promise<BacktestAnswer> {
  return await backtestRunner.run(
    {
      start_date: runFrom,
      end_date: end,
      include: {
        history: true,
        explanation: withReasons && sizeOf(algorithm).blocks <= MOST_BLOCKS_WITH_REASONS,
        flips: withFlips,
      },
      trading_bot: algorithm,
    },
    { dataVersion, signal, owner: 'nightly', deadlineMs: DEADLINE_MS, knowsHolidays: true },
  );
}

/** What is held after the trade of the `t`-th day of an answer, in percent; what is not held is missing. */
export function weightsAt({ history }: BacktestAnswer, t: number): Record<string, number> {
  const held = Object.entries(history?.tickers ?? {}).map(
    ([ticker, column]) => [ticker, column[t] ?? 0] as const,
  );
  return Object.fromEntries(held.filter(([, weight]) => weight !== 0));
}

/** The close of a day; null where the series has none. */
export function closeOn({ days, closes }: PriceSeries, day: number): number | null {
  let low = 0;
  let high = days.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = days[middle] as number;
    if (found === day) return closes[middle] as number;
    if (found < day) low = middle + 1;
    else high = middle - 1;
  }
  return null;
}

/** The decision that the `t`-th day of an answer comes to (default: the last one). */
export async function decidedBy(
  marketData: Pick<MarketData, 'load'>,
  { strategyId, revision }: Omit<FollowedStrategy, 'algorithm'>,
  answer: BacktestAnswer,
  runFrom: string,
  t = (answer.history?.timestamps.length ?? 0) - 1,
): Promise<Decided> {
  const { history, explanation, provenance } = answer;
  const seconds = history?.timestamps[t];
  if (seconds === undefined || !history || !provenance)
    throw new Error('A run was answered without the history that was asked for');
  // The prices at which conditions flip are those of the day after the last one.
  const flips = t === history.timestamps.length - 1 ? (answer.flips ?? {}) : {};
  const day = seconds / DAY_SECONDS;
  const series = await marketData.load(provenance.data_version, Object.keys(history.tickers));
  const closes = [...series].flatMap(([ticker, prices]) => {
    const close = closeOn(prices, day);
    return close === null ? [] : [[ticker, close] as const];
  });
  const conditions = Object.entries(explanation?.conditions ?? {}).flatMap(([id, { lhs, rhs, holds }]) => {
    const [left, right] = [lhs[t], rhs[t]];
    // A side that is not known yet has no margin.
    if (typeof left !== 'number' || typeof right !== 'number') return [];
    if (!Number.isFinite(left) || !Number.isFinite(right)) return [];
    const flip = flips[id];
    return [{ id, lhs: left, rhs: right, holds: Boolean(holds[t]), ...(flip !== undefined && { flip }) }];
  });
  const branches = Object.entries(explanation?.branches ?? {}).map(([id, taken]) => ({
    id,
    isThen: Boolean(taken[t]),
  }));
  return {
    strategyId,
    revision,
    day: formatDay(day),
    runFrom,
    dataVersion: provenance.data_version,
    engineVersion: provenance.engine_version,
    isSimulated: provenance.is_simulated,
    weights: weightsAt(answer, t),
    turnover: history.turnover[t] ?? 0,
    conditions: conditions.slice(0, MOST_REASONS),
    branches: branches.slice(0, MOST_REASONS),
    closes: Object.fromEntries(closes),
  };
}

/**
 * The last closes up to `day` that two versions disagree about, the newest first; none where the earlier one
 * is not kept any more. A ticker whose closes are all the earlier ones times one factor, as after each
 * dividend, was not restated.
 */
export async function restatedBetween(
  marketData: Pick<MarketData, 'load'>,
  [before, now]: readonly [string, string],
  tickers: readonly string[],
  day: string,
): Promise<DecisionCorrected['data']['restated']> {
  let earlier: ReadonlyMap<string, PriceSeries>;
  try {
    earlier = await marketData.load(before, tickers);
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'unknown_version') throw error;
    return [];
  }
  const later = await marketData.load(now, tickers);
  const last = dayNumber(day);
  const found: { ticker: string; day: number; was: number; is: number }[] = [];
  for (const [ticker, { days, closes }] of later) {
    const was = earlier.get(ticker);
    if (!was || compareSeries(was, { days, closes }).kind === 'rebased') continue;
    let named = 0;
    for (let i = days.length - 1; i >= 0 && named < MOST_RESTATED; i--) {
      const at = days[i] as number;
      if (at > last) continue;
      const old = closeOn(was, at);
      if (old === null || old === closes[i]) continue;
      found.push({ ticker, day: at, was: old, is: closes[i] as number });
      named += 1;
    }
  }
  return found
    .sort((a, b) => b.day - a.day || (a.ticker < b.ticker ? -1 : 1))
    .slice(0, MOST_RESTATED)
    .map((one) => ({ ...one, day: formatDay(one.day) }));
}
