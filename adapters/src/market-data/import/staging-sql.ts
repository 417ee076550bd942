import type { Shape } from './column-plan.ts';
import { dateSql } from './dates.ts';
import { numberSql } from './numbers.ts';
import type { StagedFile } from './staged-file.ts';

/** Stands between a ticker and its exchange. */
export const EXCHANGE_MARK = '\u001F';

/** Texts that stand for no price. */
const MISSING = ['', 'nan', 'na', 'n/a', '#n/a', 'null', 'none', '-', '.'];

/**
 * Whether a text stands for no price. No `IN`: DuckDB makes a join of a long one, which keeps neither the
 * order of rows nor memory.
 */
function isMissingSql(raw: string): string {
  return `list_contains([${MISSING.map(text).join(', ')}], lower(trim(${raw})))`;
}

/**
 * Puts the rows of a file into `staged`. All work on a row stands below the row number, which is counted by
 * one thread: what stands above it would be done by that one too.
 */
export function insertSql(
  file: StagedFile,
  fileIndex: number,
  today: number,
  parallel: boolean,
  keepsOthers: boolean,
): string {
  const isNumbered = isNumberedBelow(file);
  return `INSERT INTO staged
    SELECT ${fileIndex}, ${isNumbered ? 'n' : 'row_number() OVER ()'}, * EXCLUDE (n)
    FROM (SELECT n, raw_ticker, day, price, reason,
      CASE WHEN reason IS NOT NULL THEN raw_date END AS raw_date,
      CASE WHEN reason IS NOT NULL THEN raw_price END AS raw_price, name${keepsOthers ? `, ${othersSql(file)}` : ''}
    FROM (SELECT * EXCLUDE (period), CASE
          -- Spreadsheets end in rows of empty cells. Inside, so that good rows are not asked.
          WHEN day IS NULL THEN CASE WHEN trim(coalesce(raw_date, '') || coalesce(raw_price, '')) = '' THEN 'missing_price' ELSE 'bad_date' END
          WHEN period IS NOT NULL AND trim(period) <> 'D' THEN 'not_daily'
          -- 1970-01-01 was a Thursday; 0 is Sunday.
          WHEN (day + 25200004) % 7 IN (0, 6) THEN 'weekend'
          WHEN day > ${today} THEN 'in_the_future'
          WHEN price IS NULL AND (raw_price IS NULL OR ${isMissingSql('raw_price')}) THEN 'missing_price'
          WHEN isnan(price) THEN 'missing_price'
          WHEN price IS NULL OR NOT isfinite(price) THEN 'bad_price'
          WHEN price <= 0 THEN 'non_positive_price'
        END AS reason
      FROM (SELECT *, CAST(${dateSql(file.dateForm, 'raw_date')} - DATE '1970-01-01' AS INTEGER) AS day,
          ${numberSql(file.numberForm, 'raw_price')} AS price
        FROM (${rowsSql(file, parallel)}))))`;
}

/**
 * The other closes and the split factor of a row, NULL where they are none. A close that is not written as
 * the adjusted ones are is 1,002.50 beside 999.50.
 */
function othersSql({ numberForm, plan }: StagedFile): string {
  if (!plan.further) return 'NULL AS other, NULL AS split';
  const close =
    numberForm === 'plain'
      ? `coalesce(${numberSql('plain', 'raw_other')}, ${numberSql('point', 'raw_other')})`
      : numberSql(numberForm, 'raw_other');
  return (
    `CASE WHEN isfinite(${close}) AND ${close} > 0 THEN ${close} END AS other, ` +
    `${numberSql(numberForm, 'raw_split')} AS split`
  );
}

/**
 * Rows of (n, raw_ticker, raw_date, raw_price, raw_other, raw_split, name, period) as texts; `n` is 0 where
 * the row is numbered later.
 */
export function rowsSql(file: StagedFile, parallel: boolean): string {
  const { shape, name, period, further } = file.plan;
  const rowNumber = file.kind === 'parquet' ? 'file_row_number + 1' : '0';
  const source = sourceSql(file, parallel);
  if (shape.kind === 'wide') {
    const prices = shape.prices.map(
      ({ column, ticker }) => `${columnSql(file, column)} AS ${identifier(ticker)}`,
    );
    const others = further?.columns.map((column, i) => `${columnSql(file, column)} AS "#o${i}"`) ?? [];
    const tickers = shape.prices.map(({ ticker }, i) =>
      further ? `(${identifier(ticker)}, "#o${i}") AS ${identifier(ticker)}` : identifier(ticker),
    );
    // Days before a listing are empty cells: no rows at all.
    return `SELECT "#n" AS n, raw_ticker, "#date" AS raw_date, raw_price, ${further ? 'raw_other' : 'CAST(NULL AS VARCHAR) AS raw_other'}, CAST(NULL AS VARCHAR) AS raw_split, NULL AS name, NULL AS period
      FROM (UNPIVOT (SELECT ${file.kind === 'parquet' ? rowNumber : 'row_number() OVER ()'} AS "#n", ${columnSql(file, file.plan.date)} AS "#date", ${[...prices, ...others].join(', ')} FROM ${source})
        ON ${tickers.join(', ')} INTO NAME raw_ticker VALUE raw_price${further ? ', raw_other' : ''})
      WHERE NOT ${isMissingSql('raw_price')}`;
  }
  return `SELECT ${rowNumber} AS n, ${tickerSql(file, shape)} AS raw_ticker, ${columnSql(file, file.plan.date)} AS raw_date,
    ${columnSql(file, shape.price)} AS raw_price,
    ${further ? columnSql(file, further.columns[0] as number) : 'CAST(NULL AS VARCHAR)'} AS raw_other,
    ${further && further.splitFactor !== null ? columnSql(file, further.splitFactor) : 'CAST(NULL AS VARCHAR)'} AS raw_split,
    ${name === null ? 'NULL' : `nullif(trim(${columnSql(file, name)}), '')`} AS name,
    ${period === null ? 'NULL' : columnSql(file, period)} AS period
    FROM ${source}`;
}

/** The ticker of a row, with its exchange where a column tells it. */
export function tickerSql(file: StagedFile, shape: Exclude<Shape, { kind: 'wide' }>): string {
  if (shape.kind === 'single') return text(shape.ticker);
  const ticker = columnSql(file, shape.ticker);
  if (shape.exchange === null) return ticker;
  return `${ticker} || ${text(EXCHANGE_MARK)} || coalesce(${columnSql(file, shape.exchange)}, '')`;
}

/** Whether rows get their number where they are read, and not behind all work on them. */
function isNumberedBelow(file: StagedFile): boolean {
  return file.kind === 'parquet' || file.plan.shape.kind === 'wide';
}

/** A column of the file as a text. */
export function columnSql(file: StagedFile, column: number): string {
  if (file.kind === 'parquet') return `CAST(${identifier(file.plan.headers[column] ?? '')} AS VARCHAR)`;
  return `c${column}`;
}

export function sourceSql(file: StagedFile, parallel: boolean): string {
  if (file.kind === 'parquet') return `read_parquet(${text(file.path)}, file_row_number = true)`;
  const columns = Array.from({ length: file.plan.columnCount }, (_, i) => `'c${i}': 'VARCHAR'`).join(', ');
  return `read_csv(${text(file.path)}, auto_detect = false, header = false, skip = ${file.plan.headerLines}, delim = ${text(file.delimiter)}, quote = '"', escape = '"',
    columns = {${columns}}, null_padding = true, store_rejects = true, rejects_limit = 0, parallel = ${parallel})`;
}

/** An SQL string literal. DuckDB knows no escapes in it but the doubled quote. */
export function text(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
