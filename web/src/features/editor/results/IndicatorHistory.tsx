import type { BacktestAnswer } from '@quantloom/domain/contracts/backtest';
import { INDICATORS, parseIndicatorKey } from '@quantloom/domain/strategy/indicator';
import { useMemo } from 'react';
import { formatIndicator } from '../../../lib/format.ts';
import { EmptyState } from '../../../ui/feedback.tsx';
import { type HistoryColumn, HistoryTable } from './HistoryTable.tsx';

/** `RSI(SPY, 10)` for `SPY-relative-strength-index-10`; a key that is none stands as it is. */
function labelOf(key: string): string {
  const parsed = parseIndicatorKey(key);
  return parsed
    ? `${INDICATORS[parsed.fn].shortLabel}(${[parsed.series, ...parsed.params].join(', ')})`
    : key;
}

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
        label: labelOf(key),
        ticker: parseIndicatorKey(key)?.series ?? '',
        values,
      })),
    [answer],
  );
  if (!answer?.history)
    return (
      <EmptyState title="No backtest yet">Run a backtest to see the indicators on every day.</EmptyState>
    );
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
