import { expect, test } from 'vitest';
import { boundsOf } from './value-bounds.ts';

const bounds = (kind: string, fn: string | null = null, field = '') =>
  boundsOf({ kind, fn, field } as Parameters<typeof boundsOf>[0]);

test.each([
  ['window', null, '', { isWhole: true, min: 1, max: 2_000 }],
  ['window', 'standard-deviation-return', '', { isWhole: true, min: 2, max: 2_000 }],
  ['days', null, 'for_days', { isWhole: true, min: 1, max: 252 }],
  ['days', null, 'lhs_days_ago', { isWhole: true, min: 0, max: 2_000 }],
  ['count', null, '', { isWhole: true, min: 1, max: null }],
  ['weight', null, '', { isWhole: false, min: 0, max: 100 }],
  ['corridor', null, '', { isWhole: false, min: 0, max: 100 }],
  ['number', null, '', { isWhole: false, min: null, max: null }],
  ['parameter', null, 'window', { isWhole: false, min: null, max: null }],
  ['parameter', 'relative-strength-index', 'none', { isWhole: false, min: null, max: null }],
])('a number of kind %s of %s (%s) has the bounds %j', (kind, fn, field, expected) =>
  expect(bounds(kind, fn, field)).toMatchObject(expected),
);

test('the parameter of an indicator has its own bounds', () => {
  expect(bounds('parameter', 'macd', 'slow')).toMatchObject({ isWhole: true, min: 1, default: 26 });
  expect(bounds('parameter', 'bollinger-upper', 'deviations')).toMatchObject({
    isWhole: false,
    min: 0,
    max: null,
  });
});
