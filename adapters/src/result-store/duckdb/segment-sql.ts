import type { ResultFilter } from '@quantloom/domain/ports/result-store';
import type { OpenBatch } from '../parquet/open-batches.ts';
import type { Segment } from '../parquet/segment-file.ts';

/** What stands behind FROM: the rows of the named segments, or of all. */
export function tableOf(batch: OpenBatch, segments: readonly Segment[] = batch.segments): string {
  if (segments.length === 0) return noRows(batch);
  const files = segments.map(({ file }) => `'${asPattern(file).replaceAll("'", "''")}'`).join();
  // Segments that an earlier version wrote lack the columns that have been declared since.
  const options = areAlike(segments) && areAlike(batch.segments) ? '' : ', union_by_name = true';
  const missing = options
    ? namesOf(batch.segments).filter((name) => segments.every(({ columns }) => !columns.has(name)))
    : [];
  if (missing.length === 0) return `read_parquet([${files}]${options})`;
  const nulls = missing.map((name) => `NULL::DOUBLE AS ${name}`).join();
  return `(SELECT *, ${nulls} FROM read_parquet([${files}]${options}))`;
}

/** The segments that may hold rows that the filters keep. */
export function segmentsFor({ segments }: OpenBatch, filters: readonly ResultFilter[]): readonly Segment[] {
  const named = filters.find(({ column, op }) => column === 'combination' && (op === 'eq' || op === 'in'));
  if (!named) return segments;
  const wanted = (Array.isArray(named.value) ? named.value : [named.value]).map(Number);
  return segments.filter(({ first, past }) => wanted.some((each) => each >= first && each < past));
}

/** The rows at some places of the combination order, as segments and a condition. */
export function rowsBetween(
  { segments, stored }: OpenBatch,
  offset: number,
  limit: number,
): { readonly segments: readonly Segment[]; readonly where: string } {
  const parts: string[] = [];
  const kept = new Set<Segment>();
  let place = 0;
  for (const { from, to } of stored) {
    const first = from + Math.max(0, offset - place);
    const past = Math.min(to, from + offset + limit - place);
    place += to - from;
    if (first >= past) continue;
    parts.push(`combination >= ${first} AND combination < ${past}`);
    for (const segment of segments) if (segment.first < past && segment.past > first) kept.add(segment);
  }
  const where =
    parts.length === 0 ? ' WHERE false' : ` WHERE ${parts.map((part) => `(${part})`).join(' OR ')}`;
  return { segments: [...kept], where };
}

/** A table of the batch's columns without a row. */
function noRows({ variables, segments }: OpenBatch): string {
  const floats = namesOf(segments).filter((name) => name !== 'combination' && !/^v\d+$|_date$/.test(name));
  const columns = [
    'NULL::INTEGER AS combination',
    'NULL::DATE AS start_date',
    'NULL::DATE AS end_date',
    ...variables.map((_, i) => `NULL::INTEGER AS v${i}`),
    ...floats.map((name) => `NULL::DOUBLE AS ${name}`),
  ];
  return `(SELECT ${columns.join()} WHERE false)`;
}

const namesOf = (segments: readonly Segment[]) => [
  ...new Set(segments.flatMap(({ columns }) => [...columns.keys()])),
];

const areAlike = (segments: readonly Segment[]) => {
  const [first, ...others] = segments;
  return others.every(
    ({ columns }) =>
      columns.size === first?.columns.size && columns.keys().every((name) => first.columns.has(name)),
  );
};

/** A path that DuckDB takes for itself, though it may hold what patterns are made of. */
const asPattern = (file: string) => file.replaceAll(/[*?[]/g, '[$&]');
