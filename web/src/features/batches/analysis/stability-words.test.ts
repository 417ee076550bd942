import { expect, it } from 'vitest';
import { bestInWords, consistencyInWords, periodInWords } from './stability-words.ts';

const row = (...returns: (number | null)[]) => ({
  periods: returns.map((annualized_return) => ({ annualized_return })),
});

it('says how many rows gained in every period, and calls no gap or standstill a loss', () => {
  expect(consistencyInWords([row(0.1, 0.2)], 2)).toBe('This row gained in all 2 periods.');
  expect(consistencyInWords([row(0.1, 0)], 2)).toBe('In at least one of 2 periods this row did not gain.');
  expect(consistencyInWords([row(0.1, null)], 2)).toBe('In at least one of 2 periods this row did not gain.');
  expect(consistencyInWords([row(0.1, 0.2), row(-0.1, 0.2)], 2)).toBe(
    '1 of the 2 rows below gained in all 2 periods.',
  );
  expect(consistencyInWords([row(-1), row(-1)], 3)).toBe('None of the 2 rows below gained in all 3 periods.');
});

it('tells the return of the benchmark by the year as well, as those of the rows are', () => {
  const fourYears = { from: '2013-01-01', to: '2016-12-31' };
  expect(periodInWords({ ...fourYears, regime: 'bull', benchmark: 0.4641 })).toBe(
    'Rising market; the benchmark made +46.41% in all, +10.00% a year.',
  );
  expect(periodInWords({ ...fourYears, regime: null, benchmark: null })).toBe(
    'The benchmark has no prices here.',
  );
});

it('says by what rows are the best, and what was left out', () => {
  const rows = Array(10).fill(null);
  expect(bestInWords({ rows, cash: 'Treasury bills', left_out: 0 })).toBe(
    'The 10 best rows by Sharpe ratio over cash. The ratios below have no cash taken off. Pick ' +
      'rows in the table to see them here.',
  );
  expect(bestInWords({ rows, cash: null, left_out: 1 })).toBe(
    'The 10 best rows by Sharpe ratio, without 1 row that is like cash, equal to the benchmark or ' +
      'a mix of both. Pick rows in the table to see them here.',
  );
  expect(bestInWords({ rows, cash: 'Treasury bills', left_out: 1_200 })).toMatch(
    /over cash, without 1,200 rows that are like cash, .* both\. The ratios/,
  );
});
