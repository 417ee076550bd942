import { expect, it } from 'vitest';
import { changedBarsOf } from './changed-results.ts';
import type { ImportReport, SeriesChange } from './import-report.ts';

const change = (ticker: string, days: Partial<SeriesChange>) =>
  ({ ticker, changedFrom: null, addedFrom: null, added: 0, ...days }) as SeriesChange;

const report = {
  version: 'new',
  base: 'old',
  series: [
    change('SAME', {}),
    change('LONGER', { added: 1, addedFrom: '2024-06-28' }),
    change('CHANGED', { added: 1, addedFrom: '2024-06-28', changedFrom: '2024-05-01' }),
    change('EARLIER', { added: 1, addedFrom: '2024-01-02', changedFrom: '2024-05-01' }),
  ],
  dropped: ['GONE'],
} as unknown as ImportReport;

it('tells the first day of each series from which on a result can be another one', () => {
  expect(changedBarsOf(report, false)).toEqual({
    base: 'old',
    version: 'new',
    firstDays: [
      ['LONGER', '2024-06-28'],
      ['CHANGED', '2024-05-01'],
      ['EARLIER', '2024-01-02'],
      ['GONE', '1800-01-01'],
    ],
  });
});

it('tells from which day on a series for conditions says something else', () => {
  const ofConditions = [
    { name: '@SAME', added: 0, changed: 0, changedFrom: null },
    { name: '@LATER', added: 3, changed: 0, changedFrom: '2024-06-03' },
    // Reports of before do not tell.
    { name: '@OLD', added: 0, changed: 2 },
    { name: '@OLD-SAME', added: 0, changed: 0 },
  ] as unknown as ImportReport['conditionSeries'];
  const only = { ...report, series: [], dropped: [], conditionSeries: ofConditions } as ImportReport;
  expect(changedBarsOf(only, false).firstDays).toEqual([
    ['@LATER', '2024-06-03'],
    ['@OLD', '1800-01-01'],
  ]);
});

it('names no version for a preview', () => {
  expect(changedBarsOf(report, true).version).toBeNull();
});

it('takes added days of a report of before for days that may lie anywhere', () => {
  const { addedFrom: _, ...before } = change('OLD', { added: 3 });
  expect(
    changedBarsOf({ ...report, series: [before as SeriesChange], dropped: [] }, false).firstDays,
  ).toEqual([['OLD', '1800-01-01']]);
});
