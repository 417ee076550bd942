import { describe, expect, it } from 'vitest';
import { combinationsOf, compareValues, Dictionary, ranksOfCombination } from './dictionary.ts';

describe('the order of the values of a variable', () => {
  it('has numbers by size before texts as people order them, and tells apart what differs', () => {
    const values = ['b', 10, 'B', 2, 'a', '10'];
    expect([...values].sort(compareValues)).toEqual([2, 10, '10', 'a', 'b', 'B']);
    // Equal to who orders them as people do, and still not the same.
    expect(compareValues('\u00e9', 'e\u0301')).not.toBe(0);
    expect(compareValues('a', 'a')).toBe(0);
  });

  it('keeps the user’s order where values are equal', () => {
    const { ranks, isIdentity, sorted } = new Dictionary({ name: '$a', values: [2, 1, 2, 1] });
    expect([...ranks]).toEqual([2, 0, 3, 1]);
    expect(sorted).toEqual([1, 1, 2, 2]);
    expect(isIdentity).toBe(false);
    expect(new Dictionary({ name: '$a', values: [1, 1, 2] }).isIdentity).toBe(true);
  });
});

describe('a filter on a variable', () => {
  const numbers = new Dictionary({ name: '$n', values: [30, 10, 20] });
  const texts = new Dictionary({ name: '$t', values: ['TLT', 'AGG', '5'] });
  const kept = (dictionary: Dictionary, filter: object) =>
    dictionary.matching({ column: '$', ...filter } as never).map((rank) => dictionary.sorted[rank]);

  it.each([
    ['gt', 20, [30]],
    ['gte', 20, [20, 30]],
    ['lt', 20, [10]],
    ['lte', 20, [10, 20]],
    ['gte', '20', [20, 30]],
    ['eq', '20', [20]],
    ['ne', 20, [10, 30]],
    ['in', [10, '30'], [10, 30]],
    // The upper end of a bar is where the next one begins.
    ['outside', [10, 20], [20, 30]],
    ['outside', ['20', '30'], [10, 30]],
    ['isNull', null, []],
    ['isNotNull', null, [10, 20, 30]],
  ])('%s %j keeps %j', (op, value, expected) => {
    expect(kept(numbers, { op, value })).toEqual(expected);
  });

  it('compares texts as texts, also those that look like numbers', () => {
    expect(texts.isNumeric).toBe(false);
    expect(kept(texts, { op: 'lte', value: 'AGG' })).toEqual(['5', 'AGG']);
    expect(kept(texts, { op: 'eq', value: 5 })).toEqual(['5']);
  });
});

it('the ranks of a combination are its digits, the last variable fastest', () => {
  const dictionaries = [
    new Dictionary({ name: '$a', values: ['x', 'b'] }),
    new Dictionary({ name: '$b', values: [3, 1, 2] }),
  ];
  const ranks = Array.from({ length: combinationsOf(dictionaries) }, (_, k) => {
    const into = new Int32Array(2);
    ranksOfCombination(k, dictionaries, into);
    return [...into];
  });
  expect(ranks).toEqual([
    [1, 2],
    [1, 0],
    [1, 1],
    [0, 2],
    [0, 0],
    [0, 1],
  ]);
  expect([...(dictionaries[1]?.ranksOf(Int32Array.of(0, 1, 2)) ?? [])]).toEqual([2, 0, 1]);
});
