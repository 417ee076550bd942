import type { BatchDetail } from '@quantloom/domain/contracts/http/batches';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Check, ChevronLeft, ChevronRight, Copy, Download } from 'lucide-react';
import { useMemo, useState } from 'react';
import { formatCount } from '../../../lib/format.ts';
import { newNodeId } from '../../../lib/new-id.ts';
import { TickerChip } from '../../../ui/Badge.tsx';
import { Button, IconButton } from '../../../ui/Button.tsx';
import { AlertDialog } from '../../../ui/Dialog.tsx';
import { toast } from '../../../ui/toast.tsx';
import { VirtualTable } from '../../../ui/VirtualTable.tsx';
import { CopyError, groupOfRow } from '../model/copy-as-group.ts';
import { isOpen } from '../model/follow.ts';
import {
  type Cell,
  defaultSortIndex,
  downloadResults,
  fetchRows,
  formatCell,
  isTickerCell,
  nextSort,
  PAGE_ROWS,
  type ResultSort,
  resultsErrorText,
} from '../model/results.ts';

const METRICS = [
  'cumulative_return',
  'annualized_return',
  'standard_deviation',
  'max_drawdown',
  'calmer_ratio',
  'sharpe_ratio',
  'trailing_1_month',
  'trailing_3_month',
];
const COPIED_NODE_KEY = 'copiedNode';
const COPIED_MS = 2000;

/** The rows as a spreadsheet: sorted by the server on any column, a page of 1000 at a time. */
export function ResultsTab({ batch }: { batch: BatchDetail }) {
  const variables = batch.variable_names;
  const columns = useMemo(() => ['start_date', 'end_date', ...variables, ...METRICS], [variables]);
  const [sort, setSort] = useState<ResultSort>(() => ({
    column: columns[defaultSortIndex(variables.length)] ?? 'cumulative_return',
    direction: 'desc',
  }));
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const [copied, setCopied] = useState<number | null>(null);
  const [alert, setAlert] = useState<string | null>(null);
  const cursor = cursors.at(-1) ?? null;
  const isReady = !isOpen(batch) && batch.status !== 'Error';
  const page = useQuery({
    queryKey: ['batch-backtests', batch.id, 'results', sort, cursor],
    queryFn: ({ signal }) => fetchRows(batch.id, { sort, filters: [], cursor }, signal),
    enabled: isReady,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
  const changeSort = (column: string) => {
    setSort((now) => nextSort(now, column));
    setCursors([]);
  };
  const copyRow = (row: readonly Cell[], index: number) => {
    try {
      const shown = page.data?.columns ?? [];
      const values = Object.fromEntries(variables.map((name) => [name, row[shown.indexOf(name)] ?? '']));
      localStorage.setItem(COPIED_NODE_KEY, JSON.stringify(groupOfRow(batch, values, newNodeId)));
      setCopied(index);
      setTimeout(() => setCopied((now) => (now === index ? null : now)), COPIED_MS);
    } catch (error) {
      if (!(error instanceof CopyError)) console.error('Error copying node', error);
      setAlert(error instanceof CopyError ? error.message : 'Error copying node. See console for details.');
    }
  };
  const download = async (format: 'csv' | 'parquet') => {
    if ((page.data?.total ?? 0) < 1) {
      console.info('No data to download');
      return;
    }
    try {
      await downloadResults(batch.id, format, { sort, filters: [] });
    } catch (error) {
      console.error('The download failed', error);
      toast.error('The download failed');
    }
  };

  if (!isReady)
    return <p className="py-10 text-center text-muted">The results are here when the batch has finished.</p>;
  if (page.isPending)
    return (
      <p role="status" className="py-10 text-center text-muted">
        Loading results. Large files may take a while to process.
      </p>
    );
  if (page.isError)
    return (
      <p role="alert" className="py-10 text-center text-danger">
        {resultsErrorText(page.error)}
      </p>
    );
  if (page.data.rows.length === 0)
    return <p className="py-10 text-center text-muted">No results available</p>;

  const { rows, total } = page.data;
  const first = cursors.length * PAGE_ROWS + 1;
  const shown = page.data.columns;
  return (
    <div className="flex flex-col pt-2">
      <VirtualTable
        label="Results"
        height="calc(100dvh - 142px)"
        rowCount={rows.length}
        firstRowNumber={first}
        sort={{ id: sort.column, direction: sort.direction }}
        onSort={changeSort}
        columns={[
          {
            id: 'copy',
            header: <span className="sr-only">Copy as group</span>,
            width: 48,
            cell: (index) => (
              <IconButton
                icon={copied === index ? Check : Copy}
                label={copied === index ? 'Copied' : 'Copy as a group block'}
                size="sm"
                onClick={() => copyRow(rows[index] ?? [], index)}
              />
            ),
          },
          ...shown.map((column, at) => ({
            id: column,
            header: column,
            width: column.startsWith('$') ? 120 : Math.max(110, column.length * 8 + 36),
            isNumeric: METRICS.includes(column),
            isSortable: true,
            cell: (index: number) => {
              const value = rows[index]?.[at] ?? null;
              return isTickerCell(column, value) ? <TickerChip ticker={value} /> : formatCell(column, value);
            },
          })),
        ]}
      />
      <footer className="flex flex-wrap items-center gap-3 border-t border-line py-2">
        <span className="num text-sm text-muted">
          Results {formatCount(first)}-{formatCount(first + rows.length - 1)} of {formatCount(total)}
        </span>
        {total > PAGE_ROWS && (
          <span className="flex">
            <IconButton
              icon={ChevronLeft}
              label="Previous 1000"
              size="sm"
              disabled={cursors.length === 0}
              onClick={() => setCursors((now) => now.slice(0, -1))}
            />
            <IconButton
              icon={ChevronRight}
              label="Next 1000"
              size="sm"
              disabled={page.data.nextCursor === null}
              onClick={() => {
                const next = page.data.nextCursor;
                if (next) setCursors((now) => [...now, next]);
              }}
            />
          </span>
        )}
        <span className="ml-auto flex gap-2">
          <Button size="sm" onClick={() => void download('csv')}>
            <Download size={14} aria-hidden /> Download CSV
          </Button>
          <Button size="sm" onClick={() => void download('parquet')}>
            Parquet
          </Button>
        </span>
      </footer>
      <AlertDialog
        open={alert !== null}
        onOpenChange={(open) => !open && setAlert(null)}
        title="The row was not copied"
      >
        {alert}
      </AlertDialog>
    </div>
  );
}
