import type { FileHandle } from 'node:fs/promises';
import { chmod, mkdir, mkdtemp, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { ConditionSeries, Observations } from '@quantloom/domain/market-data/condition-series';
import { day, formatDay } from '@quantloom/domain/market-data/day';
import type { ImportReport } from '@quantloom/domain/market-data/import-report';
import type { FurtherBasis } from '@quantloom/domain/market-data/price-basis';
import type { Bars } from '@quantloom/domain/market-data/series-comparison';
import { sessionsBetween } from '@quantloom/domain/market-data/trading-calendar';
import type { Asset, DataSetManifest } from '@quantloom/domain/ports/market-data';
import {
  ALIGNMENT,
  ASSETS_FILE,
  type AssetsFile,
  type ConditionSeriesEntry,
  FORMAT,
  type FurtherEntry,
  MANIFEST_FILE,
  PRICES_FILE,
  REPORT_FILE,
  type Segment,
  type SeriesEntry,
} from './format.ts';
import { type Layout, syncFolder, writeCurrent, writeFileAtomically } from './layout.ts';

/** Days that the shared calendar of a version covers; series that reach beyond carry days of their own. */
const CALENDAR_FIRST = day('1954-01-01');
const BUFFER_BYTES = 4 << 20;

/** Closes of a ticker on another basis. */
export interface FurtherSeries extends Bars {
  readonly basis: FurtherBasis;
}

export type AssetFacts = Pick<Asset, 'ticker' | 'name' | 'source' | 'adjustment' | 'isSimulated'>;

/**
 * Builds one version beside the published ones; the import lock must be held. Nothing can be seen of it
 * before `publish`, which makes it whole and current in one step; `abandon` leaves no trace.
 */
export class DataSetWriter {
  readonly folder: string;
  readonly #layout: Layout;
  readonly #file: FileHandle;
  readonly #calendar: Int32Array;
  readonly #calendarSegment: Segment;
  readonly #entries: SeriesEntry[] = [];
  readonly #conditionSeries: ConditionSeriesEntry[] = [];
  #buffer = Buffer.alloc(BUFFER_BYTES);
  /** The other buffer: what is in it is on its way to the file while the first one is filled. */
  #leaving = Buffer.alloc(BUFFER_BYTES);
  #buffered = 0;
  #written: Promise<void> = Promise.resolve();
  /** Where the next byte goes, buffered ones included. */
  #at = 0;

  private constructor(layout: Layout, folder: string, file: FileHandle, calendar: Int32Array) {
    this.#layout = layout;
    this.folder = folder;
    this.#file = file;
    this.#calendar = calendar;
    // The calendar is the first segment; it is small enough for the buffer.
    this.#calendarSegment = { at: 0, crc: crc32(bytesOf(calendar)) };
  }

  /**
   * `lastDay` bounds the shared calendar. Removes what dead imports have left behind, unless the caller works
   * in the folder already.
   */
  static async create(
    layout: Layout,
    lastDay: number,
    options: { readonly clean: boolean } = { clean: true },
  ): Promise<DataSetWriter> {
    if (options.clean) await cleanWork(layout);
    await mkdir(layout.work, { recursive: true });
    await mkdir(layout.versions, { recursive: true });
    const folder = await mkdtemp(join(layout.work, 'version-'));
    // `mkdtemp` keeps others out; a published version may be read by any service of the machine.
    await chmod(folder, 0o755);
    const file = await open(join(folder, PRICES_FILE), 'w');
    const writer = new DataSetWriter(layout, folder, file, sessionsBetween(CALENDAR_FIRST, lastDay));
    await writer.#write(bytesOf(writer.#calendar));
    return writer;
  }

  /** Appends a series: ascending days, prices > 0, at least one. `further` are its closes on other bases, likewise. */
  async add(
    facts: AssetFacts,
    days: Int32Array,
    closes: Float64Array,
    further: readonly FurtherSeries[] = [],
  ): Promise<void> {
    const own = await this.#addBars({ days, closes });
    const known = new Map([[closes, own]]);
    const entries: FurtherEntry[] = [];
    for (const { basis, ...bars } of further) {
      // Without a split the closes of two bases are the same.
      const place = known.get(bars.closes) ?? (await this.#addBars(bars));
      known.set(bars.closes, place);
      entries.push({ basis, ...place });
    }
    this.#entries.push({
      ticker: facts.ticker,
      name: facts.name,
      firstDay: formatDay(days[0] as number),
      lastDay: formatDay(days.at(-1) as number),
      source: facts.source,
      adjustment: facts.adjustment,
      isSimulated: facts.isSimulated,
      ...own,
      ...(entries.length > 0 && { further: entries }),
    });
  }

  async #addBars({ days, closes }: Bars): Promise<Pick<SeriesEntry, 'count' | 'closes' | 'days'>> {
    const start = this.#placeInCalendar(days);
    const closesSegment = await this.#write(bytesOf(closes));
    return {
      count: days.length,
      closes: closesSegment,
      days: start ?? (await this.#write(bytesOf(days))),
    };
  }

  /** Appends a series for conditions: at least one observation, sorted by its day. */
  async addConditionSeries(
    facts: Omit<ConditionSeries, 'firstDay' | 'lastDay' | 'count'>,
    { days, known, values }: Observations,
  ): Promise<void> {
    const [valueSegment, daySegment, knownSegment] = [
      await this.#write(bytesOf(values)),
      await this.#write(bytesOf(days)),
      await this.#write(bytesOf(known)),
    ];
    const { name, title, source, lagDays, hasVintages } = facts;
    this.#conditionSeries.push({
      name,
      title,
      source,
      lagDays,
      hasVintages,
      firstDay: formatDay(days[0] as number),
      lastDay: formatDay(days.at(-1) as number),
      count: days.length,
      days: daySegment,
      known: knownSegment,
      values: valueSegment,
    });
  }

  get assetCount(): number {
    return this.#entries.length;
  }

  /** Prices in all. */
  get rowCount(): number {
    return this.#entries.reduce((sum, { count }) => sum + count, 0);
  }

  get lastDay(): string | null {
    return (
      this.#entries
        .map(({ lastDay }) => lastDay)
        .sort()
        .at(-1) ?? null
    );
  }

  /** Makes the version durable, then visible, then (with `makeCurrent`) current. */
  async publish(
    manifest: Pick<DataSetManifest, 'version' | 'createdAt' | 'label'>,
    report: ImportReport,
    options: { makeCurrent: boolean } = { makeCurrent: true },
  ): Promise<DataSetManifest> {
    await this.#flush();
    await this.#written;
    await this.#file.sync();
    await this.#file.close();
    this.#entries.sort((a, b) => (a.ticker < b.ticker ? -1 : 1));
    const assets: AssetsFile = {
      format: FORMAT,
      bytes: this.#at,
      calendar: { ...this.#calendarSegment, count: this.#calendar.length },
      assets: this.#entries,
      ...(this.#conditionSeries.length > 0 && { conditionSeries: this.#conditionSeries }),
    };
    const whole: DataSetManifest = {
      version: manifest.version,
      createdAt: manifest.createdAt,
      label: manifest.label,
      isSimulated: this.#entries.length > 0 && this.#entries.every(({ isSimulated }) => isSimulated),
      lastDay: this.lastDay ?? '',
      assetCount: this.#entries.length,
    };
    await writeFileAtomically(join(this.folder, ASSETS_FILE), JSON.stringify(assets));
    await writeFileAtomically(join(this.folder, REPORT_FILE), JSON.stringify(report));
    await writeFileAtomically(join(this.folder, MANIFEST_FILE), JSON.stringify(whole));
    await syncFolder(this.folder);
    await rename(this.folder, join(this.#layout.versions, manifest.version));
    await syncFolder(this.#layout.versions);
    if (options.makeCurrent) await writeCurrent(this.#layout, manifest.version);
    return whole;
  }

  async abandon(): Promise<void> {
    await this.#written.catch(() => undefined);
    await this.#file.close().catch(ignoreClosed);
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Index in the calendar at which all the days stand in a row, or null. */
  #placeInCalendar(days: Int32Array): number | null {
    const calendar = this.#calendar;
    const first = days[0] as number;
    let low = 0;
    let high = calendar.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((calendar[middle] as number) < first) low = middle + 1;
      else high = middle;
    }
    if (low + days.length > calendar.length) return null;
    for (let i = 0; i < days.length; i++) if (calendar[low + i] !== days[i]) return null;
    return low;
  }

  async #write(bytes: Buffer): Promise<Segment> {
    const padding = (ALIGNMENT - (this.#at % ALIGNMENT)) % ALIGNMENT;
    if (padding > 0) await this.#append(Buffer.alloc(padding));
    const segment = { at: this.#at, crc: crc32(bytes) };
    await this.#append(bytes);
    return segment;
  }

  async #append(bytes: Buffer): Promise<void> {
    let rest = bytes;
    while (rest.length > 0) {
      const copied = rest.copy(this.#buffer, this.#buffered);
      this.#buffered += copied;
      this.#at += copied;
      rest = rest.subarray(copied);
      if (this.#buffered === this.#buffer.length) await this.#flush();
    }
  }

  /** Sends off what is buffered, when the buffer before it has arrived. Throws what went wrong with that one. */
  async #flush(): Promise<void> {
    await this.#written;
    const [full, bytes] = [this.#buffer, this.#buffered];
    [this.#buffer, this.#leaving] = [this.#leaving, full];
    this.#buffered = 0;
    this.#written = this.#send(full, bytes);
    // Whoever waits next is told; until then it is nobody's.
    this.#written.catch(() => undefined);
  }

  async #send(buffer: Buffer, bytes: number): Promise<void> {
    let done = 0;
    while (done < bytes) done += (await this.#file.write(buffer, done, bytes - done)).bytesWritten;
  }
}

/** Removes half-built versions; the import lock must be held. */
export async function cleanWork(layout: Layout): Promise<void> {
  let left: string[];
  try {
    left = await readdir(layout.work);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  for (const name of left) await rm(join(layout.work, name), { recursive: true, force: true });
}

function bytesOf(numbers: Int32Array | Float64Array): Buffer {
  return Buffer.from(numbers.buffer as ArrayBuffer, numbers.byteOffset, numbers.byteLength);
}

function ignoreClosed(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== 'EBADF') throw error;
}
