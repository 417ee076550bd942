import { Random } from '../market-data/demo/deterministic.ts';

const DAYS_PER_YEAR = 252;
const DAILY_DEVIATION = 0.01;

/** What the best of many strategies without any edge looks like. */
export interface WorthlessStrategies {
  /** Annual Sharpe ratio of each, in the order in which they were drawn. */
  readonly sharpe: readonly number[];
  readonly best: number;
  /** Growth of 1 in the best one and in a few others, a point a month. */
  readonly bestCurve: readonly number[];
  readonly otherCurves: readonly (readonly number[])[];
}

/**
 * Daily returns of strategies that trade at random: independent normal numbers with mean 0 and a deviation of
 * 1% a day. Deterministic by `seed`.
 *
 * @param curves how many curves to keep beside the best one
 */
export function drawWorthlessStrategies({
  seed,
  strategies,
  years,
  curves,
}: {
  readonly seed: number;
  readonly strategies: number;
  readonly years: number;
  readonly curves: number;
}): WorthlessStrategies {
  const random = new Random(`worthless-${seed}`);
  const days = years * DAYS_PER_YEAR;
  const sharpe: number[] = [];
  const otherCurves: (readonly number[])[] = [];
  let best = Number.NEGATIVE_INFINITY;
  let bestCurve: readonly number[] = [];
  for (let strategy = 0; strategy < strategies; strategy += 1) {
    let value = 1;
    let sum = 0;
    let squares = 0;
    const curve = [1];
    for (let day = 1; day <= days; day += 1) {
      const change = random.normal() * DAILY_DEVIATION;
      sum += change;
      squares += change * change;
      value *= 1 + change;
      if (day % 21 === 0) curve.push(value);
    }
    const mean = sum / days;
    const deviation = Math.sqrt((squares - days * mean * mean) / (days - 1));
    const ratio = (mean / deviation) * Math.sqrt(DAYS_PER_YEAR);
    sharpe.push(ratio);
    if (strategy < curves) otherCurves.push(curve);
    if (ratio > best) {
      best = ratio;
      bestCurve = curve;
    }
  }
  return { sharpe, best, bestCurve, otherCurves };
}
