import { formatDay } from '@quantloom/domain/market-data/day';
import { sessionsBetween } from '@quantloom/domain/market-data/trading-calendar';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fetchSeries, type StoredSeries } from './fetch-series.ts';
import type { PriceProvider, ProviderBar } from './provider.ts';

const TODAY = 19_800;
const sessions = sessionsBetween(19_500, TODAY);

function provider(bars: readonly ProviderBar[], asked: (string | undefined)[] = []): PriceProvider {
  return {
    id: 'tiingo',
    name: 'Tiingo',
    adjustment: 'splits_and_dividends',
    precision: 0,
    assets: async () => [],
    assetName: async () => null,
    history: async (_ticker, options) => {
      asked.push(options?.from);
      return bars.filter(({ date }) => date >= (options?.from ?? ''));
    },
  };
}

const series = (count: number, close = (i: number) => 100 + i): StoredSeries => ({
  days: sessions.slice(0, count),
  closes: Float64Array.from({ length: count }, (_, i) => close(i)),
});
const barsOf = ({ days, closes }: StoredSeries): ProviderBar[] =>
  [...days].map((value, i) => ({ date: formatDay(value), close: closes[i] as number }));

describe('fetchSeries', () => {
  it('appends where the last days are as they were', async () => {
    const asked: (string | undefined)[] = [];
    const fetched = await fetchSeries(provider(barsOf(series(103)), asked), 'SPY', series(100), TODAY);
    expect(fetched).toMatchObject({ kind: 'changed', isReplaced: false, series: series(103) });
    expect(asked).toEqual([formatDay(sessions[90] as number)]);
  });

  it.each([
    ['a day among the last ones has come in', barsOf(series(103)), series(100, (i) => 100 + i), 95],
    ['a day among the last ones is gone', barsOf(series(103)).filter((_, i) => i !== 95), series(100), null],
    [
      'a price among the last ones is another',
      barsOf(series(103)).map((bar, i) => (i === 95 ? { ...bar, close: 7 } : bar)),
      series(100),
      null,
    ],
  ])('replaces the whole series where %s', async (_what, bars, whole, dropped) => {
    const keep = (_: number, i: number) => i !== dropped;
    const stored = { days: whole.days.filter(keep), closes: whole.closes.filter(keep) };
    const fetched = await fetchSeries(provider(bars), 'SPY', stored, TODAY);
    expect(fetched).toMatchObject({ kind: 'changed', isReplaced: true });
    expect(fetched.kind === 'changed' && barsOf(fetched.series)).toEqual(bars);
  });

  it('sees a correction of the far past only in a full fetch', async () => {
    const corrected = barsOf(series(100)).map((bar, i) => (i === 5 ? { ...bar, close: 7 } : bar));
    expect(await fetchSeries(provider(corrected), 'SPY', series(100), TODAY)).toEqual({ kind: 'unchanged' });
    expect(await fetchSeries(provider(corrected), 'SPY', series(100), TODAY, { full: true })).toMatchObject({
      isReplaced: true,
    });
    expect(
      await fetchSeries(provider(barsOf(series(100))), 'SPY', series(100), TODAY, { full: true }),
    ).toEqual({ kind: 'unchanged' });
  });

  it('fetches short series whole, and does not believe an empty answer', async () => {
    const asked: (string | undefined)[] = [];
    await fetchSeries(provider(barsOf(series(6)), asked), 'SPY', series(5), TODAY);
    expect(asked).toEqual([undefined]);
    expect(await fetchSeries(provider([]), 'SPY', series(100), TODAY)).toMatchObject({ kind: 'failed' });
    expect(await fetchSeries(provider([]), 'SPY', null, TODAY)).toMatchObject({ kind: 'failed' });
  });

  it('never holds a mixture: the result is what the provider has, or what was stored, day for day', async () => {
    const change = fc.record({
      at: fc.nat(119),
      factor: fc.constantFrom(0.5, 0.99, 1.001, 2),
      isAllBefore: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 12, max: 110 }),
        fc.integer({ min: 0, max: 9 }),
        fc.option(change),
        async (count, more, edit) => {
          const stored = series(count);
          const served = series(count + more, (i) => {
            // A change reaches back from its day, as an adjustment does, or touches one of the last days.
            const isTouched =
              edit && (edit.isAllBefore ? i <= Math.max(edit.at, count - 3) : i === count - 2);
            return (100 + i) * (isTouched ? edit.factor : 1);
          });
          const fetched = await fetchSeries(provider(barsOf(served)), 'SPY', stored, TODAY);
          const result = fetched.kind === 'changed' ? fetched.series : stored;
          expect(barsOf(result)).toEqual(barsOf(served));
        },
      ),
    );
  });
});
