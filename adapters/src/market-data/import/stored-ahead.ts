import type { Bars } from '@quantloom/domain/market-data/series-comparison';
import type { DataSetReader } from '../files/data-set-reader.ts';
import type { FurtherSeries } from '../files/data-set-writer.ts';
import type { SeriesEntry } from '../files/format.ts';

/** What a version holds of a ticker: its own closes and those on other bases. */
export interface KnownSeries {
  readonly entry: SeriesEntry;
  readonly stored: Bars;
  readonly further: readonly FurtherSeries[];
}

/** Reads the series of the next ticker from the file while the one before it is compared and written. */
export class StoredAhead {
  readonly #base: DataSetReader | null;
  #next: { readonly ticker: string; readonly series: Promise<KnownSeries | null> } | null = null;

  constructor(base: DataSetReader | null) {
    this.#base = base;
  }

  /** What is stored of `ticker`, or null; `next` is begun. Rejects with `data_set_damaged` as the reader does. */
  async take(ticker: string, next: string | null): Promise<KnownSeries | null> {
    const series = this.#next?.ticker === ticker ? this.#next.series : this.#read(ticker);
    const known = await series;
    this.#next = null;
    if (next !== null) {
      this.#next = { ticker: next, series: this.#read(next) };
      // A failure is told to whoever takes it. When the import ends before that, it is nobody's.
      this.#next.series.catch(() => undefined);
    }
    return known;
  }

  async #read(ticker: string): Promise<KnownSeries | null> {
    const entry = this.#base?.entry(ticker);
    if (!this.#base || !entry) return null;
    const [stored, further] = await Promise.all([this.#base.read(entry), this.#base.readFurther(entry)]);
    return { entry, stored, further };
  }
}
