import { expect, test } from 'vitest';
import { schemaTable } from './schema-table.ts';

test('a field is marked as required wherever it stands, and no other one is', () => {
  const text = { type: 'string' };
  const inner = { type: 'object', required: ['b'], properties: { b: text, c: text } };
  const schema = {
    type: 'object',
    required: ['a'],
    properties: { a: inner, d: { type: 'array', items: inner }, b: text },
  };

  const rows = schemaTable('Fields', schema).text.split('<tr>').slice(2);

  const fields = rows.map((row) => [/<code>([^<]+)/.exec(row)?.[1], row.includes('class="required"')]);
  expect(fields).toEqual([
    ['a', true],
    ['a.b', true],
    ['a.c', false],
    ['d', false],
    ['d[].b', true],
    ['d[].c', false],
    ['b', false],
  ]);
});
