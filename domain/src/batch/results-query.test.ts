import { describe, expect, it } from 'vitest';
import { readCursor, readResultsQuery, visibleColumns, writeCursor } from './results-query.ts';

const variables = [{ name: '$A' }, { name: '$AB' }, { name: '$A:B' }, { name: '$W' }];
const read = (input: Parameters<typeof readResultsQuery>[0]) => readResultsQuery(input, variables);
const filterOf = (filter: string) => {
  const query = read({ filter });
  return 'refusal' in query ? query.code : query.filters?.[0];
};

describe('a filter', () => {
  it.each([
    ['$A:in:SPY|QQQ', { column: '$A', op: 'in', value: ['SPY', 'QQQ'] }],
    ['$AB:eq:SPY', { column: '$AB', op: 'eq', value: 'SPY' }],
    ['$A:B:eq:SPY', { column: '$A:B', op: 'eq', value: 'SPY' }],
    ['$A:eq:SPY', { column: '$A', op: 'eq', value: 'SPY' }],
    ['$A:eq:SIM:SPY', { column: '$A', op: 'eq', value: 'SIM:SPY' }],
    ['$W:gte:20', { column: '$W', op: 'gte', value: expect.anything() }],
    ['sharpe_ratio:gt:1.5', { column: 'sharpe_ratio', op: 'gt', value: 1.5 }],
    ['sharpe_ratio:isNull', { column: 'sharpe_ratio', op: 'isNull' }],
    ['sharpe_ratio:isNotNull:', { column: 'sharpe_ratio', op: 'isNotNull' }],
    ['start_date:lte:2020-01-31', { column: 'start_date', op: 'lte', value: '2020-01-31' }],
    ['combination:lt:7', { column: 'combination', op: 'lt', value: 7 }],
  ])('%s', (text, filter) => expect(filterOf(text)).toEqual(filter));

  it.each([
    ['$ABC:eq:SPY', 'unknown_column'],
    ['$A', 'unknown_column'],
    ['$A:like:S', 'unknown_operator'],
    ['$A:', 'unknown_operator'],
    ['$A:eq', 'filter_without_value'],
    ['$A:eq:', 'filter_without_value'],
    ['sharpe_ratio:gt:high', 'invalid_filter_value'],
    ['start_date:gt:2020-02-30', 'invalid_filter_value'],
    ['end_date:gt:1', 'invalid_filter_value'],
    ['combination:in:1|x', 'invalid_filter_value'],
  ])('%s is refused: %s', (text, code) => expect(filterOf(text)).toBe(code));

  it('is one of several, all of which hold', () => {
    expect(read({ filter: ['$A:eq:SPY', '$AB:eq:QQQ'] })).toEqual({
      filters: [
        { column: '$A', op: 'eq', value: 'SPY' },
        { column: '$AB', op: 'eq', value: 'QQQ' },
      ],
    });
    expect(read({ filter: [] })).toEqual({});
  });
});

describe('a sort', () => {
  it.each([
    ['$A', { column: '$A', direction: 'asc' }],
    ['$AB:desc', { column: '$AB', direction: 'desc' }],
    ['$A:B:asc', { column: '$A:B', direction: 'asc' }],
    ['sharpe_ratio:desc', { column: 'sharpe_ratio', direction: 'desc' }],
  ])('%s', (sort, expected) => expect(read({ sort })).toEqual({ sort: expected }));

  it.each(['$ABC', '$A:up', 'sharpe', ':desc', ''])('by “%s” is refused', (sort) =>
    expect(read({ sort })).toMatchObject({ code: 'unknown_column' }),
  );
});

describe('columns', () => {
  it('are named, and only those that there are', () => {
    expect(read({ columns: '$A,,sharpe_ratio' })).toEqual({ columns: ['$A', 'sharpe_ratio'] });
    expect(read({ columns: '' })).toEqual({});
    expect(read({ columns: '$A,$B' })).toMatchObject({ code: 'unknown_column' });
  });

  it('stand in the order of the visible table', () => {
    expect(visibleColumns([{ name: '$B' }, { name: '$A' }]).slice(0, 4)).toEqual([
      'start_date',
      'end_date',
      '$B',
      '$A',
    ]);
  });

  it('of the other fill are behind them where a batch has both, and none of all where it has not', () => {
    expect(visibleColumns([{ name: '$A' }], true).slice(-5)).toEqual([
      'trailing_3_month',
      'other_fill_annualized_return',
      'other_fill_cumulative_return',
      'other_fill_max_drawdown',
      'other_fill_sharpe_ratio',
    ]);
    const all = (hasBothFills: boolean) => {
      const part = { outOfSampleDate: '2015-01-02', isLocked: true, hasBothFills };
      const query = readResultsQuery({ columns: 'all' }, variables, part);
      return 'refusal' in query ? [] : (query.columns ?? []);
    };
    // They are of the days before the date, so that nothing of them is locked away.
    expect(all(true).filter((name) => name.startsWith('other_fill_'))).toHaveLength(4);
    expect(all(false).filter((name) => name.startsWith('other_fill_'))).toEqual([]);
    expect(read({ sort: 'other_fill_sharpe_ratio:desc', filter: 'other_fill_max_drawdown:lt:0.3' })).toEqual({
      sort: { column: 'other_fill_sharpe_ratio', direction: 'desc' },
      filters: [{ column: 'other_fill_max_drawdown', op: 'lt', value: 0.3 }],
    });
  });

  it('are all that may be read: nothing of a locked part, and no parts where there is no date', () => {
    const all = (part?: Parameters<typeof readResultsQuery>[2]) => {
      const query = readResultsQuery({ columns: 'all' }, variables, part);
      return 'refusal' in query ? [] : (query.columns ?? []);
    };
    expect(all()).toContain('sharpe_ratio');
    expect(all().filter((name) => /^(in|out)_/.test(name))).toEqual([]);
    const locked = all({ outOfSampleDate: '2015-01-02', isLocked: true });
    const opened = all({ outOfSampleDate: '2015-01-02', isLocked: false });
    expect(locked).toContain('in_sharpe_ratio');
    expect(locked).not.toContain('sharpe_ratio');
    expect(locked.filter((name) => name.startsWith('out_'))).toEqual([]);
    expect(opened).toContain('out_sharpe_ratio');
  });
});

describe('a cursor', () => {
  it('is read as it was written', () => {
    expect(readCursor(writeCursor(1_500_000))).toBe(1_500_000);
    expect([readCursor(undefined), readCursor('')]).toEqual([0, 0]);
    expect(read({ cursor: writeCursor(7), limit: 3 })).toEqual({ offset: 7, limit: 3 });
    expect(read({ cursor: writeCursor(1) })).toEqual({ offset: 1 });
    expect(read({ cursor: writeCursor(0) })).toEqual({});
  });

  it.each(['7', 'o', 'o-1', 'o1.5', 'xo1', 'o1x', `o${'9'.repeat(13)}`])('%s is refused', (cursor) =>
    expect(read({ cursor })).toMatchObject({ code: 'invalid_cursor' }),
  );
});
