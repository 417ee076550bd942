import { basename } from 'node:path';
import { formatDay } from '@quantloom/domain/market-data/day';
import { DEMO_VERSION, listingDay } from '@quantloom/domain/market-data/demo/demo-data-set';
import {
  countBy,
  type ImportedFile,
  type ImportReport,
  MAX_LISTED,
  type RejectedRow,
  type RejectReason,
  type SeriesFlag,
} from '@quantloom/domain/market-data/import-report';
import { checkSeries } from '@quantloom/domain/market-data/series-checks';
import type { Asset, DataSetManifest } from '@quantloom/domain/ports/market-data';
import { DataSetReader } from '../files/data-set-reader.ts';
import { DataSetWriter } from '../files/data-set-writer.ts';
import { layoutOf, newVersionId, readCurrent } from '../files/layout.ts';
import { takeImportLock } from '../files/lock.ts';
import { MarketDataError } from '../files/market-data-error.ts';
import { publishedVersions } from '../files/market-data-files.ts';
import { nameOfTicker } from './asset-names.ts';
import { planColumns, sniffCsv } from './columns.ts';
import { dateForm } from './dates.ts';
import { locateLines } from './locate-lines.ts';
import { openParquet, type StagedFile, type StagedReject, Staging } from './staging.ts';

export interface ImportProgress {
  readonly stage: 'reading' | 'writing';
  /** 0..1 of the stage. */
  readonly done: number;
  /** The file or ticker at hand. */
  readonly detail: string;
}

export interface ImportOptions {
  readonly dataDir: string;
  /** CSV, CSV.gz or Parquet files; together they make one version. */
  readonly files: readonly string[];
  readonly now: Date;
  /** Start from nothing instead of keeping the other tickers of the current version. */
  readonly replace?: boolean;
  readonly label?: string;
  readonly onProgress?: (progress: ImportProgress) => void;
}

export interface ImportResult {
  readonly manifest: DataSetManifest;
  readonly report: ImportReport;
}

/**
 * Reads files, checks them, and publishes a new version that is current at once. Imported tickers replace whole series; other tickers
 * of the current real version stay. Rejects with `import_refused` (nothing usable, unknown columns) or `import_running`; whatever goes
 * wrong, the published version stays as it is.
 */
export async function importFiles(options: ImportOptions): Promise<ImportResult> {
  const layout = layoutOf(options.dataDir);
  using _lock = takeImportLock(layout);
  // Awaited here: the lock is freed when this function is left.
  return await new Import(options).run();
}

class Import {
  readonly #options: ImportOptions;
  readonly #startedAt = performance.now();
  readonly #files: StagedFile[] = [];
  readonly #rowsPerFile: number[] = [];
  readonly #malformedPerFile: number[] = [];
  /** Rows of a day that its ticker has already. */
  readonly #duplicates: StagedReject[] = [];
  readonly #duplicateCounts = new Map<number, number>();
  readonly #flags: SeriesFlag[] = [];
  #goodRows = 0;
  #firstDay: number | null = null;

  constructor(options: ImportOptions) {
    this.#options = options;
  }

  async run(): Promise<ImportResult> {
    const { now, dataDir } = this.#options;
    const layout = layoutOf(dataDir);
    if (this.#options.files.length === 0)
      throw new MarketDataError('import_refused', 'Name at least one CSV or Parquet file to import');
    for (const path of this.#options.files) this.#files.push(await planFile(path));
    const today = Math.floor(now.getTime() / 86_400_000);
    const current = await readCurrent(layout);
    const base =
      current === null || this.#options.replace || current === DEMO_VERSION
        ? null
        : await DataSetReader.open(layout, current);
    const writer = await DataSetWriter.create(layout, today);
    try {
      await using staging = await Staging.open(layout.work);
      await this.#read(staging, today + 1);
      const lastImported = await staging.lastDay();
      if (lastImported === null) throw await this.#nothingUsable(staging);
      const lastDay = Math.max(lastImported, ...(base?.entries.map(lastDayOf) ?? []));
      await this.#write(staging, writer, base, lastDay);
      const imported = new Set(staging.tickers);
      let kept = 0;
      for (const entry of base?.entries ?? []) {
        if (imported.has(entry.ticker) || !base) continue;
        const series = await base.read(entry);
        await writer.add(entry, series.days, series.closes);
        kept++;
      }
      const version = newVersionId(now, (await publishedVersions(layout)).at(-1) ?? null);
      const report = await this.#report(staging, version, writer, kept);
      const manifest = await writer.publish(
        { version, createdAt: now.toISOString(), label: this.#options.label ?? this.#source() },
        report,
      );
      return { manifest, report };
    } catch (error) {
      await writer.abandon();
      throw error;
    } finally {
      await base?.close();
    }
  }

  #source(): string {
    const names = this.#options.files.map((path) => basename(path));
    return names.length <= 3 ? names.join(', ') : `${names[0]} and ${names.length - 1} more files`;
  }

  #progress(stage: ImportProgress['stage'], done: number, detail: string): void {
    this.#options.onProgress?.({ stage, done: Math.min(1, done), detail });
  }

  async #read(staging: Staging, today: number): Promise<void> {
    const total = this.#files.length;
    for (const [index, file] of this.#files.entries()) {
      const name = basename(file.path);
      this.#progress('reading', index / total, name);
      const timer = setInterval(
        () => this.#progress('reading', (index + (staging.progress() ?? 0)) / total, name),
        200,
      );
      try {
        const { rows, malformed } = await staging.add(file, index, today);
        this.#rowsPerFile.push(rows + malformed);
        this.#malformedPerFile.push(malformed);
      } catch (cause) {
        throw new MarketDataError('import_refused', `${name} cannot be read: ${(cause as Error).message}`, {
          cause,
        });
      } finally {
        clearInterval(timer);
      }
    }
    await staging.settleTickers();
    this.#progress('reading', 1, '');
  }

  async #write(
    staging: Staging,
    writer: DataSetWriter,
    base: DataSetReader | null,
    lastDay: number,
  ): Promise<void> {
    const names = await staging.names();
    let days = new Int32Array(16_384);
    let closes = new Float64Array(16_384);
    let count = 0;
    let ticker = -1;
    const total = staging.tickers.length;
    const finished: { ticker: number; file: number; days: Int32Array; closes: Float64Array }[] = [];
    let file = 0;
    const finish = () => {
      if (count > 0)
        finished.push({ ticker, file, days: days.slice(0, count), closes: closes.slice(0, count) });
      count = 0;
    };
    const store = async () => {
      for (const one of finished.splice(0)) {
        const symbol = staging.tickers[one.ticker] as string;
        const plan = (this.#files[one.file] as StagedFile).plan;
        const facts = {
          ticker: symbol,
          name: names.get(one.ticker) ?? nameOfTicker(symbol, base?.entry(symbol)?.name),
          source: basename((this.#files[one.file] as StagedFile).path),
          adjustment: plan.adjustment,
          isSimulated: false,
        };
        this.#goodRows += one.days.length;
        const first = one.days[0] as number;
        if (this.#firstDay === null || first < this.#firstDay) this.#firstDay = first;
        this.#flags.push(
          ...checkSeries(
            { ticker: symbol, days: one.days, closes: one.closes },
            { lastDay, listedOn: listingDay(symbol) ?? undefined },
          ),
        );
        await writer.add(facts, one.days, one.closes);
        this.#progress('writing', (one.ticker + 1) / total, symbol);
      }
    };
    await staging.visit((nextTicker, day, price, fileIndex, row) => {
      if (nextTicker !== ticker) {
        finish();
        ticker = nextTicker;
        file = fileIndex;
      }
      if (count > 0 && days[count - 1] === day) {
        this.#duplicateCounts.set(fileIndex, (this.#duplicateCounts.get(fileIndex) ?? 0) + 1);
        if (this.#duplicates.length < MAX_LISTED)
          this.#duplicates.push({
            fileIndex,
            row,
            reason: 'duplicate_day',
            ticker: staging.tickers[ticker] as string,
            date: formatDay(day),
            price: String(price),
          });
        return;
      }
      if (count === days.length) {
        const longer = new Int32Array(count * 2);
        longer.set(days);
        days = longer;
        const longerCloses = new Float64Array(count * 2);
        longerCloses.set(closes);
        closes = longerCloses;
      }
      days[count] = day;
      closes[count] = price;
      count++;
    }, store);
    finish();
    await store();
  }

  async #nothingUsable(staging: Staging): Promise<MarketDataError> {
    const counts = (await staging.rejectCounts()).map(({ reason, count }) => `${count} × ${reason}`);
    return new MarketDataError(
      'import_refused',
      `No usable price in ${this.#source()}${counts.length > 0 ? `: ${counts.join(', ')}` : ''}. Nothing was changed`,
    );
  }

  async #report(
    staging: Staging,
    version: string,
    writer: DataSetWriter,
    kept: number,
  ): Promise<ImportReport> {
    const counts = await staging.rejectCounts();
    for (const [fileIndex, count] of this.#duplicateCounts)
      counts.push({ fileIndex, reason: 'duplicate_day', count });
    for (const [fileIndex, count] of this.#malformedPerFile.entries())
      if (count > 0) counts.push({ fileIndex, reason: 'malformed_row', count });
    const rejected = await this.#locate([...(await staging.rejects(MAX_LISTED)), ...this.#duplicates]);
    const rejectedByReason: Record<string, number> = {};
    for (const { reason, count } of counts)
      rejectedByReason[reason] = (rejectedByReason[reason] ?? 0) + count;
    const rejectedIn = (index: number) =>
      counts.reduce((sum, { fileIndex, count }) => sum + (fileIndex === index ? count : 0), 0);
    return {
      version,
      createdAt: this.#options.now.toISOString(),
      source: this.#source(),
      seconds: Math.round(performance.now() - this.#startedAt) / 1000,
      files: this.#files.map(
        (file, index): ImportedFile => ({
          file: basename(file.path),
          rows: this.#rowsPerFile[index] ?? 0,
          rejected: rejectedIn(index),
          priceColumn: file.plan.price,
        }),
      ),
      rows: this.#goodRows,
      tickers: writer.assetCount - kept,
      keptTickers: kept,
      firstDay: this.#firstDay === null ? null : formatDay(this.#firstDay),
      lastDay: writer.lastDay,
      rejectedRows: Object.values(rejectedByReason).reduce((sum, count) => sum + count, 0),
      rejectedByReason,
      rejected: rejected.slice(0, MAX_LISTED),
      flagCount: this.#flags.length,
      flagsByKind: countBy(this.#flags, ({ kind }) => kind),
      flags: this.#flags.slice(0, MAX_LISTED),
      notes: this.#notes(),
    };
  }

  #notes(): string[] {
    const unadjusted = this.#files.filter(({ plan }) => plan.adjustment === 'unknown');
    if (unadjusted.length === 0) return [];
    const [first] = unadjusted;
    const which =
      unadjusted.length === 1 ? basename((first as StagedFile).path) : `${unadjusted.length} files`;
    return [
      `The prices of ${which} come from a column named ${first?.plan.price}: nothing says whether they are adjusted for splits and dividends`,
    ];
  }

  /** Puts the line in the file beside each rejected row, and adds the rows that were no rows. */
  async #locate(rejects: readonly StagedReject[]): Promise<RejectedRow[]> {
    const located: RejectedRow[] = [];
    for (const [index, file] of this.#files.entries()) {
      const ofFile = rejects.filter(({ fileIndex }) => fileIndex === index);
      const malformed = this.#malformedPerFile[index] ?? 0;
      if (ofFile.length === 0 && malformed === 0) continue;
      const name = basename(file.path);
      let lineOf = (row: number): number | null => row;
      if (file.kind === 'csv') {
        const found = await locateLines(
          file.path,
          { delimiter: file.delimiter, columns: file.plan.columns.length },
          new Set(ofFile.map(({ row }) => row)),
        );
        // Where the walk and the parser see different rows, no line is better than a wrong one.
        const agrees = found.rows === (this.#rowsPerFile[index] ?? 0) - malformed;
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
}

function lastDayOf(entry: Asset): number {
  return Math.floor(Date.parse(entry.lastDay) / 86_400_000);
}

async function planFile(path: string): Promise<StagedFile> {
  const lower = path.toLowerCase();
  if (lower.endsWith('.parquet') || lower.endsWith('.pq')) {
    const head = await openParquet(path).catch((cause) => {
      throw new MarketDataError(
        'import_refused',
        `${basename(path)} cannot be read: ${(cause as Error).message}`,
        { cause },
      );
    });
    try {
      const plan = planColumns(path, head.columns);
      const form = dateForm(await head.sample(plan.date));
      return { path, plan, kind: 'parquet', delimiter: ',', dateForm: form };
    } finally {
      head.close();
    }
  }
  const dialect = await sniffCsv(path);
  const plan = planColumns(path, dialect.headers);
  const at = dialect.headers.indexOf(plan.date);
  const dates = dialect.sample.map((line) => (line.split(dialect.delimiter)[at] ?? '').replaceAll('"', ''));
  return { path, plan, kind: 'csv', delimiter: dialect.delimiter, dateForm: dateForm(dates) };
}
