/**
 * How a run trades beside its slippage: when orders are filled, what cash earns, what decisions are read
 * from, and what it is compared with.
 */
import { indicatorPricesInWords } from '@quantloom/domain/market-data/price-basis';
import {
  CASH_RATE_BOUNDS,
  type CashReturn,
  type Fill,
  type IndicatorPrices,
  MAX_BENCHMARKS,
  type RawRunSettings,
  readRunSettings,
  type RunSettings as TradingTerms,
} from '@quantloom/domain/strategy/run-settings';
import { entryFault, readNumber } from '../../lib/number-entry.ts';

export type { Fill, IndicatorPrices, TradingTerms };

export const DEFAULT_TERMS: TradingTerms = {
  fill: 'close',
  cash: null,
  benchmarks: [],
  indicatorPrices: 'adjusted',
};

/** The fields of a request; defaults are left out, so that a request of before stays the same. */
export function termFields({ fill, cash, benchmarks, indicatorPrices }: TradingTerms): {
  fill?: Fill;
  cash?: CashReturn;
  benchmarks?: string[];
  indicator_prices?: IndicatorPrices;
} {
  return {
    ...(fill !== 'close' && { fill }),
    ...(cash && { cash }),
    ...(benchmarks.length > 0 && { benchmarks: [...benchmarks] }),
    ...(indicatorPrices !== 'adjusted' && { indicator_prices: indicatorPrices }),
  };
}

/** Each of the terms by itself: one that cannot be read takes no other with it. */
function readEach(raw: RawRunSettings): {
  readonly terms: TradingTerms;
  /** Why one cannot be read, which then counts as the default. */
  readonly refused: Readonly<Partial<Record<keyof RawRunSettings, string>>>;
} {
  const refused: Partial<Record<keyof RawRunSettings, string>> = {};
  const read = <Name extends keyof TradingTerms>(
    field: keyof RawRunSettings,
    name: Name,
  ): TradingTerms[Name] => {
    const found = readRunSettings({ [field]: raw[field] });
    if ('fill' in found) return found[name];
    refused[field] = found.detail;
    return DEFAULT_TERMS[name];
  };
  const terms = {
    fill: read('fill', 'fill'),
    cash: read('cash', 'cash'),
    benchmarks: read('benchmarks', 'benchmarks'),
    indicatorPrices: read('indicator_prices', 'indicatorPrices'),
  };
  return { terms, refused };
}

/** The terms that a request or a batch's configuration holds. What cannot be read counts as the default. */
export const termsOf = (raw: RawRunSettings): TradingTerms => readEach(raw).terms;

/** "the same close", "the next close". */
export const fillWords = (fill: Fill): string => (fill === 'close' ? 'the same close' : 'the next close');

/** What the closes are called that decisions are read from. */
export const PRICE_NAMES: Readonly<Record<IndicatorPrices, string>> = {
  adjusted: 'Adjusted closes',
  splits: 'Split-adjusted closes',
  raw: 'Closes as paid',
};

/** What a result says of the closes that decided; null for those that returns are earned on. */
export function decisionWords(prices: IndicatorPrices): string | null {
  return prices === 'adjusted' ? null : `Decisions were read from ${indicatorPricesInWords(prices)}`;
}

/** On a button: "Same close, cash 4%". */
export function termsWords({ fill, cash, benchmarks, indicatorPrices }: TradingTerms): string {
  const filled = fill === 'close' ? 'Same close' : 'Next close';
  const earned = cash === null ? 'cash 0%' : 'rate' in cash ? `cash ${cash.rate}%` : `cash ${cash.ticker}`;
  const read = indicatorPrices === 'adjusted' ? [] : [`reads ${PRICE_NAMES[indicatorPrices].toLowerCase()}`];
  return [filled, earned, ...read, ...(benchmarks.length > 0 ? [`vs ${benchmarks.join(', ')}`] : [])].join(
    ', ',
  );
}

/** The terms while they are typed. */
export interface TermsDraft {
  readonly fill: Fill;
  readonly cashKind: 'nothing' | 'rate' | 'ticker';
  readonly rate: string;
  readonly ticker: string;
  readonly benchmarks: readonly string[];
  readonly indicatorPrices: IndicatorPrices;
}

export function draftOfTerms({ fill, cash, benchmarks, indicatorPrices }: TradingTerms): TermsDraft {
  return {
    fill,
    cashKind: cash === null ? 'nothing' : 'rate' in cash ? 'rate' : 'ticker',
    rate: cash !== null && 'rate' in cash ? String(cash.rate) : '4',
    ticker: cash !== null && 'ticker' in cash ? cash.ticker : '',
    benchmarks,
    indicatorPrices,
  };
}

export interface TermsFaults {
  readonly rate: string | null;
  readonly ticker: string | null;
  readonly benchmarks: string | null;
}

export function termsFaults({ cashKind, rate, ticker, benchmarks }: TermsDraft): TermsFaults {
  return {
    rate: cashKind === 'rate' ? entryFault(readNumber(rate, CASH_RATE_BOUNDS)) : null,
    ticker: cashKind === 'ticker' && ticker === '' ? 'Choose what cash is held in' : null,
    benchmarks:
      benchmarks.length > MAX_BENCHMARKS ? `At most ${MAX_BENCHMARKS} further tickers are compared` : null,
  };
}

/** What a draft without a fault stands for. */
export function termsOfDraft({
  fill,
  cashKind,
  rate,
  ticker,
  benchmarks,
  indicatorPrices,
}: TermsDraft): TradingTerms {
  const entry = readNumber(rate);
  const cash =
    cashKind === 'ticker' ? { ticker } : cashKind === 'rate' && entry.isRead ? { rate: entry.value } : null;
  return { fill, cash, benchmarks, indicatorPrices };
}

/** A part of an address that cannot be read. */
export interface RefusedSetting {
  /** `fill`. */
  readonly name: string;
  readonly value: string;
  readonly reason: string;
}

/** What an address names each of the terms by. */
const ADDRESS_NAMES = {
  fill: 'fill',
  cash: 'cash',
  benchmarks: 'benchmarks',
  indicator_prices: 'reads',
} as const;

/** The terms of an address: `fill=next-close&cash=4&benchmarks=QQQ,TLT&reads=splits`; a cash ticker stands as it is. */
export function termsOfSearch(search: URLSearchParams): {
  readonly terms: TradingTerms;
  /** What of them counts as the default instead. */
  readonly refused: readonly RefusedSetting[];
} {
  const cash = search.get('cash');
  const benchmarks = search.get('benchmarks');
  const { terms, refused } = readEach({
    fill: search.get('fill'),
    cash: cash === null || cash === '' ? null : readNumber(cash).isRead ? { rate: cash } : { ticker: cash },
    benchmarks: benchmarks ? benchmarks.split(',') : null,
    indicator_prices: search.get('reads'),
  });
  const named = Object.entries(ADDRESS_NAMES).flatMap(([field, name]) => {
    const reason = refused[field as keyof RawRunSettings];
    return reason === undefined ? [] : [{ name, value: search.get(name) ?? '', reason }];
  });
  return { terms, refused: named };
}

export function searchOfTerms({
  fill,
  cash,
  benchmarks,
  indicatorPrices,
}: TradingTerms): Record<string, string> {
  return {
    ...(fill !== 'close' && { fill }),
    ...(cash && { cash: 'rate' in cash ? String(cash.rate) : cash.ticker }),
    ...(benchmarks.length > 0 && { benchmarks: benchmarks.join(',') }),
    ...(indicatorPrices !== 'adjusted' && { reads: indicatorPrices }),
  };
}
