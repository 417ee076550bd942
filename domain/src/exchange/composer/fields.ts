import { sourceWords } from '../source-words.ts';
import { Form, Word } from '../syntax/datum.ts';
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

/** What an export of ours carries beside the fields of that tool. */
export const EXTRAS = 'quantloom';

const CONDITION = [
  ...['is-else-condition', 'lhs-fn', 'lhs-val', 'lhs-fn-params', 'lhs-window-days', 'comparator'],
  ...['rhs-val', 'rhs-fixed-value', 'rhs-fn', 'rhs-fn-params', 'rhs-window-days', 'condition'],
];

/** What a step reads besides; of an equal weight a window is a leftover of an earlier type. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  root: ['description', 'rebalance', 'rebalance-corridor-width', 'asset-class', 'asset-classes', EXTRAS],
  'wt-inverse-vol': ['window-days', 'window', 'params'],
  asset: ['ticker'],
  'if-child': CONDITION,
  filter: [
    ...['sort-by-fn', 'sort-by-fn-params', 'sort-by-window-days', 'sort-by'],
    ...['select-fn', 'select-n', 'select', EXTRAS],
  ],
  condition: ['condition-type', 'operator', 'conditions', 'tickers', 'lhs', 'comparator', 'rhs', EXTRAS],
  'constant of a condition': ['constant', 'fn', 'ticker'],
  'side of a condition': ['fn', 'ticker', 'params', 'window-days', 'window', 'constant'],
};
/** Lines of one unknown field that are told one by one. */
const MAX_ALIKE = 50;

const LEFTOVERS: ReadonlySet<string> = new Set([
  'window-days',
  'rebalance-corridor-width',
  'ticker',
  'description',
  'rebalance',
]);

/**
 * The fields of a node, each under one spelling; of two spellings of one field the first that is set counts,
 * and another value under the second spelling stays under its own name, which is unknown.
 */
export function fieldsOf(node: Readonly<Record<string, unknown>>): Fields {
  const fields = new Map<string, unknown>();
  for (const [key, value] of Object.entries(node)) {
    const name = key.replaceAll('_', '-').replace(/\?$/, '');
    const before = fields.get(name);
    if (before === undefined || before === null) fields.set(name, value);
    else if (!isSame(before, value) && value !== null) fields.set(`${key} (again)`, value);
  }
  return fields;
}

function isSame(left: unknown, right: unknown): boolean {
  return left === right || (typeof left !== 'object' && String(left) === String(right));
}

/** The items of a list, also of one in round brackets, as EDN may write it. */
export function listOf(value: unknown): readonly unknown[] {
  if (value instanceof Form) return value.items.map((item) => (item instanceof Word ? item.text : item));
  return Array.isArray(value) ? value : [];
}

/** Tells of every field that the reader of a step does not look at and that is no noise. */
export function tellUnread(writer: TreeWriter, step: string, fields: Fields, path: string, id: string): void {
  const known = KNOWN[step] ?? [];
  const children = fields.get('children');
  if (isSet(children) && !Array.isArray(children) && !(children instanceof Form))
    writer.tell('lost', path, `children ${sourceWords(children)}`, 'none', 'This is no list of blocks', id);
  for (const [name, value] of fields) {
    if (value === null || NOISE.has(name) || known.includes(name)) continue;
    const said = `${name} ${sourceWords(value)} on ${step}`;
    if (LEFTOVERS.has(name))
      writer.tell('taken', path, said, 'left out', 'None: it means nothing on this block', id);
    else
      writer.report.few(
        `unknown ${step} ${name}`,
        MAX_ALIKE,
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
