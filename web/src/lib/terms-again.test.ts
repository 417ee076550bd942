import { expect, it } from 'vitest';
import { termsAgain } from './terms-again.ts';

const terms = {
  start_date: '2010-01-04',
  end_date: '2020-12-31',
  starting_balance: 10_000,
  slippage_bps: 25,
  benchmark_ticker: 'SPY',
  fill: 'next-close',
} as const;
const now = new Date('2026-11-26T15:00:00Z');

it('keeps all terms of a recorded run, and a last day that was chosen', () => {
  expect(termsAgain({ terms, at: '2026-11-20T15:00:00Z' }, now)).toEqual(terms);
});

it('goes on to today where the run went on to its own day, which is the day at the exchange', () => {
  // In New York it is still the day before.
  const at = '2026-11-21T02:00:00Z';
  const untilThen = { ...terms, end_date: '2026-11-20' };
  expect(termsAgain({ terms: untilThen, at }, now)).toEqual({ ...terms, end_date: '2026-11-26' });
  expect(termsAgain({ terms: { ...terms, end_date: '2026-11-19' }, at }, now).end_date).toBe('2026-11-19');
});
