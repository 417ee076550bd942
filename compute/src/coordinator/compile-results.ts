import type { BatchBacktestCreated, BatchSummary, RankedRow } from '@quantloom/domain/batch/events';
import { resultHash } from '@quantloom/domain/batch/result-hash';
import { inSampleColumn, METRIC_COLUMNS } from '@quantloom/domain/contracts/result-block';
import type { ResultStore } from '@quantloom/domain/ports/result-store';

/** Rows are missing or too many: the batch cannot be called finished. */
export class RowCountError extends Error {
  readonly code = 'row_count';
  constructor(batchId: string, expected: number, actual: number) {
    super(`Batch ${batchId} has ${actual} rows where ${expected} combinations were to be computed`);
    this.name = 'RowCountError';
  }
}

const RANKED_BY = 'sharpe_ratio';

/**
 * Checks the rows against the combinations and sums them up. Rejects with `RowCountError` where a row is
 * missing or doubled.
 */
export async function compileResults(
  results: ResultStore,
  batch: BatchBacktestCreated['data'],
): Promise<BatchSummary> {
  const rows = await results.countRows(batch.batchId);
  if (rows !== batch.combinations) throw new RowCountError(batch.batchId, batch.combinations, rows);
  // With an out-of-sample date everything is ranked over the days before it.
  const columnOf = batch.config.out_of_sample_date ? inSampleColumn : (name: string) => name;
  const found = await results.medians(batch.batchId, METRIC_COLUMNS.map(columnOf));
  const medians = Object.fromEntries(
    METRIC_COLUMNS.map((name) => [name, numberOrNull(found[columnOf(name)])]),
  );
  const failed = await results.query(batch.batchId, {
    filters: [{ column: 'start_date', op: 'isNull' }],
    columns: ['combination'],
    limit: 1,
  });
  return {
    rows,
    failures: failed.total,
    best: await bestRow(results, batch, columnOf),
    medians,
    hash: resultHash({ ...batch, rows: await results.hashRows(batch.batchId) }),
    ...(batch.config.out_of_sample_date && { part: 'in_sample' }),
  };
}

async function bestRow(
  results: ResultStore,
  batch: BatchBacktestCreated['data'],
  columnOf: (name: string) => string,
): Promise<RankedRow | null> {
  const names = batch.variables.map(({ name }) => name);
  const page = await results.query(batch.batchId, {
    sort: { column: columnOf(RANKED_BY), direction: 'desc' },
    filters: [{ column: columnOf(RANKED_BY), op: 'isNotNull' }],
    columns: ['combination', ...names, ...METRIC_COLUMNS.map(columnOf)],
    limit: 1,
  });
  const row = page.rows[0];
  if (!row) return null;
  const cell = (name: string) => row[page.columns.indexOf(name)] ?? null;
  return {
    combination: Number(cell('combination')),
    values: Object.fromEntries(names.map((name) => [name, cell(name) as string | number])),
    metrics: Object.fromEntries(METRIC_COLUMNS.map((name) => [name, numberOrNull(cell(columnOf(name)))])),
  };
}

function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
