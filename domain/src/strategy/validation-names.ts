import { blockEntry } from './block-table.ts';
import { field } from './values.ts';

/** The id of a node where it has a usable one. */
export function idOf(node: Record<string, unknown>): string | undefined {
  const id = field(node, 'id');
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/** How a sentence names a block: kind, name or ticker, id. For example `Group "Risk on" (node_01h…)`. */
export function nameOf(node: Record<string, unknown>): string {
  const type = field(node, 'node_type');
  const label = blockEntry(type)?.faultName ?? 'Block';
  const id = idOf(node) ?? 'without id';
  const shown = shownName(node, type);
  return shown === '' ? `${label} (${id})` : `${label} ${shown} (${id})`;
}

function shownName(node: Record<string, unknown>, type: unknown): string {
  const text = (name: string) => {
    const value = field(node, name);
    return typeof value === 'string' ? value.slice(0, 80) : '';
  };
  if (type === 'asset') return text('ticker') || text('name');
  if (type === 'condition') {
    const ticker = text('lhs_val');
    return ticker === '' ? '' : `on ${ticker}`;
  }
  const name = text('name');
  return name === '' ? '' : `"${name}"`;
}
