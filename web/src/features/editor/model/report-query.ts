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
      const { report, provenance } = await backtest({ ...answered, include: { report: true } }, null, signal);
      if (!report) throw new Error('The server answered without a report');
      // Prices may have been imported since: the figures would then not be those of the chart.
      const isOther = provenance?.data_version !== answer?.provenance?.data_version;
      return { report, isOther };
    },
    enabled: answer !== null && answered !== null && at !== null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 5 * 60_000,
    retry: false,
  });
}
