import type { Algorithm } from '../strategy/tree.ts';
import { isRecord } from '../strategy/values.ts';
import { bindVariables } from '../strategy/variables.ts';
import type { VariableValue } from './variable-values.ts';

/** A block as it is pasted into the editor. */
export interface GroupBlock {
  readonly id: string;
  readonly node_type: 'group';
  readonly name: string;
  readonly is_collapsed: true;
  readonly weight: { readonly num: 100; readonly den: 100 };
  readonly children: readonly unknown[];
}

/** The same blocks under new ids, so that a copy and its original may stand in one tree. */
export function withNewIds(value: unknown, newNodeId: () => string): unknown {
  if (Array.isArray(value)) return value.map((item) => withNewIds(item, newNodeId));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      key === 'id' && typeof item === 'string' && item.startsWith('node_')
        ? newNodeId()
        : withNewIds(item, newNodeId),
    ]),
  );
}

/**
 * One result row as a group block (`batches.md` section 5, copy as group): the template's children with every
 * variable replaced by the row's value, named by the values.
 *
 * @param newNodeId gives ids of the form `node_…`
 */
export function rowAsGroup(
  algorithm: Algorithm,
  values: Readonly<Record<string, VariableValue>>,
  newNodeId: () => string,
): GroupBlock {
  const bound = bindVariables(algorithm, new Map(Object.entries(values)));
  return {
    id: newNodeId(),
    node_type: 'group',
    name: Object.values(values).join(' / '),
    is_collapsed: true,
    weight: { num: 100, den: 100 },
    children: bound.children.map((child) => withNewIds(child, newNodeId)),
  };
}

/** Several rows as one group that holds each of them as a group, equally weighted. */
export function rowsAsGroup(
  algorithm: Algorithm,
  rows: readonly Readonly<Record<string, VariableValue>>[],
  name: string,
  newNodeId: () => string,
): GroupBlock {
  return {
    id: newNodeId(),
    node_type: 'group',
    name,
    is_collapsed: true,
    weight: { num: 100, den: 100 },
    children: rows.map((values) => rowAsGroup(algorithm, values, newNodeId)),
  };
}
