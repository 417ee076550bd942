import { conceptAddressOf } from '@quantloom/domain/contracts/metric-concepts';
import { CircleHelp, X } from 'lucide-react';
import { useState } from 'react';
import { Button, IconButton } from '../../../ui/Button.tsx';
import { Popover } from '../../../ui/Popover.tsx';
import { ScrollRegion } from '../../../ui/ScrollRegion.tsx';
import { TextField } from '../../../ui/text-inputs.tsx';
import { columnHeader, columnWords } from '../model/columns.ts';
import {
  CHOICES,
  DEFAULT_COLUMNS,
  keepViews,
  MAX_VIEW_NAME,
  toggled,
  useTableViews,
  withView,
} from '../model/table-views.ts';
import type { ColumnChooserProps } from './ResultsToolbar.tsx';

/** Which columns the table shows, and selections of them kept under a name. */
export function ColumnChooser({
  available,
  hasOutOfSample,
  trigger,
  isOpenAtOnce,
}: ColumnChooserProps & { isOpenAtOnce: boolean }) {
  const [open, setOpen] = useState(isOpenAtOnce);
  const [name, setName] = useState('');
  const views = useTableViews();
  const wanted = name.trim();
  return (
    <Popover title="Columns of the table" open={open} onOpenChange={setOpen} trigger={trigger}>
      <ScrollRegion label="Columns" className="max-h-72 overflow-y-auto">
        <ul className="flex flex-col gap-1 pr-2">
          {CHOICES.filter((column) => available.includes(column)).map((column) => (
            <li key={column} className="flex items-center justify-between gap-3">
              <label className="flex min-h-6 cursor-pointer items-center gap-2 text-sm">
                <input
                  type="checkbox"
                  className="size-4 accent-(--brand)"
                  checked={views.columns.includes(column)}
                  onChange={() => keepViews(toggled(views, column))}
                />
                {columnHeader(column, hasOutOfSample)}
              </label>
              <Explained column={column} />
            </li>
          ))}
        </ul>
      </ScrollRegion>
      <Button size="sm" className="mt-2" onClick={() => keepViews({ ...views, columns: DEFAULT_COLUMNS })}>
        As at first
      </Button>
      {views.saved.length > 0 && (
        <ul aria-label="Saved views" className="mt-3 flex flex-col gap-1 border-t border-line pt-2">
          {views.saved.map((view) => (
            <li key={view.name} className="flex items-center justify-between gap-2">
              <button
                type="button"
                className="min-h-6 min-w-0 truncate text-left text-sm hover:underline"
                onClick={() => keepViews({ ...views, columns: view.columns })}
              >
                {view.name}
              </button>
              <IconButton
                icon={X}
                size="sm"
                label={`Forget the view ${view.name}`}
                onClick={() => keepViews({ ...views, saved: views.saved.filter((one) => one !== view) })}
              />
            </li>
          ))}
        </ul>
      )}
      <form
        className="mt-3 flex items-end gap-2 border-t border-line pt-2"
        onSubmit={(event) => {
          event.preventDefault();
          if (wanted === '') return;
          keepViews(withView(views, wanted.slice(0, MAX_VIEW_NAME)));
          setName('');
        }}
      >
        <TextField label="Save as view" value={name} onChange={setName} />
        <Button type="submit" disabled={wanted === ''}>
          Save
        </Button>
      </form>
    </Popover>
  );
}

/** A link to what the guide says about a column; nothing for a variable. */
function Explained({ column }: { column: string }) {
  const address = conceptAddressOf(column);
  return (
    address && (
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
    )
  );
}
