import { ChevronLeft, ChevronRight, Download, LineChart, RefreshCw } from 'lucide-react';
import { formatCount } from '../../../lib/format.ts';
import { Button, IconButton } from '../../../ui/Button.tsx';
import { PAGE_ROWS } from '../model/results.ts';
import type { Results } from './use-results.ts';

/** Which rows are shown, the pages, what was picked, the downloads. */
export function ResultsFooter({
  results: [state, send],
  isRunning,
  onCompare,
  onDownload,
}: {
  results: Results;
  isRunning: boolean;
  onCompare: () => void;
  onDownload: (format: 'csv' | 'parquet') => void;
}) {
  const { page, cursors, picked, isPartial } = state.context;
  const total = page?.total ?? 0;
  const first = total === 0 ? 0 : cursors.length * PAGE_ROWS + 1;
  const last = cursors.length * PAGE_ROWS + (page?.rows.length ?? 0);
  return (
    <footer className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
      <span className="num text-sm text-muted" role="status">
        Results {formatCount(first)}-{formatCount(last)} of {formatCount(total)}
        {isRunning && page?.rowsSoFar !== undefined && ' so far'}
      </span>
      {total > PAGE_ROWS && (
        <span className="flex">
          <IconButton
            icon={ChevronLeft}
            label="Previous 1000"
            size="sm"
            disabled={cursors.length === 0}
            onClick={() => send({ type: 'user.previousPage' })}
          />
          <IconButton
            icon={ChevronRight}
            label="Next 1000"
            size="sm"
            disabled={page?.nextCursor == null}
            onClick={() => send({ type: 'user.nextPage' })}
          />
        </span>
      )}
      <IconButton icon={RefreshCw} label="Refresh" size="sm" onClick={() => send({ type: 'user.refresh' })} />
      {picked.length > 0 && (
        <span className="flex items-center gap-2">
          <Button
            size="sm"
            icon={LineChart}
            disabled={isPartial}
            {...(isPartial && { title: 'Once all rows have run' })}
            onClick={onCompare}
          >
            Curves of {formatCount(picked.length)} picked
          </Button>
          <Button size="sm" variant="ghost" onClick={() => send({ type: 'user.clearPicks' })}>
            Clear
          </Button>
        </span>
      )}
      <span className="ml-auto flex gap-2">
        <Button size="sm" icon={Download} onClick={() => onDownload('csv')}>
          Download CSV
        </Button>
        <Button size="sm" onClick={() => onDownload('parquet')}>
          Parquet
        </Button>
      </span>
    </footer>
  );
}
