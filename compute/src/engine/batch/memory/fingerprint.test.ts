import { expect, test } from 'vitest';
import { fingerprintOf } from './fingerprint.ts';

const series = (days: Int32Array, closes: readonly number[] = [1, 2, 3]) => ({
  ticker: 'A',
  days,
  closes: Float64Array.from(closes),
});

test('prices of the same ticker on the same days are told apart by their closes and by their days', () => {
  const first = fingerprintOf(series(Int32Array.of(1, 2, 3)));
  expect(fingerprintOf(series(Int32Array.of(1, 2, 3)))).toBe(first);
  expect(fingerprintOf(series(Int32Array.of(1, 2, 3), [1, 2, 4]))).not.toBe(first);
  expect(fingerprintOf(series(Int32Array.of(1, 2, 4)))).not.toBe(first);
  expect(fingerprintOf(series(Int32Array.of(1, 2, 3)))).toBe(first);
});

test('other days in the same memory are noticed', () => {
  const days = Int32Array.of(7, 8, 9);
  const before = fingerprintOf(series(days));
  days[2] = 12;
  expect(fingerprintOf(series(days))).toBe(fingerprintOf(series(Int32Array.of(7, 8, 12))));
  expect(fingerprintOf(series(days))).not.toBe(before);
});
