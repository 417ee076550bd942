import { describe, expect, it, test } from 'vitest';
import { writeEdn } from './composer/edn-writer.ts';
import { Form, Pairs, Word } from './syntax/datum.ts';
import { readAllEdn, readEdn } from './syntax/edn-reader.ts';

/**
 * What a text of EDN holds: forms as `{ form, at }`, words as `{ word }`, maps without words for keys as
 * `{ pairs }`.
 */
function told(value: unknown): unknown {
  if (value instanceof Form) return { form: value.items.map(told), at: value.offset };
  if (value instanceof Word) return { word: value.text };
  if (value instanceof Pairs) return { pairs: value.entries.map(([key, item]) => [told(key), told(item)]) };
  if (Array.isArray(value)) return value.map(told);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, told(item)]));
}

function fault(text: string): string {
  try {
    readAllEdn(text);
    return 'none';
  } catch (error) {
    return (error as Error).message;
  }
}

describe('EDN', () => {
  test.each<[string, unknown]>([
    ['nil', null],
    ['true', true],
    ['false', false],
    ['nilly', { word: 'nilly' }],
    ['truely', { word: 'truely' }],
    [':a', 'a'],
    [':a/b', 'a/b'],
    ['5', 5],
    ['-5.25', -5.25],
    ['+5', 5],
    ['5.', 5],
    ['1e3', 1_000],
    ['1.5E-2', 0.015],
    ['1.50M', '1.50'],
    ['12N', '12'],
    ['1/3', '1/3'],
    ['+1/3', '1/3'],
    ['-1/3', '-1/3'],
    ['1/3x', { word: '1/3x' }],
    ['5x', { word: '5x' }],
    ['x5', { word: 'x5' }],
    ['5MM', { word: '5MM' }],
    ['>=', { word: '>=' }],
    ['""', ''],
    ['"a;b"', 'a;b'],
    ['"a\nb\tc\rd"', 'a\nb\tc\rd'],
    ['"\\n\\t\\r\\b\\f\\"\\\\\\/"', '\n\t\r\b\f"\\/'],
    ['"x\\u0041y"', 'xAy'],
    ['"\\u00e4\\u00E4"', 'ää'],
    ['[]', []],
    ['[1, 2 3]', [1, 2, 3]],
    ['[a :b "c"]', ['a', 'b', 'c']],
    ['{}', {}],
    ['{:a 1, "b" 2 c 3 4 5}', { a: 1, b: 2, c: 3, 4: 5 }],
    ['{:a word}', { a: 'word' }],
    ['{nil 1 true 2}', { null: 1, true: 2 }],
    ['{{:a 1} 2}', { pairs: [[{ a: 1 }, 2]] }],
    [
      '{{:a 1.0} 55.50, {:b 2} -7.5E-4, {:c 3} 5 {:d 4} [1.50] 6.0 7.0}',
      {
        pairs: [
          [{ a: 1 }, '55.50'],
          [{ b: 2 }, '-7.5E-4'],
          [{ c: 3 }, 5],
          [{ d: 4 }, [1.5]],
          [6, '7.0'],
        ],
      },
    ],
    ['{:a 55.50, 6.0 7.0, :b [1.50]}', { a: 55.5, 6: 7, b: [1.5] }],
    [
      '{[1] w :b 3}',
      {
        pairs: [
          [[1], 'w'],
          ['b', 3],
        ],
      },
    ],
    ['(f)', { form: [{ word: 'f' }], at: 0 }],
    [' (f (g 1))', { form: [{ word: 'f' }, { form: [{ word: 'g' }, 1], at: 4 }], at: 1 }],
    ['; a remark\n5 ; another', 5],
    ['\u00a05,\t\n\r\u000b\f', 5],
    ['[1;2\n3]', [1, 3]],
    ['[:a"b"[c]{:d 1}]', ['a', 'b', ['c'], { d: 1 }]],
  ])('%j is read', (text, value) => expect(told(readEdn(text))).toEqual(value));

  test.each([
    ['', 'This is empty.'],
    [' ; only a remark', 'This is empty.'],
    ['[1 2', 'The [ is never closed (line 1, column 1).'],
    ['[1 (2', 'The ( is never closed (line 1, column 4).'],
    [']', 'A ] closes nothing (line 1, column 1).'],
    ['{:a 1\n :b [2}', 'A } stands where the [ of line 2, column 5 wants its ] (line 2, column 7).'],
    ['(f]', 'A ] stands where the ( of line 1, column 1 wants its ) (line 1, column 3).'],
    ['{:a]', 'A ] stands where the { of line 1, column 1 wants its } (line 1, column 4).'],
    ['{:a}', 'A map has a key without a value (line 1, column 1).'],
    ['{:a 1 :a 2}', '"a" stands twice in one map: which one counts? (line 1, column 1).'],
    ['{:a 1 "a" 2}', '"a" stands twice in one map: which one counts? (line 1, column 1).'],
    ['[:]', 'A : without a name stands here (line 1, column 2).'],
    ['"abc', 'A text has no closing " (line 1, column 1).'],
    ['"a\\"', 'A text has no closing " (line 1, column 1).'],
    ['"a\\xb"', '\\x is not an escape (line 1, column 3).'],
    ['"a\\u12"', '\\u is not an escape (line 1, column 3).'],
    ['"a\\u12345"', 'none'],
    ['"a\\u123g"', '\\u is not an escape (line 1, column 3).'],
    ['"a\u0001"', 'There is a control character (U+0001) (line 1, column 3).'],
    ['a\u0001', 'There is a control character (U+0001) (line 1, column 2).'],
    ['[\u007f]', 'There is a control character (U+007F) (line 1, column 2).'],
    ['[a\u007f]', 'There is a control character (U+007F) (line 1, column 3).'],
    ['#{1 2}', 'Sets (#{…}) are not part of a strategy (line 1, column 1).'],
    ['#inst "2020"', 'Tagged values and reader macros (#inst) are not read (line 1, column 1).'],
    ["[1 'quoted]", "Reader macros ('quoted]) are not read (line 1, column 4)."],
    ['`a', 'Reader macros (`a) are not read (line 1, column 1).'],
    ['@atom,b', 'Reader macros (@atom) are not read (line 1, column 1).'],
    ['^meta', 'Reader macros (^meta) are not read (line 1, column 1).'],
    ['~averylongwordthatiscut', 'Reader macros (~averylongwo) are not read (line 1, column 1).'],
    ['\\char', 'Reader macros (\\char) are not read (line 1, column 1).'],
    ['(f) 5', 'Something follows after the end of the strategy: 5 (line 1, column 5).'],
    ['(f) [5]', 'Something follows after the end of the strategy: [5] (line 1, column 5).'],
    ['(f) (g) {:a 1}', 'none'],
  ])('%j is said to be: %s', (text, sentence) => expect(fault(text)).toBe(sentence));

  it('is one value, or as many as files may be given at once', () => {
    expect(() => readEdn('(f) (g)')).toThrow('Something follows after the end of the strategy: (g)');
    expect(told(readAllEdn('(f) {:a 1}'))).toEqual([{ form: [{ word: 'f' }], at: 0 }, { a: 1 }]);
    expect(fault('(f) '.repeat(10_000))).toMatch(/^Something follows after the end/);
  });

  it('is neither nested deeper nor larger than any strategy is', () => {
    expect(fault(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)).toMatch(/nested/);
    expect(fault(`[${'1 '.repeat(3_000_000)}]`)).not.toBe('none');
  });
});

describe('what is written as EDN', () => {
  test.each<[unknown, string]>([
    [null, 'nil'],
    [undefined, 'nil'],
    [true, 'true'],
    [1.5, '1.5'],
    ['a', '"a"'],
    ['a "b" \\ c', '"a \\"b\\" \\\\ c"'],
    ['a\nb\tc\rd', '"a\\nb\\tc\\rd"'],
    ['a\u0001b\u007fc', '"a b c"'],
    [[], '[]'],
    [[1, 'a', null], '[1 "a" nil]'],
    [{}, '{}'],
    [{ a: 1, b: { c: 'd' } }, '{:a 1, :b {:c "d"}}'],
    [{ step: 'root' }, '{:step :root}'],
    [{ step: 'a root' }, '{:step "a root"}'],
    [{ step: '5' }, '{:step "5"}'],
    [{ name: 'root' }, '{:name "root"}'],
    [{ step: ['root'] }, '{:step ["root"]}'],
    [{ fn: 'x', children: [{ step: 'if' }] }, '{:fn :x, :children [{:step :if}]}'],
  ])('%j is %s', (value, text) => expect(writeEdn(value)).toBe(text));

  test.each([
    ...['step', 'rebalance', 'comparator', 'lhs-fn', 'rhs-fn', 'sort-by-fn', 'select-fn', 'fn'],
    ...['condition-type', 'operator'],
  ])('%s has a keyword for its value', (name) =>
    expect(writeEdn({ [name]: 'max-drawdown' })).toBe(`{:${name} :max-drawdown}`),
  );

  it('is read as what it was', () => {
    const value = {
      step: 'root',
      name: 'A "b"\n\\',
      children: [{ step: 'asset', weight: { num: 1, den: 3 } }],
    };
    expect(told(readEdn(writeEdn(value)))).toEqual(value);
  });
});
