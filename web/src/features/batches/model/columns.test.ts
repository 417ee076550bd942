import { describe, expect, it } from 'vitest';
import {
  columnHeader,
  columnWidth,
  columnWords,
  FURTHER_COLUMNS,
  isPercentColumn,
  OUT_OF_SAMPLE_COLUMNS,
} from './columns.ts';

describe('the heading of a column', () => {
  it('is its name alone where the batch keeps no part apart', () => {
    for (const column of ['sharpe_ratio', 'alpha', '$A', 'end_date'])
      expect(columnHeader(column, false)).toBe(columnWords(column).label);
  });

  it('says of a batch with such a part which days it is of', () => {
    expect(columnHeader('sharpe_ratio', true)).toBe('Sharpe Ratio, In Sample');
    expect(columnHeader('other_fill_sharpe_ratio', true)).toBe('Sharpe Ratio, Other Fill, In Sample');
    expect(columnHeader('out_sharpe_ratio', true)).toBe('Sharpe Ratio, Out of Sample');
    expect(columnHeader('skewness', true)).toBe('Skewness, Whole Period');
    expect(columnHeader('$sharpe_ratio', true)).toBe('$sharpe_ratio');
    expect(columnHeader('start_date', true)).toBe('First Day');
  });

  it('has words for each column that there is', () => {
    for (const column of [...FURTHER_COLUMNS, ...OUT_OF_SAMPLE_COLUMNS]) {
      expect(columnWords(column).label).not.toBe(column);
      expect(columnWords(column).definition).toBeTruthy();
    }
    expect(columnWords('other_fill_max_drawdown').definition).toContain('with the other fill');
    expect(columnWords('unheard_of')).toEqual({ label: 'unheard_of' });
  });
});

it('shows the values of a variable as they are, though it is called like a metric', () => {
  for (const column of ['alpha', 'out_max_drawdown', 'other_fill_cumulative_return'])
    expect(isPercentColumn(column)).toBe(true);
  for (const column of ['$alpha', '$max_drawdown', 'sharpe_ratio', 'standard_deviation'])
    expect(isPercentColumn(column)).toBe(false);
});

describe('the width of a column', () => {
  it('is that of the longest value of a variable, a number, too', () => {
    expect(columnWidth('$A', ['SPY', 'A'.repeat(20), 'QQQ'])).toBe(20 * 9 + 48);
    expect(columnWidth('$A', [1, 12_345_678.25])).toBe(11 * 9 + 48);
    expect(columnWidth('$A')).toBe(88);
    expect(columnWidth('$LONG_NAME', [1])).toBe(10 * 9 + 56);
  });

  it('is that of the heading of everything else', () => {
    expect(columnWidth('Beta', ['a value that is longer'])).toBe(104);
    expect(columnWidth('Information Ratio')).toBe(17 * 7.5 + 56);
  });
});
