import { expect, it } from 'vitest';
import { leftOutTitle } from './left-out-words.ts';

it('says of how many rows the first ones are shown, and nothing of first ones where all are', () => {
  expect(leftOutTitle(500, 12_345)).toBe('Rows left out (the first 500 of 12,345)');
  expect(leftOutTitle(500, 501)).toBe('Rows left out (the first 500 of 501)');
  expect(leftOutTitle(500, 500)).toBe('Rows left out (500)');
  expect(leftOutTitle(3, undefined)).toBe('Rows left out (3)');
});
