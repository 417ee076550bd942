import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isSameDocument } from './same-document.ts';

/** The same document, every object's keys the other way round. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, turned(inner)]),
  );
}

it('is the same in any order of its keys, and only then', () => {
  const document = fc.jsonValue({ maxDepth: 3 });
  fc.assert(
    fc.property(document, (value) => {
      expect(isSameDocument(value, turned(structuredClone(value)))).toBe(true);
    }),
  );
  // Few enough values that two of them are often the same.
  const small = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom(null, 0, 1, '', '0', true, false),
      fc.array(tie('any'), { maxLength: 2 }),
      fc.dictionary(fc.constantFrom('a', 'b'), tie('any'), { maxKeys: 2, noNullPrototype: true }),
    ),
  })).any;
  fc.assert(
    fc.property(small, small, (left, right) => {
      expect(isSameDocument(left, right)).toBe(isDeepStrictEqual(left, right));
    }),
    { numRuns: 500 },
  );
});

it.each<[string, unknown, unknown]>([
  ['nothing and an empty object', null, {}],
  ['an empty list and an empty object', [], {}],
  ['a list and an object with its places as keys', ['a'], { 0: 'a' }],
  ['a longer and a shorter list', [1, 2], [1]],
  ['an object with more', { a: 1 }, { a: 1, b: 2 }],
  ['an object with less', { a: 1, b: 2 }, { a: 1 }],
  ['another key of the same number', { a: undefined }, { b: undefined }],
  ['what every object inherits', { constructor: Object }, { a: 1 }],
  ['a number and its text', 1, '1'],
  ['a text and its letters', 'a', ['a']],
  ['something deep inside', { a: [{ b: 1 }] }, { a: [{ b: 2 }] }],
])('tells %s apart', (_, left, right) => {
  expect(isSameDocument(left, right)).toBe(false);
  expect(isSameDocument(right, left)).toBe(false);
});
