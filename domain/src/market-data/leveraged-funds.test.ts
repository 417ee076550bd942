import { describe, expect, it } from 'vitest';
import { LEVERAGED_FUNDS, leveragedReturn, shortRate } from './leveraged-funds.ts';

describe('one day of a leveraged fund', () => {
  // A year at 5.1%, of which a day is a 252nd.
  it.each([
    ['borrows what it holds beyond its worth', 3, 0.01, 0.03 - (2 * 0.051 + 0.0095) / 252],
    ['only costs, where it holds no more than its worth', 1, 0.01, 0.01 - 0.0095 / 252],
    ['earns on what it was paid for what it does not own', -2, 0.01, -0.02 + (3 * 0.051 - 0.0095) / 252],
    ['loses no more than 99%', 3, -0.4, -0.99],
    ['gains without a bound', 3, 0.5, 1.5 - (2 * 0.051 + 0.0095) / 252],
  ])('%s', (_, multiple, index, own) => {
    expect(leveragedReturn({ multiple, cost: 0.0095 }, index, 2023)).toBeCloseTo(own, 12);
  });
});

it.each([
  [1962, 0.075],
  [1990, 0.075],
  [1991, 0.054],
  [2014, 0],
  [2026, 0.037],
  [2040, 0.037],
])('the short rate of %i is %d, before the table its first one and after it its last', (year, rate) => {
  expect(shortRate(year)).toBeCloseTo(rate, 12);
});

it('each fund follows the index of a fund that is not leveraged itself', () => {
  const funds = new Set(LEVERAGED_FUNDS.map(({ ticker }) => ticker));
  for (const { ticker, base, multiple, cost, listedOn } of LEVERAGED_FUNDS) {
    expect(funds.has(base), ticker).toBe(false);
    expect([-3, -2, -1, 2, 3], ticker).toContain(multiple);
    expect(cost > 0.005 && cost < 0.015, ticker).toBe(true);
    expect(listedOn, ticker).toMatch(/^20\d\d-\d\d-\d\d$/);
  }
});
