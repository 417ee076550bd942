import { day, yearOf } from '../day.ts';
import { shortRate, TRADING_DAYS_PER_YEAR } from '../leveraged-funds.ts';
import { sessionsBetween } from '../trading-calendar.ts';
import { exponential, Random, squareRoot } from './deterministic.ts';
import { FACTOR_NAMES, type FactorName, type RegimeFactor, regimesOf } from './regimes.ts';

/** The demo data set has a fixed beginning and end: the same seed gives the same prices for ever. */
export const DEMO_FIRST_DAY = '1990-01-02';
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

/** The factors, made once per process (some 30 ms). */
export function demoFactors(): DemoFactors {
  made ??= makeFactors();
  return made;
}

function makeFactors(): DemoFactors {
  const days = sessionsBetween(day(DEMO_FIRST_DAY), day(DEMO_LAST_DAY));
  const storm = makeStorm(days.length, DEMO_SEED);
  const returns = {} as Record<FactorName, Float64Array>;
  for (const name of FACTOR_NAMES) returns[name] = makeFactor(name, days, storm, DEMO_SEED);
  returns.bills = Float64Array.from(days, (value, i) =>
    i === 0 ? 0 : shortRate(yearOf(value)) / TRADING_DAYS_PER_YEAR,
  );
  return { days, returns, storm };
}

/** The days of the market factor as another seed would have made them, with the same stretches: to see what they let rules earn. */
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

/** Random days that end each stretch exactly at the multiple its regime states. */
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
