import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PriceCsvReader } from './price-csv.ts';

function read(text: string, chunkSize = text.length, wanted?: string[]) {
  const reader = new PriceCsvReader(wanted);
  const bytes = new TextEncoder().encode(text);
  for (let i = 0; i < bytes.length; i += Math.max(chunkSize, 1))
    reader.push(bytes.subarray(i, i + Math.max(chunkSize, 1)));
  const { prices, rejectedRows } = reader.finish();
  const series = Object.fromEntries(
    Array.from(prices.values(), ({ ticker, days, closes }) => [
      ticker,
      { days: [...days], closes: [...closes] },
    ]),
  );
  return { series, rejectedRows };
}

describe('price file', () => {
  test('is read in any order of columns and rows, cut anywhere', () => {
    const text =
      '\uFEFFname,adj_close,Ticker,date\r\nA fund,1.5,"AAA",1970-01-03\r\n"Fund, ' +
      'a",88260000000,BRK-B,1970-01-02\r\n,1e-8,AAA,1969-12-31\r\n,0.25,AAA,1970-01-01';
    const expected = {
      series: {
        AAA: { days: [-1, 0, 2], closes: [1e-8, 0.25, 1.5] },
        'BRK-B': { days: [1], closes: [88260000000] },
      },
      rejectedRows: 0,
    };
    for (const size of [text.length, 1, 7, 40]) expect(read(text, size)).toEqual(expected);
    expect(Object.keys(read(text, 9, ['BRK-B']).series)).toEqual(['BRK-B']);
  });

  test('may begin with a byte order mark before quotes', () => {
    expect(read('\uFEFF"date","ticker","adj_close"\n"1970-01-02","A","1.5"\n').series).toEqual({
      A: { days: [1], closes: [1.5] },
    });
  });

  test('leaves out and counts rows without a usable price or date', () => {
    const rows = [
      '2020-01-02,A,0',
      '2020-01-02,A,-1',
      '2020-01-02,A,',
      '2020-01-02,A,x',
      '2020-01-02,A,NaN',
      '2020-01-02,A,1e999',
      '2020-02-30,A,1',
      '2020-1-2,A,1',
      'x',
      '2020-01-03,A,5',
      // Cut off before its price: that of the row before is not its own.
      '2020-01-06,A',
      '',
    ];
    expect(read(`date,ticker,adj_close\n${rows.join('\n')}\n`)).toEqual({
      series: { A: { days: [18264], closes: [5] } },
      rejectedRows: 10,
    });
  });

  test('refuses a file without the columns, and two prices for one day', () => {
    expect(() => read('day,ticker,adj_close\n')).toThrow('no column date');
    expect(() => read('')).toThrow('empty');
    expect(() => read('date,ticker,adj_close\n2020-01-02,A,1\n2020-01-02,A,2\n')).toThrow(
      'two prices of A on 2020-01-02',
    );
  });

  test('reads numbers to the last bit', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-12, max: 1e15, noNaN: true }), (price) => {
        for (const text of [String(price), price.toFixed(8), price.toPrecision(12)]) {
          if (!(Number(text) > 0)) continue;
          expect(read(`date,ticker,adj_close\n2020-01-02,A,${text}\n`).series.A?.closes).toEqual([
            Number(text),
          ]);
        }
      }),
    );
  });
});
