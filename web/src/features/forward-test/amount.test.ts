import { expect, test } from 'vitest';
import { readAmount } from './amount.ts';

test.each([
  ['10000', 10_000],
  ['$10000', 10_000],
  ['$ 2,500.50', 2500.5],
  ['2.500,50 USD', 2500.5],
  ['US$1,000,000', 1e6],
  ['99,5 $', 99.5],
  ['usd 7', 7],
  ['$10,000', 10_000],
  ['10.000', 10_000],
  ['1 000 000', 1e6],
  ['0.5', 0.5],
])('%s is an amount', (typed, value) => {
  expect(readAmount(typed)).toEqual({ isRead: true, value });
});

test.each([
  ['5%', '“5%” is a percentage: enter an amount of money'],
  ['100 €', '“100 €” is not in US dollars, and the closes are: enter the amount in dollars'],
  ['EUR 100', '“EUR 100” is not in US dollars, and the closes are: enter the amount in dollars'],
  ['$$5', '“$5” is not a number: enter a number from 0.01 to 1000000000000'],
  ['-3', '“-3” is not a number from 0.01 to 1000000000000'],
  ['$', 'Enter a number from 0.01 to 1000000000000'],
])('%s is refused with a sentence', (typed, reason) => {
  expect(readAmount(typed)).toEqual({ isRead: false, reason });
});
