import type { ConditionSeries } from '@quantloom/domain/market-data/condition-series';
import type { FurtherBasis } from '@quantloom/domain/market-data/price-basis';
import type { Asset } from '@quantloom/domain/ports/market-data';

/**
 * A version is a folder: `manifest.json` (small, what lists show), `assets.json` (`AssetsFile`), `prices.bin`
 * and `report.json`.
 *
 * `prices.bin` holds 64-byte aligned segments of little-endian numbers: one calendar (int32 days since 1970)
 * that most series share, and for each series its closes (float64) and, where they are not a piece of the
 * calendar, its own days (int32).
 */
export const FORMAT = 1;
export const ALIGNMENT = 64;

export interface Segment {
  /** Byte offset in `prices.bin`. */
  readonly at: number;
  readonly crc: number;
}

export interface SeriesEntry extends Asset {
  /** Number of days. */
  readonly count: number;
  readonly closes: Segment;
  /** Index of the first day in the calendar, or the segment of its own days. */
  readonly days: number | Segment;
  /** Missing: it has none. Versions of before have none, and their readers look past it. */
  readonly further?: readonly FurtherEntry[];
}

/** Closes of a ticker on another basis than those that returns are earned on. */
export interface FurtherEntry {
  readonly basis: FurtherBasis;
  readonly count: number;
  readonly closes: Segment;
  readonly days: number | Segment;
}

/**
 * A series for conditions: per observation its day, the day on which it is known (both int32), and its value
 * (float64).
 */
export interface ConditionSeriesEntry extends ConditionSeries {
  readonly days: Segment;
  readonly known: Segment;
  readonly values: Segment;
}

export interface AssetsFile {
  readonly format: number;
  /** Size of `prices.bin`. */
  readonly bytes: number;
  readonly calendar: Segment & { readonly count: number };
  readonly assets: readonly SeriesEntry[];
  /** Missing in versions of before. */
  readonly conditionSeries?: readonly ConditionSeriesEntry[];
}

export const MANIFEST_FILE = 'manifest.json';
export const ASSETS_FILE = 'assets.json';
export const PRICES_FILE = 'prices.bin';
export const REPORT_FILE = 'report.json';
