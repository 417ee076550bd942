import { describe, expect, it, test } from 'vitest';
import { guessWords, looksForeign } from './guess.ts';
import {
  flagOf,
  looseNumber,
  numberOrVariable,
  ratioOf,
  shifted,
  sourceNumber,
  weightOf,
} from './numbers.ts';
import { readTicker } from './source-ticker.ts';
import { sourceWords } from './source-words.ts';
import { jsonFault } from './syntax/json-fault.ts';
import { tidyJson } from './syntax/json-tidy.ts';
import { functionNamed, nearestFunction } from './text/words.ts';

describe('numbers of a source', () => {
  test.each<[unknown, number | null]>([
    [5, 5],
    ['5.5', 5.5],
    ['1/4', 0.25],
    [' -3 / 1.5 ', -2],
    ['+1/2', 0.5],
    ['1/0', null],
    ['x1/2', null],
    ['1/2x', null],
    ['1//2', null],
    ['79%', null],
    [Number.NaN, null],
    [null, null],
    [true, null],
  ])('%j is %j', (value, number) => expect(sourceNumber(value)).toBe(number));

  test.each<[unknown, number | null]>([
    ['79%', 79],
    ['10 days', 10],
    ['1 Day', 1],
    ['5d', 5],
    ['3 bars', 3],
    ['1,000', 1000],
    ['-1,234,567.5%', -1234567.5],
    ['1,00', null],
    ['1234,567', null],
    ['\u22125', -5],
    ['\u20135', -5],
    ['1\u00a0000', 1000],
    ['.5', 0.5],
    ['1e3', 1000],
    ['10 weeks', null],
    ['about 5', null],
    ['5 or 6', null],
    ['', null],
    [5, null],
    [`${' '.repeat(60)}5`, null],
    [`${' '.repeat(59)}5`, 5],
  ])('%j may be meant as %j', (value, number) => expect(looseNumber(value)).toBe(number));

  test.each<[unknown, object | null]>([
    ['1/3', { num: 1, den: 3 }],
    ['25%', { num: 25, den: 100 }],
    [0.07, { num: 7, den: 100 }],
    ['0.333', { num: 33.3, den: 100 }],
    [1, { num: 100, den: 100 }],
    ['x%', null],
    ['x', null],
    [null, null],
  ])('the weight %j is %j', (value, weight) => expect(weightOf(value)).toEqual(weight));

  it('are moved without rounding, read as ratios, flags and variables', () => {
    expect([shifted(0.07, 2), shifted(7, -2), shifted(0, 2), shifted(-1.1, 1)]).toEqual([7, 0.07, 0, -11]);
    expect([ratioOf('2/5'), ratioOf('2/0'), ratioOf('2'), ratioOf(2)]).toEqual([
      { num: 2, den: 5 },
      null,
      null,
      null,
    ]);
    expect([true, false, ' TRUE ', 'False', 'yes', 1, null].map(flagOf)).toEqual([
      true,
      false,
      true,
      false,
      null,
      null,
      null,
    ]);
    expect(['$W', '5', '1/2', '$', 'x'].map(numberOrVariable)).toEqual(['$W', 5, 0.5, null, null]);
  });
});

describe('tickers of a source', () => {
  test.each<[unknown, string, string | null]>([
    ['spy', 'SPY', null],
    [' SPY ', 'SPY', null],
    ['EQUITIES::SPY//USD', 'SPY', 'respelt'],
    ['equities::brk.b//usd', 'BRK-B', 'respelt'],
    ['BRK/B', 'BRK-B', 'respelt'],
    ['BRK.B', 'BRK-B', 'respelt'],
    ['BRK B', 'BRK-B', 'respelt'],
    ['ABCDEF/B', '', 'unreadable'],
    ['CRYPTO::BTC//USD', '', 'crypto'],
    ['$ASSET', '$ASSET', null],
    ['$a-b', '', 'unreadable'],
    ['$', '', 'unreadable'],
    ['x$ASSET', '', 'unreadable'],
    ['SIM:TQQQ', 'SIM:TQQQ', null],
    ['SIM:', '', 'unreadable'],
    ['QQQ / SPY', 'QQQ/SPY', null],
    ['QQQ / ', '', 'unreadable'],
    ['A / B / C', '', 'unreadable'],
    ['^GSPC', '^GSPC', null],
    ['EURUSD=X', 'EURUSD=X', null],
    ['a,b', '', 'unreadable'],
    ['x'.repeat(50), 'X'.repeat(50), null],
    ['x'.repeat(51), '', 'unreadable'],
    [7, '', 'unreadable'],
    [null, '', 'unreadable'],
  ])('%j is %j', (value, ticker, fault) => expect(readTicker(value)).toEqual({ ticker, fault }));
});

describe('what something without a strategy looks like', () => {
  test.each<[string, RegExp]>([
    ['', /^This is empty\. Read are/],
    ['PK\u0003\u0004rest', /^This looks like a zip file: give it as a file\./],
    ['%PDF-1.7', /^This looks like a PDF\./],
    ['#inst "2020"', /^This begins with a tagged value or a reader macro of Clojure/],
    ['#=(exit)', /^This begins with a tagged value/],
    ['<html>', /^This looks like a web page or XML\./],
    [' \n<html>', /^This looks like a web page or XML\./],
    ['date,close\n', /^This looks like a table of prices or results: import prices with/],
    ['Date\tClose', /^This looks like a table/],
    ['TradeDate;Close', /^This looks like a table/],
    ['x\nimport pandas', /^This looks like program code\./],
    ['//@version=5', /^This looks like program code\./],
    ['const a = 1', /^This looks like program code\./],
    ['from numpy import x', /^This looks like program code\./],
    [' https://example.com/x ', /^This is an address: open it and paste what it holds\./],
    [
      'hello',
      /^Read are strategies of Composer \(JSON, EDN or text\), of QuantMage \(JSON\) and of this product/,
    ],
    ['# hello', /^Read are/],
    ['http://example.com', /^This is an address: /],
    ['see https://example.com/x', /^Read are/],
  ])('%j', (text, words) => {
    expect(guessWords(text, undefined)).toMatch(words);
    expect(looksForeign(text)).toBe(!/^\^Read/.test(words.source));
  });

  test.each<[unknown, string]>([
    [[], 'This is an empty list.'],
    [[1], 'This is a list without blocks.'],
    [7, 'This is a single value.'],
    [{}, 'This is an empty object.'],
    [{ metrics: {} }, 'This looks like the result of a backtest, without the strategy that was run.'],
    [{ history: [] }, 'This looks like the result of a backtest, without the strategy that was run.'],
    [{ a: 1, b: 2 }, 'This holds "a", "b".'],
    [{ a: 1, b: 2, c: 3, d: 4, e: 5, f: 6 }, 'This holds "a", "b", "c", "d", "e", ….'],
    [{ ['x'.repeat(50)]: 1 }, `This holds "${'x'.repeat(40)}".`],
  ])('%j', (value, words) =>
    expect(guessWords('{', value)).toMatch(new RegExp(`^${words.replace(/[.()[\]]/g, '\\$&')} Read are`)),
  );
});

describe('the words of a part of a source', () => {
  it('are shortened, however deep or long it is', () => {
    expect(sourceWords({ a: [1, 'x', null], b: { c: true } })).toBe('{a: [1, "x", null], b: {c: true}}');
    expect(sourceWords(undefined)).toBe('null');
    expect(sourceWords([])).toBe('[]');
    const long = sourceWords(Array.from({ length: 1_000 }, (_, i) => i));
    expect(long.length).toBeLessThan(320);
    expect(long).toMatch(/^\[0, 1, 2, /);
    let deep: unknown = 1;
    for (let i = 0; i < 10_000; i += 1) deep = [deep];
    expect(sourceWords(deep as never).length).toBeLessThan(700);
  });
});

describe('functions by their names', () => {
  test.each([
    ['RSI', 'relative-strength-index'],
    ['relative strength index', 'relative-strength-index'],
    ['SMA', 'moving-average-price'],
    ['ema', 'exponential-moving-average-price'],
    ['Close', 'current-price'],
    ['return', 'cumulative-return'],
    ['volatility', 'standard-deviation-return'],
    ['drawdown', 'current-drawdown'],
    ['sharpe', null],
  ])('%s is %s', (name, fn) => expect(functionNamed(name)).toBe(fn));

  test.each([
    ['rsii', 'RSI'],
    ['relativ-strength-indx', 'RSI'],
    ['macdd', 'MACD'],
    ['super-trend', null],
    ['x'.repeat(61), null],
    ['', null],
  ])('%s is nearest to %s', (name, label) => expect(nearestFunction(name)).toBe(label));
});

describe('JSON that is none', () => {
  test.each([
    ['{"a": 1', 'the { is never closed (line 1, column 1)'],
    ['[1, [2, 3]', 'the [ is never closed (line 1, column 1)'],
    ['', 'it ends too early (line 1, column 1)'],
    ['{"a" 1}', 'a : is missing before 1 (line 1, column 6)'],
    ['{"a": 1 "b": 2}', 'a comma is missing before "b (line 1, column 9)'],
    ['{"a": 1]', 'a ] stands where a } is wanted (line 1, column 8)'],
    ['[1}', 'a } stands where a ] is wanted (line 1, column 3)'],
    ['{a: 1}', 'the name of a field is wanted, not a (line 1, column 2)'],
    ['{"a": 1,}', 'the name of a field is wanted, not } (line 1, column 9)'],
    ['[1,]', 'a value is wanted, not ] (line 1, column 4)'],
    ['[01]', 'a value is wanted, not 01 (line 1, column 2)'],
    ['[nul]', 'a value is wanted, not nul (line 1, column 2)'],
    ['[1.5e3, -0, true, false, null] 7', '7 follows after its end (line 1, column 32)'],
    ['{"a": "b', 'a text has no closing quotation mark (line 1, column 7)'],
    ['["a\nb"]', 'a text goes on over the end of its line (line 1, column 2)'],
    ['["a\u0001"]', 'a text holds a control character (U+0001) (line 1, column 2)'],
    ['["a\\"b"\n, {}, [], ?]', 'a value is wanted, not ? (line 2, column 11)'],
    [`[${'x'.repeat(40)}]`, `a value is wanted, not ${'x'.repeat(30)}… (line 1, column 2)`],
  ])('%s', (text, fault) => expect(jsonFault(text)).toBe(`This is not valid JSON: ${fault}.`));
});

describe('JSON as people edit it', () => {
  test.each([
    ['{"a": [1, 2,], "b": 3,}', '{"a": [1, 2 ], "b": 3 }', ['2 commas before a closing bracket']],
    ['[1, // one\n2]', '[1,       \n2]', ['1 comment']],
    ['[1, /* a\nb */ 2, // c', '[1,     \n     2,     ', ['2 comments']],
    ['["// no", "/* no */", "a,]"]', '["// no", "/* no */", "a,]"]', []],
    ['["\\",]"]', '["\\",]"]', []],
    ['[1, /* x */ ]', '[1          ]', ['1 comma before a closing bracket', '1 comment']],
    ['[1 / 2]', '[1 / 2]', []],
    ['{\u201ca\u201d: \u201cb\u201d}', '{"a": "b"}', ['quotation marks of typography']],
    ['{"a": "\u201cb\u201d"}', '{"a": "\u201cb\u201d"}', []],
    ['[1, 2]', '[1, 2]', []],
    ['["open', '["open', []],
  ])('%s', (given, text, changes) => {
    expect(tidyJson(given)).toEqual({ text, changes });
    expect(tidyJson(given).text).toHaveLength(given.length);
  });
});
