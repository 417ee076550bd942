import type { Algorithm, BlockNode, IfThenElseNode } from '../../strategy/tree.ts';
import { isRecord } from '../../strategy/values.ts';
import { flagOf } from '../numbers.ts';
import { sourceWords } from '../source-words.ts';
import type { TreeWriter } from '../tree-writer.ts';
import { readTest, type SourceConditions } from './conditions.ts';
import { filterExtras, rootExtras } from './extras.ts';
import { type Fields, fieldsOf, isSet, listOf, tellUnread } from './fields.ts';
import { sortAndSelect } from './filter-choice.ts';
import { readFunction } from './functions.ts';
import { readRule } from './rebalancing-rule.ts';
import { readWeight, tellStray, tellSum, UNSET_WEIGHT } from './weights.ts';

type Source = Readonly<Record<string, unknown>>;

const DEFAULT_WINDOW = 10;
/** What that tool calls cash. */
const CASH = '$USD';

/** The id of the equal weight that an export puts below a root that has none: import takes it away again. */
export function impliedWeightsId(rootId: string): string {
  return `${rootId}-weights`;
}

/** Reads a symphony from its root, a node of JSON or EDN. */
export function readSymphony(writer: TreeWriter, source: Source, path: string): Algorithm {
  const fields = fieldsOf(source);
  const id = writer.id();
  tellUnread(writer, 'root', fields, path, id);
  const children = childrenOf(fields);
  const [only] = children;
  const rootId = fields.get('id');
  const isImplied =
    children.length === 1 &&
    isRecord(only) &&
    typeof rootId === 'string' &&
    fieldsOf(only).get('id') === impliedWeightsId(rootId);
  const blocks =
    isImplied && isRecord(only)
      ? readBlocks(writer, fieldsOf(only), `${path}/children/0`)
      : readBlocks(writer, fields, path);
  tellAssetClass(writer, fields, path, id);
  return {
    id,
    node_type: 'root',
    weight: { num: 100, den: 100 },
    is_collapsed: false,
    name: writer.name(fields.get('name'), path, id),
    description: writer.description(fields.get('description'), path, id),
    ...readRule(
      writer,
      { rebalance: fields.get('rebalance'), width: fields.get('rebalance-corridor-width') },
      path,
      id,
    ),
    ...rootExtras(fields),
    version: 'v1',
    children: blocks,
  };
}

function tellAssetClass(writer: TreeWriter, fields: Fields, path: string, id: string): void {
  const classes = [fields.get('asset-class'), ...listOf(fields.get('asset-classes'))];
  for (const name of new Set(classes))
    if (isSet(name) && String(name).toUpperCase() !== 'EQUITIES')
      writer.tell(
        'lost',
        path,
        `the asset class ${JSON.stringify(name)}`,
        'shares and funds only',
        'What is not among the prices here cannot run',
        id,
      );
}

function childrenOf(fields: Fields): readonly unknown[] {
  return listOf(fields.get('children'));
}

/** The children of a node as blocks; weights that stand on them are kept and mean nothing. */
function readBlocks(writer: TreeWriter, fields: Fields, path: string): BlockNode[] {
  return childrenOf(fields).flatMap((child, index): BlockNode[] => {
    const at = `${path}/children/${index}`;
    const block = readBlock(writer, child, at);
    if (!block || !isRecord(child) || !isSet(child.weight)) return block ? [block] : [];
    const { weight } = readWeight(child.weight);
    tellStray(writer, child.weight, weight === null ? 'left out' : 'kept without effect', at, block.id);
    return [{ ...block, weight: weight ?? block.weight }];
  });
}

function readBlock(writer: TreeWriter, node: unknown, path: string): BlockNode | null {
  if (!isRecord(node)) {
    if (node === null) return null;
    return writer.missing(path, sourceWords(node), 'This is no block');
  }
  const fields = fieldsOf(node);
  const step = fields.get('step');
  const common = () => {
    const id = writer.id();
    tellUnread(writer, String(step), fields, path, id);
    return { id, weight: { num: 100, den: 100 }, is_collapsed: fields.get('collapsed') === true };
  };
  switch (step) {
    case 'asset': {
      if (fields.get('ticker') === CASH) {
        const cash = common();
        writer.tell('taken', path, `the asset ${CASH}`, 'a block of cash', 'None', cash.id);
        // An empty block alone would be left out of its list.
        const empty = {
          id: writer.id(),
          node_type: 'empty',
          weight: cash.weight,
          is_collapsed: false,
        } as const;
        return { ...cash, node_type: 'wt-cash-equal', children: [empty] };
      }
      const asset = writer.asset(path, fields.get('ticker'), fields.get('name'));
      tellUnread(writer, 'asset', fields, path, asset.id);
      return asset;
    }
    case 'empty':
      return { ...common(), node_type: 'empty' };
    case 'group': {
      const head = common();
      const name = writer.name(fields.get('name'), path, head.id);
      return { ...head, node_type: 'group', name, children: groupChildren(writer, fields, path) };
    }
    case 'wt-cash-equal':
      return { ...common(), node_type: 'wt-cash-equal', children: readBlocks(writer, fields, path) };
    case 'wt-cash-specified': {
      const head = common();
      return { ...head, node_type: 'wt-cash-specified', children: weighted(writer, fields, path, head.id) };
    }
    case 'wt-inverse-vol': {
      const head = common();
      const params = fields.get('params');
      const given =
        fields.get('window-days') ?? fields.get('window') ?? (isRecord(params) ? params.window : params);
      const window = windowOr10(writer, given, path, head.id);
      return {
        ...head,
        node_type: 'wt-inverse-volatility',
        params: { window },
        children: readBlocks(writer, fields, path),
      };
    }
    case 'wt-marketcap':
    case 'wt-market-cap': {
      const head = common();
      writer.tell(
        'lost',
        path,
        'weights by market capitalisation',
        'weights that are not set',
        'There is no market capitalisation here: the block cannot run until weights are given',
        head.id,
      );
      const children = readBlocks(writer, fields, path).map((child) => ({ ...child, weight: UNSET_WEIGHT }));
      return { ...head, node_type: 'wt-cash-specified', children };
    }
    case 'if':
      return readIf(writer, fields, path);
    case 'filter':
      return readFilter(writer, fields, path);
    default:
      return unknownBlock(writer, fields, step, path);
  }
}

/** Fields that a line on an unknown block leaves out: its children are read, the others say nothing. */
const IDLE: ReadonlySet<string> = new Set(['step', 'id', 'children', 'weight', 'collapsed']);

function unknownBlock(writer: TreeWriter, fields: Fields, step: unknown, path: string): BlockNode {
  const rest = [...fields].filter(([name, value]) => !IDLE.has(name) && isSet(value));
  const words = rest.length === 0 ? '' : ` ${sourceWords(Object.fromEntries(rest))}`;
  const said = `${isSet(step) ? `the block ${JSON.stringify(step)}` : 'a block without step'}${words}`;
  const missing = writer.missing(
    path,
    said,
    'It is not known here: it cannot run until something is put in its place',
  );
  if (childrenOf(fields).length === 0) return missing;
  const id = writer.id();
  return {
    id,
    node_type: 'group',
    weight: { num: 100, den: 100 },
    is_collapsed: false,
    name: missing.name,
    children: [missing, ...readBlocks(writer, fields, path)],
  };
}

/** A group's one equal weight is what a group does here anyway. */
function groupChildren(writer: TreeWriter, fields: Fields, path: string): BlockNode[] {
  const children = childrenOf(fields);
  const [only] = children;
  if (children.length !== 1 || !isRecord(only)) return readBlocks(writer, fields, path);
  const inner = fieldsOf(only);
  if (inner.get('step') !== 'wt-cash-equal') return readBlocks(writer, fields, path);
  const at = `${path}/children/0`;
  const blocks = readBlocks(writer, inner, at);
  const [first] = blocks;
  if (first) tellUnread(writer, 'wt-cash-equal', inner, at, first.id);
  if (first && isSet(inner.get('weight'))) tellStray(writer, inner.get('weight'), 'left out', at, first.id);
  return blocks;
}

/** The children of specified weights. */
function weighted(writer: TreeWriter, fields: Fields, path: string, id: string): BlockNode[] {
  let sum = 0;
  const blocks = childrenOf(fields).flatMap((child, index): BlockNode[] => {
    const at = `${path}/children/${index}`;
    const block = readBlock(writer, child, at);
    if (!block) return [];
    const given = isRecord(child) ? child.weight : undefined;
    const { weight, isGuess } = isSet(given) ? readWeight(given) : { weight: null, isGuess: false };
    if (weight) sum += Number(weight.num) / Number(weight.den);
    else {
      const said = isSet(given) ? `the weight ${sourceWords(given)}` : 'no weight';
      writer.tell('lost', at, said, 'none', 'The block cannot run until it has one', block.id);
      sum = Number.NaN;
    }
    if (weight && isGuess) {
      const became = `${weight.num}/${weight.den}`;
      writer.tell('guessed', at, `the weight ${sourceWords(given)}`, became, 'What is held', block.id);
    }
    return [{ ...block, weight: weight ?? UNSET_WEIGHT }];
  });
  tellSum(writer, sum, blocks.length, path, id);
  return blocks;
}

function windowOr10(writer: TreeWriter, given: unknown, path: string, id: string): number | string {
  const window = writer.number(given, 'window', path, id);
  if (window !== null) return window;
  const said = isSet(given) ? `the window ${sourceWords(given)}` : 'no window';
  writer.tell('guessed', path, said, `${DEFAULT_WINDOW} days`, 'The figures, if another was meant', id);
  return DEFAULT_WINDOW;
}

function readFilter(writer: TreeWriter, fields: Fields, path: string): BlockNode {
  const id = writer.id();
  tellUnread(writer, 'filter', fields, path, id);
  const common = { id, weight: { num: 100, den: 100 }, is_collapsed: fields.get('collapsed') === true };
  const children = readBlocks(writer, fields, path);
  if (flagOf(fields.get('select')) === false || flagOf(fields.get('sort-by')) === false) {
    const names = ['sort-by-fn', 'sort-by-fn-params', 'sort-by-window-days', 'select-fn', 'select-n'];
    const words = names
      .filter((name) => isSet(fields.get(name)))
      .map((name) => sourceWords(fields.get(name)));
    writer.tell(
      'guessed',
      path,
      `a filter that is switched off: ${words.join(' ')}`,
      'all of its blocks, equally weighted',
      'What is held',
      id,
    );
    return { ...common, node_type: 'wt-cash-equal', children };
  }
  const sort = readFunction(
    writer,
    fields.get('sort-by-fn'),
    fields.get('sort-by-fn-params'),
    fields.get('sort-by-window-days'),
    path,
    id,
  );
  return {
    ...common,
    node_type: 'filter',
    ...sortAndSelect(writer, sort, fields.get('select-fn'), fields.get('select-n'), path, id),
    ...filterExtras(fields),
    children,
  };
}

/** What a condition left behind when it was made the else. */
function tellIdleTest(writer: TreeWriter, branch: Fields, path: string, id: string | null): void {
  const names = TESTS.filter((name) => isSet(branch.get(name)));
  if (names.length === 0) return;
  const words = names.map((name) => `${name} ${sourceWords(branch.get(name))}`).join(', ');
  writer.tell('taken', path, `${words} on an else`, 'left out', 'None: an else asks nothing', id);
}

interface Branch {
  readonly test: SourceConditions;
  readonly children: readonly BlockNode[];
  readonly id: string;
}

/** What makes an `if-child` a condition. */
const TESTS = ['condition', 'lhs-fn', 'lhs-val', 'lhs-fn-params', 'comparator', 'rhs-val', 'rhs-fn'];

/** An if with one condition or a chain of them; without an else the rest is cash. */
function readIf(writer: TreeWriter, fields: Fields, path: string): BlockNode {
  const branches: Branch[] = [];
  let otherwise: readonly BlockNode[] | null = null;
  const children = childrenOf(fields);
  for (const [index, child] of children.entries()) {
    const at = `${path}/children/${index}`;
    if (!isRecord(child)) {
      if (child !== null)
        writer.tell('lost', at, sourceWords(child), 'left out', 'This is no branch of an if', null);
      continue;
    }
    const branch = fieldsOf(child);
    const isElse = flagOf(branch.get('is-else-condition'));
    // A last branch that asks nothing is the else, whether it says so or not.
    const asksNothing =
      index > 0 && index === children.length - 1 && !TESTS.some((name) => isSet(branch.get(name)));
    if (isElse === true || asksNothing) {
      if (otherwise !== null) {
        writer.tell(
          'lost',
          at,
          `a second else: ${sourceWords(child.children)}`,
          'left out',
          'None: it was never reached',
          null,
        );
        continue;
      }
      if (isElse !== true)
        writer.tell('guessed', at, 'a last branch without a condition', 'the else', 'What is held', null);
      tellUnread(writer, 'if-child', branch, at, branches.at(-1)?.id ?? '');
      tellIdleTest(writer, branch, at, branches.at(-1)?.id ?? null);
      otherwise = readBlocks(writer, branch, at);
      continue;
    }
    const id = writer.id();
    tellUnread(writer, 'if-child', branch, at, id);
    if (otherwise !== null)
      writer.tell(
        'guessed',
        at,
        'a condition after the else',
        'a further condition before the else',
        'It could never be reached there',
        id,
      );
    if (isSet(branch.get('weight'))) tellStray(writer, branch.get('weight'), 'left out', at, id);
    branches.push({ test: readTest(writer, branch, at), children: readBlocks(writer, branch, at), id });
  }
  if (branches.length === 0) return unknownBlock(writer, fields, 'if without a condition', path);
  if (otherwise === null)
    writer.tell('taken', path, 'no else', 'an empty else: cash', 'None', branches.at(-1)?.id ?? null);
  const chained = branches.reduceRight<readonly BlockNode[]>(
    (rest, { test, children, id }) => [writer.ifThenElse(id, test.type, test.items, children, rest)],
    otherwise ?? [],
  );
  const [outer] = chained as readonly [IfThenElseNode];
  tellUnread(writer, 'if', fields, path, outer.id);
  return { ...outer, is_collapsed: fields.get('collapsed') === true };
}
