import { expect, test } from 'vitest';
import { dollarTicks } from './dollar-ticks.ts';

test('ticks stand at 1, 2 and 5 times the powers of ten around the values', () => {
  expect(dollarTicks([9_000, 95_000])).toEqual({
    tickvals: [1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000],
    ticktext: ['$1k', '$2k', '$5k', '$10k', '$20k', '$50k', '$100k', '$200k', '$500k'],
  });
  expect(dollarTicks([])).toEqual({ tickvals: [], ticktext: [] });
});

test('a million and less than a dollar have units of their own', () => {
  expect(dollarTicks([2e6]).ticktext).toContain('$2M');
  expect(dollarTicks([0.3]).ticktext).toContain('$0.20');
});
