import { expect, it } from 'vitest';
import { figureText, noneLeftOut } from './verdict-words.ts';

it('never calls an estimated probability 0 or certain', () => {
  const of = (value: number | null, key: 'alpha_p' | 'pbo' = 'alpha_p') =>
    figureText({ key, value, unit: 'probability' });
  expect(of(0.00004)).toBe('below 0.1%');
  expect(of(0.99996)).toBe('above 99.9%');
  expect(of(0.094)).toBe('9.40%');
  expect(of(null)).toBe('--');
  // A share of the ways to halve a period was counted.
  expect(of(0, 'pbo')).toBe('0.00%');
});

it('does not take a set that holds all rows for a tie with the best', () => {
  expect(noneLeftOut(21)).toContain('none of the 21 rows');
});
