import type { BatchDetail } from '@quantloom/domain/contracts/http/batches';
import { conceptAddressOf } from '@quantloom/domain/contracts/metric-concepts';
import type { ViewContent } from '@quantloom/domain/result-views/view-content';
import { ArrowDown, ArrowUp, CircleHelp } from 'lucide-react';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { Button, IconButton } from '../../../ui/Button.tsx';
import { Popover } from '../../../ui/Popover.tsx';
import { ScrollRegion } from '../../../ui/ScrollRegion.tsx';
import { columnHeader, columnWords } from '../model/columns.ts';
import { FIRST_DESK } from '../model/desk.ts';
import { CHOICES, listedColumns, moved, shownColumns, toggled } from '../model/table-views.ts';
import { SavedViews } from './SavedViews.tsx';
import type { Desk } from './use-desk.ts';
import type { RowFigures } from './use-row-figures.ts';

export interface ColumnChooserProps {
  readonly batch: BatchDetail;
  /** Columns that the table has. */
  readonly available: readonly string[];
  readonly desk: Desk;
  /** Null: no rows can be run again now. */
  readonly figures: RowFigures | null;
  readonly onApply: (view: ViewContent, name: string) => void;
  readonly trigger: ReactElement;
}

/** Which columns the table shows and in which order, and views of them kept under names. */
export function ColumnChooser({
  available,
  batch,
  desk,
  figures,
  onApply,
  trigger,
  isOpenAtOnce,
}: ColumnChooserProps & { isOpenAtOnce: boolean }) {
  const [open, setOpen] = useState(isOpenAtOnce);
  const list = useRef<HTMLUListElement>(null);
  /** What was moved last, and which button keeps the focus. */
  const [last, setLast] = useState<{ readonly column: string; readonly by: -1 | 1 } | null>(null);
  const { columns } = desk.desk;
  const listing = listedColumns(columns, available);
  const shown = shownColumns(columns, available);
  const headerOf = (column: string) => columnHeader(column, batch.out_of_sample !== null);
  useEffect(() => {
    // The browser takes the focus from what is moved within the page.
    if (last)
      list.current
        ?.querySelector<HTMLElement>(`[data-move="${CSS.escape(last.column)}:${last.by}"]`)
        ?.focus();
  }, [last]);
  const move = (column: string, by: -1 | 1) => {
    desk.setColumns(moved(columns, column, by, available));
    setLast({ column, by });
  };
  return (
    <Popover
      title="Columns of the table"
      open={open}
      onOpenChange={setOpen}
      trigger={trigger}
      className="w-84 max-w-[calc(100vw-1rem)]"
    >
      {/* Cut through the middle of a line, so that one sees that there are more. */}
      <ScrollRegion label="Columns" className="max-h-[18.9rem] overflow-y-auto">
        <ul ref={list} className="flex flex-col gap-1 pr-2">
          {listing.map((column) => (
            <li key={column} className="flex min-h-7 items-center gap-1">
              <label className="flex min-h-6 min-w-0 flex-1 cursor-pointer items-center gap-2 text-sm">
                <input
                  type="checkbox"
                  className="size-4 shrink-0 accent-(--brand)"
                  checked={shown.includes(column)}
                  // Rows are told apart by their variables, which are always shown.
                  disabled={!CHOICES.includes(column)}
                  onChange={() => desk.setColumns(toggled(columns, column, listing))}
                />
                <span className="min-w-0 break-words">{headerOf(column)}</span>
              </label>
              {shown.includes(column) &&
                ([-1, 1] as const).map((by) => (
                  <IconButton
                    key={by}
                    icon={by === -1 ? ArrowUp : ArrowDown}
                    size="sm"
                    data-move={`${column}:${by}`}
                    label={`Move ${headerOf(column)} ${by === -1 ? 'to the left' : 'to the right'}`}
                    onClick={() => move(column, by)}
                  />
                ))}
              <Explained column={column} />
            </li>
          ))}
        </ul>
      </ScrollRegion>
      <p role="status" className="sr-only">
        {last && `${headerOf(last.column)} is column ${shown.indexOf(last.column) + 1} of ${shown.length}`}
      </p>
      <Button size="sm" className="mt-2" onClick={() => desk.setColumns(FIRST_DESK.columns)}>
        As at first
      </Button>
      {figures && <ComputedFigures figures={figures} />}
      <SavedViews
        desk={desk.desk}
        available={available}
        onApply={(view, name) => {
          onApply(view, name);
          setOpen(false);
        }}
      />
    </Popover>
  );
}

/** Figures that are not stored, on their way into the table. */
function ComputedFigures({ figures: { offer, isPending, compute } }: { figures: RowFigures }) {
  return (
    <section aria-label="Computed when asked for" className="mt-3 flex flex-col items-start gap-2">
      <p className="text-sm text-muted">
        Expected shortfall and exposure are not stored: rows are run again for them. The table is not sorted
        by them, and downloads are without them.
      </p>
      {offer ? (
        <Button size="sm" isBusy={isPending} onClick={() => compute(offer.combinations)}>
          {offer.words}
        </Button>
      ) : (
        <p className="text-sm text-muted">All rows of this page have them.</p>
      )}
    </section>
  );
}

/** A link to what the guide says about a column; room for it where there is none. */
function Explained({ column }: { column: string }) {
  const address = conceptAddressOf(column);
  return address ? (
    <a
      href={address}
      target="_blank"
      rel="noopener"
      aria-label="Explained in the guide"
      aria-description={columnWords(column).label}
      className="inline-flex size-6 shrink-0 items-center justify-center rounded-sm text-muted hover:text-ink"
    >
      <CircleHelp size={14} aria-hidden />
    </a>
  ) : (
    <span className="size-6 shrink-0" />
  );
}
