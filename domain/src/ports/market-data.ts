import type { ConditionSeries } from '../market-data/condition-series.ts';
import type { ImportReport } from '../market-data/import-report.ts';

/**
 * Days are whole days since 1970-01-01 (UTC). Both arrays have the same length, ascending days, prices > 0,
 * backed by shared memory.
 */
export interface PriceSeries {
  readonly ticker: string;
  readonly days: Int32Array;
  readonly closes: Float64Array;
}

export interface Asset {
  readonly ticker: string;
  readonly name: string;
  /** `YYYY-MM-DD`. */
  readonly firstDay: string;
  readonly lastDay: string;
  /** Provider or file the prices came from. */
  readonly source: string;
  readonly adjustment: 'splits_and_dividends' | 'splits' | 'none' | 'unknown';
  readonly isSimulated: boolean;
  /** Closes that are kept beside these, of the days that their source had them for. Missing: none. */
  readonly furtherBases?: readonly ('splits' | 'none')[];
}

export interface DataSetManifest {
  /** Sortable, for example `20261121T073300Z-3f9c`; never reused. */
  readonly version: string;
  readonly createdAt: string;
  readonly label: string;
  /** True when every series is simulated (the demo set). */
  readonly isSimulated: boolean;
  readonly lastDay: string;
  readonly assetCount: number;
}

/** Published data-set versions. A version never changes once it is published. */
export interface MarketData {
  /** The version new work uses. Rejects with code `no_data_set` where nothing is published. */
  current(): Promise<DataSetManifest>;
  versions(): Promise<readonly DataSetManifest[]>;
  assets(version: string): Promise<readonly Asset[]>;
  /**
   * Reads only the named tickers, each once per process, into shared memory. A ticker under another spelling
   * (BRK.B, BRKB) is found; unknown ones are left out. The map's keys are the spellings asked for. A series
   * for conditions (`@VIXCLS`) comes with the value that was known on each session. `SPY|splits` and
   * `SPY|raw` are a ticker's closes on that basis (`nameOnBasis`), where they are kept; simulated prices have
   * one basis, which answers for all.
   */
  load(version: string, tickers: readonly string[]): Promise<ReadonlyMap<string, PriceSeries>>;
  /**
   * What the import of a version found; null where there is none (the demo data set). Absent in adapters
   * without reports.
   */
  report?(version: string): Promise<ImportReport | null>;
  /** Series for conditions, which are no assets. Absent in adapters without them. */
  conditionSeries?(version: string): Promise<readonly ConditionSeries[]>;
}
