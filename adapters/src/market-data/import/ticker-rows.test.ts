import { day } from '@quantloom/domain/market-data/day';
import { expect, it } from 'vitest';
import type { StagedReject, Staging } from './staging.ts';
import { type TickerRows, visitTickers } from './ticker-rows.ts';

const FIRST = day('2024-01-05');
type Row = readonly [ticker: number, day: number, price: number, file: number, row: number, other?: number];

/** Visits rows in the order of ticker, day, file and row, in chunks of so many. */
async function visit(rows: readonly Row[], chunk = Number.POSITIVE_INFINITY) {
  const staging = {
    tickers: ['AAA', 'BBB', 'CCC'],
    visit: async (visitor: (...row: number[]) => void, afterChunk: () => Promise<void>) => {
      for (const [i, [ticker, at, price, file, row, other = Number.NaN]] of rows.entries()) {
        visitor(ticker, FIRST + at, price, file, row, other, 1);
        if ((i + 1) % chunk === 0) await afterChunk();
      }
    },
  } as unknown as Staging;
  const found: { readonly ticker: TickerRows; readonly next: number | null }[] = [];
  const doubles: StagedReject[] = [];
  await visitTickers(staging, {
    onTicker: async (ticker, next) => void found.push({ ticker, next }),
    onDouble: (double) => doubles.push(double),
  });
  const parts = found.map(({ ticker: { ticker, count, parts } }) => ({
    ticker,
    count,
    parts: parts.map(({ file, days, closes }) => [file, Array.from(days, (one) => one - FIRST), [...closes]]),
  }));
  return { parts, doubles, next: found.map(({ next }) => next), raw: found.map(({ ticker }) => ticker) };
}

it('brings the rows of each ticker together, by the files that they came from', async () => {
  const rows: Row[] = [
    [0, 0, 10, 1, 5],
    [0, 1, 11, 0, 2],
    [0, 1, 11.5, 1, 6],
    [0, 2, 12, 0, 3],
    [2, 0, 30, 0, 9],
  ];
  const both = [
    {
      ticker: 0,
      count: 4,
      parts: [
        [0, [1, 2], [11, 12]],
        [1, [0, 1], [10, 11.5]],
      ],
    },
    { ticker: 2, count: 1, parts: [[0, [0], [30]]] },
  ];
  const { parts, doubles, next } = await visit(rows);
  expect([parts, doubles, next]).toEqual([both, [], [2, null]]);
  // However the rows come; the next ticker is not known before its last row.
  expect((await visit(rows, 1)).next).toEqual([null, null]);
  for (const chunk of [1, 2, 3]) expect((await visit(rows, chunk)).parts).toEqual(both);
});

it('keeps the first of rows that agree, none of those that do not, and tells of each', async () => {
  const { parts, doubles } = await visit([
    [0, 0, 10, 0, 1],
    [0, 0, 10, 0, 2],
    [0, 0, 10, 0, 3],
    [0, 1, 11, 0, 4],
    [0, 1, 11, 0, 5],
    [0, 1, 11.5, 0, 6],
    [0, 2, 12, 0, 7],
    [1, 0, 20, 0, 8],
    [1, 0, 21, 0, 9],
  ]);
  // Nothing is left of the second ticker.
  expect(parts).toEqual([{ ticker: 0, count: 2, parts: [[0, [0, 2], [10, 12]]] }]);
  expect(
    doubles.map(({ row, reason, ticker, date, price }) => `${row} ${reason} ${ticker} ${date} ${price}`),
  ).toEqual([
    '2 duplicate_day AAA 2024-01-05 10',
    '3 duplicate_day AAA 2024-01-05 10',
    '4 conflicting_price AAA 2024-01-06 11',
    '5 conflicting_price AAA 2024-01-06 11',
    '6 conflicting_price AAA 2024-01-06 11.5',
    '8 conflicting_price BBB 2024-01-05 20',
    '9 conflicting_price BBB 2024-01-05 21',
  ]);
});

it('takes the other prices of a day along where any of its kept rows has one', async () => {
  const { raw } = await visit([
    [0, 0, 10, 0, 1],
    [0, 1, 11, 0, 2, 22],
    [1, 0, 20, 0, 3],
  ]);
  const [first, second] = raw.map(({ parts }) => parts[0]);
  expect([...(first?.others ?? [])]).toEqual([Number.NaN, 22]);
  expect([...(first?.splits ?? [])]).toEqual([1, 1]);
  expect(second).not.toHaveProperty('others');
});

it('has room for more rows than it begins with, each with all that belongs to it', async () => {
  const count = 40_000;
  const rows = Array.from({ length: count }, (_, i): Row => [0, i, i + 0.5, 0, i, i + 0.25]);
  const [found] = (await visit(rows)).raw;
  const [part] = found?.parts ?? [];
  expect(part?.days.length).toBe(count);
  for (const i of [0, 16_383, 16_384, 32_768, count - 1])
    expect([part?.days[i], part?.closes[i], part?.others?.[i], part?.splits?.[i]]).toEqual([
      FIRST + i,
      i + 0.5,
      i + 0.25,
      1,
    ]);
});
