import type {
  BacktestReport,
  HoldingReport,
  ListedPeriod,
} from '@quantloom/domain/contracts/backtest-report';
import { assetTickersIn } from '../../model/blocks.ts';
import type { Run } from '../../reference/run.ts';
import { dailyReturns } from '../metrics.ts';
import { tradingStatistics } from '../trading-statistics.ts';
import { comparison, NOT_COMPARED } from './comparison.ts';
import { costsOf } from './costs.ts';
import { RESOLUTION } from './returns.ts';
import { seriesReport } from './series-report.ts';

/** A weight above this counts as held. */
const HELD = 1e-12;

/**
 * The report of a run (`docs/engine.md` section 16).
 * @param benchmark its values on the same days; null where there is none
 */
export function reportOf(run: Run, benchmark: Float64Array | null): BacktestReport {
  const { value, market, days } = run;
  const strategy = seriesReport(value, market.calendar, days);
  const other = benchmark === null ? null : seriesReport(benchmark, market.calendar, days);
  return {
    ...strategy,
    ...(benchmark === null ? NOT_COMPARED : comparison(dailyReturns(value), dailyReturns(benchmark))),
    up_capture: capture(strategy.monthly_returns, other?.monthly_returns, 1),
    down_capture: capture(strategy.monthly_returns, other?.monthly_returns, -1),
    ...tradingStatistics(run),
    costs: costsOf(run),
    ...holdingsOf(run),
    benchmark: other,
  };
}

/**
 * Mean growth over the months in which the benchmark rose (sign 1) or fell (-1), relative to the benchmark's;
 * null of no such month.
 */
function capture(
  strategy: readonly ListedPeriod[],
  benchmark: readonly ListedPeriod[] | undefined,
  sign: 1 | -1,
): number | null {
  let [own, theirs, months] = [1, 1, 0];
  for (const [i, month] of (benchmark ?? []).entries()) {
    if (sign * month.return <= RESOLUTION) continue;
    own *= 1 + (strategy[i]?.return ?? 0);
    theirs *= 1 + month.return;
    months++;
  }
  return months === 0 ? null : (own ** (1 / months) - 1) / (theirs ** (1 / months) - 1);
}

/** What was held from the first day to the one before the last, whose weights earned something. */
function holdingsOf({
  block,
  market,
  days,
  weights,
  value,
  terms,
}: Run): Pick<BacktestReport, 'exposure' | 'holdings'> {
  const n = value.length - 1;
  const holdings: Record<string, HoldingReport> = {};
  let exposure = 0;
  for (const ticker of assetTickersIn(block)) {
    const weight = weights.get(ticker) ?? new Float64Array(value.length);
    const returns = market.returns(ticker).values.subarray(days.from);
    let [sum, held, earned] = [0, 0, 0];
    for (let t = 0; t < n; t++) {
      const one = weight[t] as number;
      sum += one;
      if (one > HELD) held++;
      earned += one * (returns[t + 1] as number) * (value[t] as number);
    }
    exposure += sum;
    holdings[ticker] = {
      average_weight: sum / n,
      days_held: held,
      contribution: earned / terms.startingBalance,
    };
  }
  return { exposure: exposure / n, holdings };
}
