import { readResultsQuery } from '@quantloom/domain/batch/results-query';
import type { BatchVariable } from '@quantloom/domain/batch/variable-values';
import type { ResultsQueryInput } from '@quantloom/domain/contracts/http/results';
import { isRefusal, type Refusal } from '@quantloom/domain/kernel/refusal';
import type { ResultFilter } from '@quantloom/domain/ports/result-store';
import type { BatchResults } from '../in-sample-results.ts';

/** The filters of an analysis request, which are written as those of the results are; none: all rows. */
export function filtersOf(
  { filter }: Pick<ResultsQueryInput, 'filter'>,
  variables: readonly BatchVariable[],
): readonly ResultFilter[] | Refusal {
  const query = readResultsQuery(filter === undefined ? {} : { filter }, variables);
  return isRefusal(query) ? query : (query.filters ?? []);
}

/**
 * A metric's column with the rows that meet all filters only: the others are NaN, which every analysis leaves
 * out. Without filters the column itself.
 *
 * @param column in combination order
 */
export async function matchingRows(
  store: Pick<BatchResults, 'matching'>,
  batchId: string,
  filters: readonly ResultFilter[],
  column: Float64Array,
): Promise<Float64Array> {
  if (filters.length === 0) return column;
  const matching = new Float64Array(column.length).fill(Number.NaN);
  for (const combination of await store.matching(batchId, filters))
    matching[combination] = column[combination] as number;
  return matching;
}
