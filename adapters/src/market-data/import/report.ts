import { formatDay } from '@quantloom/domain/market-data/day';
import {
  countBy,
  type ImportedFile,
  type ImportReport,
  MAX_LISTED,
  type RejectedRow,
  type RejectReason,
  type SeriesChange,
  type SeriesFlag,
} from '@quantloom/domain/market-data/import-report';
import type { FurtherBasis } from '@quantloom/domain/market-data/price-basis';
import { EACH_TICKER } from './columns.ts';
import { locateLines } from './locate-lines.ts';
import type { PlannedFiles } from './plan-files.ts';
import { basisInWords } from './settle-series.ts';
import type { StagedFile } from './staged-file.ts';
import type { StagedReject, Staging } from './staging.ts';

export interface FileCounts {
  /** Prices that the file has, and rows that are none. */
  readonly rows: number;
  readonly malformed: number;
  duplicates: number;
  conflicts: number;
}

export interface ReportParts {
  readonly staging: Staging;
  readonly version: string;
  readonly now: Date;
  readonly source: string;
  readonly startedAt: number;
  readonly files: readonly StagedFile[];
  readonly counts: readonly FileCounts[];
  readonly doubles: readonly StagedReject[];
  readonly planned: PlannedFiles;
  readonly rows: number;
  readonly tickers: number;
  readonly keptTickers: number;
  readonly firstDay: number | null;
  readonly flags: readonly SeriesFlag[];
  readonly base: string | null;
  readonly changes: readonly SeriesChange[];
  /** Tickers that have closes on another basis beside their adjusted ones. */
  readonly bases: ReadonlyMap<FurtherBasis, number>;
  /** Whether the first rows of the first files are told. */
  readonly withSamples: boolean;
}

/** Renamed tickers and files left out that notes list one by one. */
const NOTED = 50;
const SAMPLED = 20;
const SAMPLED_COLUMNS = 12;

/** The report of an import; `lastDay` is that of the imported series. */
export async function buildReport(parts: ReportParts): Promise<ImportReport> {
  const { staging, files, counts, flags } = parts;
  const reasons: { fileIndex: number; reason: string; count: number }[] = await staging.rejectCounts();
  for (const [fileIndex, { malformed, duplicates, conflicts }] of counts.entries()) {
    if (duplicates > 0) reasons.push({ fileIndex, reason: 'duplicate_day', count: duplicates });
    if (conflicts > 0) reasons.push({ fileIndex, reason: 'conflicting_price', count: conflicts });
    if (malformed > 0) reasons.push({ fileIndex, reason: 'malformed_row', count: malformed });
  }
  const rejected = await locate(parts, [...(await staging.rejects(MAX_LISTED)), ...parts.doubles]);
  const rejectedByReason: Record<string, number> = {};
  for (const { reason, count } of reasons) rejectedByReason[reason] = (rejectedByReason[reason] ?? 0) + count;
  const rejectedIn = new Map<number, number>();
  for (const { fileIndex, count } of reasons)
    rejectedIn.set(fileIndex, (rejectedIn.get(fileIndex) ?? 0) + count);
  const lastDay = await staging.lastDay();
  return {
    version: parts.version,
    createdAt: parts.now.toISOString(),
    source: parts.source,
    seconds: Math.round(performance.now() - parts.startedAt) / 1000,
    files: files.map(
      (file, index): ImportedFile => ({
        file: file.name,
        rows: counts[index]?.rows ?? 0,
        rejected: rejectedIn.get(index) ?? 0,
        priceColumn: file.plan.priceColumn,
        form: file.plan.form,
        ...(parts.withSamples &&
          index < SAMPLED && {
            sample: [file.plan.headers, ...file.sample].map((cells) => cells.slice(0, SAMPLED_COLUMNS)),
          }),
      }),
    ),
    rows: parts.rows,
    tickers: parts.tickers,
    keptTickers: parts.keptTickers,
    firstDay: parts.firstDay === null ? null : formatDay(parts.firstDay),
    lastDay: lastDay === null ? null : formatDay(lastDay),
    rejectedRows: Object.values(rejectedByReason).reduce((sum, count) => sum + count, 0),
    rejectedByReason,
    rejected: rejected.slice(0, MAX_LISTED),
    flagCount: flags.length,
    flagsByKind: countBy(flags, ({ kind }) => kind),
    flags: flags.slice(0, MAX_LISTED),
    notes: notesOf(parts),
    base: parts.base,
    series: [...parts.changes],
  };
}

function columnInWords(priceColumn: string): string {
  return priceColumn === EACH_TICKER ? 'columns named like tickers' : `a column named ${priceColumn}`;
}

function notesOf({ files, planned, staging, bases }: ReportParts): string[] {
  const notes: string[] = [...planned.notes];
  const unadjusted = files.filter(({ plan }) => plan.adjustment === 'unknown');
  const [first] = unadjusted;
  if (first)
    notes.push(
      `The prices of ${unadjusted.length === 1 ? first.name : `${unadjusted.length} files`} come ` +
        `from ${columnInWords(first.plan.priceColumn)}: nothing says whether they are adjusted for ` +
        'splits and dividends',
    );
  const raw = files.filter(({ plan }) => plan.adjustment === 'none');
  if (raw[0])
    notes.push(
      `The prices of ${raw.length === 1 ? raw[0].name : `${raw.length} files`} are not adjusted: ` +
        'splits and dividends look like losses',
    );
  for (const [basis, count] of bases)
    notes.push(
      `Closes that are ${basisInWords(basis)} are kept beside the adjusted ones for ${count} ` +
        `${count === 1 ? 'ticker' : 'tickers'}: decisions can be read from them`,
    );
  for (const { from, to } of staging.renamed.slice(0, NOTED)) notes.push(`${from} is stored as ${to}`);
  if (staging.renamed.length > NOTED)
    notes.push(`${staging.renamed.length - NOTED} more tickers are stored under another spelling`);
  for (const { name, reason } of planned.leftOut.slice(0, NOTED))
    notes.push(`${name} was left out: ${reason}`);
  if (planned.leftOut.length > NOTED)
    notes.push(`${planned.leftOut.length - NOTED} more files were left out`);
  return notes;
}

/** Puts the line in the file beside each rejected row, and adds the rows that were no rows. */
async function locate(
  { files, counts }: ReportParts,
  rejects: readonly StagedReject[],
): Promise<RejectedRow[]> {
  const located: RejectedRow[] = [];
  const byFile = Map.groupBy(rejects, ({ fileIndex }) => fileIndex);
  for (const [index, file] of files.entries()) {
    const ofFile = byFile.get(index) ?? [];
    const { malformed = 0, rows = 0 } = counts[index] ?? {};
    if (ofFile.length === 0 && malformed === 0) continue;
    const { name, plan } = file;
    let lineOf = (row: number): number | null => row;
    if (file.kind === 'csv') {
      const found = await locateLines(
        file,
        { delimiter: file.delimiter, columns: plan.columnCount, headerLines: plan.headerLines },
        new Set(ofFile.map(({ row }) => row)),
      );
      // Where the walk and the parser see different rows, no line is better than a wrong one.
      const agrees = plan.shape.kind === 'wide' ? malformed === 0 : found.rows === rows - malformed;
      lineOf = (row) => (agrees ? (found.lines.get(row) ?? null) : null);
      for (const { line, text } of found.malformed)
        located.push({ file: name, line, reason: 'malformed_row', ticker: '', date: '', price: text });
    }
    for (const { row, reason, ticker, date, price } of ofFile)
      located.push({ file: name, line: lineOf(row), reason: reason as RejectReason, ticker, date, price });
  }
  return located.sort((a, b) =>
    a.file === b.file ? (a.line ?? 0) - (b.line ?? 0) : a.file < b.file ? -1 : 1,
  );
}
