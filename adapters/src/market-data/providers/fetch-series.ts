import { formatDay, isWeekend, parseDay } from '@quantloom/domain/market-data/day';
import type { RejectedRow } from '@quantloom/domain/market-data/import-report';
import { mergeSeries } from '@quantloom/domain/market-data/series-comparison';
import type { FurtherSeries } from '../files/data-set-writer.ts';
import { furtherOf } from '../import/further-closes.ts';
import type { PriceProvider, ProviderBar, RequestOptions } from './provider.ts';

/** Stored days that an update asks for again, to see whether the provider has changed its history. */
const OVERLAP = 10;
/** A history that lost more than this share of its days is not believed. */
const MAX_LOSS = 0.05;
/** Agreement of prices that are computed anew every day. */
const RELATIVE_TOLERANCE = 1e-6;

export interface StoredSeries {
  readonly days: Int32Array;
  readonly closes: Float64Array;
  /** Its closes on other bases; missing: none. */
  readonly further?: readonly FurtherSeries[];
}

export type FetchedSeries =
  /** `isReplaced`: the provider re-based prices that were stored, so the whole series is new. */
  | {
      readonly kind: 'changed';
      readonly series: StoredSeries;
      readonly isReplaced: boolean;
      readonly rejected: readonly RejectedRow[];
    }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'failed'; readonly reason: string };

/**
 * Brings one series up to date. Known days are asked for again: where all of them still have the stored
 * price, the new days are added; where any differs (a split or dividend has re-based the past) the whole
 * history is fetched anew. Old and new prices are never mixed.
 */
export async function fetchSeries(
  provider: PriceProvider,
  ticker: string,
  stored: StoredSeries | null,
  today: number,
  options: RequestOptions & { full?: boolean } = {},
): Promise<FetchedSeries> {
  const { full = false, ...request } = options;
  if (!stored || stored.days.length < OVERLAP || full)
    return fetchWhole(provider, ticker, stored, today, request);
  const from = stored.days.length - OVERLAP;
  const bars = await provider.history(ticker, {
    ...request,
    from: formatDay(stored.days[from] as number),
  });
  if (bars === null) return unknownTicker(provider);
  const recent = cleanBars(bars, ticker, provider, today);
  if (!agrees(stored, from, recent, provider.precision))
    return fetchWhole(provider, ticker, stored, today, request);
  const added = recent.series.days.length - OVERLAP;
  if (added === 0) return { kind: 'unchanged' };
  const count = stored.days.length + added;
  const series = { days: new Int32Array(count), closes: new Float64Array(count) };
  series.days.set(stored.days);
  series.days.set(recent.series.days.subarray(OVERLAP), stored.days.length);
  series.closes.set(stored.closes);
  series.closes.set(recent.series.closes.subarray(OVERLAP), stored.closes.length);
  const further = withRecent(stored.further ?? [], recent.series.further ?? []);
  return { kind: 'changed', series: { ...series, further }, isReplaced: false, rejected: recent.rejected };
}

/** A split would have moved the adjusted closes of the overlap as well, so that here the others go on as they are. */
function withRecent(stored: readonly FurtherSeries[], recent: readonly FurtherSeries[]): FurtherSeries[] {
  return stored.map((one) => {
    const more = recent.find(({ basis }) => basis === one.basis);
    if (more === undefined) return one;
    const { days, closes } = mergeSeries(one, more);
    return { basis: one.basis, days, closes };
  });
}

async function fetchWhole(
  provider: PriceProvider,
  ticker: string,
  stored: StoredSeries | null,
  today: number,
  request: RequestOptions,
): Promise<FetchedSeries> {
  const bars = await provider.history(ticker, request);
  if (bars === null) return unknownTicker(provider);
  const { series, rejected } = cleanBars(bars, ticker, provider, today);
  if (series.days.length === 0) return { kind: 'failed', reason: `${provider.name} has no prices for it` };
  const before = stored?.days.length ?? 0;
  if (series.days.length < before * (1 - MAX_LOSS))
    return {
      kind: 'failed',
      reason:
        `${provider.name} answered ${series.days.length} days where ${before} are stored; the stored ` +
        'ones were kept',
    };
  if (stored && isSame(stored, series)) return { kind: 'unchanged' };
  return { kind: 'changed', series, isReplaced: stored !== null, rejected };
}

function unknownTicker(provider: PriceProvider): FetchedSeries {
  return { kind: 'failed', reason: `${provider.name} does not know it` };
}

function isSame(a: StoredSeries, b: StoredSeries): boolean {
  const others = b.further ?? [];
  const known = new Map(a.further?.map((one) => [one.basis, one]));
  return (
    others.every((one) => {
      const then = known.get(one.basis);
      return then !== undefined && isSame(then, one);
    }) &&
    a.days.length === b.days.length &&
    a.days.every((day, i) => day === b.days[i]) &&
    a.closes.every((close, i) => close === b.closes[i])
  );
}

/** Whether the fetched bars begin with the stored days from index `from` on, at the stored prices. */
function agrees(stored: StoredSeries, from: number, recent: CleanBars, precision: number): boolean {
  for (let i = 0; i < OVERLAP; i++) {
    if (recent.series.days[i] !== stored.days[from + i]) return false;
    const then = stored.closes[from + i] as number;
    const now = recent.series.closes[i] as number;
    if (Math.abs(now - then) > RELATIVE_TOLERANCE * then + precision) return false;
  }
  return true;
}

interface CleanBars {
  readonly series: StoredSeries;
  readonly rejected: readonly RejectedRow[];
}

/** The usable bars in order of their days; what is not usable is reported like a row of a file. */
export function cleanBars(
  bars: readonly ProviderBar[],
  ticker: string,
  { name: file, others }: Pick<PriceProvider, 'name' | 'others'>,
  today: number,
): CleanBars {
  const rejected: RejectedRow[] = [];
  const good: { day: number; close: number; other: number; split: number }[] = [];
  const seen = new Set<number>();
  for (const { date, close, other = Number.NaN, split = Number.NaN } of bars) {
    const day = parseDay(date);
    const reason =
      day === null
        ? 'bad_date'
        : isWeekend(day)
          ? 'weekend'
          : day > today
            ? 'in_the_future'
            : !Number.isFinite(close)
              ? 'bad_price'
              : close <= 0
                ? 'non_positive_price'
                : seen.has(day)
                  ? 'duplicate_day'
                  : null;
    if (reason !== null || day === null) {
      rejected.push({ file, line: null, reason: reason ?? 'bad_date', ticker, date, price: String(close) });
      continue;
    }
    seen.add(day);
    good.push({ day, close, other, split });
  }
  good.sort((a, b) => a.day - b.day);
  const series = {
    days: Int32Array.from(good, ({ day }) => day),
    closes: Float64Array.from(good, ({ close }) => close),
  };
  if (!others) return { series, rejected };
  const part = {
    ...series,
    file: 0,
    others: Float64Array.from(good, ({ other }) => other),
    splits: Float64Array.from(good, ({ split }) => split),
  };
  const columns = { columns: [], basis: others.basis, splitFactor: others.hasSplits ? 0 : null };
  return { series: { ...series, further: furtherOf(part, columns) }, rejected };
}
