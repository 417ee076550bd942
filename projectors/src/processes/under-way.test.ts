import { expect, it } from 'vitest';
import { UnderWay } from './under-way.ts';

it('goes as far as the log was read where nothing is under way', () => {
  const underWay = new UnderWay();
  expect(underWay.safe(9n)).toBe(9n);
  underWay.begin(4n);
  underWay.end(4n);
  expect(underWay.safe(9n)).toBe(9n);
});

it('stays before the earliest event that is under way: who dies then comes to it again', () => {
  const underWay = new UnderWay();
  for (const position of [4n, 6n, 8n]) underWay.begin(position);
  underWay.end(6n);
  expect(underWay.safe(9n)).toBe(3n);
  underWay.end(4n);
  expect(underWay.safe(9n)).toBe(7n);
});

it('goes as far as the log was read where what is under way lies behind that', () => {
  const underWay = new UnderWay();
  underWay.begin(7n);
  expect(underWay.safe(5n)).toBe(5n);
});

it('stays before the last event that was read where just that one is under way', () => {
  const underWay = new UnderWay();
  underWay.begin(7n);
  expect(underWay.safe(7n)).toBe(6n);
});
