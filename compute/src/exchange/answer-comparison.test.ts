import type { AnswerIndicators } from '@quantloom/domain/exchange/source-answer';
import type { Asset } from '@quantloom/domain/ports/market-data';
import { describe, expect, test } from 'vitest';
import { createAnswerComparison } from './answer-comparison.ts';

const LAST = Math.round(Date.parse('2022-10-24') / 86_400_000);
const ANSWER: AnswerIndicators = {
  date: '2022-10-24',
  values: ['SPY', 'QQQ'].map((ticker) => ({
    feature: 'cum-return-pct',
    ticker,
    window: 1,
    said: '0.5',
    fn: 'cumulative-return',
    factor: 100,
  })),
};
const asset = (ticker: string, more: Partial<Asset> = {}): Asset => ({
  ticker,
  name: ticker,
  firstDay: '2022-10-23',
  lastDay: '2022-10-24',
  source: 'test',
  adjustment: 'splits_and_dividends',
  isSimulated: false,
  ...more,
});
const over = (...assets: Asset[]) =>
  createAnswerComparison({
    current: async () => {
      if (assets.length === 0) throw Object.assign(new Error('none'), { code: 'no_data_set' });
      return { version: 'v', createdAt: '', label: '', isSimulated: false, lastDay: '', assetCount: 1 };
    },
    assets: async () => assets,
    load: async (_version, tickers) =>
      new Map(
        tickers.map((ticker) => [
          ticker,
          { ticker, days: Int32Array.of(LAST - 1, LAST), closes: Float64Array.of(10, 15) },
        ]),
      ),
  });

describe('the comparison with the current prices', () => {
  test('says which prices they are', async () => {
    expect(await over(asset('SPY')).compare(ANSWER)).toMatchObject({
      prices: 'adjusted',
      counts: { agree: 1, differ: 0, missing: 1, left_out: 0 },
    });
    const raw = await over(asset('SPY', { adjustment: 'splits' })).compare(ANSWER);
    expect(raw?.prices).toBe('unadjusted');
    const mixed = await over(asset('SPY', { adjustment: 'splits' }), asset('QQQ')).compare(ANSWER);
    expect(mixed?.prices).toBe('adjusted');
  });

  test('does not compare with prices that are invented', async () => {
    const given = over(asset('SPY', { isSimulated: true }), asset('QQQ'));
    expect((await given.compare(ANSWER))?.counts).toMatchObject({ agree: 1, missing: 1 });
    expect(await over(asset('SPY', { isSimulated: true })).compare(ANSWER)).toBeNull();
  });

  test('is silent where there are no prices', async () => {
    expect(await over().compare(ANSWER)).toBeNull();
  });

  test('looks at so many values and says how many it left out', async () => {
    const values = Array.from({ length: 301 }, () => ANSWER.values[0] ?? []).flat();
    expect((await over(asset('SPY')).compare({ ...ANSWER, values }))?.counts).toMatchObject({
      agree: 300,
      left_out: 1,
    });
  });
});
