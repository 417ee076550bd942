import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { longerPeriod } from '@quantloom/domain/market-data/bar-period';
import { formatDay } from '@quantloom/domain/market-data/day';
import { listingDay } from '@quantloom/domain/market-data/demo/demo-data-set';
import { isDemoVersion } from '@quantloom/domain/market-data/demo/demo-version';
import {
  HARMLESS_REASONS,
  type ImportReport,
  MAX_BAD_SHARE,
  MAX_LISTED,
  type SeriesAction,
  type SeriesChange,
  type SeriesFlag,
} from '@quantloom/domain/market-data/import-report';
import type { FurtherBasis } from '@quantloom/domain/market-data/price-basis';
import { checkSeries } from '@quantloom/domain/market-data/series-checks';
import { type Bars, countChanges } from '@quantloom/domain/market-data/series-comparison';
import type { Asset, DataSetManifest } from '@quantloom/domain/ports/market-data';
import { DataSetReader } from '../files/data-set-reader.ts';
import { cleanWork, DataSetWriter, type FurtherSeries } from '../files/data-set-writer.ts';
import type { SeriesEntry } from '../files/format.ts';
import { layoutOf, newVersionId, readCurrent } from '../files/layout.ts';
import { takeImportLock } from '../files/lock.ts';
import { MarketDataError } from '../files/market-data-error.ts';
import { publishedVersions } from '../files/market-data-files.ts';
import { nameOfTicker } from './asset-names.ts';
import { nothingUsable, refusedFor, tooManyBadRows } from './bad-rows.ts';
import { splitSeries, withoutPrices, writeConditionSeries } from './condition-series.ts';
import { collectInputs } from './inputs.ts';
import { joinSources, type SourceFacts } from './join-sources.ts';
import { type PlannedFiles, planFiles, type ReadingOptions, settleNumbers } from './plan-files.ts';
import { cannotBeRead, isFullDisk } from './read-failure.ts';
import { buildReport, type FileCounts } from './report.ts';
import { joinFurther, settleBoth } from './settle-further.ts';
import type { StagedFile } from './staged-file.ts';
import { type StagedReject, Staging } from './staging.ts';
import { type KnownSeries, StoredAhead } from './stored-ahead.ts';
import { type TickerRows, visitTickers } from './ticker-rows.ts';

export interface ImportProgress {
  readonly stage: 'reading' | 'writing';
  /** 0..1 of the stage. */
  readonly done: number;
  /** The file or ticker at hand. */
  readonly detail: string;
}

export interface ImportOptions extends Omit<ReadingOptions, 'isKnown'> {
  readonly dataDir: string;
  /** CSV, Parquet and Arrow files, packed or not, folders and ZIP archives; together they make one version. */
  readonly files: readonly string[];
  readonly now: Date;
  /** Imported series take the place of stored ones as a whole, whatever those hold. Other tickers stay. */
  readonly replace?: boolean;
  /** Start from nothing instead of keeping the other tickers of the current version. */
  readonly dropOthers?: boolean;
  /** Series that do not agree with the stored ones are left as they are, and the others imported. */
  readonly keepDifferent?: boolean;
  /** Publish whatever share of the rows cannot be right. */
  readonly allowBadRows?: boolean;
  /** The file is no prices but a series for conditions of this name (`@VIXCLS`). */
  readonly series?: string | undefined;
  /** Calendar days until a value of the imported series is known. */
  readonly lagDays?: number | undefined;
  readonly label?: string;
  readonly onProgress?: (progress: ImportProgress) => void;
}

export interface ImportResult {
  readonly manifest: DataSetManifest;
  readonly report: ImportReport;
}

/**
 * Reads files, compares them with the current version, and publishes a new version that is current at once.
 * Known series are appended to, put on a new basis, or refused (`settleSeries`); other tickers of the current
 * real version stay. Rejects with `import_refused` (nothing usable, unknown columns, another past, too many
 * bad rows) or `import_running`; whatever goes wrong, the published version stays as it is.
 */
export async function importFiles(options: ImportOptions): Promise<ImportResult> {
  const layout = layoutOf(options.dataDir);
  using _lock = takeImportLock(layout);
  // Awaited here: the lock is freed when this function is left.
  const { manifest, report } = await new Import(options, true).run();
  if (!manifest) throw new Error('An import that publishes answers what it has published');
  return { manifest, report };
}

/** What `importFiles` would do: `problems` are why it would be refused; nothing is published. Rejects alike. */
export async function previewImport(options: ImportOptions): Promise<ImportReport> {
  const layout = layoutOf(options.dataDir);
  using _lock = takeImportLock(layout);
  return (await new Import(options, false).run()).report;
}

const NO_BARS: Bars = { days: new Int32Array(0), closes: new Float64Array(0) };

class Import {
  readonly #options: ImportOptions;
  readonly #publishes: boolean;
  readonly #startedAt = performance.now();
  #planned: PlannedFiles = { files: [], leftOut: [], notes: [] };
  readonly #files: StagedFile[] = [];
  readonly #counts: FileCounts[] = [];
  /** Rows of a day that its ticker has already. */
  readonly #doubles: StagedReject[] = [];
  readonly #flags: SeriesFlag[] = [];
  readonly #changes: SeriesChange[] = [];
  readonly #problems: string[] = [];
  /** Tickers that have closes on another basis beside their adjusted ones. */
  readonly #bases = new Map<FurtherBasis, number>();
  #goodRows = 0;
  #tickerCount = 0;
  #firstDay: number | null = null;

  constructor(options: ImportOptions, publishes: boolean) {
    this.#options = options;
    this.#publishes = publishes;
  }

  async run(): Promise<{ manifest: DataSetManifest | null; report: ImportReport }> {
    const { now, dataDir } = this.#options;
    const layout = layoutOf(dataDir);
    if (this.#options.files.length === 0)
      throw new MarketDataError('import_refused', 'Name at least one file, folder or ZIP archive to import');
    const today = Math.floor(now.getTime() / 86_400_000);
    const current = await readCurrent(layout);
    const base =
      current === null || this.#options.dropOthers || isDemoVersion(current)
        ? null
        : await DataSetReader.open(layout, current);
    let writer: DataSetWriter | null = null;
    await cleanWork(layout);
    await mkdir(layout.work, { recursive: true });
    const copies = await mkdtemp(join(layout.work, 'inputs-'));
    try {
      await using staging = await Staging.open(layout.work);
      const inputs = await collectInputs(this.#options.files, copies);
      const isKnown = (ticker: string) => base?.entry(ticker) != null;
      const { ticker, dates, decimal } = this.#options;
      const { others, series } = await splitSeries(inputs, { ...this.#options, isKnown });
      if (others.files.length > 0 || series.length === 0)
        this.#planned = await planFiles(others, staging, today + 1, { ticker, dates, decimal, isKnown });
      if (this.#planned.files.some(({ plan }) => plan.further)) await staging.keepOthers();
      await this.#read(staging, today + 1);
      const lastImported = (await staging.lastDay()) ?? Number.NEGATIVE_INFINITY;
      if (lastImported === Number.NEGATIVE_INFINITY)
        if (series.length === 0) throw await nothingUsable(staging, this.#source());
        else if (!base) throw withoutPrices(series);
      if (this.#publishes) writer = await DataSetWriter.create(layout, today, { clean: false });
      const lastDay = Math.max(lastImported, ...(base?.entries.map(lastDayOf) ?? []));
      await this.#write(staging, writer, base, lastDay);
      const version = newVersionId(now, (await publishedVersions(layout)).at(-1) ?? null);
      const report = {
        ...(await this.#report(staging, version, base, current)),
        ...(series.length > 0 && { conditionSeries: await writeConditionSeries(null, base, series) }),
      };
      this.#refuse(report);
      if (!writer) return { manifest: null, report: { ...report, problems: this.#problems } };
      await this.#keepOthers(staging, writer, base);
      await writeConditionSeries(writer, base, series);
      const whole = { ...report, lastDay: writer.lastDay, rowCount: writer.rowCount };
      const manifest = await writer.publish(
        { version, createdAt: now.toISOString(), label: this.#options.label ?? this.#source() },
        whole,
      );
      return { manifest, report: whole };
    } catch (error) {
      await writer?.abandon();
      if (isFullDisk(error) && !(error instanceof MarketDataError))
        throw new MarketDataError(
          'import_refused',
          'There is not enough disk or memory for this import. Nothing was changed',
          { cause: error },
        );
      throw error;
    } finally {
      await rm(copies, { recursive: true, force: true });
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
    const { files } = this.#planned;
    for (const [index, planned] of files.entries()) {
      const { name } = planned;
      this.#progress('reading', index / files.length, name);
      const timer = setInterval(
        () => this.#progress('reading', (index + (staging.progress() ?? 0)) / files.length, name),
        200,
      );
      try {
        await this.#readFile(staging, planned, index, today);
      } catch (cause) {
        if (isFullDisk(cause)) throw cause;
        throw cannotBeRead(name, cause);
      } finally {
        clearInterval(timer);
      }
    }
    await staging.settleTickers();
    this.#progress('reading', 1, '');
  }

  async #readFile(staging: Staging, planned: StagedFile, index: number, today: number): Promise<void> {
    const { decimal } = this.#options;
    await staging.prepare(planned);
    let file = planned;
    if (file.numberForm !== 'plain')
      file = { ...file, numberForm: await settleNumbers(file, staging, decimal) };
    let { rows, malformed, badPrices } = await staging.add(file, index, today);
    if (badPrices > 0 && file.numberForm === 'plain') {
      // The first rows had plain numbers, later ones have not: 999.50, then 1,002.50.
      const numberForm = await settleNumbers(file, staging, decimal);
      await staging.remove(index);
      file = { ...file, numberForm };
      ({ rows, malformed, badPrices } = await staging.add(file, index, today));
    }
    this.#files.push(file);
    this.#counts.push({ rows: rows + malformed, malformed, duplicates: 0, conflicts: 0 });
  }

  async #write(
    staging: Staging,
    writer: DataSetWriter | null,
    base: DataSetReader | null,
    lastDay: number,
  ): Promise<void> {
    const names = await staging.names();
    const total = staging.tickers.length;
    const stored = new StoredAhead(base);
    await visitTickers(staging, {
      onDouble: (double) => this.#double(double),
      onTicker: async (rows, next) => {
        const ticker = staging.tickers[rows.ticker] as string;
        const known = await stored.take(ticker, next === null ? null : (staging.tickers[next] as string));
        const settled = this.#settle(ticker, rows, known);
        if (!settled) return;
        const { bars, entry, further } = settled;
        this.#goodRows += rows.count;
        this.#tickerCount++;
        const first = bars.days[0] as number;
        if (this.#firstDay === null || first < this.#firstDay) this.#firstDay = first;
        this.#flags.push(
          ...checkSeries(
            { ticker, days: bars.days, closes: bars.closes },
            { lastDay, listedOn: listingDay(ticker) ?? undefined },
          ),
        );
        const plan = (this.#files[settled.file] as StagedFile).plan;
        await writer?.add(
          {
            ticker,
            name: names.get(rows.ticker) ?? nameOfTicker(ticker, entry?.name),
            source: settled.source,
            adjustment:
              plan.adjustment === 'unknown' && entry && settled.keepsDays
                ? entry.adjustment
                : plan.adjustment,
            isSimulated: false,
          },
          bars.days,
          bars.closes,
          further,
        );
        for (const { basis } of further) this.#bases.set(basis, (this.#bases.get(basis) ?? 0) + 1);
        this.#progress('writing', (rows.ticker + 1) / total, ticker);
      },
    });
  }

  #double(double: StagedReject): void {
    const counts = this.#counts[double.fileIndex] as FileCounts;
    if (double.reason === 'duplicate_day') counts.duplicates++;
    else counts.conflicts++;
    if (this.#doubles.length < MAX_LISTED) this.#doubles.push(double);
  }

  /** What becomes of a ticker; null where nothing of it can be published. */
  #settle(
    ticker: string,
    rows: TickerRows,
    known: KnownSeries | null,
  ): {
    bars: Bars;
    further: readonly FurtherSeries[];
    entry: SeriesEntry | null;
    file: number;
    source: string;
    keepsDays: boolean;
  } | null {
    const joined = joinSources(ticker, rows.parts, (file) => this.#factsOf(file));
    if ('problem' in joined) {
      this.#problems.push(joined.problem);
      return null;
    }
    const others = joinFurther(ticker, rows.parts, (file) => this.#files[file]?.plan.further);
    if ('problem' in others) {
      this.#problems.push(others.problem);
      return null;
    }
    const { series: further } = others;
    const file = joined.files.at(-1) as number;
    const period = longerPeriod(joined.bars.days);
    if (period !== null) {
      this.#problems.push(
        `${ticker}: ${(this.#files[file] as StagedFile).name} has ${period} prices, and daily ones are needed`,
      );
      return null;
    }
    const source = basename((this.#files[file] as StagedFile).name);
    const entry = known?.entry ?? null;
    if (!known || !entry || entry.isSimulated) {
      this.#change(ticker, 'new', joined.files, null, joined.bars);
      return { bars: joined.bars, further, entry, file, source, keepsDays: false };
    }
    const { stored, further: storedFurther } = known;
    if (this.#options.replace) {
      this.#change(ticker, 'replaced', joined.files, stored, joined.bars, {
        remark: 'replaced as a whole, as told',
      });
      return { bars: joined.bars, further, entry, file, source, keepsDays: false };
    }
    const settled = settleBoth(
      ticker,
      { ...stored, adjustment: entry.adjustment, source: entry.source },
      { ...joined.bars, adjustment: (this.#files[file] as StagedFile).plan.adjustment },
      { stored: storedFurther, incoming: further },
    );
    if (settled.action === 'refused') {
      if (this.#options.keepDifferent)
        this.#change(ticker, 'kept', joined.files, stored, stored, { remark: settled.problem });
      else this.#problems.push(settled.problem);
      return this.#options.keepDifferent
        ? { bars: stored, further: storedFurther, entry, file, source: entry.source, keepsDays: true }
        : null;
    }
    this.#change(ticker, settled.action, joined.files, stored, settled.bars, settled);
    const keepsDays = settled.action !== 'replaced';
    return { bars: settled.bars, further: settled.further, entry, file, source, keepsDays };
  }

  #factsOf(index: number): SourceFacts {
    const { name, plan } = this.#files[index] as StagedFile;
    return { name, form: plan.form, priceColumn: plan.priceColumn, adjustment: plan.adjustment };
  }

  #change(
    ticker: string,
    action: SeriesAction,
    files: readonly number[],
    before: Bars | null,
    after: Bars,
    more: { readonly factor?: number; readonly remark?: string } = {},
  ): void {
    const stored = before ?? NO_BARS;
    const isAsBefore = before !== null && (action === 'kept' || action === 'unchanged');
    const counts = countChanges(stored, isAsBefore ? stored : after);
    const rules = [...new Set(files)].flatMap((index) => {
      const { name, plan } = this.#files[index] as StagedFile;
      return plan.shape.kind === 'single' && plan.shape.rule !== 'the file’s name'
        ? [`${ticker} from ${basename(name)} (${plan.shape.rule})`]
        : [];
    });
    const remarks = [...rules.slice(0, 1), ...(more.remark ? [more.remark] : [])];
    if (this.#changes.length >= MAX_LISTED) return;
    this.#changes.push({
      ticker,
      action,
      before: before?.days.length ?? 0,
      after: after.days.length,
      added: counts.added,
      changed: counts.changed,
      lost: counts.lost,
      changedFrom: counts.firstChanged === null ? null : formatDay(counts.firstChanged),
      addedFrom: counts.firstAdded === null ? null : formatDay(counts.firstAdded),
      ...(more.factor !== undefined && { factor: more.factor }),
      files: [...new Set(files)].slice(0, 10).map((index) => (this.#files[index] as StagedFile).name),
      ...(remarks.length > 0 && { remark: remarks.join('; ') }),
    });
  }

  /** Takes over the tickers that were not imported. */
  async #keepOthers(staging: Staging, writer: DataSetWriter, base: DataSetReader | null): Promise<void> {
    const imported = new Set(staging.tickers);
    for (const entry of base?.entries ?? []) {
      if (imported.has(entry.ticker) || !base) continue;
      const series = await base.read(entry);
      await writer.add(entry, series.days, series.closes, await base.readFurther(entry));
    }
  }

  /** Throws where the import must not be published; a preview only lists why. */
  #refuse(report: ImportReport): void {
    const bad = Object.entries(report.rejectedByReason).reduce(
      (sum, [reason, count]) => sum + (HARMLESS_REASONS.has(reason) ? 0 : count),
      0,
    );
    const rows = this.#counts.reduce((sum, counts) => sum + counts.rows, 0);
    if (bad > rows * MAX_BAD_SHARE && !this.#options.allowBadRows)
      this.#problems.push(tooManyBadRows(report, bad, rows));
    if (this.#problems.length === 0 || !this.#publishes) return;
    throw refusedFor(this.#problems);
  }

  async #report(
    staging: Staging,
    version: string,
    base: DataSetReader | null,
    current: string | null,
  ): Promise<ImportReport> {
    const imported = new Set(staging.tickers);
    const kept = base?.entries.filter(({ ticker }) => !imported.has(ticker)) ?? [];
    return buildReport({
      staging,
      version,
      now: this.#options.now,
      source: this.#source(),
      startedAt: this.#startedAt,
      files: this.#files,
      counts: this.#counts,
      doubles: this.#doubles,
      planned: this.#planned,
      rows: this.#goodRows,
      tickers: this.#tickerCount,
      keptTickers: kept.length,
      firstDay: this.#firstDay,
      flags: this.#flags,
      base: base?.version ?? (current === null || isDemoVersion(current) ? null : current),
      changes: this.#changes,
      bases: this.#bases,
      withSamples: !this.#publishes,
    });
  }
}

function lastDayOf(entry: Asset): number {
  return Math.floor(Date.parse(entry.lastDay) / 86_400_000);
}
