import { formatDay } from '@quantloom/domain/market-data/day';
import type { SeriesAction } from '@quantloom/domain/market-data/import-report';
import { splitLike } from '@quantloom/domain/market-data/series-checks';
import { type Bars, compareSeries, mergeSeries } from '@quantloom/domain/market-data/series-comparison';
import type { Asset } from '@quantloom/domain/ports/market-data';

export interface StoredSeries extends Bars {
  readonly adjustment: Asset['adjustment'];
  readonly source: string;
}

export interface IncomingSeries extends Bars {
  readonly adjustment: Asset['adjustment'];
}

export type SettledSeries =
  | {
      readonly action: Exclude<SeriesAction, 'new' | 'kept'>;
      readonly bars: Bars;
      readonly factor?: number;
      readonly remark?: string;
    }
  /** What comes in does not agree with what is stored; a sentence without its end. */
  | { readonly action: 'refused'; readonly problem: string };

/** A seam without a common day may be this long. */
const MOST_DAYS_BETWEEN = 10;
const MOST_MOVE_AT_A_SEAM = 0.25;
/** Splits of 3:2 and less look like days that happen. */
const LEAST_SPLIT_MOVE = 0.2;
const SHOWN_DAYS = 5;

const BASES: Readonly<Record<Asset['adjustment'], string>> = {
  splits_and_dividends: 'adjusted for splits and dividends',
  splits: 'adjusted for splits only',
  none: 'not adjusted',
  unknown: 'of an unknown basis',
};

/** What a basis is called. */
export function basisInWords(adjustment: Asset['adjustment']): string {
  return BASES[adjustment];
}

/**
 * Brings together what is stored of a ticker and what an import has of it. A series never becomes shorter:
 * equal where they overlap, it gets the days it lacks; all prices times one factor, it is put on the new
 * basis; anything else is refused with the days.
 */
export function settleSeries(ticker: string, stored: StoredSeries, incoming: IncomingSeries): SettledSeries {
  const bases = [stored.adjustment, incoming.adjustment];
  if (bases[0] !== bases[1] && !bases.includes('unknown'))
    return {
      action: 'refused',
      problem:
        `${ticker}: the stored prices (${stored.source}) are ${basisInWords(stored.adjustment)}, ` +
        `these are ${basisInWords(incoming.adjustment)}`,
    };
  const comparison = compareSeries(stored, incoming);
  switch (comparison.kind) {
    case 'apart':
      return withoutCommonDay(ticker, stored, incoming);
    case 'equal': {
      const merged = mergeSeries(stored, incoming);
      return { action: merged.added === 0 ? 'unchanged' : 'appended', bars: merged };
    }
    case 'rebased': {
      const { factor } = comparison;
      const words =
        'the past was re-based by the factor ' +
        `${factor.toPrecision(6)}${splitLike(factor) ? ` (a split of ${splitLike(factor)}?)` : ''}`;
      if (holdsAllDays(incoming, stored))
        return { action: 'replaced', bars: incoming, factor, remark: `${words}; replaced as a whole` };
      const merged = mergeSeries(stored, incoming, factor);
      return {
        action: 'rescaled',
        bars: merged,
        factor,
        remark: `${words}; the days that did not come were multiplied by it`,
      };
    }
    case 'different': {
      const shown = comparison.days
        .slice(0, SHOWN_DAYS)
        .map(({ day, stored: then, incoming: now }) => `${formatDay(day)} stored ${then}, now ${now}`);
      const more = comparison.count > shown.length ? ` and ${comparison.count - shown.length} more` : '';
      return {
        action: 'refused',
        problem:
          `${ticker}: ${comparison.count} of ${comparison.common} common days have another price ` +
          `(${shown.join('; ')}${more})`,
      };
    }
  }
}

function withoutCommonDay(ticker: string, stored: Bars, incoming: Bars): SettledSeries {
  const isBehind = first(incoming) > last(stored);
  const isBefore = last(incoming) < first(stored);
  if (!isBehind && !isBefore)
    return {
      action: 'refused',
      problem:
        `${ticker}: the stored days and these come in turns, with none in common, so that they ` +
        'cannot be compared',
    };
  const [end, start] = isBehind ? [stored, incoming] : [incoming, stored];
  const days = first(start) - last(end);
  const refused = (what: string): SettledSeries => ({
    action: 'refused',
    problem: `${ticker}: ${what}. Give a file that has some of the stored days as well`,
  });
  if (days > MOST_DAYS_BETWEEN)
    return refused(
      `there is no day in common, and between ${formatDay(last(end))} and ` +
        `${formatDay(first(start))} there are no prices`,
    );
  const move = (start.closes[0] as number) / (end.closes.at(-1) as number);
  const size = Math.max(move, 1 / move) - 1;
  if (size > MOST_MOVE_AT_A_SEAM || (size > LEAST_SPLIT_MOVE && splitLike(move)))
    return refused(
      `there is no day in common, and the price moves by ${((move - 1) * 100).toFixed(1)}% from ` +
        `${formatDay(last(end))} to ${formatDay(first(start))}, as it does where a split lies ` +
        'between',
    );
  return {
    action: 'appended',
    bars: mergeSeries(stored, incoming),
    remark:
      `no day in common, so that a dividend between ${formatDay(last(end))} and ` +
      `${formatDay(first(start))} cannot be seen; give some of the stored days as well next time`,
  };
}

function holdsAllDays(incoming: Bars, stored: Bars): boolean {
  let k = 0;
  for (const day of stored.days) {
    while (k < incoming.days.length && (incoming.days[k] as number) < day) k++;
    if (incoming.days[k] !== day) return false;
  }
  return true;
}

function first(bars: Bars): number {
  return bars.days[0] as number;
}

function last(bars: Bars): number {
  return bars.days.at(-1) as number;
}
