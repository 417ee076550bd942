import type { Drawdown, SeriesReport } from '@quantloom/domain/contracts/backtest-report';
import { dateOf } from '../../model/days.ts';
import { RESOLUTION } from './returns.ts';

/** The deepest of them are listed. */
const LISTED = 10;

/** A fall from a peak, as indexes into the days of a run. */
interface Fall {
  readonly peak: number;
  trough: number;
  depth: number;
  /** The first day back at the peak; null where there is none. */
  recovery: number | null;
}

type DrawdownReport = Pick<
  SeriesReport,
  'ulcer_index' | 'average_drawdown' | 'longest_drawdown_days' | 'drawdowns'
>;

/**
 * How deep and how long a value was below its earlier peaks.
 * @param days of the values, since 1970-01-01
 */
export function drawdownsOf(value: Float64Array, days: Int32Array): DrawdownReport {
  const falls: Fall[] = [];
  let open: Fall | null = null;
  let high = value[0] as number;
  let peak = 0;
  let sum = 0;
  let squares = 0;
  let below = 0;
  for (let t = 1; t < value.length; t++) {
    const current = value[t] as number;
    if (current >= high * (1 - RESOLUTION)) {
      if (open !== null) open.recovery = t;
      open = null;
      high = Math.max(high, current);
      peak = t;
      continue;
    }
    const depth = 1 - current / high;
    sum += depth;
    squares += depth * depth;
    below++;
    if (open === null) {
      open = { peak, trough: t, depth, recovery: null };
      falls.push(open);
    } else if (depth > open.depth + RESOLUTION) Object.assign(open, { trough: t, depth });
  }
  const n = value.length - 1;
  const last = n;
  const lengths = falls.map((fall) => between(days, fall.peak, fall.recovery ?? last));
  const deepest = falls.toSorted((a, b) =>
    Math.abs(a.depth - b.depth) <= RESOLUTION ? 0 : b.depth - a.depth,
  );
  return {
    ulcer_index: n === 0 ? null : Math.sqrt(squares / n),
    average_drawdown: below === 0 ? null : sum / below,
    longest_drawdown_days: lengths.length === 0 ? null : lengths.reduce((a, b) => Math.max(a, b)),
    drawdowns: deepest.slice(0, LISTED).map((fall) => listed(fall, days)),
  };
}

function between(days: Int32Array, from: number, to: number): number {
  return (days[to] as number) - (days[from] as number);
}

function listed({ peak, trough, depth, recovery }: Fall, days: Int32Array): Drawdown {
  const date = (index: number) => dateOf(days[index] as number);
  return {
    peak: date(peak),
    trough: date(trough),
    recovery: recovery === null ? null : date(recovery),
    depth,
    days_to_trough: between(days, peak, trough),
    days_to_recovery: recovery === null ? null : between(days, peak, recovery),
  };
}
