import { FLOAT_COLUMNS, METRIC_COLUMNS } from '@quantloom/domain/contracts/result-block';
import type { ResultFilter, ResultVariable } from '@quantloom/domain/ports/result-store';
import { Dictionary } from './dictionary.ts';

export type ResultColumn =
  | { readonly kind: 'combination'; readonly name: string; readonly sql: string }
  | { readonly kind: 'date'; readonly name: string; readonly sql: string }
  | {
      readonly kind: 'variable';
      readonly name: string;
      readonly sql: string;
      readonly dictionary: Dictionary;
    }
  | { readonly kind: 'float'; readonly name: string; readonly sql: string };

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const OPERATORS = { eq: '=', ne: '<>', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

/**
 * The columns of one batch, by the names users see. Only names that stand here and values that are numbers or
 * dates ever get into SQL, so nothing a user sends is quoted or escaped.
 */
export class ResultColumns {
  readonly dictionaries: readonly Dictionary[];
  /** `start_date, end_date, $VAR…, metrics`. */
  readonly visible: readonly string[];
  readonly #byName: ReadonlyMap<string, ResultColumn>;

  /**
   * `variableSql` names the column (or expression) that holds the rank of the i-th variable, `floatSql` that
   * of a float column.
   */
  constructor(
    variables: readonly ResultVariable[],
    {
      variableSql = (i) => `v${i}`,
      floatSql = (name) => name,
    }: { variableSql?: (i: number) => string; floatSql?: (name: string) => string } = {},
  ) {
    this.dictionaries = variables.map((variable) => new Dictionary(variable));
    const columns: ResultColumn[] = [
      { kind: 'combination', name: 'combination', sql: 'combination' },
      { kind: 'date', name: 'start_date', sql: 'start_date' },
      { kind: 'date', name: 'end_date', sql: 'end_date' },
      ...this.dictionaries.map((dictionary, i) => {
        return { kind: 'variable', name: dictionary.name, sql: variableSql(i), dictionary } as const;
      }),
      ...FLOAT_COLUMNS.map((name) => ({ kind: 'float', name, sql: floatSql(name) }) as const),
    ];
    this.#byName = new Map(columns.map((column) => [column.name, column]));
    this.visible = ['start_date', 'end_date', ...variables.map(({ name }) => name), ...METRIC_COLUMNS];
  }

  /** Throws on a name that is no column of this batch. */
  get(name: string): ResultColumn {
    const column = this.#byName.get(name);
    if (!column) throw new Error(`There is no result column "${name}"`);
    return column;
  }

  /** The named columns, or the visible ones. */
  select(names: readonly string[] | undefined): ResultColumn[] {
    return (names ?? this.visible).map((name) => this.get(name));
  }

  /** ` WHERE …`, or nothing. `dateLiteral` says how the database writes a day. */
  where(filters: readonly ResultFilter[] | undefined, dateLiteral: (day: string) => string): string {
    const parts = (filters ?? []).map((filter) => filterSql(this.get(filter.column), filter, dateLiteral));
    return parts.length ? ` WHERE ${parts.join(' AND ')}` : '';
  }

  /** ` ORDER BY …`: ties by combination number, nulls last. */
  orderBy(sort: { readonly column: string; readonly direction: 'asc' | 'desc' } | undefined): string {
    if (!sort) return ' ORDER BY combination';
    const direction = sort.direction === 'desc' ? 'DESC' : 'ASC';
    const { sql, kind } = this.get(sort.column);
    const nulls = kind === 'float' || kind === 'date' ? ' NULLS LAST' : '';
    return ` ORDER BY ${sql} ${direction}${nulls}${kind === 'combination' ? '' : ', combination'}`;
  }
}

function filterSql(column: ResultColumn, filter: ResultFilter, dateLiteral: (day: string) => string): string {
  const { op, value } = filter;
  if (column.kind === 'variable') {
    const ranks = column.dictionary.matching(filter);
    return ranks.length ? `${column.sql} IN (${ranks.join()})` : '1 = 0';
  }
  if (op === 'isNull') return `${column.sql} IS NULL`;
  if (op === 'isNotNull') return `${column.sql} IS NOT NULL`;
  const literal = (each: unknown) => {
    if (column.kind === 'date') {
      if (typeof each === 'string' && DATE.test(each) && !Number.isNaN(Date.parse(each)))
        return dateLiteral(each);
      throw new Error(`A filter on ${column.name} needs days as YYYY-MM-DD, not "${each}"`);
    }
    const number = typeof each === 'string' && each.trim() !== '' ? Number(each) : each;
    if (typeof number === 'number' && Number.isFinite(number)) return String(number);
    throw new Error(`A filter on ${column.name} needs a number, not "${each}"`);
  };
  if (op === 'in') {
    const values = Array.isArray(value) ? value : [value];
    return values.length ? `${column.sql} IN (${values.map(literal).join()})` : '1 = 0';
  }
  if (op === 'outside') {
    const [from, to] = Array.isArray(value) ? value : [];
    return `(${column.sql} < ${literal(from)} OR ${column.sql} >= ${literal(to)})`;
  }
  return `${column.sql} ${OPERATORS[op]} ${literal(value)}`;
}
