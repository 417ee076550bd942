/** Text that is no CSV table. */
export class CsvError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CsvError';
  }
}

type Cell = string | number | null;

/** Splits CSV text into records (RFC 4180: quoted cells may hold commas, doubled quotes and line breaks). @throws CsvError for a quote that never ends. */
export function splitCsv(text: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  let cell = '';
  let isQuoted = false;
  const endRecord = () => {
    record.push(cell);
    if (record.length > 1 || cell !== '') records.push(record);
    record = [];
    cell = '';
  };
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (isQuoted) {
      if (char !== '"') cell += char;
      else if (text[at + 1] === '"') {
        cell += '"';
        at++;
      } else isQuoted = false;
    } else if (char === '"' && cell === '') isQuoted = true;
    else if (char === ',') {
      record.push(cell);
      cell = '';
    } else if (char === '\n') endRecord();
    else if (char !== '\r') cell += char;
  }
  if (isQuoted) throw new CsvError('A quoted cell never ends');
  endRecord();
  return records;
}

function cellOf(text: string): Cell {
  if (text === '') return null;
  const number = Number(text);
  return text.trim() !== '' && Number.isFinite(number) ? number : text;
}

/** A table whose first row holds the column headers; cells that read as numbers are numbers. @throws CsvError for rows of another width. */
export function parseCsv(text: string): {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
} {
  const [columns = [], ...records] = splitCsv(text.replace(/^\uFEFF/, ''));
  const strange = records.findIndex((record) => record.length !== columns.length);
  if (strange !== -1)
    throw new CsvError(
      `Row ${strange + 2} has ${records[strange]?.length} cells, the header ${columns.length}`,
    );
  return { columns, rows: records.map((record) => record.map(cellOf)) };
}
