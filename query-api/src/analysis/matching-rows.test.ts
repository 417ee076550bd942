import type { ResultFilter } from '@quantloom/domain/ports/result-store';
import { describe, expect, it } from 'vitest';
import { filtersOf, matchingRows } from './matching-rows.ts';

const FILTERS: ResultFilter[] = [{ column: '$N', op: 'gte', value: 2 }];
const COLUMN = Float64Array.of(5, 6, Number.NaN, 8);

describe('the rows that meet the filters', () => {
  it('keep their place, and the others count for nothing', async () => {
    const matching = async (batchId: string, filters: readonly ResultFilter[]) => {
      expect([batchId, filters]).toEqual(['b', FILTERS]);
      return Int32Array.of(0, 2, 3);
    };
    expect([...(await matchingRows({ matching }, 'b', FILTERS, COLUMN))]).toEqual([
      5,
      Number.NaN,
      Number.NaN,
      8,
    ]);
    // The column is shared with whoever asks without filters.
    expect([...COLUMN]).toEqual([5, 6, Number.NaN, 8]);
  });

  it('are all of them without a filter, and nobody is asked', async () => {
    const matching = () => Promise.reject(new Error('asked'));
    expect(await matchingRows({ matching }, 'b', [], COLUMN)).toBe(COLUMN);
  });
});

describe('the filters of an analysis', () => {
  const variables = [{ name: '$N', values: ['1', '2'] }];

  it('are those of the results, all that are given', () => {
    expect(filtersOf({}, variables)).toEqual([]);
    expect(filtersOf({ filter: ['$N:gte:2', 'sharpe_ratio:lt:1'] }, variables)).toMatchObject([
      { column: '$N', op: 'gte' },
      { column: 'sharpe_ratio', op: 'lt' },
    ]);
  });

  it('are refused where they name what is not there', () => {
    expect(filtersOf({ filter: ['$M:gte:2'] }, variables)).toMatchObject({ status: 400 });
  });
});
