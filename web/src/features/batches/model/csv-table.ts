import Papa from 'papaparse';

/** Text that is no CSV table. */
export class CsvError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CsvError';
  }
}

type Cell = string | number | null;

function cellOf(text: string): Cell {
  if (text === '') return null;
  const number = Number(text);
  return text.trim() !== '' && Number.isFinite(number) ? number : text;
}

/**
 * A table whose first row holds the column headers; cells that read as numbers are numbers. @throws CsvError
 * for rows of another width.
 */
export function parseCsv(text: string): {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
} {
  // A byte order mark is taken away by the parser.
  const { data, errors } = Papa.parse<string[]>(text, { delimiter: ',', skipEmptyLines: true });
  if (errors[0]) throw new CsvError(errors[0].message);
  const [columns = [], ...records] = data;
  const strange = records.findIndex((record) => record.length !== columns.length);
  if (strange !== -1)
    throw new CsvError(
      `Row ${strange + 2} has ${records[strange]?.length} cells, the header ${columns.length}`,
    );
  return { columns, rows: records.map((record) => record.map(cellOf)) };
}
