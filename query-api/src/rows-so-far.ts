import type { BatchDocument } from '@quantloom/domain/batch/projections';
import type { ResultQuery, ResultStore } from '@quantloom/domain/ports/result-store';

/**
 * How many rows of a batch at work can be read, counted from the first combination: those of the finished partitions that have no gap before
 * them. Rows of a partition at work are stored already, but they are not charged before it has finished. 0 while there are none, and where
 * the batch is not at work.
 */
export async function rowsSoFar(
  store: Pick<ResultStore, 'storedRanges'>,
  batch: BatchDocument,
): Promise<number> {
  if (batch.status !== 'Running') return 0;
  const firstOpen = batch.open_partitions.reduce((first, one) => Math.min(first, one), batch.partitions);
  const rows = Math.min(firstOpen * batch.partition_size, batch.combinations);
  if (rows === 0) return 0;
  // A batch that begins anew loses its rows a moment before its document says so.
  const [first] = await store.storedRanges(batch.id);
  return first?.from === 0 && first.to >= rows ? rows : 0;
}

/** The query over the first `rows` combinations only. */
export function amongFirst(rows: number, query: ResultQuery): ResultQuery {
  const first = { column: 'combination', op: 'lt', value: rows } as const;
  return { ...query, filters: [...(query.filters ?? []), first] };
}
