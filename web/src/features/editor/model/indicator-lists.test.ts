import { INDICATOR_NAMES } from '@quantloom/domain/strategy/indicator';
import { expect, it } from 'vitest';
import { INDICATOR_LISTS } from './indicator-lists.ts';

const namesOf = (label: string) => INDICATOR_LISTS.find((list) => list.label === label)?.names ?? [];

it('offers every function once', () => {
  expect(INDICATOR_LISTS.flatMap(({ names }) => names).toSorted()).toEqual(INDICATOR_NAMES.toSorted());
});

it('begins with what most people look for', () => {
  expect(INDICATOR_LISTS.map(({ label }) => label)).toEqual([
    ...['Return and momentum', 'Price and trend', 'Risk', 'Two tickers'],
  ]);
  expect(namesOf('Risk')).toEqual([
    ...['standard-deviation-return', 'standard-deviation-price', 'z-score'],
    ...['max-drawdown', 'current-drawdown'],
  ]);
  expect(namesOf('Price and trend').slice(0, 4)).toEqual([
    ...['current-price', 'moving-average-price', 'exponential-moving-average-price', 'bollinger-upper'],
  ]);
});
