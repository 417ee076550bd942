/**
 * Saves rows as a CSV file; cells that a spreadsheet would run as a formula get a leading apostrophe. Rejects when the writer of CSV
 * can't be fetched.
 */
export async function downloadCsv(
  fileName: string,
  columns: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
): Promise<void> {
  const { unparse } = await import('papaparse');
  const text = unparse({ fields: [...columns], data: rows.map((row) => [...row]) }, { escapeFormulae: true });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(link.href);
}
