import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { createInterface } from 'node:readline';
import {
  type Observations,
  SERIES_PREFIX,
  seriesName,
  usualLag,
  withLag,
} from '@quantloom/domain/market-data/condition-series';
import { dayOf, parseDay } from '@quantloom/domain/market-data/day';
import { MAX_BAD_SHARE } from '@quantloom/domain/market-data/import-report';
import { MarketDataError } from '../files/market-data-error.ts';
import { type CsvHead, readCsvHead, splitLine } from './csv-head.ts';
import { type DateOrder, dateForm, decideOrder, looksLikeDate } from './dates.ts';
import { type InputFile, openText } from './inputs.ts';

export interface SeriesFileOptions {
  /**
   * The name that the user gives the one file of the import (`@VIXCLS`): any CSV with a column of dates and
   * one of numbers.
   */
  readonly series?: string | undefined;
  /** Publication lag in calendar days; default by how far the observations are apart. */
  readonly lagDays?: number | undefined;
  readonly dates?: DateOrder | undefined;
  readonly decimal?: 'point' | 'comma' | undefined;
  /** Whether a ticker has prices: a column of FRED's form that is called SPY is a fund. */
  readonly isKnown: (ticker: string) => boolean;
}

/** A series for conditions as an import brings it. */
export interface IncomingSeries {
  readonly name: string;
  readonly title: string;
  readonly source: string;
  readonly lagDays: number;
  readonly hasVintages: boolean;
  readonly observations: Observations;
}

/** Of minutes would be more, but those are no series of days. */
const MOST_ROWS = 500_000;
const MISSING = new Set(['', '.', 'na', 'n/a', '#n/a', 'nan', 'null', 'none', '-']);
const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

/**
 * The series of a file that holds no prices: FRED's download (`observation_date,VIXCLS`, before 2024
 * `DATE,VIXCLS`), or what the user calls one. Null for a file of another form. Throws `import_refused` where
 * the user calls something a series that is none.
 */
export async function readSeriesFile(
  input: InputFile,
  options: SeriesFileOptions,
): Promise<readonly IncomingSeries[] | null> {
  const isTold = options.series !== undefined;
  if (input.kind !== 'csv') {
    if (isTold) throw refused(input, 'a series is read from a CSV file');
    return null;
  }
  if (!isTold && !(await mayBeFred(input))) return null;
  const head = await readCsvHead(input.name, () => openText(input)).catch((cause: unknown) => {
    // Whoever reads it as prices says what is wrong with it.
    if (isTold) throw cause;
    return null;
  });
  const columns =
    head === null ? null : isTold ? toldColumns(input, head, options) : fredColumns(input, head, options);
  if (head === null || columns === null) return null;
  const rows = await readRows(input, head);
  return columns.values.map(({ column, name }) =>
    seriesOf(input, head, rows, columns.date, column, name, options),
  );
}

/** Whether a file begins as FRED's do: most do not, and need not be read for it. */
async function mayBeFred(input: InputFile): Promise<boolean> {
  if (input.packing !== 'none') return true;
  await using file = await open(input.path, 'r');
  const { buffer, bytesRead } = await file.read(Buffer.alloc(64), 0, 64, 0);
  return /^(?:observation_date|DATE)\W/.test(
    buffer.toString('utf8', 0, bytesRead).replace(/^[\uFEFF\s"]+/, ''),
  );
}

interface SeriesColumns {
  readonly date: number;
  readonly values: readonly { readonly column: number; readonly name: string }[];
}

function fredColumns(
  input: InputFile,
  { headerRows, sample }: CsvHead,
  { isKnown }: SeriesFileOptions,
): SeriesColumns | null {
  const [header] = headerRows;
  const [first, ...ids] = header?.cells ?? [];
  if (headerRows.length !== 1 || ids.length === 0 || !ids.every((id) => /^[A-Z][A-Z0-9_]*$/.test(id)))
    return null;
  const stem = basename(input.name)
    .replace(/\..*$/, '')
    .replace(/ \(\d+\)$/, '');
  // FRED writes a full stop for a day without a value, and names the file for the series.
  const isFredOfBefore =
    first === 'DATE' &&
    ids.length === 1 &&
    !isKnown(ids[0] ?? '') &&
    (stem === ids[0] || sample.some(([, value]) => value === '.'));
  if (first !== 'observation_date' && !isFredOfBefore) return null;
  return {
    date: 0,
    values: ids.map((id, i) => ({ column: i + 1, name: nameOf(input, `${SERIES_PREFIX}${id}`) })),
  };
}

function toldColumns(input: InputFile, head: CsvHead, { series = '' }: SeriesFileOptions): SeriesColumns {
  const name = nameOf(input, series.startsWith(SERIES_PREFIX) ? series : `${SERIES_PREFIX}${series}`);
  const cells = head.headerRows.at(-1)?.cells ?? [];
  const [row = []] = head.sample;
  const date = row.findIndex((cell) => looksLikeDate(cell) || isMonth(cell));
  if (date < 0) throw refused(input, 'it has no column of dates');
  const isNumber = (column: number) =>
    head.sample
      .slice(0, 20)
      .every(
        (line) =>
          /^[-+]?[\d.,]+(?:e[-+]?\d+)?%?$/i.test(line[column] ?? '') ||
          MISSING.has((line[column] ?? '').toLowerCase()),
      );
  const numbers = [...row.keys()].filter((column) => column !== date && isNumber(column));
  const named = numbers.filter((column) =>
    /^(?:value|close|price|adj[ ._]?close|rate|index)$/i.test(cells[column] ?? ''),
  );
  const [column, ...others] = named.length === 1 ? named : numbers;
  if (column === undefined) throw refused(input, 'it has no column of numbers');
  if (others.length > 0)
    throw refused(
      input,
      'it has several columns of numbers ' +
        `(${numbers.map((i) => cells[i] || `number ${i + 1}`).join(', ')}); leave the one that the ` +
        'series is, or call it value',
    );
  return { date, values: [{ column, name }] };
}

function nameOf(input: InputFile, text: string): string {
  const name = seriesName(text);
  if (name === null)
    throw refused(
      input,
      `${JSON.stringify(text)} is no name of a series (@ and up to 19 letters, digits, - and _)`,
    );
  return name;
}

async function readRows(input: InputFile, { headerRows, delimiter }: CsvHead): Promise<string[][]> {
  const rows: string[][] = [];
  const skip = headerRows.at(-1)?.lines ?? 0;
  let line = 0;
  for await (const text of createInterface({ input: openText(input), crlfDelay: Number.POSITIVE_INFINITY }))
    if (++line > skip && text.trim() !== '' && !text.startsWith('#')) {
      rows.push(splitLine(text, delimiter));
      if (rows.length > MOST_ROWS) throw refused(input, `a series has at most ${MOST_ROWS} rows`);
    }
  return rows;
}

function seriesOf(
  input: InputFile,
  head: CsvHead,
  rows: readonly (readonly string[])[],
  date: number,
  column: number,
  name: string,
  { lagDays, dates, decimal }: SeriesFileOptions,
): IncomingSeries {
  const texts = rows.map((cells) => cells[date] ?? '');
  const toDay = dayReader(input, texts, dates);
  const hasComma = decimal === 'comma' || (decimal === undefined && head.delimiter === ';');
  const days: number[] = [];
  const values: number[] = [];
  let bad = 0;
  for (const [i, cells] of rows.entries()) {
    const text = (cells[column] ?? '').trim();
    if (MISSING.has(text.toLowerCase())) continue;
    const day = toDay(texts[i] ?? '');
    const value = Number((hasComma ? text.replaceAll('.', '').replace(',', '.') : text).replace(/%$/, ''));
    if (day === null || !Number.isFinite(value)) bad++;
    else {
      days.push(day);
      values.push(value);
    }
  }
  if (days.length === 0) throw refused(input, `it holds no value of ${name}`);
  if (bad > rows.length * MAX_BAD_SHARE)
    throw refused(input, `${bad} of its ${rows.length} rows hold no date or no number`);
  const lag = lagDays ?? usualLag(Int32Array.from(new Set(days)).sort());
  return {
    name,
    title: name.slice(SERIES_PREFIX.length),
    source: basename(input.name),
    lagDays: lag,
    hasVintages: false,
    observations: withLag(days, values, lag),
  };
}

function isMonth(text: string): boolean {
  return /^\d{4}-\d{2}$/.test(text.trim());
}

/** Reads dates of the forms that series come in; one form for the whole file. */
function dayReader(
  input: InputFile,
  texts: readonly string[],
  told: DateOrder | undefined,
): (text: string) => number | null {
  if (texts.some(isMonth)) return (text) => (isMonth(text) ? parseDay(`${text.trim()}-01`) : null);
  const form = dateForm(texts.slice(0, 200));
  switch (form) {
    case 'iso':
    case 'year_first':
      return (text) => parseDay(text.trim().slice(0, 10).replaceAll(/[/.]/g, '-'));
    case 'compact':
      return (text) => parseDay(text.trim().replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3'));
    case 'day_month_name':
    case 'month_name_day':
      return (text) => {
        const [, month = ''] = /([A-Za-z]{3})/.exec(text) ?? [];
        const numbers = text.match(/\d+/g) ?? [];
        return dayFrom(Number(numbers[1]), MONTHS.indexOf(month.toLowerCase()) + 1, Number(numbers[0]));
      };
    case 'numeric': {
      const decided = told ?? decideOrder(new Set(texts), Number.POSITIVE_INFINITY).order;
      if (decided === null)
        throw new MarketDataError(
          'import_refused',
          `${input.name} does not tell whether its dates are day first or month first. Say it with ` +
            '--dates day-first or --dates month-first. Nothing was changed',
          { question: 'dates' },
        );
      return (text) => {
        const [a = 0, b = 0, year = 0] = (text.match(/\d+/g) ?? []).map(Number);
        return decided === 'day_first' ? dayFrom(year, b, a) : dayFrom(year, a, b);
      };
    }
    default:
      throw refused(
        input,
        'the dates of a series are read as 2024-01-31, 20240131, 31.01.2024, 01/31/2024 or 31 Jan 2024',
      );
  }
}

/** A day since 1970, or null where there is none such; two digits of a year are of 1969 to 2068. */
function dayFrom(year: number, month: number, dayOfMonth: number): number | null {
  const whole = year < 100 ? year + (year >= 69 ? 1900 : 2000) : year;
  if (!(month >= 1 && month <= 12 && dayOfMonth >= 1 && dayOfMonth <= 31)) return null;
  return parseDay(`${whole}-${String(month).padStart(2, '0')}-${String(dayOfMonth).padStart(2, '0')}`) ===
    null
    ? null
    : dayOf(whole, month, dayOfMonth);
}

function refused(input: InputFile, what: string): MarketDataError {
  return new MarketDataError('import_refused', `${input.name}: ${what}. Nothing was changed`);
}
