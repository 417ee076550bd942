import type { Provenance } from '@quantloom/domain/contracts/backtest';
import type { RunFigures } from '@quantloom/domain/ports/backtest-runner';
import { dateOf } from '../model/days.ts';
import type { Run } from '../reference/run.ts';
import { metricsOf } from './metrics.ts';
import { resultHashOf } from './result-hash.ts';
import { durationOf } from './run-facts.ts';

const MOST_POINTS = 60;

/**
 * What is kept of a run: metrics, days, a thin line of its value, and what it was computed with.
 *
 * @param madeBy version of the engine that has made it before
 */
export function figuresOf(run: Run, provenance: Provenance, madeBy?: string): RunFigures {
  const { value, terms, market, days } = run;
  return {
    metrics: metricsOf(value, terms.startingBalance, durationOf(run)),
    firstDay: dateOf(market.calendar[days.from] as number),
    lastDay: dateOf(market.calendar[days.to] as number),
    line: thinned(value, terms.startingBalance),
    provenance: { ...provenance, result_hash: resultHashOf(run, provenance) },
    ...(madeBy !== undefined && {
      hashAsMade: resultHashOf(run, { ...provenance, engine_version: madeBy }),
    }),
  };
}

/** Equally far apart, the first and the last included; five digits are more than a line shows. */
function thinned(value: Float64Array, startingBalance: number): number[] {
  const length = Math.min(value.length, MOST_POINTS);
  return Array.from({ length }, (_, i) => {
    const t = length === 1 ? 0 : Math.round((i * (value.length - 1)) / (length - 1));
    return Number(((value[t] as number) / startingBalance).toPrecision(5));
  });
}
