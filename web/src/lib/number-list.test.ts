import { expect, it } from 'vitest';
import { readList } from './number-list.ts';

const valuesOf = (text: string) => {
  const entry = readList(text);
  return entry.isRead ? entry.values : entry.reason;
};

it.each([
  ['71, 73, 75', ['71', '73', '75']],
  ['TLT,IEF, $A', ['TLT', 'IEF', '$A']],
  ['12,5; 13,5', ['12,5', '13,5']],
  ['12.5, 13.5', ['12.5', '13.5']],
  ['5..15 step 5, 20', ['5..15 step 5', '20']],
  ['1; 2; 3,', ['1', '2', '3']],
  ['1\n2', ['1', '2']],
  [' ', []],
])('%j is a list of what stands in it', (text, values) => {
  expect(valuesOf(text)).toEqual(values);
});

it('asks where a comma may be a decimal one', () => {
  expect(valuesOf('12,5')).toBe('“12,5” may be 12.5 or 12 and 5: write 12.5, or 12; 5');
  expect(valuesOf('12,5, 13,5')).toContain('“12,5” may be');
  // A semicolon with nothing behind it sets nothing apart.
  expect(valuesOf('12,5;')).toBe('“12,5” may be 12.5 or 12 and 5: write 12.5, or 12; 5');
  expect(valuesOf('71,73,75')).toContain('such as 71; 73; 75');
});
