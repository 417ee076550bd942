import { describe, expect, it } from 'vitest';
import {
  type CollectionName,
  conditionsOf,
  type FieldPath,
  type FindQuery,
  type ReadDocument,
  type Where,
} from './read-models.ts';

interface Person extends ReadDocument {
  readonly name: string;
  readonly age: number | null;
  readonly mood: 'calm' | 'cross';
  readonly tags?: readonly string[];
  readonly home: { readonly city: string; readonly rooms: readonly number[] } | null;
}

/** What the compiler has to take, and what it has to refuse: where it takes it, `@ts-expect-error` is the error. */
describe('conditions on documents', () => {
  it('are those of the document’s fields', () => {
    const good: Where<Person>[] = [
      { id: 'p1', name: { contains: 'an' }, age: { gte: 18 } },
      { age: null, mood: { in: ['calm'] }, 'home.city': 'Delft' },
      { tags: { has: 'tall' } },
      { _position: { gt: '1' }, name: { holdsAll: ['a', 'b'] } },
    ];
    const bad: Where<Person>[] = [
      // @ts-expect-error there is no such field
      { nmae: 'Ann' },
      // @ts-expect-error nor one within it
      { 'home.street': 'Main' },
      // @ts-expect-error an age is a number
      { age: 'ten' },
      // @ts-expect-error nobody is in that mood
      { mood: { in: ['calm', 'merry'] } },
      // @ts-expect-error a number contains no text
      { age: { contains: '1' } },
      // @ts-expect-error a list equals nothing
      { tags: 'tall' },
      // @ts-expect-error a text is no list
      { name: { has: 'Ann' } },
    ];
    expect(conditionsOf(good[0])).toEqual([
      ['id', 'p1'],
      ['name', { contains: 'an' }],
      ['age', { gte: 18 }],
    ]);
    expect(conditionsOf<Person>(undefined)).toEqual([]);
    expect(bad.length).toBe(7);
  });

  it('and so is the order', () => {
    const good: FindQuery<Person> = {
      sort: [
        ['home.city', 'desc'],
        ['name', 'asc'],
      ],
    };
    // @ts-expect-error there is no such field
    const bad: FindQuery<Person> = { sort: [['street', 'desc']] };
    expect([good.sort?.length, bad.sort?.length]).toEqual([2, 1]);
  });

  it('are any where nobody says what the documents are', () => {
    const where: Where = { whatever: { has: 1 } };
    const field: FieldPath<ReadDocument> = 'what.ever';
    const name: CollectionName = 'people_v1';
    // @ts-expect-error a collection of people is none of documents that say more
    const cities: CollectionName<Person & { readonly city: string }> = name as CollectionName<Person>;
    expect([where, field, cities]).toHaveLength(3);
  });
});
