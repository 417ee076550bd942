import type { ResultFilter, ResultQuery } from '@quantloom/domain/ports/result-store';
import { describe, expect, it } from 'vitest';
import { lockedColumn, readingOf } from './in-sample-results.ts';

const VARIABLES = [{ name: '$A', values: ['1', '2'] }];
const SPLIT = { out_of_sample_date: '2020-01-01' };
const CLOSED = { outOfSampleOpened: undefined } as never;
const OPENED = { outOfSampleOpened: { at: '2024-01-01T00:00:00.000Z' } } as never;

/** A store that tells what it was asked. */
function store() {
  const asked: unknown[][] = [];
  const of =
    <T>(name: string, answer: T) =>
    (...given: unknown[]) => {
      asked.push([name, ...given]);
      return answer;
    };
  const results = {
    query: of('query', Promise.resolve({ columns: ['of the store'], rows: [], total: 0 })),
    matching: of('matching', Promise.resolve(new Int32Array())),
    stream: of('stream', (async function* () {})()),
    aggregate: of('aggregate', Promise.resolve([{ in_sharpe_ratio: 3, $A: 7, n: 1 }])),
  };
  return { results: results as never, asked };
}

const FILTERS: ResultFilter[] = [
  { column: 'sharpe_ratio', op: 'gte', value: 1 },
  { column: '$A', op: 'eq', value: 2 },
];
const IN_FILTERS = [
  { column: 'in_sharpe_ratio', op: 'gte', value: 1 },
  { column: '$A', op: 'eq', value: 2 },
];

describe('results of a batch with a part that is apart', () => {
  it.each<readonly [string, ResultQuery]>([
    ['shown', { columns: ['sharpe_ratio', 'out_sharpe_ratio'] }],
    ['sorted by', { sort: { column: 'out_calmer_ratio', direction: 'asc' } }],
    ['a filter', { filters: [...FILTERS, { column: 'skewness', op: 'gt', value: 0 }] }],
    ['of more columns', { columns: ['alpha'] }],
  ])('are refused while it is locked where what knows it is %s', (_, query) => {
    const { results } = store();
    expect(lockedColumn(readingOf(results, CLOSED, SPLIT, VARIABLES), query)).toMatchObject({
      status: 409,
      code: 'out_of_sample_locked',
    });
    expect(lockedColumn(readingOf(results, OPENED, SPLIT, VARIABLES), query)).toBeNull();
    expect(lockedColumn(readingOf(results, CLOSED, {}, VARIABLES), query)).toBeNull();
  });

  it('are read by what is known before that date', () => {
    const { results } = store();
    const query = {
      columns: ['$A', 'sharpe_ratio', 'in_sharpe_ratio', 'other_fill_sharpe_ratio'],
      sort: { column: 'max_drawdown', direction: 'asc' },
      filters: FILTERS,
    } as const;
    expect(lockedColumn(readingOf(results, CLOSED, SPLIT, VARIABLES), query)).toBeNull();
  });

  it('are shown, sorted and filtered by the metrics of the days before, by their usual names', async () => {
    const { results, asked } = store();
    const reading = readingOf(results, CLOSED, SPLIT, VARIABLES);
    const page = await reading.results.query('b', {
      columns: ['$A', 'sharpe_ratio'],
      sort: { column: 'max_drawdown', direction: 'asc' },
      filters: FILTERS,
      limit: 7,
    });
    expect(page.columns).toEqual(['$A', 'sharpe_ratio']);
    await reading.results.matching('b', FILTERS);
    expect(asked).toEqual([
      [
        'query',
        'b',
        {
          columns: ['$A', 'in_sharpe_ratio'],
          sort: { column: 'in_max_drawdown', direction: 'asc' },
          filters: IN_FILTERS,
          limit: 7,
        },
      ],
      ['matching', 'b', IN_FILTERS],
    ]);
    expect(reading.columnOf('sharpe_ratio')).toBe('in_sharpe_ratio');
    expect(reading.columnOf('$A')).toBe('$A');
  });

  it('are summed up by the metrics of the days before, and told by their usual names', async () => {
    const { results, asked } = store();
    const groups = await readingOf(results, CLOSED, SPLIT, VARIABLES).results.aggregate('b', {
      groupBy: [{ column: 'sharpe_ratio', bins: 3, min: 0, max: 1 }, '$A'],
      measures: [
        { as: 'n', fn: 'count' },
        { as: 'm', fn: 'max', column: 'max_drawdown' },
      ],
      filters: FILTERS,
    });
    expect(asked).toEqual([
      [
        'aggregate',
        'b',
        {
          groupBy: [{ column: 'in_sharpe_ratio', bins: 3, min: 0, max: 1 }, '$A'],
          measures: [
            { as: 'n', fn: 'count' },
            { as: 'm', fn: 'max', column: 'in_max_drawdown' },
          ],
          filters: IN_FILTERS,
        },
      ],
    ]);
    expect(groups).toMatchObject([{ sharpe_ratio: 3, $A: 7, n: 1 }]);
  });

  it('have the other part in their file once it was opened, and not before', () => {
    const { results, asked } = store();
    for (const batch of [CLOSED, OPENED])
      readingOf(results, batch, SPLIT, VARIABLES).results.stream('b', {}, 'csv');
    const [closed, opened] = asked.map(([, , query]) => (query as { columns: string[] }).columns);
    expect(closed).toContain('in_sharpe_ratio');
    expect(closed).not.toContain('sharpe_ratio');
    expect(closed?.filter((name) => name.startsWith('out_'))).toEqual([]);
    expect(opened?.slice(0, closed?.length)).toEqual(closed);
    expect(opened?.slice(closed?.length)).toHaveLength(8);
    expect(opened?.at(-1)).toBe('out_trailing_3_month');
  });
});

describe('results of a batch without such a date', () => {
  it('are those of the store, with the columns of the other fill where it has them', async () => {
    const { results, asked } = store();
    expect(readingOf(results, CLOSED, {}, VARIABLES).results).toBe(results);
    const both = readingOf(results, CLOSED, { both_fills: true }, VARIABLES);
    expect(both).toMatchObject({ hasBothFills: true, isLocked: false, outOfSampleDate: null });
    await both.results.query('b', {});
    await both.results.query('b', { columns: ['$A'] });
    both.results.stream('b', {}, 'csv');
    const [all, named, file] = asked.map(([, , query]) => (query as { columns: string[] }).columns);
    expect(all).toContain('other_fill_sharpe_ratio');
    expect(named).toEqual(['$A']);
    expect(file).toEqual(all);
  });
});
