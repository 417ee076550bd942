import type { BatchDetail } from '@quantloom/domain/contracts/http/batches';
import { useQuery } from '@tanstack/react-query';
import { formatCount, formatPercent, plural } from '../../../lib/format.ts';
import { Button } from '../../../ui/Button.tsx';
import { Notice } from '../../../ui/feedback.tsx';
import { CASH_LIKE_DEVIATION, cashLikeTop } from '../model/cash-like.ts';
import { type ColumnFilter, filterQueries } from '../model/filters.ts';
import { fetchRows } from '../model/results.ts';

const TOP = 10;
const MOVING: ColumnFilter = { column: 'standard_deviation', op: 'gte', text: String(CASH_LIKE_DEVIATION) };
const CALM: ColumnFilter = { ...MOVING, op: 'lte' };

const number = (cell: unknown): number | null => (typeof cell === 'number' ? cell : null);

async function highestSharpeRatios(id: string, signal: AbortSignal) {
  const [top, calm] = await Promise.all([
    fetchRows(
      id,
      {
        sort: { column: 'sharpe_ratio', direction: 'desc' },
        filters: [],
        cursor: null,
        columns: ['sharpe_ratio', 'standard_deviation', 'annualized_return'],
        limit: TOP,
      },
      signal,
    ),
    fetchRows(
      id,
      { sort: null, filters: filterQueries([CALM]), cursor: null, columns: ['sharpe_ratio'], limit: 1 },
      signal,
    ),
  ]);
  return {
    top: cashLikeTop(
      top.rows.map(([sharpe, deviation, annualized]) => ({
        sharpeRatio: number(sharpe),
        deviation: number(deviation),
        annualizedReturn: number(annualized),
      })),
    ),
    total: calm.total,
  };
}

/**
 * A word of warning where rows that are close to holding cash lead the ranking by Sharpe ratio. A failure to
 * find out says nothing about the batch.
 */
export function CashLike({
  batch,
  onFilter,
}: {
  batch: BatchDetail;
  onFilter: (filters: readonly ColumnFilter[]) => void;
}) {
  const { data } = useQuery({
    queryKey: ['batch-backtests', batch.id, 'analysis', 'cash-like'],
    queryFn: ({ signal }) => highestSharpeRatios(batch.id, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!data?.top) return null;
  const { count, of, bestReturn } = data.top;
  const deviation = formatPercent(CASH_LIKE_DEVIATION);
  return (
    <Notice
      kind="warning"
      action={
        // Nothing would be left.
        data.total < batch.combinations && (
          <Button size="sm" onClick={() => onFilter([MOVING])}>
            Table without them
          </Button>
        )
      }
    >
      {count === 1 ? 'One' : count === of ? 'All' : formatCount(count)} of the {formatCount(of)} highest
      Sharpe ratios {count === 1 ? 'belongs to a row that hardly moves' : 'belong to rows that hardly move'}:
      a standard deviation of at most {deviation} a year
      {bestReturn !== null && `, and at best ${formatPercent(bestReturn)} return a year`}. That is close to
      holding cash. The ratio is high because the risk is near zero, not because much is earned. In all,{' '}
      {plural(data.total, 'row is', 'rows are')} like that.
    </Notice>
  );
}
