/** Requests and answers of the engine (`engine.md` sections 5 to 7), free of transport. */

import type { Static } from 'typebox';
import type { Frozen } from '../kernel/define-stream.ts';
import type { OtherPrices, PriceBasis } from '../market-data/price-basis.ts';
import type { BacktestReport } from './backtest-report.ts';
import type { BacktestConfigSchema, BacktestRequestSchema, TemplateBotSchema } from './backtest-schema.ts';

export type BacktestRequest = Frozen<Static<typeof BacktestRequestSchema>>;

export interface Metrics {
  readonly duration: number;
  readonly cumulative_return: number | null;
  readonly annualized_return: number | null;
  readonly standard_deviation: number | null;
  readonly max_drawdown: number | null;
  readonly calmer: number | null;
  readonly sharpe: number | null;
  readonly trailing_1_month: number | null;
  readonly trailing_3_month: number | null;
}

export interface CalculatedDates {
  readonly first_day: string;
  readonly last_day: string;
  /** What made the first day later than the first calendar day of the request; empty: nothing did. */
  readonly first_day_decided_by: readonly string[];
  readonly last_day_decided_by: readonly string[];
  /** Ticker, ratio or indicator key → its first defined day, whatever the requested dates. */
  readonly first_defined: Readonly<Record<string, string>>;
}

export interface BacktestHistory {
  /** Epoch seconds, midnight UTC. */
  readonly timestamps: readonly number[];
  readonly value: readonly number[];
  /** Null where the benchmark has no data. */
  readonly benchmark_value: readonly number[] | null;
  /** Ticker → allocation after the day's trade in percent by day; drifted on days without one. */
  readonly tickers: Readonly<Record<string, readonly number[]>>;
  readonly indicators: Readonly<Record<string, readonly number[]>>;
  /**
   * Share of the portfolio that was traded by day, `sum |weight - drifted weight|`, cash not counted; to a
   * billionth.
   */
  readonly turnover: readonly number[];
}

export interface BacktestAnswer {
  readonly metrics: Metrics;
  readonly benchmark_metrics: Metrics | null;
  readonly calculated_dates: CalculatedDates;
  /** Where the request names further benchmarks: ticker → null without a price on the first or last day. */
  readonly benchmarks?: Readonly<Record<string, FurtherBenchmark | null>>;
  readonly report?: BacktestReport;
  readonly history?: BacktestHistory;
  readonly explanation?: BacktestExplanation;
  readonly attribution?: BacktestAttribution;
  /**
   * Condition id → the price at which it flips on the day after the last one; null: no single price does it.
   * Not for answers over HTTP.
   */
  readonly flips?: Readonly<Record<string, FlipPrice | null>>;
  readonly debug_data?: unknown;
  /** What it was computed with. */
  readonly provenance?: Provenance;
}

export interface FurtherBenchmark {
  readonly metrics: Metrics;
  /** By day, with history only. */
  readonly value?: readonly number[];
}

export interface Provenance {
  readonly data_version: string;
  readonly engine_version: string;
  readonly is_simulated: boolean;
  /** What the prices of its tickers are adjusted for; missing where none of them is real. */
  readonly price_basis?: readonly PriceBasis[];
  /** The closes that decisions were read from, where they are others than those that returns were earned on. */
  readonly indicator_prices?: OtherPrices;
  /**
   * Of a single backtest: the hash of its days and values and of both versions. Whatever was asked for
   * besides, the same run has the same one.
   */
  readonly result_hash?: string;
}

/** The next close of one ticker from which on a condition is the opposite of what it is. */
export interface FlipPrice {
  readonly ticker: string;
  readonly price: number;
  /** On which side of the price it is the opposite. */
  readonly side: 'below' | 'above';
}

/** Day-by-day reasons. */
export interface BacktestExplanation {
  readonly conditions: Readonly<
    Record<
      string,
      { readonly lhs: readonly number[]; readonly rhs: readonly number[]; readonly holds: readonly boolean[] }
    >
  >;
  /** If node id → whether the then branch was taken, by day. */
  readonly branches: Readonly<Record<string, readonly boolean[]>>;
  /**
   * Filter node id → ids of the chosen children: `ids[i]` from the day `from[i]` (an index into `timestamps`)
   * until the next change.
   */
  readonly selections: Readonly<
    Record<string, { readonly from: readonly number[]; readonly ids: readonly (readonly string[])[] }>
  >;
  /** Node id → its share of the whole portfolio (0..1, to a millionth), by day; 0 where its branch was not taken. */
  readonly shares: Readonly<Record<string, readonly number[]>>;
}

/** What came of a block; money in units of the starting balance. */
export interface BlockAttribution {
  /** Simulated days after whose trade something of it was held. */
  readonly days: number;
  readonly earned: number;
  /** Part of the days that began with something of it held on which it earned more than 0; null where there is none. */
  readonly hit_rate: number | null;
}

/** What each block earned: that of the root, less `costs`, with `cash`, is the cumulative return. */
export interface BacktestAttribution {
  /** Block id → what came of it; empty blocks are missing. */
  readonly blocks: Readonly<Record<string, BlockAttribution>>;
  /** Spent on slippage, the first entry included. */
  readonly costs: number;
  /** Earned by cash. */
  readonly cash: number;
}

export type BacktestConfig = Frozen<Static<typeof BacktestConfigSchema>>;

export type TemplateBot = Frozen<Static<typeof TemplateBotSchema>>;

export interface BatchRequest {
  readonly template_bot: TemplateBot;
  readonly variables: Readonly<Record<string, readonly (string | number)[]>>;
  readonly partitions?: number;
  readonly backtest_config: BacktestConfig;
}
