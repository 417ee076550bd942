import { BLOCKS } from './block-table.ts';
import { isIndicatorName } from './indicator.ts';

/** Other spellings of node types, each with the one that is stored. */
const STORED_TYPES: ReadonlyMap<unknown, string> = new Map(
  Object.entries(BLOCKS).flatMap(([type, { spellings }]) =>
    spellings.map((spelling): [string, string] => [spelling, type]),
  ),
);

/** A node type in the spelling that is stored; any other value as it is. */
export function normalNodeType(value: unknown): unknown {
  return STORED_TYPES.get(value) ?? value;
}

/** The name of an indicator function in the spelling that is stored; any other value as it is. */
export function normalFunctionName(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const hyphenated = value.replaceAll('_', '-');
  return isIndicatorName(hyphenated) ? hyphenated : value;
}

/** The fields that every node has. */
export const COMMON_FIELDS = ['id', 'node_type', 'weight', 'is_collapsed'];
