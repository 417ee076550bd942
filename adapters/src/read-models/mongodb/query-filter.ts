import {
  type Condition,
  conditionsOf,
  type FindQuery,
  type Scalar,
  type Where,
} from '@quantloom/domain/ports/read-models';
import type { Document, Filter, Sort } from 'mongodb';
import { fieldPath } from '../field-path.ts';
import { storedKey } from './document-keys.ts';

/** A field as it is stored: `_id` is the entity's id, and `document-keys.ts` says what becomes of `$`. */
export const storedField = (path: string): string =>
  path === 'id' ? '_id' : fieldPath(path).split('.').map(storedKey).join('.');

/**
 * The conditions as a filter that means the same as in the embedded store: an array equals nothing, only
 * `has` looks inside.
 */
export function mongoFilter<Doc>(where: Where<Doc> | undefined): Filter<Document> {
  const parts = conditionsOf(where).map(([path, condition]) => {
    const field = storedField(path);
    const test = conditionTest(condition);
    if (test === null) return { $expr: false };
    if (typeof condition === 'object' && condition !== null && 'containsAll' in condition)
      return condition.containsAll.length === 0
        ? {}
        : { $and: condition.containsAll.map((text) => ({ [field]: containing(text) })) };
    if (typeof condition === 'object' && condition !== null && 'holdsAll' in condition)
      return condition.holdsAll.length === 0
        ? {}
        : { $and: condition.holdsAll.map((text) => ({ [field]: { $regex: literalPattern(text) } })) };
    return {
      [field]: field === '_id' || '$elemMatch' in test ? test : { ...test, $not: { $type: 'array' } },
    };
  });
  return parts.length === 0 ? {} : { $and: parts };
}

/** Documents that compare equal come in order of their ids. */
export function mongoSort<Doc>(sort: FindQuery<Doc>['sort']): Sort {
  const order = (sort ?? []).map(([field, direction]) => {
    return [storedField(field), direction === 'desc' ? -1 : 1] as [string, 1 | -1];
  });
  return order.some(([field]) => field === '_id') ? order : [...order, ['_id', 1]];
}

/** Null where nothing can match. */
function conditionTest(condition: Condition): Document | null {
  if (condition === null || typeof condition !== 'object') return { $eq: condition };
  if ('in' in condition) return condition.in.length ? { $in: [...condition.in] as Scalar[] } : null;
  if ('contains' in condition) return containing(condition.contains);
  if ('containsAll' in condition || 'holdsAll' in condition) return {};
  if ('has' in condition) return { $elemMatch: { $eq: condition.has } };
  const bounds = (['gt', 'gte', 'lt', 'lte'] as const).flatMap((op) =>
    condition[op] === undefined ? [] : [[`$${op}`, condition[op]] as const],
  );
  return Object.fromEntries(bounds);
}

const containing = (text: string) => ({
  $regex: literalPattern(text),
  $options: 'i',
  $not: { $type: 'array' },
});

const literalPattern = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
