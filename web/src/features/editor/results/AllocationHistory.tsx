import type { BacktestAnswer, BacktestRequest } from '@quantloom/domain/contracts/backtest';
import { DEFAULT_SLIPPAGE_BPS } from '@quantloom/domain/strategy/backtest-terms';
import { useMemo } from 'react';
import { formatAllocation } from '../../../lib/format.ts';
import { daysWithTrade } from '../model/trades.ts';
import { type HistoryColumn, HistoryTable } from './HistoryTable.tsx';
import { NoBacktestYet } from './NoBacktestYet.tsx';
import { TradesTable } from './TradesTable.tsx';

/** Target allocation by day in percent, cash shown, and the trades that led there. */
export function AllocationHistory({
  answer,
  answered,
  onExplain,
}: {
  answer: BacktestAnswer | null;
  /** What the answer is of. */
  answered: BacktestRequest | null;
  /** Shows in the tree why a day was as it was. */
  onExplain: (day: number) => void;
}) {
  const columns = useMemo((): readonly HistoryColumn[] => {
    const tickers = Object.entries(answer?.history?.tickers ?? {});
    const cash = (answer?.history?.timestamps ?? []).map((_, day) =>
      Math.max(0, 100 - tickers.reduce((sum, [, values]) => sum + (values[day] ?? 0), 0)),
    );
    return [
      ...tickers.map(([ticker, values]) => ({ id: ticker, label: ticker, values })),
      { id: 'cash', label: 'Cash', values: cash.map((value) => (value < 1e-9 ? 0 : value)) },
    ];
  }, [answer]);
  const changes = useMemo(() => daysWithTrade(answer?.history?.turnover ?? []), [answer]);
  if (!answer?.history)
    return <NoBacktestYet>Run a backtest to see what was held on every day.</NoBacktestYet>;
  return (
    <>
      {/* Two tables, each as high as it is: the page scrolls. */}
      <div className="flex shrink-0 flex-col">
        <HistoryTable
          title="Allocation History"
          fileName="allocation-history.csv"
          timestamps={answer.history.timestamps}
          columns={columns}
          format={formatAllocation}
          isStacked
          held={answer.history.tickers}
          onExplain={onExplain}
          changes={changes}
        />
      </div>
      <TradesTable
        history={answer.history}
        slippageBps={answered?.slippage_bps ?? DEFAULT_SLIPPAGE_BPS}
        onExplain={onExplain}
      />
    </>
  );
}
