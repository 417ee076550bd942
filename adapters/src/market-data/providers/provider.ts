import type { FurtherBasis } from '@quantloom/domain/market-data/price-basis';
import type { Asset } from '@quantloom/domain/ports/market-data';

/** One day as a provider answers it. */
export interface ProviderBar {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  /** Adjusted for splits and dividends. */
  readonly close: number;
  /** The close on the provider's other basis. */
  readonly other?: number | undefined;
  /** Shares that were made of one on that day; 1 or missing: no split. */
  readonly split?: number | undefined;
}

/** An asset that a provider offers. */
export interface ProviderAsset {
  /** As it is stored (`BRK-B`). */
  readonly ticker: string;
  readonly name: string;
}

export interface RequestOptions {
  readonly signal?: AbortSignal;
}

/** A source of adjusted end-of-day prices. Every call may take long: the provider's limits are kept by waiting. */
export interface PriceProvider {
  readonly id: ProviderId;
  /** How users know it. */
  readonly name: string;
  readonly adjustment: Asset['adjustment'];
  /** What its other closes are adjusted for, and whether it tells splits; missing: it has one basis. */
  readonly others?: { readonly basis: FurtherBasis; readonly hasSplits: boolean };
  /** Prices are rounded to this absolute precision; 0: as computed. */
  readonly precision: number;
  /** All US stocks and funds it has, for a fetch of everything. */
  assets(options?: RequestOptions): Promise<readonly ProviderAsset[]>;
  /** Ascending bars from `from` (`YYYY-MM-DD`, default the first) on; null where it does not know the ticker. */
  history(
    ticker: string,
    options?: RequestOptions & { from?: string },
  ): Promise<readonly ProviderBar[] | null>;
  /** What a ticker is called, or null. */
  assetName(ticker: string, options?: RequestOptions): Promise<string | null>;
}

export type ProviderId = 'tiingo' | 'eodhd' | 'stooq' | 'alpaca';

export interface ProviderOptions {
  readonly key: string;
  /** The second half of a key that has two. */
  readonly secret?: string;
  /** Default: the provider's own host. */
  readonly baseUrl?: string;
  /** Requests an hour; default the allowance of the provider's smallest plan that is good for more than a trial. */
  readonly requestsPerHour?: number;
  /** For tests: how waiting is done. */
  readonly wait?: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}
