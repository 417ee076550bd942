import {
  type Condition,
  conditionsOf,
  type FindQuery,
  type Scalar,
  type Where,
} from '@quantloom/domain/ports/read-models';
import { collectionName, fieldPath } from '../field-path.ts';

type Parameter = string | number | null;

/** The table of a collection. Throws on a name that is not an identifier, since it becomes part of SQL. */
export function tableOf(collection: string): string {
  return `"rm_${collectionName(collection)}"`;
}

/** The SQL expression of a dotted path; index and queries must use the same text for the index to serve. */
export function fieldSql(path: string): string {
  if (path === 'id') return 'id';
  return `json_extract(doc, ${jsonPath(fieldPath(path))})`;
}

const jsonPath = (path: string) =>
  `'$${path
    .split('.')
    .map((part) => `."${part}"`)
    .join('')}'`;

/** SQL after FROM: where, order, limit. Documents that compare equal come in order of their ids. */
export function querySql<Doc>(query: FindQuery<Doc>): { sql: string; parameters: Parameter[] } {
  const { sql, parameters } = whereSql(query.where);
  const order = (query.sort ?? []).map(([field, direction]) => {
    return `${fieldSql(field)} ${direction === 'desc' ? 'DESC' : 'ASC'}`;
  });
  const limit = query.limit ?? -1;
  return {
    sql: `${sql} ORDER BY ${[...order, 'id'].join(', ')} LIMIT ? OFFSET ?`,
    parameters: [...parameters, limit, query.skip ?? 0],
  };
}

/** ` WHERE …`, or nothing. */
export function whereSql<Doc>(where: Where<Doc> | undefined): { sql: string; parameters: Parameter[] } {
  const parts = conditionsOf(where).map(([path, condition]) => conditionSql(path, condition));
  if (parts.length === 0) return { sql: '', parameters: [] };
  return {
    sql: ` WHERE ${parts.map((part) => part.sql).join(' AND ')}`,
    parameters: parts.flatMap((part) => part.parameters),
  };
}

/** Whether documents have to be looked at one by one, since no index tells which of them hold a word. */
export function isSearch<Doc>(where: Where<Doc> | undefined): boolean {
  return conditionsOf(where).some(
    ([, condition]) =>
      typeof condition === 'object' &&
      condition !== null &&
      ('contains' in condition ||
        'containsAll' in condition ||
        'holdsAll' in condition ||
        'has' in condition),
  );
}

function conditionSql(path: string, condition: Condition): { sql: string; parameters: Parameter[] } {
  const field = fieldSql(path);
  if (condition === null || typeof condition !== 'object') return equalsSql(path, condition);
  if ('in' in condition) {
    if (condition.in.length === 0) return { sql: 'FALSE', parameters: [] };
    const all = condition.in.map((value) => equalsSql(path, value));
    // One IN keeps the index in use; the general form looks at the types of what is not plain text.
    if (condition.in.every((value) => isPlainText(path, value))) {
      return {
        sql: `${field} IN (${condition.in.map(() => '?').join()})`,
        parameters: [...condition.in] as string[],
      };
    }
    return {
      sql: `(${all.map((part) => part.sql).join(' OR ')})`,
      parameters: all.flatMap((part) => part.parameters),
    };
  }
  if ('contains' in condition) {
    return {
      sql: `(json_type(doc, ${jsonPath(fieldPath(path))}) = 'text' AND instr(fold_case(${field}), ?) > 0)`,
      parameters: [foldCase(condition.contains)],
    };
  }
  if ('containsAll' in condition) {
    const tests = condition.containsAll.map(() => `instr(folded, ?) > 0`);
    if (tests.length === 0) return { sql: 'TRUE', parameters: [] };
    // The text is folded once, however many words are looked for.
    return {
      sql:
        `(json_type(doc, ${jsonPath(fieldPath(path))}) = 'text' AND (SELECT ${tests.join(' AND ')} ` +
        `FROM (SELECT fold_case(${field}) AS folded)))`,
      parameters: condition.containsAll.map(foldCase),
    };
  }
  if ('holdsAll' in condition) {
    // Nothing but the field itself, so that an index that holds it is enough.
    const tests = condition.holdsAll.map(() => `instr(${field}, ?) > 0`);
    return { sql: `(${tests.join(' AND ') || 'TRUE'})`, parameters: [...condition.holdsAll] };
  }
  if ('has' in condition) {
    const { sql, parameters } = scalarSql(condition.has);
    fieldPath(path);
    const type = jsonType(condition.has);
    return {
      sql:
        `(json_type(doc, ${jsonPath(path)}) = 'array' AND EXISTS (SELECT 1 FROM json_each(doc, ` +
        `${jsonPath(path)}) e WHERE e.value IS ${sql}${type ? ` AND e.type ${type}` : ''}))`,
      parameters,
    };
  }
  const bounds = (['gt', 'gte', 'lt', 'lte'] as const).flatMap((op) => {
    const value = condition[op];
    if (value === undefined) return [];
    const { sql, parameters } = scalarSql(value);
    // As in MongoDB, a bound only meets values of its own type.
    const type = typeof value === 'string' ? "= 'text'" : "IN ('integer', 'real')";
    return [{ sql: `(${field} ${OPERATORS[op]} ${sql} AND typeof(${field}) ${type})`, parameters }];
  });
  return {
    sql: bounds.map((bound) => bound.sql).join(' AND ') || 'TRUE',
    parameters: bounds.flatMap((bound) => bound.parameters),
  };
}

const OPERATORS = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

function equalsSql(path: string, value: Scalar): { sql: string; parameters: Parameter[] } {
  const field = fieldSql(path);
  const { sql, parameters } = scalarSql(value);
  if (value === null) return { sql: `${field} IS NULL`, parameters: [] };
  // Without a look into the document an index alone can answer, for example how many there are.
  const type = isPlainText(path, value) ? null : jsonType(value);
  const check = type ? ` AND json_type(doc, ${jsonPath(path)}) ${type}` : '';
  return { sql: `(${field} = ${sql}${check})`, parameters };
}

/**
 * Whether nothing but text can equal a value: `json_extract` gives arrays and objects as their JSON. The id
 * is always text.
 */
function isPlainText(path: string, value: Scalar): boolean {
  return typeof value === 'string' && (path === 'id' || !/^[[{]/.test(value));
}

function scalarSql(value: Scalar): { sql: string; parameters: Parameter[] } {
  if (typeof value === 'boolean') return { sql: value ? '1' : '0', parameters: [] };
  return { sql: '?', parameters: [value] };
}

/** SQLite sees true and 1 as one; JSON does not. Text needs no check unless it could be an array's or object's text. */
function jsonType(value: Scalar): string | null {
  if (typeof value === 'boolean') return `= '${value}'`;
  if (typeof value === 'number') return "IN ('integer', 'real')";
  return value === null ? null : "= 'text'";
}

/** Case folding that both sides of `contains` go through. */
export function foldCase(text: string): string {
  return text.toLowerCase();
}
