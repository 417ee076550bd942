import { isRefusal, type Refusal, refuse } from '../kernel/refusal.ts';
import { isSeriesName } from '../market-data/condition-series.ts';
import { field, isRecord, numberOf, quote } from './values.ts';

/** When a decision is traded (`docs/engine.md`, section 13). */
export const FILLS = ['close', 'next-close'] as const;
export type Fill = (typeof FILLS)[number];

/** The fill that a batch of both has in its further columns. */
export function otherFill(fill: Fill): Fill {
  return fill === 'close' ? 'next-close' : 'close';
}

/**
 * Which closes decisions read (section 21): those that returns are earned on, those adjusted for splits only,
 * or those that were paid.
 */
export const INDICATOR_PRICES = ['adjusted', 'splits', 'raw'] as const;
export type IndicatorPrices = (typeof INDICATOR_PRICES)[number];

/** What cash earns (section 14): percent per year, or the returns of a ticker. */
export type CashReturn = { readonly rate: number } | { readonly ticker: string };

/** "nothing", "4% a year", "what BIL returns": what cash earns, in a sentence. */
export function cashInWords(cash: CashReturn | null | undefined): string {
  if (!cash) return 'nothing';
  return 'rate' in cash ? `${cash.rate}% a year` : `what ${cash.ticker} returns`;
}

export const CASH_RATE_BOUNDS = { min: -50, max: 100 } as const;
export const MAX_BENCHMARKS = 5;
/** More letters than any ticker has; what is stored with a batch stays small. */
export const MAX_TICKER_LETTERS = 30;

/** How a backtest is run beside its dates, slippage and benchmark. */
export interface RunSettings {
  readonly fill: Fill;
  /** Null: it earns nothing. */
  readonly cash: CashReturn | null;
  /** Further benchmarks, each once, in the order given. */
  readonly benchmarks: readonly string[];
  /** What conditions, filters and weights read. Returns are earned on adjusted closes whatever it is. */
  readonly indicatorPrices: IndicatorPrices;
}

/** Any JSON: what stands in a request or in a batch's configuration. */
export interface RawRunSettings {
  readonly fill?: unknown;
  readonly cash?: unknown;
  readonly benchmarks?: unknown;
  readonly indicator_prices?: unknown;
}

/**
 * Reads the settings of a run. Total.
 * @param at path of the object that holds them, for the problem of a refusal (status 400)
 */
export function readRunSettings(raw: RawRunSettings, at = ''): RunSettings | Refusal {
  const fill = raw.fill ?? 'close';
  if (!isFill(fill))
    return refuseSetting(
      'invalid_fill',
      `fill must be ${FILLS.join(' or ')}, not ${quote(fill)}`,
      at,
      'fill',
    );
  const cash = readCash(raw.cash, at);
  if (isRefusal(cash)) return cash;
  const benchmarks = readBenchmarks(raw.benchmarks, at);
  if (isRefusal(benchmarks)) return benchmarks;
  const indicatorPrices = raw.indicator_prices ?? 'adjusted';
  if (!isIndicatorPrices(indicatorPrices))
    return refuseSetting(
      'invalid_indicator_prices',
      `indicator_prices must be ${INDICATOR_PRICES.slice(0, -1).join(', ')} or ` +
        `${INDICATOR_PRICES.at(-1)}, not ${quote(indicatorPrices)}`,
      at,
      'indicator_prices',
    );
  return { fill, cash, benchmarks, indicatorPrices };
}

function isIndicatorPrices(value: unknown): value is IndicatorPrices {
  return (INDICATOR_PRICES as readonly unknown[]).includes(value);
}

function isFill(value: unknown): value is Fill {
  return (FILLS as readonly unknown[]).includes(value);
}

function readCash(value: unknown, at: string): CashReturn | null | Refusal {
  if (value === undefined || value === null) return null;
  const fault = (detail: string) => refuseSetting('invalid_cash', detail, at, 'cash');
  if (!isRecord(value)) return fault(`cash must be {"rate": 4} or {"ticker": "BIL"}, not ${quote(value)}`);
  const rate = field(value, 'rate') ?? null;
  const ticker = field(value, 'ticker') ?? null;
  if ((rate === null) === (ticker === null))
    return fault(`cash must hold either a rate or a ticker, not ${rate === null ? 'none of them' : 'both'}`);
  if (rate !== null) {
    const { min, max } = CASH_RATE_BOUNDS;
    const percent = numberOf(rate);
    if (percent === null || percent < min || percent > max)
      return fault(`cash has the rate ${quote(rate)}, expected percent per year from ${min} to ${max}`);
    return { rate: percent === 0 ? 0 : percent };
  }
  const name = tickerOf(ticker);
  return name === null ? fault(`cash has the ticker ${quote(ticker)}, expected a ticker`) : { ticker: name };
}

function readBenchmarks(value: unknown, at: string): readonly string[] | Refusal {
  if (value === undefined || value === null) return [];
  const fault = (detail: string) => refuseSetting('invalid_benchmarks', detail, at, 'benchmarks');
  if (!Array.isArray(value)) return fault(`benchmarks must be a list of tickers, not ${quote(value)}`);
  const names = new Set<string>();
  for (const item of value as readonly unknown[]) {
    const name = tickerOf(item);
    if (name === null) return fault(`benchmarks holds ${quote(item)}, expected a ticker`);
    names.add(name);
    if (names.size > MAX_BENCHMARKS)
      return fault(
        `benchmarks names more than ${MAX_BENCHMARKS} tickers; at most ${MAX_BENCHMARKS} are compared`,
      );
  }
  return [...names];
}

/**
 * A single ticker without surrounding space; null for a ratio, a variable, a series for conditions and what
 * is no text.
 */
function tickerOf(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > MAX_TICKER_LETTERS) return null;
  const name = value.trim();
  return name === '' || name.includes('/') || name.startsWith('$') || isSeriesName(name) ? null : name;
}

function refuseSetting(code: string, detail: string, at: string, name: string): Refusal {
  return refuse(400, code, detail, { problems: [{ code, message: detail, path: `${at}/${name}` }] });
}
