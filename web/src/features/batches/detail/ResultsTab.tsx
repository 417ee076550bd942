import type { BatchDetail } from '@quantloom/domain/contracts/http/batches';
import type { ViewContent } from '@quantloom/domain/result-views/view-content';
import { useMemo, useState } from 'react';
import { codeOf, messageOf } from '../../../lib/api.ts';
import { COPIED_NODE_KEY } from '../../../lib/copied-node.ts';
import { newNodeId } from '../../../lib/new-id.ts';
import { Button } from '../../../ui/Button.tsx';
import { AlertDialog } from '../../../ui/Dialog.tsx';
import { toast } from '../../../ui/toast.tsx';
import { CopyError, groupOfRow } from '../model/copy-as-group.ts';
import { filterQueries } from '../model/filters.ts';
import { pinRow, unpinRow } from '../model/pins.ts';
import {
  type Cell,
  COMBINATION,
  downloadResults,
  type ResultRows,
  resultsErrorText,
} from '../model/results.ts';
import { LeftOutLine } from './LeftOutLine.tsx';
import { PickedRows } from './PickedRows.tsx';
import { PinnedRows } from './PinnedRows.tsx';
import { Provenance } from './Provenance.tsx';
import { ResultsFooter } from './ResultsFooter.tsx';
import { ResultsTable } from './ResultsTable.tsx';
import { ResultsToolbar } from './ResultsToolbar.tsx';
import { RowsSoFar } from './RowsSoFar.tsx';
import type { Desk } from './use-desk.ts';
import { useRowFigures } from './use-row-figures.ts';

/** The rows as a spreadsheet: sorted and filtered by the server on any column, a page of 1000 at a time. */
export function ResultsTab({
  batch,
  desk,
  onApply,
  isRepeating,
  onRepeat,
}: {
  batch: BatchDetail;
  desk: Desk;
  onApply: (view: ViewContent, name: string) => void;
  isRepeating: boolean;
  onRepeat: () => void;
}) {
  const { results } = desk;
  const [state, send] = results;
  const { page, filters, order, picked, isPartial } = state.context;
  const at = page?.columns.indexOf(COMBINATION) ?? -1;
  const shown = useMemo(() => page?.rows.map((row) => Number(row[at])) ?? [], [page, at]);
  const figures = useRowFigures(batch.id, shown, picked);
  const [alert, setAlert] = useState<string | null>(null);
  const [isComparing, setComparing] = useState(false);
  /** The row of a page to go to; a new object each time, so that it can be gone to again. */
  const [goal, setGoal] = useState<{ readonly index: number; readonly of: ResultRows } | null>(null);

  /** Goes to a row of this page; rows that are not on it are what the table is filtered to. */
  const showRows = (combinations: readonly number[]) => {
    const index = page?.rows.findIndex((row) => row[at] === combinations[0]) ?? -1;
    if (page && combinations.length === 1 && index >= 0) setGoal({ index, of: page });
    else
      send({
        type: 'user.setFilters',
        filters: [{ column: COMBINATION, op: 'in', text: combinations.join(', ') }],
      });
  };

  const copyRow = (row: readonly Cell[]) => {
    const columns = page?.columns ?? [];
    try {
      const values = Object.fromEntries(
        batch.variable_names.map((name) => [name, row[columns.indexOf(name)] ?? '']),
      );
      localStorage.setItem(COPIED_NODE_KEY, JSON.stringify(groupOfRow(batch, values, newNodeId)));
      send({ type: 'user.copied', combination: Number(row[columns.indexOf(COMBINATION)]) });
    } catch (error) {
      if (!(error instanceof CopyError)) console.error('Error copying node', error);
      setAlert(error instanceof CopyError ? error.message : 'Error copying node. See console for details.');
    }
  };
  const pin = async (combination: number) => {
    try {
      if (batch.pins.some((one) => one.combination === combination)) await unpinRow(batch.id, combination);
      else await pinRow(batch.id, combination, '');
    } catch (error) {
      toast.error(messageOf(error));
    }
  };
  const download = async (format: 'csv' | 'parquet') => {
    if (!page || page.total < 1) {
      console.info('No data to download');
      return;
    }
    const sort = order.by === 'column' ? order.sort : null;
    try {
      await downloadResults(batch.id, format, { sort, filters: filterQueries(filters), isPartial }, page);
    } catch (error) {
      console.error('The download failed', error);
      toast.error('The download failed');
    }
  };

  if (state.matches({ data: 'waiting' }))
    return (
      <p className="py-10 text-center text-muted">
        {batch.status === 'Error'
          ? 'The batch has failed: there are no complete results.'
          : 'The first rows are here when the first part of the batch has finished.'}
      </p>
    );
  if (state.matches({ data: 'loading' }) && !page)
    return (
      <p role="status" className="py-10 text-center text-muted">
        Loading results. Large files may take a while to process.
      </p>
    );
  if (codeOf(state.context.error) === 'results_missing' && state.matches({ data: 'failed' }))
    return (
      <div role="alert" className="flex flex-col items-center gap-3 py-10 text-center">
        <p className="text-muted">{messageOf(state.context.error)}</p>
        <Button variant="primary" isBusy={isRepeating} onClick={onRepeat}>
          Compute the rows again
        </Button>
      </div>
    );
  if (state.matches({ data: 'failed' }) && filters.length === 0)
    return (
      <p role="alert" className="py-10 text-center text-danger">
        {resultsErrorText(state.context.error)}
      </p>
    );
  if (page?.rows.length === 0 && filters.length === 0)
    return <p className="py-10 text-center text-muted">No results available</p>;

  return (
    <>
      <div className="flex min-h-96 flex-col" style={{ height: 'calc(100dvh - 142px)' }}>
        {page?.rowsSoFar !== undefined && <RowsSoFar batch={batch} rows={page.rowsSoFar} />}
        <ResultsToolbar batch={batch} desk={desk} figures={figures} onApply={onApply} />
        <LeftOutLine desk={desk} />
        <PinnedRows batch={batch} onShow={showRows} />
        {state.matches({ data: 'failed' }) && (
          <p role="alert" className="py-10 text-center text-danger">
            {messageOf(state.context.error)}
          </p>
        )}
        {page && (
          <ResultsTable
            batch={batch}
            desk={desk}
            page={page}
            // The same place on another page, or in another order, is another row.
            goal={goal?.of === page ? goal : null}
            figures={figures.known}
            onCopy={copyRow}
            onPin={(combination) => void pin(combination)}
          />
        )}
        <ResultsFooter
          results={results}
          isRunning={batch.status === 'Running'}
          onCompare={() => setComparing(true)}
          onDownload={(format) => void download(format)}
        />
        <AlertDialog
          open={alert !== null}
          onOpenChange={(open) => !open && setAlert(null)}
          title="The row was not copied"
        >
          {alert}
        </AlertDialog>
        {isComparing && (
          <PickedRows batch={batch} combinations={picked} onClose={() => setComparing(false)} />
        )}
      </div>
      <Provenance batch={batch} />
    </>
  );
}
