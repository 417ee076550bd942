import { ERASED } from '@quantloom/domain/personal-data';
import { expect, it } from 'vitest';
import { showsErased } from './erasures-under-way.ts';

const erased = new Set(['ann']);

it.each([
  [
    'names the account',
    { id: 'list-1', ownerId: 'ann', bytes: 12 },
    { id: 'list-1', ownerId: 'ann', bytes: 9 },
  ],
  ['names it further in', { id: 'b', by: [{ userId: 'ann' }], name: 'x' }, { id: 'b', by: [], name: 'y' }],
  ['is not built any more', { id: 'ann', email: 'ann@example.org' }, null],
  ['says something that cannot be read', { id: 'w', email: 'ann@example.org' }, { id: 'w', email: ERASED }],
  ['says it further in', { id: 'w', tags: ['bonds'] }, { id: 'w', tags: [ERASED] }],
])('a document may differ that %s', (_, serving, rebuilt) => {
  expect(showsErased(serving, rebuilt, erased)).toBe(true);
  expect(showsErased(serving, rebuilt, new Set())).toBe(false);
});

it.each([
  ['is about somebody else', { id: 'list-2', ownerId: 'ben', n: 1 }, { id: 'list-2', ownerId: 'ben', n: 2 }],
  ['shows nothing that was erased', { id: 'w', email: ERASED, n: 1 }, { id: 'w', email: ERASED, n: 2 }],
  ['was forgotten', null, { id: 'list-3', ownerId: 'ben' }],
])('a document may not differ that %s', (_, serving, rebuilt) => {
  expect(showsErased(serving, rebuilt, erased)).toBe(false);
});
