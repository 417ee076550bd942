import { X } from 'lucide-react';
import { Button } from '../../../ui/Button.tsx';
import { type ColumnFilter, filterText } from '../model/filters.ts';

/** The filters that are on, each removed by a click. */
export function FilterChips({
  filters,
  onChange,
}: {
  filters: readonly ColumnFilter[];
  onChange: (filters: readonly ColumnFilter[]) => void;
}) {
  return (
    <>
      {filters.map((filter) => (
        <button
          key={`${filter.column}:${filter.op}:${filter.text}`}
          type="button"
          aria-label={`Remove the filter ${filterText(filter)}`}
          onClick={() => onChange(filters.filter((one) => one !== filter))}
          className="num flex h-7 shrink-0 items-center gap-1 rounded bg-selected px-2 text-sm hover:bg-hover"
        >
          {filterText(filter)} <X size={13} aria-hidden />
        </button>
      ))}
      {filters.length > 1 && (
        <Button size="sm" variant="ghost" className="shrink-0" onClick={() => onChange([])}>
          Clear all
        </Button>
      )}
    </>
  );
}
