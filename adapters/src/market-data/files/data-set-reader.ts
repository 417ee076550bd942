import type { FileHandle } from 'node:fs/promises';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Observations } from '@quantloom/domain/market-data/condition-series';
import type { Bars } from '@quantloom/domain/market-data/series-comparison';
import { TickerIndex } from '@quantloom/domain/market-data/ticker';
import type { PriceSeries } from '@quantloom/domain/ports/market-data';
import type { FurtherSeries } from './data-set-writer.ts';
import {
  ASSETS_FILE,
  type AssetsFile,
  type ConditionSeriesEntry,
  FORMAT,
  PRICES_FILE,
  type SeriesEntry,
} from './format.ts';
import { isVersionId, type Layout } from './layout.ts';
import { MarketDataError } from './market-data-error.ts';

/**
 * Reads one published version. The price file stays open, so that a version that is pruned while somebody
 * uses it can still be read.
 */
export class DataSetReader {
  readonly version: string;
  readonly entries: readonly SeriesEntry[];
  readonly index: TickerIndex;
  readonly conditionSeries: readonly ConditionSeriesEntry[];
  readonly #byTicker: ReadonlyMap<string, SeriesEntry>;
  readonly #file: FileHandle;
  readonly #calendar: Int32Array;

  private constructor(version: string, assets: AssetsFile, file: FileHandle, calendar: Int32Array) {
    this.version = version;
    this.entries = assets.assets;
    this.conditionSeries = assets.conditionSeries ?? [];
    this.#byTicker = new Map(assets.assets.map((entry) => [entry.ticker, entry]));
    this.index = new TickerIndex(this.#byTicker.keys());
    this.#file = file;
    this.#calendar = calendar;
  }

  /** Throws `unknown_version`, or `data_set_damaged` for a version whose files are not what was published. */
  static async open(layout: Layout, version: string): Promise<DataSetReader> {
    if (!isVersionId(version)) throw unknownVersion(version);
    const folder = join(layout.versions, version);
    let text: string;
    try {
      text = await readFile(join(folder, ASSETS_FILE), 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw unknownVersion(version);
      throw error;
    }
    const assets = parseAssets(version, text);
    const file = await open(join(folder, PRICES_FILE), 'r').catch((cause) => {
      throw damaged(version, 'its price file cannot be opened', cause);
    });
    try {
      const { size } = await file.stat();
      if (size !== assets.bytes)
        throw damaged(version, `its price file has ${size} bytes instead of ${assets.bytes}`);
      const { at, crc, count } = assets.calendar;
      const calendar = new Int32Array(await readShared(file, at, count * 4, crc, version));
      return new DataSetReader(version, assets, file, calendar);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  entry(ticker: string): SeriesEntry | null {
    return this.#byTicker.get(ticker) ?? null;
  }

  /** Reads one series into shared memory; throws `data_set_damaged` when its checksum does not fit. */
  async read(entry: SeriesEntry): Promise<PriceSeries> {
    return { ticker: entry.ticker, ...(await this.#readBars(entry)) };
  }

  /** Reads all closes of a ticker on other bases; throws as `read` does. */
  async readFurther({ further = [] }: SeriesEntry): Promise<FurtherSeries[]> {
    const read: FurtherSeries[] = [];
    for (const entry of further) {
      const same = further.findIndex(({ closes }) => closes.at === entry.closes.at);
      const bars = read[same] ?? (await this.#readBars(entry));
      read.push({ basis: entry.basis, days: bars.days, closes: bars.closes });
    }
    return read;
  }

  async #readBars(entry: Pick<SeriesEntry, 'count' | 'closes' | 'days'>): Promise<Bars> {
    const closes = new Float64Array(
      await readShared(this.#file, entry.closes.at, entry.count * 8, entry.closes.crc, this.version),
    );
    const days =
      typeof entry.days === 'number'
        ? this.#calendar.subarray(entry.days, entry.days + entry.count)
        : new Int32Array(
            await readShared(this.#file, entry.days.at, entry.count * 4, entry.days.crc, this.version),
          );
    return { days, closes };
  }

  /** Reads the observations of a series for conditions; throws as `read` does. */
  async readConditionSeries({ count, days, known, values }: ConditionSeriesEntry): Promise<Observations> {
    const read = ({ at, crc }: typeof days, bytes: number) =>
      readShared(this.#file, at, count * bytes, crc, this.version);
    return {
      days: new Int32Array(await read(days, 4)),
      known: new Int32Array(await read(known, 4)),
      values: new Float64Array(await read(values, 8)),
    };
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}

async function readShared(
  file: FileHandle,
  at: number,
  byteLength: number,
  crc: number,
  version: string,
): Promise<SharedArrayBuffer> {
  const memory = new SharedArrayBuffer(byteLength);
  const bytes = new Uint8Array(memory);
  let done = 0;
  while (done < byteLength) {
    const { bytesRead } = await file.read(bytes, done, byteLength - done, at + done);
    if (bytesRead === 0) throw damaged(version, 'its price file ends too early');
    done += bytesRead;
  }
  if (crc32(bytes) !== crc) throw damaged(version, 'a checksum of its price file does not fit');
  return memory;
}

function parseAssets(version: string, text: string): AssetsFile {
  let assets: AssetsFile;
  try {
    assets = JSON.parse(text) as AssetsFile;
  } catch (cause) {
    throw damaged(version, 'its list of assets is not readable', cause);
  }
  if (assets.format !== FORMAT)
    throw damaged(version, `it has format ${assets.format}, this program reads format ${FORMAT}`);
  return assets;
}

export function unknownVersion(version: string): MarketDataError {
  return new MarketDataError(
    'unknown_version',
    `There is no data set with version ${JSON.stringify(version)}`,
  );
}

function damaged(version: string, what: string, cause?: unknown): MarketDataError {
  return new MarketDataError(
    'data_set_damaged',
    `Data set ${version} is damaged: ${what}. Import everything again with "data import ` +
      '--drop-others", or go back to another version with "data use"',
    { cause },
  );
}
