import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { BacktestRequest, BatchRequest, Metrics } from '@quantloom/domain/contracts/backtest';
import type { PriceSeries } from '@quantloom/domain/ports/market-data';
import { PriceCsvReader } from '../src/data/price-csv.ts';

const FOLDER = join(import.meta.dirname, 'golden');
const SECOND_FOLDER = join(import.meta.dirname, 'golden-2');
/** The real prices are not part of the project; cases that need them are skipped by name where they are missing. */
const MARKET_DATA = join(import.meta.dirname, '../../../shared/market-data');

type Thinned = Readonly<Record<string, readonly number[]>>;

export interface ExpectedAnswer {
  readonly first_day: string;
  readonly last_day: string;
  readonly first_day_decided_by: readonly string[];
  readonly last_day_decided_by: readonly string[];
  readonly first_defined: Readonly<Record<string, string>>;
  readonly metrics: Metrics;
  readonly benchmark_metrics: Metrics | null;
  readonly days: number;
  readonly every: number;
  readonly dates: readonly string[];
  readonly timestamps: readonly number[];
  readonly value: readonly number[];
  readonly benchmark_value: readonly number[] | null;
  readonly tickers: Thinned;
  readonly indicators: Thinned;
  readonly means: {
    readonly value: number;
    readonly tickers: Readonly<Record<string, number>>;
    readonly indicators: Readonly<Record<string, number>>;
    /** What follows is of the second part only. */
    readonly turnover?: number;
    readonly indicator_scales?: Readonly<Record<string, number>>;
  };
  readonly turnover?: readonly number[];
  /** For functions whose value is a difference: what the tolerance is relative to. */
  readonly indicator_scales?: Thinned;
  readonly conditions?: Readonly<Record<string, ExpectedCondition>>;
  readonly benchmarks?: Readonly<Record<string, ExpectedBenchmark | null>>;
  readonly report?: Readonly<Record<string, unknown>>;
}

export interface ExpectedCondition {
  readonly lhs: readonly number[];
  readonly rhs: readonly number[];
  readonly holds: readonly boolean[];
  readonly scale?: readonly number[];
}

export interface ExpectedBenchmark {
  readonly metrics: Metrics;
  readonly value: readonly number[];
  readonly mean: number;
}

export interface ExpectedRefusal {
  readonly status: number;
  readonly error_mentions: readonly string[];
}

export interface GoldenCase {
  readonly name: string;
  readonly panel: string;
  readonly panel_sha256?: string;
  readonly request: BacktestRequest;
  readonly expected: ExpectedAnswer | ExpectedRefusal;
}

export interface GoldenBatch {
  readonly name: string;
  readonly panel: string;
  readonly request: BatchRequest;
  readonly expected: {
    readonly requested_combinations: number;
    readonly combinations: number;
    readonly columns: readonly string[];
    readonly rows: readonly (readonly (string | number | null)[])[];
    readonly failed: Readonly<Record<string, readonly string[]>>;
    /** By row, what is stored beside the visible columns; null for a row that cannot run. */
    readonly statistics?: readonly (Readonly<Record<string, number | null>> | null)[];
    /** Of the second part: columns beside the visible ones, a row null that cannot run. */
    readonly more_columns?: readonly string[];
    readonly more_rows?: readonly (readonly (number | null)[] | null)[];
  };
}

/** Every file of a folder of golden cases and of the second reading's beside them, parsed. */
export function goldenFiles<T>(folder: 'cases' | 'batches'): T[] {
  return [join(FOLDER, folder), join(FOLDER, 'reading', folder)].flatMap((place) => filesIn<T>(place));
}

/** The same of the second part of the language. */
export function secondGoldenFiles<T>(folder: 'cases' | 'batches'): T[] {
  return filesIn<T>(join(SECOND_FOLDER, folder));
}

function filesIn<T>(place: string): T[] {
  return readdirSync(place)
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(join(place, name), 'utf8')) as T);
}

const panels = new Map<string, ReadonlyMap<string, PriceSeries>>();

/** Where a case's panel is; null where it is not there or not the file the case was computed from. */
export function panelPath({ panel, panel_sha256 }: { panel: string; panel_sha256?: string }): string | null {
  const path = panel.startsWith('../market-data/')
    ? join(MARKET_DATA, basename(panel))
    : join(FOLDER, panel.replace('../golden/', ''));
  if (!existsSync(path)) return null;
  if (panel_sha256 === undefined) return path;
  const hash = createHash('sha256').update(readFileSync(path)).digest('hex');
  return hash === panel_sha256 ? path : null;
}

/** The prices of a panel file, read once. */
export function readPanel(path: string): ReadonlyMap<string, PriceSeries> {
  let prices = panels.get(path);
  if (prices === undefined) {
    const reader = new PriceCsvReader();
    reader.push(gunzipSync(readFileSync(path)));
    prices = reader.finish().prices;
    panels.set(path, prices);
  }
  return prices;
}
