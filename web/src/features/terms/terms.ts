/** How a run trades beside its slippage: when orders are filled, what cash earns, and what it is compared with. */
import {
  CASH_RATE_BOUNDS,
  type CashReturn,
  type Fill,
  MAX_BENCHMARKS,
  readRunSettings,
  type RunSettings as TradingTerms,
} from '@quantloom/domain/strategy/run-settings';
import { entryFault, readNumber } from '../../lib/number-entry.ts';

export type { Fill, TradingTerms };

export const DEFAULT_TERMS: TradingTerms = { fill: 'close', cash: null, benchmarks: [] };

/** The fields of a request; defaults are left out, so that a request of before stays the same. */
export function termFields({ fill, cash, benchmarks }: TradingTerms): {
  fill?: Fill;
  cash?: CashReturn;
  benchmarks?: string[];
} {
  return {
    ...(fill !== 'close' && { fill }),
    ...(cash && { cash }),
    ...(benchmarks.length > 0 && { benchmarks: [...benchmarks] }),
  };
}

/** The terms that a request or a batch's configuration holds. What cannot be read counts as the default. */
export function termsOf(raw: { fill?: unknown; cash?: unknown; benchmarks?: unknown }): TradingTerms {
  const read = readRunSettings(raw);
  return 'fill' in read ? read : DEFAULT_TERMS;
}

export const otherFill = (fill: Fill): Fill => (fill === 'close' ? 'next-close' : 'close');

/** "the same close", "the next close". */
export const fillWords = (fill: Fill): string => (fill === 'close' ? 'the same close' : 'the next close');

/** "nothing", "4% a year", "what BIL returns". */
export function cashWords(cash: CashReturn | null): string {
  if (cash === null) return 'nothing';
  return 'rate' in cash ? `${cash.rate}% a year` : `what ${cash.ticker} returns`;
}

/** On a button: "Same close, cash 4%". */
export function termsWords({ fill, cash, benchmarks }: TradingTerms): string {
  const filled = fill === 'close' ? 'Same close' : 'Next close';
  const earned = cash === null ? 'cash 0%' : 'rate' in cash ? `cash ${cash.rate}%` : `cash ${cash.ticker}`;
  return [filled, earned, ...(benchmarks.length > 0 ? [`vs ${benchmarks.join(', ')}`] : [])].join(', ');
}

/** The terms while they are typed. */
export interface TermsDraft {
  readonly fill: Fill;
  readonly cashKind: 'nothing' | 'rate' | 'ticker';
  readonly rate: string;
  readonly ticker: string;
  readonly benchmarks: readonly string[];
}

export function draftOfTerms({ fill, cash, benchmarks }: TradingTerms): TermsDraft {
  return {
    fill,
    cashKind: cash === null ? 'nothing' : 'rate' in cash ? 'rate' : 'ticker',
    rate: cash !== null && 'rate' in cash ? String(cash.rate) : '4',
    ticker: cash !== null && 'ticker' in cash ? cash.ticker : '',
    benchmarks,
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
export function termsOfDraft({ fill, cashKind, rate, ticker, benchmarks }: TermsDraft): TradingTerms {
  const entry = readNumber(rate);
  const cash =
    cashKind === 'ticker' ? { ticker } : cashKind === 'rate' && entry.isRead ? { rate: entry.value } : null;
  return { fill, cash, benchmarks };
}

/** The terms of an address: `fill=next-close&cash=4&benchmarks=QQQ,TLT`; a cash ticker stands as it is. */
export function termsOfSearch(search: URLSearchParams): TradingTerms {
  const cash = search.get('cash');
  const benchmarks = search.get('benchmarks');
  return termsOf({
    fill: search.get('fill'),
    cash: cash === null || cash === '' ? null : readNumber(cash).isRead ? { rate: cash } : { ticker: cash },
    benchmarks: benchmarks ? benchmarks.split(',') : null,
  });
}

export function searchOfTerms({ fill, cash, benchmarks }: TradingTerms): Record<string, string> {
  return {
    ...(fill !== 'close' && { fill }),
    ...(cash && { cash: 'rate' in cash ? String(cash.rate) : cash.ticker }),
    ...(benchmarks.length > 0 && { benchmarks: benchmarks.join(',') }),
  };
}
