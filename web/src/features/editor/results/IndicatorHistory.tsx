import type { BacktestAnswer } from '@quantloom/domain/contracts/backtest';
import { parseIndicatorKey } from '@quantloom/domain/strategy/indicator';
import { keyText } from '@quantloom/domain/strategy/indicator-words';
import { useMemo } from 'react';
import { formatIndicator } from '../../../lib/format.ts';
import { EmptyState } from '../../../ui/feedback.tsx';
import { type HistoryColumn, HistoryTable } from './HistoryTable.tsx';
import { NoBacktestYet } from './NoBacktestYet.tsx';

/** Every indicator of conditions and filters by day. */
export function IndicatorHistory({
  answer,
  onExplain,
}: {
  answer: BacktestAnswer | null;
  /** Shows in the tree why a day was as it was. */
  onExplain: (day: number) => void;
}) {
  const columns = useMemo(
    (): readonly HistoryColumn[] =>
      Object.entries(answer?.history?.indicators ?? {}).map(([key, values]) => ({
        id: key,
        label: keyText(key),
        ticker: parseIndicatorKey(key)?.series ?? '',
        values,
      })),
    [answer],
  );
  if (!answer?.history)
    return <NoBacktestYet>Run a backtest to see the indicators on every day.</NoBacktestYet>;
  if (columns.length === 0)
    return (
      <EmptyState title="No indicators">This strategy has no conditions and no filters of assets.</EmptyState>
    );
  return (
    <HistoryTable
      title="Indicator History"
      fileName="indicator-history.csv"
      timestamps={answer.history.timestamps}
      columns={columns}
      format={formatIndicator}
      isStacked={false}
      held={answer.history.tickers}
      onExplain={onExplain}
    />
  );
}
