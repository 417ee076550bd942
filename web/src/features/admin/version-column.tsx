import type { Column } from '../../ui/Table.tsx';

/** Name of a version of the prices; a click shows that version. */
export function versionColumn<Row extends { readonly version: string }>(
  onShow: (row: Row) => void,
): Column<Row> {
  return {
    id: 'version',
    header: 'Version',
    cell: (row) => (
      <button
        type="button"
        onClick={() => onShow(row)}
        className="font-mono text-sm text-accent hover:underline"
      >
        {row.version}
      </button>
    ),
  };
}
