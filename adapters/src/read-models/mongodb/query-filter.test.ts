import { describe, expect, it } from 'vitest';
import { toPlain, toStored } from './document-keys.ts';
import { mongoFilter, mongoSort, storedField } from './query-filter.ts';

interface Row {
  readonly id: string;
  readonly name: string;
  readonly size: number;
  readonly tags: readonly string[];
}
const filter = (where: Parameters<typeof mongoFilter<Row>>[0]) => mongoFilter<Row>(where);
/** What a text is looked for by. */
const patternOf = (text: string) => {
  const found = JSON.stringify(filter({ name: { contains: text } }));
  const { $and } = JSON.parse(found) as { $and: readonly { name: { $regex: string; $options: string } }[] };
  return new RegExp($and[0]?.name.$regex ?? '', $and[0]?.name.$options);
};

describe('what MongoDB is asked for', () => {
  it('is nothing where nothing is asked for, and each condition of several', () => {
    expect(filter(undefined)).toEqual({});
    expect(filter({})).toEqual({});
    const notAList = { $not: { $type: 'array' } };
    expect(filter({ name: 'a', size: { gt: 1, lte: 5 } })).toEqual({
      $and: [{ name: { $eq: 'a', ...notAList } }, { size: { $gt: 1, $lte: 5, ...notAList } }],
    });
    expect(filter({ size: { gte: 0, lt: 0 } })).toEqual({
      $and: [{ size: { $gte: 0, $lt: 0, ...notAList } }],
    });
  });

  it('is the id by its own name, and what a list has inside it', () => {
    expect(filter({ id: { in: ['a', 'b'] } })).toEqual({ $and: [{ _id: { $in: ['a', 'b'] } }] });
    expect(filter({ tags: { has: 'core' } })).toEqual({ $and: [{ tags: { $elemMatch: { $eq: 'core' } } }] });
  });

  it('is what never holds where one of no values is asked for, and anything where all of no texts are', () => {
    expect(filter({ name: { in: [] } })).toEqual({ $and: [{ $expr: false }] });
    expect(filter({ name: { containsAll: [] } })).toEqual({ $and: [{}] });
    expect(filter({ name: { holdsAll: [] } })).toEqual({ $and: [{}] });
  });

  it('takes a text as it stands, in either case, whatever its characters mean in a pattern', () => {
    for (const text of [
      'a.b',
      'RSI(SPY, 10)',
      '$A',
      'x|y',
      'a-b',
      '[1]',
      'C:\\d',
      'a/b',
      '2+2',
      'why?',
      '^z',
      '{3}',
    ])
      expect(patternOf(text).test(`before ${text} after`), text).toBe(true);
    expect(patternOf('a.b').test('axb')).toBe(false);
    expect(patternOf('x|y').test('x')).toBe(false);
    expect(patternOf('dual').test('Dual momentum')).toBe(true);
  });

  it('asks for every one of several texts, and minds the case only where words are held as they are', () => {
    expect(filter({ name: { containsAll: ['a', 'b.'] } })).toEqual({
      $and: [
        {
          $and: [
            { name: { $regex: 'a', $options: 'i', $not: { $type: 'array' } } },
            { name: { $regex: 'b\\.', $options: 'i', $not: { $type: 'array' } } },
          ],
        },
      ],
    });
    expect(filter({ name: { holdsAll: ['a', 'b'] } })).toEqual({
      $and: [{ $and: [{ name: { $regex: 'a' } }, { name: { $regex: 'b' } }] }],
    });
  });

  it('sorts what is equal by its id, once', () => {
    expect(mongoSort<Row>([['size', 'desc']])).toEqual([
      ['size', -1],
      ['_id', 1],
    ]);
    expect(mongoSort<Row>([['id', 'desc']])).toEqual([['_id', -1]]);
    expect(mongoSort<Row>(undefined)).toEqual([['_id', 1]]);
  });
});

describe('names of fields that mean something to MongoDB', () => {
  it('are stored as others, wherever they stand, and read as they were', () => {
    const document = { id: 'x', values: { $A: 1, 'BRK.B': [{ $AB: null }] }, text: '$A.b' };
    const stored = toStored(document);
    expect(JSON.stringify(stored)).not.toMatch(/"[^"]*[$.][^"]*":/);
    expect(stored).toMatchObject({ id: 'x', text: '$A.b' });
    expect(toPlain(stored)).toEqual(document);
    expect(toStored({ at: new Date(0), none: undefined })).toEqual({ at: '1970-01-01T00:00:00.000Z' });
  });

  it('are asked for by what they are stored as', () => {
    expect(storedField('id')).toBe('_id');
    expect(Object.keys((toStored({ values: { $A: 1 } }) as { values: object }).values)).toEqual([
      storedField('values.$A').slice('values.'.length),
    ]);
    expect(() => storedField('a.$where[0]')).toThrow('is not a field path');
  });
});
