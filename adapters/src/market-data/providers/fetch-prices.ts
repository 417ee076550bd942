import { setMaxListeners } from 'node:events';
import { formatDay } from '@quantloom/domain/market-data/day';
import { knownName, listingDay } from '@quantloom/domain/market-data/demo/demo-data-set';
import { isDemoVersion } from '@quantloom/domain/market-data/demo/demo-version';
import { lastClosedSession } from '@quantloom/domain/market-data/exchange-hours';
import {
  countBy,
  type ImportReport,
  MAX_LISTED,
  type RejectedRow,
  type SeriesFlag,
} from '@quantloom/domain/market-data/import-report';
import { checkSeries } from '@quantloom/domain/market-data/series-checks';
import { canonicalTicker } from '@quantloom/domain/market-data/ticker';
import type { DataSetManifest } from '@quantloom/domain/ports/market-data';
import PQueue from 'p-queue';
import { DataSetReader } from '../files/data-set-reader.ts';
import { DataSetWriter } from '../files/data-set-writer.ts';
import { emptyReport } from '../files/empty-report.ts';
import { layoutOf, newVersionId, readCurrent } from '../files/layout.ts';
import { takeFetchLock, takeImportLock } from '../files/lock.ts';
import { MarketDataError } from '../files/market-data-error.ts';
import { publishedVersions } from '../files/market-data-files.ts';
import { writeConditionSeries } from '../import/condition-series.ts';
import { fetchSeries } from './fetch-series.ts';
import { FetchStage, type StagedFetch } from './fetch-stage.ts';
import type { PriceProvider } from './provider.ts';

export interface FetchOptions {
  readonly dataDir: string;
  readonly provider: PriceProvider;
  /** Tickers to fetch; `known`: those of the current version that came from this provider; `all`: whatever it has. */
  readonly tickers: readonly string[] | 'known' | 'all';
  readonly now: Date;
  /** Fetch whole histories, also of series that seem up to date. */
  readonly full?: boolean;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: { done: number; ticker: string }) => void;
}

export interface FetchResult {
  /** Null where nothing has changed, so that no version was published. */
  readonly manifest: DataSetManifest | null;
  readonly report: ImportReport;
  readonly changed: number;
  readonly replaced: number;
  readonly unchanged: number;
  readonly failed: readonly { readonly ticker: string; readonly reason: string }[];
}

/** A version is only published where at most this share of the tickers could not be fetched. */
const MAX_FAILED_SHARE = 0.1;
/** Nor where more than this share of the tickers (and more than three) made an unbelievable move on their new days. */
const MAX_SUSPICIOUS_SHARE = 0.02;
const CONCURRENCY = 8;

/**
 * Brings the data set up to date from a provider and publishes a new version, if it passes the checks.
 * Whatever was fetched before an error, a limit or a kill is used by the next call. Rejects with
 * `provider_refused`, `import_refused` (checks) or `import_running`.
 */
export async function fetchPrices(options: FetchOptions): Promise<FetchResult> {
  const layout = layoutOf(options.dataDir);
  using _lock = takeFetchLock(layout);
  const current = await readCurrent(layout);
  const base = current === null || isDemoVersion(current) ? null : await DataSetReader.open(layout, current);
  try {
    return await new Fetch(options, base).run();
  } finally {
    await base?.close();
  }
}

class Fetch {
  readonly #options: FetchOptions;
  readonly #base: DataSetReader | null;
  readonly #stage: FetchStage;
  readonly #today: number;
  readonly #names = new Map<string, string>();
  readonly #failed: { ticker: string; reason: string }[] = [];

  constructor(options: FetchOptions, base: DataSetReader | null) {
    this.#options = options;
    this.#base = base;
    this.#stage = new FetchStage(layoutOf(options.dataDir).root, options.provider.id, base?.version ?? null);
    this.#today = Math.floor(options.now.getTime() / 86_400_000);
  }

  async run(): Promise<FetchResult> {
    const startedAt = performance.now();
    const tickers = await this.#tickers();
    const { changed, unchanged } = await this.#download(tickers);
    this.#checkFailures(tickers.length);
    const replaced = changed.filter(({ isReplaced }) => isReplaced).length;
    const result = { changed: changed.length, replaced, unchanged, failed: this.#failed };
    if (changed.length === 0) {
      await this.#stage.clear();
      const report = emptyReport(this.#base?.version ?? '', this.#options.now, this.#options.provider.name);
      return { manifest: null, report: { ...report, notes: this.#notes(result) }, ...result };
    }
    const published = await this.#publish(changed, startedAt, this.#notes(result));
    await this.#stage.clear();
    return { ...published, ...result };
  }

  async #tickers(): Promise<readonly string[]> {
    const { provider, tickers, signal } = this.#options;
    if (tickers === 'all') {
      const assets = await provider.assets(signal ? { signal } : {});
      for (const { ticker, name } of assets) if (name !== ticker) this.#names.set(ticker, name);
      return assets.map(({ ticker }) => ticker);
    }
    if (tickers === 'known') {
      const known = (this.#base?.entries ?? []).filter(({ source }) => source === provider.name);
      if (known.length === 0)
        throw new MarketDataError(
          'import_refused',
          `The current data set has nothing from ${provider.name} yet: name the tickers to fetch, or fetch all`,
        );
      return known.map(({ ticker }) => ticker);
    }
    return [
      ...new Set(
        tickers.map((text) => {
          const ticker = canonicalTicker(text);
          if (ticker === null)
            throw new MarketDataError('import_refused', `${JSON.stringify(text)} is not a ticker`);
          return this.#base?.index.find(ticker) ?? ticker;
        }),
      ),
    ];
  }

  /** Fetches what is not staged yet; a provider that refuses ends the whole run. */
  async #download(tickers: readonly string[]): Promise<{ changed: StagedSummary[]; unchanged: number }> {
    const stop = new AbortController();
    const signal = this.#options.signal ? AbortSignal.any([this.#options.signal, stop.signal]) : stop.signal;
    setMaxListeners(0, signal);
    const queue = new PQueue({ concurrency: CONCURRENCY });
    const changed: StagedSummary[] = [];
    let unchanged = 0;
    let done = 0;
    const work = tickers.map((ticker) =>
      queue.add(async () => {
        signal.throwIfAborted();
        const staged = await this.#fetchOne(ticker, signal);
        if (staged?.series) changed.push({ ticker, isReplaced: staged.isReplaced });
        else if (staged) unchanged++;
        this.#options.onProgress?.({ done: ++done / tickers.length, ticker });
      }),
    );
    try {
      await Promise.all(work);
    } catch (error) {
      stop.abort();
      await Promise.allSettled(work);
      throw error;
    }
    changed.sort((a, b) => (a.ticker < b.ticker ? -1 : 1));
    return { changed, unchanged };
  }

  async #fetchOne(ticker: string, signal: AbortSignal): Promise<StagedFetch | null> {
    const { provider, now, full = false } = this.#options;
    const entry = this.#base?.entry(ticker) ?? null;
    const staged = await this.#stage.get(ticker, now.getTime());
    // That there was nothing new is no longer known of a series that ends before the last session: its close
    // may have come since.
    const mayHaveCome = staged?.series === null && entry !== null && entry.lastDay < lastClosedSession(now);
    if (staged && !mayHaveCome) return staged;
    // A series from elsewhere is replaced whole: it was adjusted in another way.
    const isOurs = entry !== null && entry.source === provider.name && !entry.isSimulated;
    const stored =
      isOurs && this.#base
        ? { ...(await this.#base.read(entry)), further: await this.#base.readFurther(entry) }
        : null;
    const fetched = await fetchSeries(provider, ticker, stored, this.#today, { full, signal });
    if (fetched.kind === 'failed') {
      this.#failed.push({ ticker, reason: fetched.reason });
      return null;
    }
    const result: StagedFetch = {
      ticker,
      name: await this.#name(ticker, entry?.name, signal),
      isReplaced: fetched.kind === 'changed' && fetched.isReplaced,
      series: fetched.kind === 'changed' ? fetched.series : null,
      rejected: fetched.kind === 'changed' ? fetched.rejected : [],
    };
    await this.#stage.put(result, now.getTime());
    return result;
  }

  async #name(ticker: string, before: string | undefined, signal: AbortSignal): Promise<string> {
    if (before !== undefined && before !== ticker) return before;
    const known = this.#names.get(ticker) ?? knownName(ticker);
    return known ?? (await this.#options.provider.assetName(ticker, { signal })) ?? ticker;
  }

  #checkFailures(count: number): void {
    if (this.#failed.length === 0 || this.#failed.length <= count * MAX_FAILED_SHARE) return;
    const shown = this.#failed.slice(0, 5).map(({ ticker, reason }) => `${ticker} (${reason})`);
    const more = this.#failed.length > shown.length ? ` and ${this.#failed.length - shown.length} more` : '';
    throw new MarketDataError(
      'import_refused',
      `${this.#failed.length} of ${count} tickers could not be fetched: ` +
        `${shown.join(', ')}${more}. Nothing was published; what was fetched is kept for the next ` +
        'try',
    );
  }

  #notes(result: { changed: number; replaced: number; unchanged: number }): string[] {
    return [
      `${result.changed} series changed, ${result.replaced} of them were replaced whole because ` +
        `${this.#options.provider.name} has changed their past, ${result.unchanged} were up to date`,
      ...this.#failed.slice(0, 1000).map(({ ticker, reason }) => `${ticker} was not updated: ${reason}`),
    ];
  }

  async #publish(
    changed: readonly StagedSummary[],
    startedAt: number,
    notes: string[],
  ): Promise<{ manifest: DataSetManifest; report: ImportReport }> {
    const { dataDir, provider, now } = this.#options;
    const layout = layoutOf(dataDir);
    using _lock = takeImportLock(layout);
    const base = this.#base;
    const current = await readCurrent(layout);
    if (base ? current !== base.version : current !== null && !isDemoVersion(current))
      throw new MarketDataError(
        'import_refused',
        'Another version was published while this one was fetched; fetch again',
      );
    const writer = await DataSetWriter.create(layout, this.#today);
    try {
      const flags: SeriesFlag[] = [];
      const rejected: RejectedRow[] = [];
      const suspicious = new Set<string>();
      let rows = 0;
      let firstDay: number | null = null;
      const changedTickers = new Set(changed.map(({ ticker }) => ticker));
      for (const { ticker } of changed) {
        const staged = await this.#stage.get(ticker, now.getTime());
        if (!staged?.series) throw new Error(`The fetched series of ${ticker} has vanished`);
        const { series } = staged;
        const entry = base?.entry(ticker);
        const own = checkSeries(
          { ticker, ...series },
          { lastDay: this.#today, listedOn: listingDay(ticker) ?? undefined },
        );
        flags.push(...own.filter(({ kind }) => kind !== 'stops_early'));
        if (own.some((flag) => isUnbelievable(flag, entry?.lastDay))) suspicious.add(ticker);
        if (staged.isReplaced) flags.push(readjusted(ticker, entry?.firstDay, entry?.lastDay));
        rejected.push(...staged.rejected);
        rows += series.days.length;
        firstDay = Math.min(firstDay ?? Number.POSITIVE_INFINITY, series.days[0] as number);
        await writer.add(
          {
            ticker,
            name: staged.name,
            source: provider.name,
            adjustment: provider.adjustment,
            isSimulated: false,
          },
          series.days,
          series.closes,
          series.further,
        );
      }
      if (suspicious.size > Math.max(3, changed.length * MAX_SUSPICIOUS_SHARE))
        throw new MarketDataError(
          'import_refused',
          `${suspicious.size} series made moves on their new days that look like errors of ` +
            `${provider.name} (${[...suspicious].slice(0, 10).join(', ')}, …). Nothing was published`,
        );
      let kept = 0;
      for (const entry of base?.entries ?? []) {
        if (changedTickers.has(entry.ticker) || !base) continue;
        const series = await base.read(entry);
        await writer.add(entry, series.days, series.closes, await base.readFurther(entry));
        kept++;
      }
      await writeConditionSeries(writer, base, []);
      if (
        base &&
        (writer.lastDay ?? '') <
          (base.entries
            .map(({ lastDay }) => lastDay)
            .sort()
            .at(-1) ?? '')
      )
        throw new MarketDataError(
          'import_refused',
          `The new data would end on ${writer.lastDay}, earlier than the data there is. Nothing was published`,
        );
      const version = newVersionId(now, (await publishedVersions(layout)).at(-1) ?? null);
      const report: ImportReport = {
        ...emptyReport(version, now, provider.name),
        seconds: Math.round(performance.now() - startedAt) / 1000,
        rows,
        tickers: changed.length,
        keptTickers: kept,
        firstDay: firstDay === null ? null : formatDay(firstDay),
        lastDay: writer.lastDay,
        rejectedRows: rejected.length,
        rejectedByReason: countBy(rejected, ({ reason }) => reason),
        rejected: rejected.slice(0, MAX_LISTED),
        flagCount: flags.length,
        flagsByKind: countBy(flags, ({ kind }) => kind),
        flags: flags.slice(0, MAX_LISTED),
        notes,
      };
      const manifest = await writer.publish(
        { version, createdAt: now.toISOString(), label: `${provider.name}, to ${writer.lastDay}` },
        report,
      );
      return { manifest, report };
    } catch (error) {
      await writer.abandon();
      throw error;
    }
  }
}

interface StagedSummary {
  readonly ticker: string;
  readonly isReplaced: boolean;
}

/** A split-like or enormous move on days behind the stored ones. */
function isUnbelievable(flag: SeriesFlag, storedLastDay: string | undefined): boolean {
  if (storedLastDay === undefined || flag.to <= storedLastDay) return false;
  return flag.kind === 'split_like_move' || flag.kind === 'large_move' || flag.kind === 'reverting_move';
}

function readjusted(ticker: string, firstDay = '', lastDay = ''): SeriesFlag {
  return {
    ticker,
    kind: 'readjusted',
    from: firstDay,
    to: lastDay,
    message:
      'the provider has changed prices of the past (a split or dividend); the series from ' +
      `${firstDay} to ${lastDay} was replaced whole`,
  };
}
