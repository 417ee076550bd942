import { FLOAT_COLUMNS, NO_DAY, type ResultBlock } from '@quantloom/domain/contracts/result-block';
import {
  type ResultPage,
  type ResultStore,
  ResultsMissingError,
  type ResultVariable,
} from '@quantloom/domain/ports/result-store';
import { MigrationError } from './copy-log.ts';

/** Rows of a block: some 5 MB. */
const BLOCK = 8_192;
const FAILURES = 10_000;
const DAY_MS = 86_400_000;

type Cell = ResultPage['rows'][number][number];
type Failure = ResultBlock['failures'][number];

const dayOf = (cell: Cell): number => (typeof cell === 'string' ? Date.parse(cell) / DAY_MS : NO_DAY);

async function failuresOf(store: ResultStore, batchId: string): Promise<readonly Failure[]> {
  const all: Failure[] = [];
  for (;;) {
    const page = await store.failures(batchId, { limit: FAILURES, offset: all.length });
    all.push(...page);
    if (page.length < FAILURES) return all;
  }
}

/** The rows of a range of combinations as they were appended. */
async function readBlock(
  store: ResultStore,
  batchId: string,
  variables: readonly ResultVariable[],
  { from, to }: { readonly from: number; readonly to: number },
): Promise<Omit<ResultBlock, 'failures'>> {
  const names = variables.map(({ name }) => name);
  const { rows } = await store.query(batchId, {
    columns: ['start_date', 'end_date', ...names, ...FLOAT_COLUMNS],
    filters: [
      { column: 'combination', op: 'gte', value: from },
      { column: 'combination', op: 'lt', value: to },
    ],
    sort: { column: 'combination', direction: 'asc' },
    limit: to - from,
  });
  if (rows.length !== to - from)
    throw new MigrationError(
      `Batch ${batchId} has ${rows.length} rows from combination ${from} on, where ${to - from} ` +
        `are recorded: run "quantloom results recompute ${batchId}" first`,
    );
  const places = variables.map(({ values }) => new Map(values.map((value, index) => [value, index])));
  const float = (at: number) =>
    Float64Array.from(rows, (row) => {
      const cell = row[at];
      return typeof cell === 'number' ? cell : Number.NaN;
    });
  return {
    batchId,
    from,
    count: rows.length,
    startDay: Int32Array.from(rows, ([day = null]) => dayOf(day)),
    endDay: Int32Array.from(rows, ([, day = null]) => dayOf(day)),
    variables: places.map((place, i) => Int32Array.from(rows, (row) => place.get(row[2 + i] ?? '') ?? -1)),
    floats: Object.fromEntries(FLOAT_COLUMNS.map((name, i) => [name, float(2 + places.length + i)])),
  };
}

/**
 * Copies what a store holds of a batch into another one, and compares number and hash of the rows. What is
 * there already stays. Resolves with the number of rows; null where the source has no room for the batch.
 */
export async function copyBatch(
  source: ResultStore,
  target: ResultStore,
  batchId: string,
  variables: readonly ResultVariable[],
): Promise<number | null> {
  let ranges: Awaited<ReturnType<ResultStore['storedRanges']>>;
  try {
    ranges = await source.storedRanges(batchId);
  } catch (error) {
    if (error instanceof ResultsMissingError) return null;
    throw error;
  }
  await target.createBatch(batchId, variables);
  const there = await target.storedRanges(batchId);
  const failures = await failuresOf(source, batchId);
  for (const range of ranges)
    for (let from = range.from; from < range.to; from += BLOCK) {
      const to = Math.min(range.to, from + BLOCK);
      if (there.some((known) => known.from <= from && to <= known.to)) continue;
      await target.append({
        ...(await readBlock(source, batchId, variables, { from, to })),
        failures: failures.filter(({ combination }) => combination >= from && combination < to),
      });
    }
  const rows = await source.countRows(batchId);
  const copied = await target.countRows(batchId);
  // A batch that is still being computed may have gaps, and then no hash.
  const isWhole = ranges.length === 1 && ranges[0]?.from === 0;
  const isSame = !isWhole || (await source.hashRows(batchId)) === (await target.hashRows(batchId));
  if (rows !== copied || !isSame)
    throw new MigrationError(
      `Batch ${batchId} has ${copied} rows in CLICKHOUSE_URL and ${rows} ` +
        `here${rows === copied ? ', and not the same ones' : ''}: take an empty server`,
    );
  return rows;
}
