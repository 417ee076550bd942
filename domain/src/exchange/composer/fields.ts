import type { TreeWriter } from '../tree-writer.ts';

/** The fields of a node under one spelling: hyphens, no question mark. */
export type Fields = ReadonlyMap<string, unknown>;

/** Fields that say nothing about what a strategy does. */
const NOISE: ReadonlySet<string> = new Set([
  ...['step', 'id', 'name', 'children', 'weight', 'collapsed', 'collapsed-specified-weight'],
  ...[
    'suppress-incomplete-warnings',
    'price',
    'dollar-volume',
    'has-marketcap',
    'children-count',
    'exchange',
  ],
]);

const CONDITION = [
  ...['is-else-condition', 'lhs-fn', 'lhs-val', 'lhs-fn-params', 'lhs-window-days', 'comparator'],
  ...['rhs-val', 'rhs-fixed-value', 'rhs-fn', 'rhs-fn-params', 'rhs-window-days', 'condition'],
];

/** What a step reads besides; of an equal weight a window is a leftover of an earlier type. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  root: ['description', 'rebalance', 'rebalance-corridor-width', 'asset-class', 'asset-classes'],
  'wt-inverse-vol': ['window-days'],
  asset: ['ticker'],
  'if-child': CONDITION,
  filter: [
    ...['sort-by-fn', 'sort-by-fn-params', 'sort-by-window-days', 'sort-by'],
    ...['select-fn', 'select-n', 'select'],
  ],
};

const LEFTOVERS: ReadonlySet<string> = new Set([
  'window-days',
  'rebalance-corridor-width',
  'ticker',
  'description',
  'rebalance',
]);

/** The fields of a node, each under one spelling; of two spellings of one field the first counts. */
export function fieldsOf(node: Readonly<Record<string, unknown>>): Fields {
  const fields = new Map<string, unknown>();
  for (const [key, value] of Object.entries(node)) {
    const name = key.replaceAll('_', '-').replace(/\?$/, '');
    if (!fields.has(name)) fields.set(name, value);
  }
  return fields;
}

/** Tells of every field that the reader of a step does not look at and that is no noise. */
export function tellUnread(writer: TreeWriter, step: string, fields: Fields, path: string, id: string): void {
  const known = KNOWN[step] ?? [];
  for (const [name, value] of fields) {
    if (value === null || NOISE.has(name) || known.includes(name)) continue;
    const said = `${name} ${JSON.stringify(value)} on ${step}`;
    if (LEFTOVERS.has(name))
      writer.tell('taken', path, said, 'left out', 'None: it means nothing on this block', id);
    else
      writer.report.once(
        `unknown ${step} ${name}`,
        'lost',
        path,
        said,
        'left out',
        'Not known here: what it changes there is unknown',
        id,
      );
  }
}

/** Whether a field holds anything. */
export function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}
