import { expect, it } from 'vitest';
import { lastRunWords } from './last-run-words.ts';

it('says on which days and terms figures were come to', () => {
  const run = {
    id: 'r',
    at: new Date(Date.now() - 3 * 86_400_000).toISOString(),
    terms: {
      start_date: '1990-01-01',
      end_date: '2020-12-31',
      starting_balance: 10_000,
      slippage_bps: 25,
      benchmark_ticker: 'SPY',
      fill: 'next-close',
      cash: { rate: 4 },
    },
    metrics: {},
    firstDay: '2010-01-04',
    lastDay: '2020-12-31',
    isSimulated: true,
    line: [],
  } as const;
  expect(lastRunWords(run)).toBe(
    'Run 3 days ago: January 4, 2010 to December 31, 2020, 25 bps slippage, next close, cash 4%, simulated prices',
  );
});
