import type { AggregateRequest } from '@quantloom/domain/ports/result-store';
import type { ResultColumns } from './result-columns.ts';

/** What databases write differently. */
export interface AggregateDialect {
  readonly dateLiteral: (day: string) => string;
  readonly median: (column: string) => string;
  readonly stddev: (column: string) => string;
  /** The combination where the column is greatest; the lowest combination of several. */
  readonly argmax: (column: string) => string;
  /** A day as text. */
  readonly dateText: (column: string) => string;
}

export interface AggregateQuery {
  /** SQL from SELECT to LIMIT; columns in the order of `keys`. */
  readonly sql: (table: string) => string;
  readonly keys: readonly string[];
  /** Per key: turns what the database answers into the value of the row. */
  readonly decode: readonly ((value: unknown) => string | number | null)[];
  /** Per key: the value is a number or null as the database answers it. */
  readonly isNumber: readonly boolean[];
}

const NAME = /^[A-Za-z_]\w*$/;

/**
 * A grouped aggregate as SQL. Groups come in ascending order of their keys, null last. A bin is answered as
 * its number from 0, under its column's name; bins are half open, the last one closed, and values outside
 * [min, max] are left out (as in `numpy.histogram`). The standard deviation is the sample's. A median of an
 * even number of rows is the mean of the middle two.
 */
export function aggregateSql(
  columns: ResultColumns,
  request: AggregateRequest,
  dialect: AggregateDialect,
): AggregateQuery {
  const number = (value: unknown) => (value === null || value === undefined ? null : Number(value));
  const keys: string[] = [];
  const decode: AggregateQuery['decode'][number][] = [];
  const selected: string[] = [];
  const within: string[] = [];
  for (const group of request.groupBy ?? []) {
    const column = columns.get(typeof group === 'string' ? group : group.column);
    if (typeof group !== 'string') {
      const { bins, min, max } = group;
      if (!Number.isInteger(bins) || bins < 1 || !(max >= min) || column.kind !== 'float') {
        throw new Error(`Bins of ${column.name} need a metric, a number of bins from 1, and min up to max`);
      }
      const width = (max - min) / bins || 1;
      selected.push(`least(floor((${column.sql} - ${literal(min)}) / ${literal(width)}), ${bins - 1})`);
      within.push(`${column.sql} >= ${literal(min)} AND ${column.sql} <= ${literal(max)}`);
      decode.push(number);
    } else if (column.kind === 'date') {
      selected.push(dialect.dateText(column.sql));
      decode.push((value) => (value === null ? null : String(value)));
    } else {
      selected.push(column.sql);
      const sorted = column.kind === 'variable' ? column.dictionary.sorted : undefined;
      decode.push(sorted ? (rank) => sorted[Number(rank)] ?? null : number);
    }
    keys.push(column.name);
  }
  const groups = selected.map((_, i) => i + 1);
  for (const { as, fn, column } of request.measures) {
    if (!NAME.test(as)) throw new Error(`"${as}" is not a name for a measure`);
    keys.push(as);
    decode.push(number);
    selected.push(measureSql(columns, fn, column, dialect));
  }
  if (selected.length === 0) throw new Error('An aggregate needs a measure or a group');
  const where = columns.where(request.filters, dialect.dateLiteral);
  const conditions = [...(where ? [where.slice(' WHERE '.length)] : []), ...within].join(' AND ');
  const limit = request.limit === undefined ? '' : ` LIMIT ${Math.max(0, Math.trunc(request.limit))}`;
  const order = groups.map((i) => `${i} ASC NULLS LAST`).join();
  return {
    keys,
    decode,
    isNumber: decode.map((each) => each === number),
    sql: (table) =>
      `SELECT ${selected.map((sql, i) => `${sql} AS c${i}`).join()} FROM ${table}` +
      (conditions ? ` WHERE ${conditions}` : '') +
      (groups.length ? ` GROUP BY ${groups.join()} ORDER BY ${order}` : '') +
      limit,
  };
}

function measureSql(
  columns: ResultColumns,
  fn: AggregateRequest['measures'][number]['fn'],
  name: string | undefined,
  dialect: AggregateDialect,
): string {
  if (fn === 'count') return name === undefined ? 'count(*)' : `count(${columns.get(name).sql})`;
  if (name === undefined) throw new Error(`The measure ${fn} needs a column`);
  const { kind, sql } = columns.get(name);
  if (kind !== 'float' && kind !== 'combination')
    throw new Error(`The measure ${fn} needs a metric, not ${name}`);
  switch (fn) {
    case 'median':
      return dialect.median(sql);
    case 'stddev':
      return dialect.stddev(sql);
    case 'argmax':
      return dialect.argmax(sql);
    case 'min':
    case 'max':
    case 'avg':
    case 'sum':
      return `${fn}(${sql})`;
  }
}

/** A float literal that no database reads as a decimal. */
function literal(value: number): string {
  if (!Number.isFinite(value)) throw new Error(`${value} is no bound of a bin`);
  return `(${value.toExponential()})`;
}
