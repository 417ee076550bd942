import type { BacktestAnswer, BacktestRequest } from '@quantloom/domain/contracts/backtest';
import type { BacktestReport } from '@quantloom/domain/contracts/backtest-report';
import { useQuery } from '@tanstack/react-query';
import { backtest } from './editor-api.ts';

/** What the Metrics tab is made of. */
export interface ReportedRun {
  readonly answer: BacktestAnswer;
  readonly answered: BacktestRequest;
  readonly report: BacktestReport;
}

type Outcome = Pick<BacktestAnswer, 'metrics' | 'provenance'>;

/**
 * Whether prices that were imported between two runs of the same request have changed what it comes to. A new
 * version alone says nothing: most imports add days behind the run's end, or change tickers that it does not
 * use, and then every figure is the same to the last bit.
 */
export function cameToOther(shown: Outcome, again: Outcome): boolean {
  if (shown.provenance?.data_version === again.provenance?.data_version) return false;
  return !hasSameFigures(shown.metrics, again.metrics);
}

function hasSameFigures(a: BacktestAnswer['metrics'], b: BacktestAnswer['metrics']): boolean {
  return (Object.keys(a) as (keyof typeof a)[]).every((name) => Object.is(a[name], b[name]));
}

/** The report of the run that is shown, asked for when somebody wants to read it. `at` tells one run from another. */
export function useReport(
  answer: BacktestAnswer | null,
  answered: BacktestRequest | null,
  at: number | null,
) {
  return useQuery({
    queryKey: ['report', at],
    queryFn: async ({ signal }) => {
      if (!answered) throw new Error('There is no run to report on');
      const again = await backtest({ ...answered, include: { report: true } }, null, signal);
      if (!again.report) throw new Error('The server answered without a report');
      return { report: again.report, isOther: answer !== null && cameToOther(answer, again) };
    },
    enabled: answer !== null && answered !== null && at !== null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 5 * 60_000,
    retry: false,
  });
}
