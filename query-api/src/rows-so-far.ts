import type { BatchDocument } from '@quantloom/domain/batch/projections';
import type { ResultFilter, ResultQuery, ResultStore } from '@quantloom/domain/ports/result-store';

/** Combinations, `to` exclusive. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/** What can be read of a batch that does not have all of its rows. */
export interface RowsSoFar {
  readonly rows: number;
  /** Apart and ascending; at least one. */
  readonly ranges: readonly Range[];
}

/**
 * The rows of a batch that can be read before it has all of them: while it runs, those of the finished
 * partitions that have no gap before them; where it was stopped, those of all that had finished. Rows of
 * other partitions may be stored, too, but they are not charged. null where there are none, and where the
 * batch is neither at work nor stopped.
 */
export async function rowsSoFar(
  store: Pick<ResultStore, 'storedRanges'>,
  batch: BatchDocument,
): Promise<RowsSoFar | null> {
  if (batch.status !== 'Running' && batch.status !== 'Stopped') return null;
  const finished = finishedRanges(batch);
  const ranges = batch.status === 'Stopped' ? finished : finished.filter(({ from }) => from === 0);
  if (ranges.length === 0) return null;
  // A batch that begins anew loses its rows a moment before its document says so; a store may have lost them.
  const stored = await store.storedRanges(batch.id);
  const isStored = ({ from, to }: Range) => stored.some((range) => range.from <= from && range.to >= to);
  if (!ranges.every(isStored)) return null;
  return { rows: ranges.reduce((sum, { from, to }) => sum + to - from, 0), ranges };
}

/** The combinations of finished partitions, neighbours together. */
function finishedRanges(batch: BatchDocument): Range[] {
  const ranges: Range[] = [];
  let from = 0;
  for (const open of [...batch.openPartitions.toSorted((a, b) => a - b), batch.partitions]) {
    const to = Math.min(open * batch.partitionSize, batch.combinations);
    if (to > from) ranges.push({ from, to });
    from = to + batch.partitionSize;
  }
  return ranges;
}

/** The query over those rows only. */
export function amongRows({ ranges }: RowsSoFar, query: ResultQuery): ResultQuery {
  const column = 'combination';
  const first = ranges[0]?.from ?? 0;
  const filters: ResultFilter[] = first > 0 ? [{ column, op: 'gte', value: first }] : [];
  for (const [i, { to }] of ranges.entries()) {
    const next = ranges[i + 1];
    filters.push(next ? { column, op: 'outside', value: [to, next.from] } : { column, op: 'lt', value: to });
  }
  return { ...query, filters: [...(query.filters ?? []), ...filters] };
}
