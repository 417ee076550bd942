import { METRIC_COLUMNS, NO_DAY, type ResultBlock } from '@quantloom/domain/contracts/result-block';
import { expect, test } from 'vitest';
import { BatchCsv, numberCell } from './batch-csv.ts';

test.each([
  [0, '0.0'],
  [-0, '-0.0'],
  [-1, '-1.0'],
  [1 / 3, '0.3333333333333333'],
  [1e-4, '0.0001'],
  [1e-5, '1e-05'],
  [-1.5e-7, '-1.5e-07'],
  [6.666666666666666e-10, '6.666666666666666e-10'],
  [5e-324, '5e-324'],
  [1e15, '1000000000000000.0'],
  [1e16, '1e+16'],
  [1.2345e17, '1.2345e+17'],
  [Number.NaN, ''],
])('writes %d as the result store does: %s', (number, text) => {
  expect(numberCell(number)).toBe(text);
});

test('a row has its days, values and metrics, and empty cells where it could not run', () => {
  const csv = new BatchCsv({
    variables: [
      { name: '$A', values: ['X', 'odd,"one"'] },
      { name: '$W', values: [5, 10] },
    ],
    csvColumns: ['start_date', 'end_date', '$A', '$W', ...METRIC_COLUMNS],
  });
  const floats = Object.fromEntries(METRIC_COLUMNS.map((name) => [name, Float64Array.of(0.5, Number.NaN)]));
  const block = {
    count: 2,
    startDay: Int32Array.of(0, NO_DAY),
    endDay: Int32Array.of(365, NO_DAY),
    variables: [Int32Array.of(0, 1), Int32Array.of(1, 0)],
    floats,
  } as unknown as ResultBlock;
  expect(csv.header).toBe(`start_date,end_date,$A,$W,${METRIC_COLUMNS.join()}\n`);
  expect(csv.lines(block)).toBe(
    `1970-01-01,1971-01-01,X,10,${METRIC_COLUMNS.map(() => '0.5').join()}\n` +
      `,,"odd,""one""",5,${METRIC_COLUMNS.map(() => '').join()}\n`,
  );
});
