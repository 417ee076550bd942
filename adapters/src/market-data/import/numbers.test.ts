import { expect, it } from 'vitest';
import { isPlainNumber, numberForm } from './numbers.ts';

it('reads a file’s numbers as most of them can only be read, and asks where its commas can be either', () => {
  const form = (point: number, comma: number, unclear: number, delimiter = ',') =>
    numberForm({ point, comma, unclear }, delimiter);
  expect(form(3, 0, 5)).toBe('point');
  expect(form(1, 2, 5)).toBe('comma');
  // One of each is no evidence for the comma.
  expect(form(1, 1, 0)).toBe('point');
  expect(form(0, 0, 0, ';')).toBe('point');
  expect(form(0, 0, 5)).toBeNull();
  expect(form(0, 0, 5, '\t')).toBeNull();
  // Who writes semicolons between columns does so because the comma is taken.
  expect(form(0, 0, 5, ';')).toBe('comma');
});

it('knows a number that is written as programs do', () => {
  for (const text of ['1', '-1.5', ' 2e3 ', '0.0']) expect(isPlainNumber(text), text).toBe(true);
  for (const text of ['', ' ', '1,5', '1.2.3', '$1', 'NaN', 'Infinity'])
    expect(isPlainNumber(text), text).toBe(false);
});
