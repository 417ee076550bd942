import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { toCsv } from '../../../lib/csv.ts';
import { CsvError, parseCsv } from './csv-table.ts';
import { brushFilters, filterProblem, filterQueries, filterText, opsOf, withFilter } from './filters.ts';
import {
  compareCells,
  defaultSortIndex,
  formatCell,
  isTickerCell,
  nextSort,
  ResultsFormatError,
  readableRows,
  resultsErrorText,
  rowsOfAnswer,
  rowsOfCsv,
} from './results.ts';

test('the first order is by the column behind dates and variables', () => {
  expect(defaultSortIndex(0)).toBe(3);
  expect(defaultSortIndex(3)).toBe(5);
});

test('the sorted column turns round, another one begins ascending', () => {
  expect(nextSort({ column: 'a', direction: 'desc' }, 'a')).toEqual({ column: 'a', direction: 'asc' });
  expect(nextSort({ column: 'a', direction: 'asc' }, 'a')).toEqual({ column: 'a', direction: 'desc' });
  expect(nextSort({ column: 'a', direction: 'desc' }, 'b')).toEqual({ column: 'b', direction: 'asc' });
});

test('numbers are sorted by size, anything else as text, missing cells last', () => {
  expect([10, 9, null, 100].toSorted((a, b) => compareCells(a, b, 'asc'))).toEqual([9, 10, 100, null]);
  expect([10, 9, null, 100].toSorted((a, b) => compareCells(a, b, 'desc'))).toEqual([100, 10, 9, null]);
  expect(['b', 'a', 'C'].toSorted((a, b) => compareCells(a, b, 'asc'))).toEqual(['a', 'b', 'C']);
});

test('cells are formatted by column; percent wins for the drawdown', () => {
  expect(formatCell('max_drawdown', 0.12345)).toBe('12.35%');
  expect(formatCell('in_cumulative_return', 1)).toBe('100.00%');
  expect(formatCell('sharpe_ratio', 1)).toBe('1.0000');
  expect(formatCell('calmer_ratio', -0.5)).toBe('-0.5000');
  expect(formatCell('standard_deviation', 0.2)).toBe('0.2000');
  expect(formatCell('sharpe_ratio', null)).toBe('--');
  expect(formatCell('$W', 12)).toBe('12');
});

test('variables that are no numbers are chips', () => {
  expect(isTickerCell('$A', 'SPY')).toBe(true);
  expect(isTickerCell('$A', '12')).toBe(false);
  expect(isTickerCell('name', 'SPY')).toBe(false);
  expect(isTickerCell('$A', 12)).toBe(false);
});

test('an answer may be CSV text, a link or a page; anything else is an error', async () => {
  expect((await rowsOfAnswer('$A,x\nSPY,1\n', null)).rows).toEqual([['SPY', 1]]);
  expect(
    await rowsOfAnswer({ columns: ['x'], rows: [[1]], total: 7, next_cursor: 'o1' }, null),
  ).toMatchObject({ total: 7, nextCursor: 'o1' });
  const part = { columns: ['x'], rows: [[1]], total: 7, next_cursor: null };
  expect(
    await rowsOfAnswer({ ...part, partial: true, rows_so_far: 40, combinations: 90 }, null),
  ).toMatchObject({ total: 7, rowsSoFar: 40 });
  expect(await rowsOfAnswer(part, null)).not.toHaveProperty('rowsSoFar');
  for (const strange of [null, 3, {}, { columns: ['x'] }])
    await expect(rowsOfAnswer(strange, null)).rejects.toThrow('Unexpected response format from API');
});

test('rows behind a link are read without the token, and an address that has expired has none', async () => {
  const asked: unknown[] = [];
  let answer = new Response('x\n1\n3\n');
  vi.stubGlobal('fetch', async (...call: readonly unknown[]) => {
    asked.push(call);
    return answer;
  });
  const link = { presigned_url: 'https://files.example/rows' };
  const { rows } = await rowsOfAnswer(link, { column: 'x', direction: 'desc' });
  expect(rows).toEqual([[3], [1]]);
  expect(asked).toEqual([['https://files.example/rows', {}]]);
  answer = new Response('<Error>expired</Error>', { status: 403 });
  await expect(rowsOfAnswer(link, null)).rejects.toThrow('Failed to fetch CSV data: 403');
  vi.unstubAllGlobals();
});

test('rows of a running batch may be read up to the first partition that is open', () => {
  const batch = { status: 'Running', combinations: 1000, partitions: 4 } as const;
  const rows = (...open: number[]) => readableRows({ ...batch, job_names: open.map((i) => `b-1-${i}`) });
  expect([rows(0, 3), rows(2, 3), rows(3), rows()]).toEqual([0, 500, 750, 1000]);
  expect(readableRows({ ...batch, status: 'Finished', job_names: [] })).toBe(0);
});

test('what the error area says', () => {
  expect(resultsErrorText(new CsvError('x'))).toBe('Error parsing CSV data');
  expect(resultsErrorText(new ResultsFormatError())).toBe('Error loading results');
  expect(resultsErrorText(new Error('Failed to fetch CSV data: 500 Oops'))).toBe('Error loading results');
});

test('CSV that is written is read back, whatever the cells hold', () => {
  // Not what a spreadsheet would run, which gets an apostrophe, nor what reads as a number or as nothing.
  const cell = fc
    .string()
    .filter((text) => !/^[=+@\t\r\n＝＋－＠-]/.test(text) && !Number.isFinite(Number(text)));
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1 }), (rows) => {
      expect(parseCsv(toCsv([['a', 'b'], ...rows])).rows).toEqual(rows);
    }),
  );
});

test('an empty cell of CSV text is no value: neither zero nor an empty text', () => {
  expect(parseCsv('a,b,c\n1,,0\n').rows).toEqual([[1, null, 0]]);
});

test('a quote without end and a row of another width are errors', () => {
  expect(() => parseCsv('a,b\n1,"2')).toThrow(CsvError);
  expect(() => parseCsv('a,b\n1\n')).toThrow('Row 2 has 1 cells, the header 2');
});

test('at most a thousand rows of CSV text are shown, the total is told', () => {
  const text = `x\n${Array.from({ length: 1500 }, (_, i) => i).join('\n')}\n`;
  const page = rowsOfCsv(text, { column: 'x', direction: 'desc' });
  expect([page.rows.length, page.total, page.rows[0]?.[0]]).toEqual([1000, 1500, 1499]);
});

test('filters: percent columns are typed in percent, several tickers by commas', () => {
  expect(filterQueries([{ column: 'max_drawdown', op: 'lte', text: '20%' }])).toEqual([
    'max_drawdown:lte:0.2',
  ]);
  expect(filterQueries([{ column: 'sharpe_ratio', op: 'gte', text: ' 1.5 ' }])).toEqual([
    'sharpe_ratio:gte:1.5',
  ]);
  expect(filterQueries([{ column: '$A', op: 'in', text: 'SPY, QQQ' }])).toEqual(['$A:in:SPY|QQQ']);
  expect(filterQueries([{ column: 'sharpe_ratio', op: 'isNull', text: '' }])).toEqual([
    'sharpe_ratio:isNull',
  ]);
  expect(filterText({ column: 'max_drawdown', op: 'lte', text: '20' })).toBe('Max Drawdown at most 20%');
  expect(filterProblem({ column: 'sharpe_ratio', op: 'gte', text: 'high' })).toBe('A number is needed');
  expect(filterProblem({ column: 'start_date', op: 'gte', text: '2020' })).toMatch(/A date/);
  expect(filterProblem({ column: '$A', op: 'in', text: ' ' })).toBe('A value is needed');
  expect(opsOf('$A', true)).toEqual(['in', 'ne']);
});

test('a filter on the same column and condition replaces the one before', () => {
  const one = { column: 'a', op: 'gte', text: '1' } as const;
  expect(withFilter([one, { ...one, op: 'lte' }], { ...one, text: '2' })).toEqual([
    { ...one, op: 'lte' },
    { ...one, text: '2' },
  ]);
});

test('a box becomes four filters, however it was drawn', () => {
  expect(
    brushFilters({ column: 'x', from: 5, to: 1 }, { column: 'y', from: -1, to: 2 }).map(
      ({ column, op, text }) => `${column} ${op} ${Number(text)}`,
    ),
  ).toEqual(['x gte 1', 'x lte 5', 'y gte -1', 'y lte 2']);
});
