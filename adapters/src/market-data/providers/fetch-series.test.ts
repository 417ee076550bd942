import { day, formatDay } from '@quantloom/domain/market-data/day';
import { sessionsBetween } from '@quantloom/domain/market-data/trading-calendar';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanBars, fetchSeries, type StoredSeries } from './fetch-series.ts';
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
    // Ten days are enough to see whether they are as they were.
    await fetchSeries(provider(barsOf(series(11)), asked), 'SPY', series(10), TODAY);
    expect(asked[1]).toBe(formatDay(sessions[0] as number));
    expect(await fetchSeries(provider([]), 'SPY', series(100), TODAY)).toMatchObject({ kind: 'failed' });
    expect(await fetchSeries(provider([]), 'SPY', null, TODAY)).toMatchObject({ kind: 'failed' });
  });

  it('takes what a provider rounds for the same price, and no more than that', async () => {
    const stored = series(100, (i) => 100 + i + 0.004);
    const rounding = { ...provider(barsOf(series(101))), precision: 0.005 };
    expect(await fetchSeries(rounding, 'SPY', stored, TODAY)).toMatchObject({ isReplaced: false });
    expect(await fetchSeries({ ...rounding, precision: 0.003 }, 'SPY', stored, TODAY)).toMatchObject({
      isReplaced: true,
    });
  });

  it('believes a history that lost a twentieth of its days, and none that lost more', async () => {
    const lost = (count: number) =>
      fetchSeries(provider(barsOf(series(count))), 'SPY', series(100), TODAY, { full: true });
    expect(await lost(95)).toMatchObject({ kind: 'changed', isReplaced: true });
    expect(await lost(94)).toEqual({
      kind: 'failed',
      reason: 'Tiingo answered 94 days where 100 are stored; the stored ones were kept',
    });
  });

  it('says of a ticker that the provider does not know it, whether or not it is stored', async () => {
    const unknown = { ...provider([]), history: async () => null };
    for (const stored of [null, series(100)])
      expect(await fetchSeries(unknown, 'SPY', stored, TODAY)).toEqual({
        kind: 'failed',
        reason: 'Tiingo does not know it',
      });
  });

  it('adds to closes on another basis that are stored, and to no others', async () => {
    const others = { basis: 'splits' as const, hasSplits: false };
    const both = (count: number) => barsOf(series(count)).map((bar) => ({ ...bar, other: bar.close * 2 }));
    const first = await fetchSeries({ ...provider(both(100)), others }, 'SPY', null, TODAY);
    expect(first).toMatchObject({ kind: 'changed', isReplaced: false });
    const stored = first.kind === 'changed' ? first.series : series(0);
    const next = await fetchSeries({ ...provider(both(102)), others }, 'SPY', stored, TODAY);
    const [further] = next.kind === 'changed' ? (next.series.further ?? []) : [];
    expect([...(further?.days ?? [])]).toEqual([...series(102).days]);
    expect(further?.closes[101]).toBe(402);
    const without = await fetchSeries({ ...provider(both(102)), others }, 'SPY', series(100), TODAY);
    expect(without).toMatchObject({ kind: 'changed', series: { further: [] } });
    // What a full fetch finds beside the same closes is something new.
    const again = (from: StoredSeries) =>
      fetchSeries({ ...provider(both(100)), others }, 'SPY', from, TODAY, { full: true });
    expect(await again(stored)).toEqual({ kind: 'unchanged' });
    expect(await again(series(100))).toMatchObject({ kind: 'changed' });
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

describe('bars of a provider', () => {
  const clean = (...bars: ProviderBar[]) => {
    const { series: kept, rejected } = cleanBars(bars, 'SPY', { name: 'Tiingo' }, day('2024-01-05'));
    const days = Array.from(kept.days, (value, i) => `${formatDay(value)} ${kept.closes[i]}`);
    return { days, rejected: rejected.map(({ reason, date, price }) => `${reason} ${date} ${price}`) };
  };

  it('are in the order of their days, today among them, the first of a day', () => {
    expect(
      clean(
        { date: '2024-01-05', close: 3 },
        { date: '2024-01-03', close: 1 },
        { date: '2024-01-04', close: 2 },
        { date: '2024-01-03', close: 9 },
      ),
    ).toEqual({
      days: ['2024-01-03 1', '2024-01-04 2', '2024-01-05 3'],
      rejected: ['duplicate_day 2024-01-03 9'],
    });
  });

  it('are left out for the first reason that there is', () => {
    const { days, rejected } = clean(
      { date: 'soon', close: 1 },
      { date: '2024-01-06', close: 1 },
      { date: '2024-01-08', close: 0 },
      { date: '2024-01-02', close: Number.NaN },
      { date: '2024-01-02', close: 0 },
      { date: '2024-01-02', close: -1 },
      // What was left out does not make it a second one.
      { date: '2024-01-02', close: 5 },
    );
    expect(days).toEqual(['2024-01-02 5']);
    expect(rejected).toEqual([
      'bad_date soon 1',
      'weekend 2024-01-06 1',
      'in_the_future 2024-01-08 0',
      'bad_price 2024-01-02 NaN',
      'non_positive_price 2024-01-02 0',
      'non_positive_price 2024-01-02 -1',
    ]);
  });
});
