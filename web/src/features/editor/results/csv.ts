import { unparse } from 'papaparse';

/** Saves rows as a CSV file; cells that a spreadsheet would run as a formula get a leading apostrophe. */
export function downloadCsv(
  fileName: string,
  columns: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
): void {
  const text = unparse({ fields: [...columns], data: rows.map((row) => [...row]) }, { escapeFormulae: true });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(link.href);
}
