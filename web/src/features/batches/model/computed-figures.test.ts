import { expect, it } from 'vitest';
import { COMPUTED_COLUMNS, computedHeader, figureOffer } from './computed-figures.ts';
import { formatCell } from './results.ts';

const SHOWN = [7, 3, 9, 1];
const NONE = new Set<number>();

it('offers the first rows, then those behind them, until all have figures', () => {
  expect(figureOffer(SHOWN, [], NONE, 2)).toEqual({
    combinations: [7, 3],
    words: 'Compute for the first 2 rows',
  });
  expect(figureOffer(SHOWN, [], new Set([7, 3]), 2)).toEqual({
    combinations: [9, 1],
    words: 'Compute for 2 rows more',
  });
  expect(figureOffer(SHOWN, [], NONE, 50)?.words).toBe('Compute for 4 rows');
  expect(figureOffer(SHOWN, [], new Set(SHOWN), 50)).toBeNull();
  expect(figureOffer([], [], NONE, 50)).toBeNull();
});

it('offers picked rows before the others, also those of another page', () => {
  expect(figureOffer(SHOWN, [44], NONE, 50)).toEqual({
    combinations: [44],
    words: 'Compute for 1 picked row',
  });
  expect(figureOffer(SHOWN, [44], new Set([44]), 3)?.combinations).toEqual([7, 3, 9]);
});

it('says which days a figure is of, and shows it as a share', () => {
  const opened = { date: '2020-01-02', opened: { at: '2026-01-01T00:00:00Z', by: 'you' } };
  expect(computedHeader('exposure', { out_of_sample: null })).toBe('Exposure');
  expect(computedHeader('exposure', { out_of_sample: { ...opened, opened: null } as never })).toBe(
    'Exposure, In Sample',
  );
  expect(computedHeader('expected_shortfall_95', { out_of_sample: opened as never })).toBe(
    'Expected Shortfall, Whole Period',
  );
  expect(COMPUTED_COLUMNS.map((column) => formatCell(column, 0.0234))).toEqual(['2.34%', '2.34%']);
});
