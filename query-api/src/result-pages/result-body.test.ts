import type { ResultSnapshot } from '@quantloom/domain/shared-result/snapshot';
import { describe, expect, it } from 'vitest';
import { resultBody } from './result-body.ts';

const figures = (first: number) => ({
  ...{ duration: 10, trailing_1_month: null, trailing_3_month: null },
  annualized_return: first / 100,
  cumulative_return: (first + 1) / 100,
  max_drawdown: (first + 2) / 100,
  standard_deviation: (first + 3) / 100,
  sharpe: first + 4,
  calmer: first + 5,
});
const RESULT: ResultSnapshot = {
  terms: {
    ...{ start_date: '2010-01-04', end_date: '2012-12-31', starting_balance: 10_000, slippage_bps: 10 },
    benchmark_ticker: 'SPY',
  },
  ...{ dataVersion: 'v1', engineVersion: '1', isSimulated: false, resultHash: 'a'.repeat(64) },
  ...{ firstDay: '2010-01-04', lastDay: '2012-12-31', firstDayDecidedBy: [], lastDayDecidedBy: [] },
  figures: figures(10),
  benchmarkFigures: figures(20),
  curve: { days: ['2010-01-04', '2012-12-31'], value: [1, 2], benchmark: [1, 1.5] },
  years: [
    { year: '2010', isPartial: false, value: 0.1, benchmark: 0.2 },
    { year: '2011', isPartial: true, value: 0.3, benchmark: null },
  ],
  drawdowns: [
    { depth: 0.2, peak: '2010-02-01', trough: '2010-03-01', recovery: '2010-04-01' },
    { depth: 0.1, peak: '2011-02-01', trough: '2011-03-01', recovery: null },
  ],
  further: {
    ...{ sortino: 1.5, ulcerIndex: 0.5, turnoverPerYear: 2, exposure: 0.8 },
    ...{ beta: 1.1, correlation: 0.6, trades: 3 },
  },
};
const PART = { cumulativeReturn: 0.05, maxDrawdown: 0.02, benchmarkReturn: 0.04 };

/** The cells of each row of a table, by the table's name. */
function tablesOf(page: string): Map<string, string[][]> {
  const regions = page.matchAll(/aria-label="([^"]+)"><table>(.*?)<\/table>/gs);
  const cells = (row: string) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) => cell.replaceAll(/<[^>]+>/g, ''));
  return new Map(
    Array.from(regions, ([, name = '', table = '']) => [
      name,
      [...table.matchAll(/<tr>(.*?)<\/tr>/gs)].slice(1).map(([, row = '']) => cells(row)),
    ]),
  );
}
const pageOf = (more: Partial<ResultSnapshot> = {}) => resultBody({ ...RESULT, ...more }, false).text;

describe('a result as a page shows it', () => {
  it('has each figure beside that of the benchmark', () => {
    const tables = tablesOf(pageOf());
    expect(tables.get('Figures')).toEqual([
      ['Return a year', '10.0%', '20.0%'],
      ['Return in all', '11.0%', '21.0%'],
      ['Largest drawdown', '12.0%', '22.0%'],
      ['Standard deviation', '13.0%', '23.0%'],
      ['Sharpe ratio', '14.00', '24.00'],
      ['Calmar ratio', '15.00', '25.00'],
    ]);
    expect(tables.get('Years')).toEqual([
      ['2010', '10.0%', '20.0%'],
      ['2011 (part)', '30.0%', '–'],
    ]);
    expect(tables.get('Largest drawdowns')).toEqual([
      ['20.0%', '2010-02-01', '2010-03-01', '2010-04-01'],
      ['10.0%', '2011-02-01', '2011-03-01', 'not yet'],
    ]);
    expect(pageOf()).toContain(
      'Sortino ratio 1.50, ulcer index 0.50, beta 1.10, correlation 0.60, turnover 2.00 times a year, ' +
        'invested 80.0%, traded on 3 days.',
    );
  });

  it('tells the days since publication apart, with caution while they are few', () => {
    const since = { ...PART, firstDay: '2011-07-05', lastDay: '2012-12-31', days: 249 };
    const page = pageOf({ since });
    expect(page.replaceAll(/<\/?b>|\s+/g, ' ')).toMatch(
      / 5\.0% ?, SPY 4\.0%, with a largest drawdown of 2\.0%/,
    );
    expect(page).toContain('So few days say little');
    expect(pageOf({ since: { ...since, days: 250 } })).not.toContain('So few days say little');
    // Shaded from there to the end of the box: half of the time, of 804 points beside a margin of 64.
    expect(Number(/class="since" x="([\d.]+)"/.exec(page)?.[1])).toBeCloseTo(64 + 402, -1);
  });
});
