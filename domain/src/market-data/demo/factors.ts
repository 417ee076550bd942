import { day, yearOf } from '../day.ts';
import { shortRate, TRADING_DAYS_PER_YEAR } from '../leveraged-funds.ts';
import { isSessionByRule, sessionsBetween } from '../trading-calendar.ts';
import { exponential, Random, squareRoot } from './deterministic.ts';
import { afterwards, FACTOR_NAMES, type FactorName, type RegimeFactor, regimesOf } from './regimes.ts';

/** The same seed gives the same prices for ever, on whatever day the set ends. */
export const DEMO_FIRST_DAY = '1990-01-02';
/**
 * Where it ends in an installation that has just been started for the first time; from there on it moves on
 * by a day each session.
 */
export const DEMO_LAST_DAY = '2026-11-20';
export const DEMO_SEED = 'quantloom-demo-1';

export interface DemoFactors {
  /** All sessions of the demo data set. */
  readonly days: Int32Array;
  /** Daily simple returns by factor; the first is 0. */
  readonly returns: Readonly<Record<FactorName, Float64Array>>;
  /** Multiplies the volatility of everything on a day: storms come for all at once. */
  readonly storm: Float64Array;
}

let made: DemoFactors | null = null;

/**
 * The factors up to a day, made once per process (some 30 ms). What comes later changes nothing of what was
 * before, so that those of a later end hold those of an earlier one.
 */
export function demoFactors(lastDay: string = DEMO_LAST_DAY): DemoFactors {
  const last = day(lastDay);
  if (!made || (made.days.at(-1) as number) < last) made = makeFactors(last);
  const count = made.days.findLastIndex((one) => one <= last) + 1;
  if (count === made.days.length) return made;
  const returns = {} as Record<FactorName, Float64Array>;
  for (const [name, values] of Object.entries(made.returns) as [FactorName, Float64Array][])
    returns[name] = values.subarray(0, count);
  return { days: made.days.subarray(0, count), returns, storm: made.storm.subarray(0, count) };
}

function makeFactors(last: number): DemoFactors {
  const days = demoSessions(last);
  const storm = makeStorm(days.length, DEMO_SEED);
  const returns = {} as Record<FactorName, Float64Array>;
  for (const name of FACTOR_NAMES) returns[name] = makeFactor(name, days, storm, DEMO_SEED);
  returns.bills = Float64Array.from(days, (value, i) =>
    i === 0 ? 0 : shortRate(yearOf(value)) / TRADING_DAYS_PER_YEAR,
  );
  return { days, returns, storm };
}

/**
 * The sessions of the exchange; behind the first end by its rules alone. A day on which it stays closed for
 * once becomes known when it is over: the set has moved on by then, and would get another past.
 */
function demoSessions(last: number): Int32Array {
  const firstEnd = day(DEMO_LAST_DAY);
  const sessions = [...sessionsBetween(day(DEMO_FIRST_DAY), Math.min(last, firstEnd))];
  for (let value = firstEnd + 1; value <= last; value++) if (isSessionByRule(value)) sessions.push(value);
  return Int32Array.from(sessions);
}

/**
 * The days of the market factor as another seed would have made them, with the same stretches: to see what
 * they let rules earn.
 */
export function marketOfSeed(seed: string): { readonly days: Int32Array; readonly returns: Float64Array } {
  const { days } = demoFactors();
  return { days, returns: makeFactor('market', days, makeStorm(days.length, seed), seed) };
}

/** Volatility comes in clusters: the exponential of a slow autoregressive process, with mean square near 1. */
function makeStorm(count: number, seed: string): Float64Array {
  const random = new Random(`${seed}/storm`);
  const storm = new Float64Array(count);
  const persistence = 0.97;
  const spread = 0.3;
  const kick = spread * squareRoot(1 - persistence * persistence);
  let level = 0;
  for (let i = 0; i < count; i++) {
    level = persistence * level + kick * random.normal();
    storm[i] = exponential(level - spread * spread);
  }
  return storm;
}

/**
 * Random days that end each stretch exactly at the multiple its regime states, and go on from the last one as
 * they come.
 */
function makeFactor(name: RegimeFactor, days: Int32Array, storm: Float64Array, seed: string): Float64Array {
  const random = new Random(`${seed}/factor/${name}`);
  const returns = new Float64Array(days.length);
  let from = 1;
  for (const { until, multiple, volatility } of regimesOf(name)) {
    const last = day(until);
    let to = from;
    while (to < days.length && (days[to] as number) <= last) to++;
    const daily = volatility / squareRoot(252);
    for (let i = from; i < to; i++) returns[i] = daily * (storm[i] as number) * random.normal();
    settle(returns, from, to, multiple);
    from = to;
  }
  const { growth, volatility } = afterwards(name);
  const daily = volatility / squareRoot(252);
  for (let i = from; i < days.length; i++)
    returns[i] = growth / 252 + daily * (storm[i] as number) * random.normal();
  return returns;
}

/** Shifts the returns of a stretch by one number, found by bisection, so that they compound to `multiple`. */
function settle(returns: Float64Array, from: number, to: number, multiple: number): void {
  let low = -0.1;
  let high = 0.1;
  for (let step = 0; step < 50; step++) {
    const shift = (low + high) / 2;
    let value = 1;
    for (let i = from; i < to; i++) value *= 1 + (returns[i] as number) + shift;
    if (value < multiple) low = shift;
    else high = shift;
  }
  const shift = (low + high) / 2;
  for (let i = from; i < to; i++) returns[i] = (returns[i] as number) + shift;
}
