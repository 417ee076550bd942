import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  asKnownOn,
  type ConditionSeries,
  isSeriesName,
  type Observations,
} from '@quantloom/domain/market-data/condition-series';
import { day } from '@quantloom/domain/market-data/day';
import {
  DEMO_MANIFEST,
  demoAssets,
  demoManifest,
  demoSeries,
  lastDayOfDemo,
} from '@quantloom/domain/market-data/demo/demo-data-set';
import { isDemoVersion } from '@quantloom/domain/market-data/demo/demo-version';
import type { ImportReport } from '@quantloom/domain/market-data/import-report';
import { type FurtherBasis, readNameOnBasis } from '@quantloom/domain/market-data/price-basis';
import { simulatedAssets, simulateTicker } from '@quantloom/domain/market-data/simulated-tickers';
import { TickerIndex } from '@quantloom/domain/market-data/ticker';
import { sessionsBetween } from '@quantloom/domain/market-data/trading-calendar';
import type { Asset, DataSetManifest, MarketData, PriceSeries } from '@quantloom/domain/ports/market-data';
import { LRUCache } from 'lru-cache';
import { DataSetReader, unknownVersion } from './data-set-reader.ts';
import { MANIFEST_FILE, REPORT_FILE, type SeriesEntry } from './format.ts';
import { isVersionId, type Layout, layoutOf, readCurrent, writeCurrent } from './layout.ts';
import { takeImportLock } from './lock.ts';
import { MarketDataError } from './market-data-error.ts';

export interface MarketDataFilesOptions {
  readonly dataDir: string;
  /** Bytes of prices kept in memory for the next reader; series in use stay alive beyond that. Default 512 MiB. */
  readonly cacheBytes?: number;
  /** Whether the demo data set of simulated prices is there until something is published. Default true. */
  readonly demo?: boolean;
  /** Whether `SIM:` tickers are made from the loaded series. Default true. */
  readonly simulatedTickers?: boolean;
}

export interface PruneOptions {
  readonly keep: number;
  readonly now: Date;
  /** Versions that batches refer to. */
  readonly versionsInUse: () => Promise<Iterable<string>> | Iterable<string>;
}

export interface MarketDataFiles extends MarketData, AsyncDisposable {
  /** Makes an older (or the demo's) version current. Rejects with `unknown_version` or `data_set_damaged`. */
  use(version: string): Promise<DataSetManifest>;
  /**
   * Lets the demo data set end on a session (`YYYY-MM-DD`) in place of an earlier one: another version, of
   * which nothing needs to be written. Null where there is nothing to do: prices of somebody else's are
   * current, or the demo goes as far already. Of several processes one does it, or all come to the same.
   */
  moveDemoTo(session: string): Promise<DataSetManifest | null>;
  /**
   * Removes all versions but the current one, the newest `keep`, those in use and those that were current an
   * hour ago; answers the removed ones.
   */
  prune(options: PruneOptions): Promise<string[]>;
  /** What the import of a version found; null for the demo data set. */
  report(version: string): Promise<ImportReport | null>;
  close(): Promise<void>;
}

/** How long a version is kept after another one became current. */
const GRACE_MS = 3_600_000;
const DEFAULT_CACHE_BYTES = 512 << 20;

/** One version's assets and series, wherever they come from. */
interface OpenVersion {
  readonly assets: readonly Asset[];
  readonly index: TickerIndex;
  readonly conditionSeries: readonly ConditionSeries[];
  /** What was known of a series for conditions on each session up to a day; null for an unknown one. */
  readConditionSeries(name: string, lastDay: string): Promise<PriceSeries | null>;
  /** A stored ticker's series. */
  read(ticker: string): Promise<PriceSeries>;
  /** Its closes on another basis; null where it has none. */
  readFurther(ticker: string, basis: FurtherBasis): Promise<PriceSeries | null>;
  close(): Promise<void>;
}

/** An open version with the calls that are under way on it; its file is closed behind the last of them. */
interface Held {
  readonly opened: OpenVersion;
  users: number;
  isDropped: boolean;
}

/** Versions kept open; a service that runs for years sees a new one every day. */
const MAX_OPEN_VERSIONS = 6;

/**
 * Market data in the data folder. A version that another process publishes is seen by the next call of
 * `current`; nothing has to be restarted. Series are read when they are asked for, once, into shared memory.
 */
export async function openMarketDataFiles(options: MarketDataFilesOptions): Promise<MarketDataFiles> {
  const layout = layoutOf(options.dataDir);
  await mkdir(layout.root, { recursive: true });
  return new Files(layout, options);
}

class Files implements MarketDataFiles {
  readonly #layout: Layout;
  readonly #hasDemo: boolean;
  readonly #makesSimulated: boolean;
  /** Least recently used first. */
  readonly #opened = new Map<string, Promise<Held>>();
  readonly #series: LRUCache<string, PriceSeries>;
  readonly #reading = new Map<string, Promise<PriceSeries | null>>();

  constructor(layout: Layout, options: MarketDataFilesOptions) {
    this.#layout = layout;
    this.#hasDemo = options.demo ?? true;
    this.#makesSimulated = options.simulatedTickers ?? true;
    this.#series = new LRUCache({
      maxSize: options.cacheBytes ?? DEFAULT_CACHE_BYTES,
      sizeCalculation: ({ closes }) => closes.byteLength * 1.5 + 256,
    });
  }

  async current(): Promise<DataSetManifest> {
    const version = await readCurrent(this.#layout);
    if (version !== null) return this.#manifest(version);
    if (this.#hasDemo) return DEMO_MANIFEST;
    throw new MarketDataError(
      'no_data_set',
      'There is no market data yet: import some with "data import FILE"',
    );
  }

  async versions(): Promise<readonly DataSetManifest[]> {
    const ids = await publishedVersions(this.#layout);
    const manifests = await Promise.all(ids.map((id) => this.#manifest(id)));
    if (!this.#hasDemo) return manifests;
    // Of the demo's, the one that everything begins with and the one that is current: the others can be made,
    // and nobody goes back to them.
    const current = await this.current();
    const moved = isDemoVersion(current.version) && current.version !== DEMO_MANIFEST.version;
    return [DEMO_MANIFEST, ...(moved ? [current] : []), ...manifests];
  }

  async assets(version: string): Promise<readonly Asset[]> {
    return this.#with(version, async ({ assets }) => assets);
  }

  async conditionSeries(version: string): Promise<readonly ConditionSeries[]> {
    return this.#with(version, async ({ conditionSeries }) => conditionSeries);
  }

  async load(version: string, tickers: readonly string[]): Promise<ReadonlyMap<string, PriceSeries>> {
    const found = await this.#with(version, (opened) =>
      Promise.all(
        [...new Set(tickers)].map(async (spelling) => {
          const other = readNameOnBasis(spelling);
          if (other) return [spelling, await this.#loadOnBasis(version, opened, other)] as const;
          const ticker = opened.index.find(spelling) ?? spelling.trim().toUpperCase();
          return [spelling, await this.#load(version, opened, ticker)] as const;
        }),
      ),
    );
    const series = new Map<string, PriceSeries>();
    for (const [spelling, one] of found) if (one) series.set(spelling, one);
    return series;
  }

  async use(version: string): Promise<DataSetManifest> {
    // Opening reads what could be damaged, before anything depends on it.
    await this.#with(version, async () => {});
    using _lock = takeImportLock(this.#layout);
    await writeCurrent(this.#layout, version);
    return this.#manifest(version);
  }

  async moveDemoTo(session: string): Promise<DataSetManifest | null> {
    const isDue = async () => {
      const lastDay = lastDayOfDemo((await readCurrent(this.#layout)) ?? DEMO_MANIFEST.version);
      return lastDay !== null && lastDay < session;
    };
    // Looked at first without the lock, which an import that begins meanwhile would be refused for.
    if (!this.#hasDemo || !(await isDue())) return null;
    using _lock = takeImportLock(this.#layout);
    if (!(await isDue())) return null;
    const moved = demoManifest(session);
    await writeCurrent(this.#layout, moved.version);
    return moved;
  }

  async prune(options: PruneOptions): Promise<string[]> {
    using _lock = takeImportLock(this.#layout);
    // Asked under the lock: whatever is referred to from now on is the current version, which stays.
    const current = await readCurrent(this.#layout);
    const kept = new Set([...(await options.versionsInUse()), ...(current === null ? [] : [current])]);
    const ids = await publishedVersions(this.#layout);
    for (const id of options.keep > 0 ? ids.slice(-options.keep) : []) kept.add(id);
    for (const [i, id] of ids.entries()) {
      const next = ids[i + 1];
      // A command that began with this version as the current one may be on its way into the log.
      if (next && options.now.getTime() - Date.parse((await this.#manifest(next)).createdAt) < GRACE_MS)
        kept.add(id);
    }
    const removed = ids.filter((id) => !kept.has(id));
    for (const id of removed) {
      await this.#forget(id);
      await rm(join(this.#layout.versions, id), { recursive: true, force: true });
    }
    return removed;
  }

  async report(version: string): Promise<ImportReport | null> {
    if (isDemoVersion(version)) return null;
    await this.#manifest(version);
    const text = await readFile(join(this.#layout.versions, version, REPORT_FILE), 'utf8');
    return JSON.parse(text) as ImportReport;
  }

  async close(): Promise<void> {
    for (const version of [...this.#opened.keys()]) await this.#forget(version);
    this.#series.clear();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #manifest(version: string): Promise<DataSetManifest> {
    const lastDay = lastDayOfDemo(version);
    if (lastDay !== null) return demoManifest(lastDay);
    if (!isVersionId(version)) throw unknownVersion(version);
    try {
      return JSON.parse(
        await readFile(join(this.#layout.versions, version, MANIFEST_FILE), 'utf8'),
      ) as DataSetManifest;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw unknownVersion(version);
      throw error;
    }
  }

  /** Runs work on an open version, which stays open until the work is done. */
  async #with<Result>(version: string, work: (opened: OpenVersion) => Promise<Result>): Promise<Result> {
    for (;;) {
      const held = await this.#hold(version);
      // Dropped between being opened and being used: open it again.
      if (held.isDropped) continue;
      held.users++;
      try {
        return await work(held.opened);
      } finally {
        held.users--;
        if (held.isDropped && held.users === 0) await held.opened.close();
      }
    }
  }

  #hold(version: string): Promise<Held> {
    const known = this.#opened.get(version);
    if (known) {
      this.#opened.delete(version);
      this.#opened.set(version, known);
      return known;
    }
    const opening = this.#openNow(version).then((opened): Held => ({ opened, users: 0, isDropped: false }));
    this.#opened.set(version, opening);
    const [oldest] = this.#opened.keys();
    if (this.#opened.size > MAX_OPEN_VERSIONS && oldest !== undefined) void this.#drop(oldest);
    opening.catch(() => {
      if (this.#opened.get(version) === opening) this.#opened.delete(version);
    });
    return opening;
  }

  async #openNow(version: string): Promise<OpenVersion> {
    const demoEnd = this.#hasDemo ? lastDayOfDemo(version) : null;
    if (demoEnd !== null) {
      const assets = demoAssets(demoEnd);
      return {
        assets: [...assets, ...this.#simulated(assets)],
        index: new TickerIndex(assets.map(({ ticker }) => ticker)),
        conditionSeries: [],
        readConditionSeries: async () => null,
        read: async (ticker) => demoSeries(ticker, demoEnd),
        // Simulated prices have one basis, which stands for all.
        readFurther: async (ticker) => demoSeries(ticker, demoEnd),
        close: async () => {},
      };
    }
    const reader = await DataSetReader.open(this.#layout, version);
    return {
      assets: [...reader.entries.map(publicFacts), ...this.#simulated(reader.entries)],
      index: reader.index,
      conditionSeries: reader.conditionSeries.map(publicSeriesFacts),
      readConditionSeries: async (name, lastDay) => {
        const entry = reader.conditionSeries.find((series) => series.name === name);
        return entry ? knownSeries(name, await reader.readConditionSeries(entry), lastDay) : null;
      },
      read: async (ticker) => {
        const entry = reader.entry(ticker);
        if (!entry) throw new RangeError(`${ticker} is not in ${version}`);
        return reader.read(entry);
      },
      readFurther: async (ticker, basis) => {
        const entry = reader.entry(ticker);
        if (!entry) return null;
        if (entry.isSimulated || entry.adjustment === basis) return reader.read(entry);
        const found = (await reader.readFurther(entry)).find((further) => further.basis === basis);
        return found ? { ticker, days: found.days, closes: found.closes } : null;
      },
      close: () => reader.close(),
    };
  }

  #simulated(stored: readonly Asset[]): readonly Asset[] {
    return this.#makesSimulated ? simulatedAssets(stored) : [];
  }

  /** Closes a version, at once or behind the last call on it; its cached series stay. */
  async #drop(version: string): Promise<void> {
    const opening = this.#opened.get(version);
    this.#opened.delete(version);
    // One that could not be opened has nothing to close; whoever asked for it was told.
    const held = await opening?.catch(() => null);
    if (!held || held.isDropped) return;
    held.isDropped = true;
    if (held.users === 0) await held.opened.close();
  }

  async #forget(version: string): Promise<void> {
    for (const key of this.#series.keys()) if (key.startsWith(`${version}/`)) this.#series.delete(key);
    await this.#drop(version);
  }

  /** A stored ticker, else a simulated one, else null; each made once, also when many ask at the same time. */
  async #load(version: string, opened: OpenVersion, ticker: string): Promise<PriceSeries | null> {
    return this.#once(`${version}/${ticker}`, () => this.#read(version, opened, ticker));
  }

  async #once(key: string, read: () => Promise<PriceSeries | null>): Promise<PriceSeries | null> {
    const cached = this.#series.get(key);
    if (cached) return cached;
    const underway = this.#reading.get(key);
    if (underway) return underway;
    const reading = read();
    this.#reading.set(key, reading);
    try {
      const series = await reading;
      if (series) this.#series.set(key, series);
      return series;
    } finally {
      this.#reading.delete(key);
    }
  }

  /**
   * Closes of a ticker on another basis, cached as all series are. A simulated ticker has one basis, which
   * stands for all.
   */
  async #loadOnBasis(
    version: string,
    opened: OpenVersion,
    { ticker: spelling, basis }: { readonly ticker: string; readonly basis: FurtherBasis },
  ): Promise<PriceSeries | null> {
    if (isSeriesName(spelling)) return null;
    const stored = opened.index.find(spelling);
    if (stored === null) return this.#load(version, opened, spelling.trim().toUpperCase());
    const key = `${version}/${stored}|${basis}`;
    return this.#once(key, () => opened.readFurther(stored, basis));
  }

  async #read(version: string, opened: OpenVersion, ticker: string): Promise<PriceSeries | null> {
    if (isSeriesName(ticker))
      return opened.readConditionSeries(ticker, (await this.#manifest(version)).lastDay);
    const stored = opened.index.find(ticker);
    if (stored !== null) return opened.read(stored);
    if (!this.#makesSimulated) return null;
    const { lastDay } = await this.#manifest(version);
    return simulateTicker(
      ticker,
      async (base) => {
        const found = opened.index.find(base);
        return found === null ? null : this.#load(version, opened, found);
      },
      lastDay,
    );
  }
}

/** Ids of the whole versions on disk, oldest first. */
export async function publishedVersions(layout: Layout): Promise<string[]> {
  let names: string[];
  try {
    names = await readdir(layout.versions);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  const whole = await Promise.all(
    names.filter(isVersionId).map(async (name) => {
      const isWhole = await stat(join(layout.versions, name, MANIFEST_FILE)).then(
        () => true,
        () => false,
      );
      return isWhole ? [name] : [];
    }),
  );
  return whole.flat().sort();
}

/** As an engine reads prices: a value for each session, from the first on which one was known. */
function knownSeries(name: string, observations: Observations, lastDay: string): PriceSeries {
  const from = observations.known.reduce((least, known) => Math.min(least, known), Number.POSITIVE_INFINITY);
  const sessions = sessionsBetween(Math.min(from, day(lastDay)), day(lastDay));
  const { days, values } = asKnownOn(observations, sessions);
  const shared = {
    days: new SharedArrayBuffer(days.byteLength),
    closes: new SharedArrayBuffer(values.byteLength),
  };
  const series = {
    ticker: name,
    days: new Int32Array(shared.days),
    closes: new Float64Array(shared.closes),
  };
  series.days.set(days);
  series.closes.set(values);
  return series;
}

function publicSeriesFacts(entry: ConditionSeries): ConditionSeries {
  const { name, title, source, firstDay, lastDay, count, lagDays, hasVintages } = entry;
  return { name, title, source, firstDay, lastDay, count, lagDays, hasVintages };
}

function publicFacts(entry: SeriesEntry): Asset {
  const { ticker, name, firstDay, lastDay, source, adjustment, isSimulated, further } = entry;
  const furtherBases = further?.map(({ basis }) => basis);
  return {
    ticker,
    name,
    firstDay,
    lastDay,
    source,
    adjustment,
    isSimulated,
    ...(furtherBases && { furtherBases }),
  };
}
