import type { ResultsQueryInput } from '../contracts/http/results.ts';
import {
  FLOAT_COLUMNS,
  knowsTheFuture,
  METRIC_COLUMNS,
  OTHER_FILL_COLUMNS,
  SPLIT_COLUMNS,
} from '../contracts/result-block.ts';
import { isRefusal, type Refusal, refuse } from '../kernel/refusal.ts';
import type { ResultFilter, ResultQuery } from '../ports/result-store.ts';
import { numberOf } from '../strategy/values.ts';
import { isDate } from './request.ts';
import { type BatchVariable, normaliseValue } from './variable-values.ts';

const OPS = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'isNull', 'isNotNull'] as const;
type Op = (typeof OPS)[number];

/**
 * Columns of a row in the order of `engine.md` section 7; behind them the four of the other fill, where a
 * batch has both.
 */
export function visibleColumns(
  variables: readonly Pick<BatchVariable, 'name'>[],
  hasBothFills = false,
): string[] {
  const names = variables.map(({ name }) => name);
  return ['start_date', 'end_date', ...names, ...METRIC_COLUMNS, ...(hasBothFills ? OTHER_FILL_COLUMNS : [])];
}

function allColumns(variables: readonly Pick<BatchVariable, 'name'>[]): Set<string> {
  return new Set(['combination', ...visibleColumns(variables), ...FLOAT_COLUMNS]);
}

function bad(code: string, detail: string): Refusal {
  return refuse(400, code, detail);
}

/** The offset that a cursor stands for; 0 without one. */
export function readCursor(cursor: string | undefined): number | Refusal {
  if (cursor === undefined || cursor === '') return 0;
  const digits = /^o(\d{1,12})$/.exec(cursor)?.[1];
  return digits === undefined
    ? bad('invalid_cursor', 'The cursor is not one that the API answered')
    : Number(digits);
}

/** A cursor for the row after `offset` rows. */
export function writeCursor(offset: number): string {
  return `o${offset}`;
}

/**
 * Reads one `column:op:value`. Names of variables may contain colons, so it is the longest known column that
 * counts.
 */
function readFilter(text: string, columns: ReadonlySet<string>): ResultFilter | Refusal {
  const [column] = [...columns]
    .filter((name) => text.startsWith(`${name}:`))
    .sort((a, b) => b.length - a.length);
  if (column === undefined)
    return bad('unknown_column', `The filter '${text}' names no column of this batch`);
  const rest = text.slice(column.length + 1);
  const colon = rest.indexOf(':');
  const op = colon < 0 ? rest : rest.slice(0, colon);
  const value = colon < 0 ? '' : rest.slice(colon + 1);
  if (!OPS.includes(op as Op))
    return bad('unknown_operator', `'${op}' is no operator of a filter; these are: ${OPS.join(', ')}`);
  if (op === 'isNull' || op === 'isNotNull') return { column, op };
  if (value === '') return bad('filter_without_value', `The filter on ${column} has no value`);
  const values = (op === 'in' ? value.split('|') : [value]).map((item) => filterValue(column, item));
  const strange = values.findIndex((item) => !fits(column, item));
  if (strange >= 0)
    return bad(
      'invalid_filter_value',
      `'${values[strange]}' does not fit the column ${column}, which holds ` +
        `${isMetric(column) ? 'numbers' : 'dates of the form YYYY-MM-DD'}`,
    );
  return { column, op: op as Op, value: op === 'in' ? values : (values[0] as string | number) };
}

function fits(column: string, value: string | number): boolean {
  if (isMetric(column)) return typeof value === 'number';
  return column.startsWith('$') || (typeof value === 'string' && isDate(value));
}

function isMetric(column: string): boolean {
  return column === 'combination' || FLOAT_COLUMNS.includes(column);
}

function filterValue(column: string, text: string): string | number {
  if (column.startsWith('$')) return normaliseValue(text);
  return column === 'start_date' || column === 'end_date' ? text : (numberOf(text) ?? text);
}

/** Which days of a batch its figures may be read of. */
export interface ReadablePart {
  /** First day of the part that is apart; null where the batch names none. */
  readonly outOfSampleDate: string | null;
  /** That part was not opened. */
  readonly isLocked: boolean;
  /** Whether its rows were computed with the other fill as well. */
  readonly hasBothFills?: boolean;
}

/**
 * Names separated by commas; `all` stands for every column that has values and may be read. With an
 * out-of-sample date a metric is that of the days before, so that it is named once, `in_…`; without one there
 * are no such columns.
 */
function wantedColumns(
  text: string | undefined,
  columns: ReadonlySet<string>,
  { outOfSampleDate, isLocked, hasBothFills = false }: ReadablePart,
): readonly string[] | undefined {
  if (text === 'all') {
    const without = new Set<string>([
      ...(outOfSampleDate === null ? SPLIT_COLUMNS : METRIC_COLUMNS),
      ...(hasBothFills ? [] : OTHER_FILL_COLUMNS),
    ]);
    return [...columns].filter((name) => !without.has(name) && !(isLocked && knowsTheFuture(name)));
  }
  return text?.split(',').filter((name) => name !== '');
}

/**
 * The query behind the parameters of a results request, or what is wrong with them.
 *
 * @param part what `all` columns are
 */
export function readResultsQuery(
  input: ResultsQueryInput,
  variables: readonly Pick<BatchVariable, 'name'>[],
  part: ReadablePart = { outOfSampleDate: null, isLocked: false },
): ResultQuery | Refusal {
  const columns = allColumns(variables);
  let sort: ResultQuery['sort'];
  if (input.sort !== undefined) {
    const match = /^(.+?)(?::(asc|desc))?$/.exec(input.sort);
    const [, column = '', direction = 'asc'] = match ?? [];
    if (!columns.has(column)) return bad('unknown_column', `There is no column '${input.sort}' to sort by`);
    sort = { column, direction: direction as 'asc' | 'desc' };
  }
  const filters: ResultFilter[] = [];
  const given =
    input.filter === undefined ? [] : typeof input.filter === 'string' ? [input.filter] : input.filter;
  for (const text of given) {
    const filter = readFilter(text, columns);
    if (isRefusal(filter)) return filter;
    filters.push(filter);
  }
  const offset = readCursor(input.cursor);
  if (isRefusal(offset)) return offset;
  const wanted = wantedColumns(input.columns, columns, part);
  const strange = wanted?.find((name) => !columns.has(name));
  if (strange !== undefined) return bad('unknown_column', `There is no column '${strange}'`);
  return {
    ...(sort && { sort }),
    ...(filters.length > 0 && { filters }),
    ...(input.limit !== undefined && { limit: input.limit }),
    ...(offset > 0 && { offset }),
    ...(wanted && wanted.length > 0 && { columns: wanted }),
  };
}
