import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { RejectedRow } from '@quantloom/domain/market-data/import-report';
import type { FurtherBasis } from '@quantloom/domain/market-data/price-basis';
import type { StoredSeries } from './fetch-series.ts';

/** What was fetched of one ticker; `series` is null where nothing has changed. */
export interface StagedFetch {
  readonly ticker: string;
  readonly name: string;
  readonly isReplaced: boolean;
  readonly series: StoredSeries | null;
  readonly rejected: readonly RejectedRow[];
}

interface Header extends Omit<StagedFetch, 'series'> {
  readonly fetchedAt: number;
  /** The version it was compared with: what was appended to that one is of no use for another. */
  readonly base: string | null;
  /** -1 where nothing has changed. */
  readonly count: number;
  /** Its closes on other bases, behind the series, in the same form. */
  readonly further?: readonly { readonly basis: FurtherBasis; readonly count: number }[];
  readonly crc: number;
}

/** How long a fetched series is good for a run that goes on where another one ended. */
const GOOD_FOR_MS = 10 * 3_600_000;

/**
 * Fetched series on their way to a version, one file each, so that a fetch that was killed or ran into a
 * limit goes on where it was. A file that is not whole is as good as none.
 */
export class FetchStage {
  readonly #folder: string;
  readonly #base: string | null;

  constructor(root: string, providerId: string, base: string | null) {
    this.#folder = join(root, `fetch-${providerId}`);
    this.#base = base;
  }

  async put(fetched: StagedFetch, now: number): Promise<void> {
    const { series, ...facts } = fetched;
    const all = series ? [series, ...(series.further ?? [])] : [];
    const body = Buffer.concat(all.flatMap(({ days, closes }) => [bytesOf(days), bytesOf(closes)]));
    const header: Header = {
      ...facts,
      fetchedAt: now,
      base: this.#base,
      count: series ? series.days.length : -1,
      ...(series?.further && {
        further: series.further.map(({ basis, days }) => ({ basis, count: days.length })),
      }),
      crc: crc32(body),
    };
    await mkdir(this.#folder, { recursive: true });
    const path = this.#path(fetched.ticker);
    await writeFile(`${path}.tmp`, Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), body]));
    await rename(`${path}.tmp`, path);
  }

  /** Null where there is nothing, or nothing of use any more. */
  async get(ticker: string, now: number): Promise<StagedFetch | null> {
    let bytes: Buffer;
    try {
      bytes = await readFile(this.#path(ticker));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
    const newline = bytes.indexOf(10);
    const body = bytes.subarray(newline + 1);
    let header: Header;
    try {
      header = JSON.parse(bytes.subarray(0, Math.max(0, newline)).toString('utf8')) as Header;
    } catch {
      return null;
    }
    const { fetchedAt, base, count, further = [], crc, ...facts } = header;
    if (now - fetchedAt > GOOD_FOR_MS || fetchedAt > now || base !== this.#base) return null;
    const total = further.reduce((sum, one) => sum + one.count, Math.max(0, count));
    if (body.length !== total * 12 || crc32(body) !== crc) return null;
    if (count < 0) return { ...facts, series: null };
    // Copied, because numbers need to be aligned.
    const memory = new Uint8Array(body).buffer;
    let at = 0;
    const next = (length: number) => {
      const days = new Int32Array(memory.slice(at, at + length * 4));
      const closes = new Float64Array(memory.slice(at + length * 4, at + length * 12));
      at += length * 12;
      return { days, closes };
    };
    const series = next(count);
    const others = further.map(({ basis, count: length }) => ({ basis, ...next(length) }));
    return { ...facts, series: { ...series, ...(others.length > 0 && { further: others }) } };
  }

  async clear(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }

  #path(ticker: string): string {
    return join(this.#folder, `${ticker.replaceAll(':', '_')}.bin`);
  }
}

function bytesOf(numbers: Int32Array | Float64Array): Buffer {
  return Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}
