import type { BatchDocument } from '@quantloom/domain/batch/projections';
import { visibleColumns } from '@quantloom/domain/batch/results-query';
import type { BatchVariable } from '@quantloom/domain/batch/variable-values';
import { inSampleColumn, knowsTheFuture, METRIC_COLUMNS } from '@quantloom/domain/contracts/result-block';
import { type Refusal, refuse } from '@quantloom/domain/kernel/refusal';
import type {
  AggregateRequest,
  ResultFilter,
  ResultPage,
  ResultQuery,
  ResultStore,
} from '@quantloom/domain/ports/result-store';

/** What reading the results of one batch needs of a store. */
export type BatchResults = Pick<ResultStore, 'query' | 'matching' | 'stream' | 'aggregate'>;

/** How the results of a batch are read: over the whole period, or before its out-of-sample date. */
export interface BatchReading {
  readonly results: BatchResults;
  /** The stored column behind a metric. */
  readonly columnOf: (name: string) => string;
  /** First day of the part that is apart; null where the batch names none. */
  readonly outOfSampleDate: string | null;
  /** That part was not opened yet. */
  readonly isLocked: boolean;
  /** Its rows were computed with the other fill as well. */
  readonly hasBothFills: boolean;
}

const LOCKED = refuse(
  409,
  'out_of_sample_locked',
  'This column knows the days from the out-of-sample date on, which are locked away: open that ' +
    'part first, once and for good',
);

/**
 * Reads a batch as it may be ranked. Where it names an out-of-sample date, every metric is that of the days
 * before: in a sort, a filter, a heat map and a file. What knows the other part is in the file by its own
 * name once it was opened.
 */
export function readingOf(
  store: ResultStore,
  batch: Pick<BatchDocument, 'outOfSampleOpened'>,
  config: { readonly out_of_sample_date?: string; readonly both_fills?: boolean },
  variables: readonly BatchVariable[],
): BatchReading {
  const { out_of_sample_date: date, both_fills: hasBothFills = false } = config;
  const visible = visibleColumns(variables, hasBothFills);
  if (!date)
    return {
      results: hasBothFills ? withColumns(store, visible) : store,
      columnOf: (name) => name,
      outOfSampleDate: null,
      isLocked: false,
      hasBothFills,
    };
  const isLocked = !batch.outOfSampleOpened;
  return {
    results: new InSampleResults(store, visible, isLocked),
    columnOf: inSampleColumn,
    outOfSampleDate: date,
    isLocked,
    hasBothFills,
  };
}

/** The results with these columns where a query names none. */
function withColumns(store: ResultStore, visible: readonly string[]): BatchResults {
  const named = (query: ResultQuery) => ({ ...query, columns: query.columns ?? visible });
  return {
    query: (batchId, query) => store.query(batchId, named(query)),
    matching: (batchId, filters) => store.matching(batchId, filters),
    stream: (batchId, query, format) => store.stream(batchId, named(query), format),
    aggregate: (batchId, request) => store.aggregate(batchId, request),
  };
}

/** Refuses a query that would show, sort or filter by what is locked away. */
export function lockedColumn(reading: BatchReading, query: ResultQuery): Refusal | null {
  if (!reading.isLocked) return null;
  const named = [
    ...(query.columns ?? []),
    ...(query.sort ? [query.sort.column] : []),
    ...(query.filters ?? []).map(({ column }) => column),
  ];
  return named.some(knowsTheFuture) ? LOCKED : null;
}

/** The results of one batch with each metric in the place of which that before the out-of-sample date stands. */
class InSampleResults implements BatchResults {
  readonly #store: ResultStore;
  readonly #visible: readonly string[];
  readonly #isLocked: boolean;

  constructor(store: ResultStore, visible: readonly string[], isLocked: boolean) {
    this.#store = store;
    this.#visible = visible;
    this.#isLocked = isLocked;
  }

  /** Columns have the names that were asked for. */
  async query(batchId: string, query: ResultQuery): Promise<ResultPage> {
    const columns = query.columns ?? this.#visible;
    const page = await this.#store.query(batchId, inSample({ ...query, columns }));
    return { ...page, columns };
  }

  matching(batchId: string, filters: readonly ResultFilter[]): Promise<Int32Array> {
    return this.#store.matching(
      batchId,
      filters.map((one) => ({ ...one, column: inSampleColumn(one.column) })),
    );
  }

  /** A file says what its columns are: `in_…`, and `out_…` beside them once that part was opened. */
  stream(batchId: string, query: ResultQuery, format: 'csv' | 'parquet'): AsyncIterable<Uint8Array> {
    const columns = query.columns ?? [
      ...this.#visible,
      ...(this.#isLocked ? [] : METRIC_COLUMNS.map((name) => `out_${name}`)),
    ];
    return this.#store.stream(batchId, inSample({ ...query, columns }), format);
  }

  async aggregate(batchId: string, request: AggregateRequest) {
    const { groupBy = [], measures, filters } = request;
    const named = groupBy.map((one) => (typeof one === 'string' ? one : one.column));
    const groups = await this.#store.aggregate(batchId, {
      ...request,
      measures: measures.map((one) => (one.column ? { ...one, column: inSampleColumn(one.column) } : one)),
      ...(filters && { filters: filters.map((one) => ({ ...one, column: inSampleColumn(one.column) })) }),
      ...(request.groupBy && {
        groupBy: groupBy.map((one) =>
          typeof one === 'string' ? inSampleColumn(one) : { ...one, column: inSampleColumn(one.column) },
        ),
      }),
    });
    const renamed = named.filter((name) => inSampleColumn(name) !== name);
    if (renamed.length === 0) return groups;
    return groups.map((group) => ({
      ...group,
      ...Object.fromEntries(renamed.map((name) => [name, group[inSampleColumn(name)] ?? null])),
    }));
  }
}

function inSample(query: ResultQuery): ResultQuery {
  const { sort, filters, columns } = query;
  return {
    ...query,
    ...(sort && { sort: { ...sort, column: inSampleColumn(sort.column) } }),
    ...(filters && { filters: filters.map((one) => ({ ...one, column: inSampleColumn(one.column) })) }),
    ...(columns && { columns: columns.map(inSampleColumn) }),
  };
}
