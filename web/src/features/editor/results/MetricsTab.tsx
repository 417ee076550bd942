import type { BacktestAnswer, BacktestRequest } from '@quantloom/domain/contracts/backtest';
import { DEFAULT_BENCHMARK, DEFAULT_SLIPPAGE_BPS } from '@quantloom/domain/strategy/backtest-terms';
import { cashInWords } from '@quantloom/domain/strategy/run-settings';
import { Printer } from 'lucide-react';
import { formatDate, formatUnixDay } from '../../../lib/format.ts';
import { Button } from '../../../ui/Button.tsx';
import { ErrorState, Notice } from '../../../ui/feedback.tsx';
import { LoadingPane } from '../../../ui/Spinner.tsx';
import { decisionWords, fillWords, termsOf } from '../../terms/terms.ts';
import { useReport } from '../model/report-query.ts';
import { rebalancingWords } from '../model/words.ts';
import { NoBacktestYet } from './NoBacktestYet.tsx';
import { MonthlyReturns, YearlyReturns } from './report/CalendarReturns.tsx';
import { Distributions } from './report/Distributions.tsx';
import { Drawdowns } from './report/Drawdowns.tsx';
import { Relative, Summary, Trading } from './report/FigurePanels.tsx';
import { Holdings } from './report/Holdings.tsx';
import { ReportName } from './report/ReportTable.tsx';
import { RollingFigures } from './report/RollingFigures.tsx';
import { RollingYear } from './report/RollingYear.tsx';

/** The report of the run that is shown, as a page that can be printed. */
export function MetricsTab({
  answer,
  answered,
  finishedAt,
  onExplain,
}: {
  answer: BacktestAnswer | null;
  answered: BacktestRequest | null;
  finishedAt: number | null;
  onExplain: (day: number) => void;
}) {
  const query = useReport(answer, answered, finishedAt);
  if (!answer?.history || !answered)
    return (
      <NoBacktestYet>
        Run a backtest to see returns by month, rolling risk, drawdowns and turnover.
      </NoBacktestYet>
    );
  if (query.error)
    return (
      <ErrorState
        title="The report could not be made"
        error={query.error}
        onRetry={() => void query.refetch()}
      >
        The backtest itself is still there.
      </ErrorState>
    );
  if (!query.data) return <LoadingPane label="Making the report" />;
  const { history } = answer;
  const { report, isOther } = query.data;
  const run = { answer, answered, report };
  const benchmark = answered.benchmark_ticker ?? DEFAULT_BENCHMARK;
  const dates = history.timestamps.map(formatUnixDay);
  const { fill, cash, indicatorPrices } = termsOf(answered);
  const decided = decisionWords(indicatorPrices);
  return (
    <ReportName value={answered.trading_bot.name}>
      <article data-report aria-label="Report" className="flex flex-col gap-4 p-4 print:gap-3 print:p-0">
        <header className="flex flex-wrap items-start justify-between gap-2">
          <div>
            <h2 className="text-lg font-semibold">{answered.trading_bot.name}</h2>
            <p className="text-sm text-muted">
              {formatDate(formatUnixDay(history.timestamps[0]))} to{' '}
              {formatDate(formatUnixDay(history.timestamps.at(-1)))}, {rebalancingWords(answered.trading_bot)}
              , filled at {fillWords(fill)}, {answered.slippage_bps ?? DEFAULT_SLIPPAGE_BPS} bps slippage,
              cash earns {cashInWords(cash)}
              {decided && `. ${decided}`}
              <span className="hidden print:inline">. Printed {formatDate(new Date())}</span>
            </p>
            {/* On the screen the layout says so; what is taken along says it by itself. */}
            {answer.provenance?.is_simulated && (
              <p className="hidden font-medium print:block">
                Simulated prices: results show how the product works, not how any market behaved.
              </p>
            )}
          </div>
          <Button className="print:hidden" onClick={() => window.print()}>
            <Printer size={15} aria-hidden /> Print or save as PDF
          </Button>
        </header>
        {isOther && (
          <Notice kind="warning">
            Prices have been imported since this run: run it again for figures that fit the chart.
          </Notice>
        )}
        <MonthlyReturns report={report} benchmark={benchmark} />
        <div className="grid items-start gap-4 xl:grid-cols-2 print:grid-cols-1">
          <Summary run={run} benchmark={benchmark} />
          <div className="flex flex-col gap-4">
            <YearlyReturns report={report} benchmark={benchmark} />
            <Relative run={run} benchmark={benchmark} />
            <Trading run={run} />
            <Holdings run={run} />
          </div>
        </div>
        <Drawdowns report={report} dayOf={(date) => dates.indexOf(date)} onExplain={onExplain} />
        <RollingYear report={report} benchmark={benchmark} />
        <RollingFigures history={history} benchmark={benchmark} />
        <div className="grid items-start gap-4 xl:grid-cols-2 print:grid-cols-1">
          <Distributions history={history} report={report} />
        </div>
      </article>
    </ReportName>
  );
}
