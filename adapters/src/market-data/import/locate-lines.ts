import { type InputFile, openText } from './inputs.ts';

/** A row that could not be split into its columns. */
export interface MalformedRow {
  readonly line: number;
  readonly text: string;
}

export interface LocatedLines {
  /** Row number (from 1, among the well-formed rows) to the line it starts on. */
  readonly lines: ReadonlyMap<number, number>;
  readonly malformed: readonly MalformedRow[];
  /** Well-formed rows in all. */
  readonly rows: number;
}

/**
 * Walks a CSV file as its parser does (quotes, empty lines, rows of too many columns are left out) and tells
 * on which line the wanted rows start. Only done for files with something to report: it is slower than the
 * import itself.
 */
export async function locateLines(
  file: Pick<InputFile, 'path' | 'packing'>,
  dialect: { readonly delimiter: string; readonly columns: number; readonly headerLines: number },
  wanted: ReadonlySet<number>,
): Promise<LocatedLines> {
  const stream = openText(file);
  const lines = new Map<number, number>();
  const malformed: MalformedRow[] = [];
  let rows = 0;
  const records = new RecordSplitter(dialect.delimiter, (record) => {
    if (record.line <= dialect.headerLines) return;
    if (record.fields > dialect.columns || !record.isClosed) {
      malformed.push({ line: record.line, text: record.text });
      return;
    }
    rows++;
    if (wanted.has(rows)) lines.set(rows, record.line);
  });
  stream.setEncoding('utf8');
  for await (const part of stream) records.push(part as string);
  records.end();
  return { lines, malformed, rows };
}

interface CsvRecord {
  readonly line: number;
  readonly fields: number;
  /** False where the file ends inside quotes. */
  readonly isClosed: boolean;
  /** The first 200 characters. */
  readonly text: string;
}

class RecordSplitter {
  readonly #delimiter: string;
  readonly #emit: (record: CsvRecord) => void;
  #line = 1;
  #startLine = 1;
  #fields = 1;
  #length = 0;
  #text = '';
  #isQuoted = false;
  #lastWasReturn = false;

  constructor(delimiter: string, emit: (record: CsvRecord) => void) {
    this.#delimiter = delimiter;
    this.#emit = emit;
  }

  push(part: string): void {
    for (const character of part) {
      const isNewline = character === '\n' || character === '\r';
      const isSecondHalf = character === '\n' && this.#lastWasReturn;
      this.#lastWasReturn = character === '\r';
      if (isSecondHalf) continue;
      if (isNewline && !this.#isQuoted) {
        this.#line++;
        this.#finish();
        continue;
      }
      if (isNewline) this.#line++;
      if (character === '"') this.#isQuoted = !this.#isQuoted;
      else if (character === this.#delimiter && !this.#isQuoted) this.#fields++;
      this.#length++;
      if (this.#length <= 200) this.#text += character;
    }
  }

  end(): void {
    this.#finish();
  }

  #finish(): void {
    if (this.#length > 0)
      this.#emit({
        line: this.#startLine,
        fields: this.#fields,
        isClosed: !this.#isQuoted,
        text: this.#text,
      });
    this.#startLine = this.#line;
    this.#fields = 1;
    this.#length = 0;
    this.#text = '';
  }
}
