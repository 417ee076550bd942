import type {
  Algorithm,
  BlockNode,
  FilterNode,
  IfThenElseNode,
  RebalanceRule,
  Weight,
} from '../../strategy/tree.ts';
import { isRecord } from '../../strategy/values.ts';
import { numberOrVariable, shifted, sourceNumber, weightOf } from '../numbers.ts';
import type { TreeWriter } from '../tree-writer.ts';
import { readTest, type SourceConditions } from './conditions.ts';
import { filterExtras, rootExtras } from './extras.ts';
import { type Fields, fieldsOf, isSet, tellUnread } from './fields.ts';
import { readFunction, readParams } from './functions.ts';

type Source = Readonly<Record<string, unknown>>;

const PERIODS: readonly RebalanceRule[] = ['daily', 'weekly', 'monthly', 'quarterly', 'yearly'];
const DEFAULT_WINDOW = 10;
const UNSET: Weight = { num: '', den: 100 };

/** The id of the equal weight that an export puts below a root that has none: import takes it away again. */
export function impliedWeightsId(rootId: string): string {
  return `${rootId}-weights`;
}

/** The fields of our root that follow from the rule, as that tool states it. */
export interface SourceRule {
  readonly rebalance: unknown;
  /** A fraction: 0.05 is 5 percentage points. */
  readonly width: unknown;
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
    description:
      typeof fields.get('description') === 'string' ? String(fields.get('description')).slice(0, 10_000) : '',
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

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The rebalancing rule of a root. */
export function readRule(
  writer: TreeWriter,
  { rebalance, width }: SourceRule,
  path: string,
  id: string,
): Pick<Algorithm, 'rebalance' | 'rebalance_on' | 'corridor'> {
  const fraction = sourceNumber(width);
  if (rebalance === 'none' || (rebalance === undefined && fraction !== null)) {
    if (fraction === null) return { rebalance: 'never' };
    const isFraction = fraction <= 1;
    const corridor = isFraction ? shifted(fraction, 2) : fraction;
    if (!isFraction)
      writer.tell(
        'guessed',
        path,
        `a corridor of ${String(width)}`,
        `${corridor} percentage points`,
        'When it trades: as a fraction it would be above 100 %',
        id,
      );
    return { rebalance: 'corridor', corridor };
  }
  if (isSet(width))
    writer.tell(
      'taken',
      path,
      `a corridor of ${String(width)} beside ${String(rebalance)}`,
      'left out',
      'None: it counts without a calendar only',
      id,
    );
  const rule = PERIODS.find((period) => period === rebalance);
  if (!rule) {
    const said = isSet(rebalance) ? `rebalance ${JSON.stringify(rebalance)}` : 'no rebalancing rule';
    writer.tell('guessed', path, said, 'daily', 'On which days it trades', id);
    return { rebalance: 'daily' };
  }
  if (rule === 'daily') return { rebalance: rule };
  writer.tell(
    'differs',
    path,
    `rebalance ${rule}: sources disagree whether on the first or on the last day`,
    'on the last day of the period',
    'Trades move by up to a period; Rebalance on can be set to first',
    id,
  );
  return { rebalance: rule, rebalance_on: 'last' };
}

function childrenOf(fields: Fields): readonly unknown[] {
  return listOf(fields.get('children'));
}

/** The children of a node as blocks; weights that stand on them are kept and mean nothing. */
function readBlocks(writer: TreeWriter, fields: Fields, path: string): BlockNode[] {
  return childrenOf(fields).flatMap((child, index): BlockNode[] => {
    const at = `${path}/children/${index}`;
    const block = readBlock(writer, child, at);
    if (!block || !isRecord(child) || child.weight === undefined || child.weight === null)
      return block ? [block] : [];
    writer.report.once(
      'stray',
      'taken',
      at,
      `weight ${JSON.stringify(child.weight)} where weights are not asked for`,
      'kept without effect',
      'None',
      block.id,
    );
    return [{ ...block, weight: storedWeight(child.weight) ?? block.weight }];
  });
}

function storedWeight(value: unknown): Weight | null {
  if (!isRecord(value)) return null;
  const [num, den] = [numberOrVariable(value.num), numberOrVariable(value.den)];
  return num === null || den === null ? null : { num, den };
}

function readBlock(writer: TreeWriter, node: unknown, path: string): BlockNode | null {
  if (!isRecord(node)) {
    if (node === null) return null;
    return writer.missing(path, JSON.stringify(node).slice(0, 60), 'This is no block');
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
      const window = windowOr10(writer, fields.get('window-days'), path, head.id);
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
      const children = readBlocks(writer, fields, path).map((child) => ({ ...child, weight: UNSET }));
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

function unknownBlock(writer: TreeWriter, fields: Fields, step: unknown, path: string): BlockNode {
  const said = isSet(step) ? `the block ${JSON.stringify(step)}` : 'a block without step';
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
  tellUnread(writer, 'wt-cash-equal', inner, at, blocks[0]?.id ?? '');
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
    const weight = storedWeight(given) ?? (isRecord(given) ? null : weightOf(given));
    if (weight) sum += Number(weight.num) / Number(weight.den);
    else {
      const said = isSet(given) ? `the weight ${JSON.stringify(given)}` : 'no weight';
      writer.tell('lost', at, said, 'none', 'The block cannot run until it has one', block.id);
      sum = Number.NaN;
    }
    return [{ ...block, weight: weight ?? UNSET }];
  });
  tellSum(writer, sum, blocks.length, path, id);
  return blocks;
}

/** Tells of weights that do not add up to the whole. */
export function tellSum(writer: TreeWriter, sum: number, count: number, path: string, id: string): void {
  if (count === 0 || Number.isNaN(sum) || Math.abs(sum - 1) <= 1e-9) return;
  const percent = Number((sum * 100).toPrecision(8));
  const effect =
    sum > 1 ? 'Above 100 % it cannot run' : `${Number((100 - percent).toPrecision(8))} % stay in cash`;
  writer.tell('guessed', path, `weights that add up to ${percent} %`, 'the same weights', effect, id);
}

function windowOr10(writer: TreeWriter, given: unknown, path: string, id: string): number | string {
  const window = numberOrVariable(given);
  if (window !== null) return window;
  const said = isSet(given) ? `the window ${JSON.stringify(given)}` : 'no window';
  writer.tell('guessed', path, said, `${DEFAULT_WINDOW} days`, 'The figures, if another was meant', id);
  return DEFAULT_WINDOW;
}

function readFilter(writer: TreeWriter, fields: Fields, path: string): BlockNode {
  const id = writer.id();
  tellUnread(writer, 'filter', fields, path, id);
  const common = { id, weight: { num: 100, den: 100 }, is_collapsed: fields.get('collapsed') === true };
  const children = readBlocks(writer, fields, path);
  if (fields.get('select') === false || fields.get('sort-by') === false) {
    writer.tell(
      'guessed',
      path,
      'a filter that is switched off',
      'all of its blocks, equally weighted',
      'What is held',
      id,
    );
    return { ...common, node_type: 'wt-cash-equal', children };
  }
  const fn = readFunction(writer, fields.get('sort-by-fn'), path, id);
  const params = readParams(
    writer,
    fn,
    fields.get('sort-by-fn-params'),
    fields.get('sort-by-window-days'),
    path,
    id,
  );
  return {
    ...common,
    node_type: 'filter',
    ...sortAndSelect(writer, fn, params, fields.get('select-fn'), fields.get('select-n'), path, id),
    ...filterExtras(fields),
    children,
  };
}

/** `sort` and `select` of a filter; a function that cannot be expressed leaves a window that cannot run. */
export function sortAndSelect(
  writer: TreeWriter,
  fn: ReturnType<typeof readFunction>,
  params: ReturnType<typeof readParams>,
  direction: unknown,
  count: unknown,
  path: string,
  id: string,
): Pick<FilterNode, 'sort' | 'select'> {
  const isDirection = direction === 'top' || direction === 'bottom';
  if (!isDirection)
    writer.tell(
      'guessed',
      path,
      `selects ${JSON.stringify(direction ?? null)}`,
      'top',
      'Which blocks are chosen',
      id,
    );
  const num = numberOrVariable(count);
  if (num === null)
    writer.tell(
      'guessed',
      path,
      `selects ${JSON.stringify(count ?? null)} blocks`,
      '1',
      'How many blocks are chosen',
      id,
    );
  const isSortable = fn !== null && fn !== 'correlation' && fn !== 'beta';
  return {
    sort: isSortable ? { fn, params } : { fn: 'relative-strength-index', params: { window: '' } },
    select: { fn: direction === 'bottom' ? 'bottom' : 'top', num: num ?? 1 },
  };
}

interface Branch {
  readonly test: SourceConditions;
  readonly children: readonly BlockNode[];
  readonly id: string;
}

/** An if with one condition or a chain of them; without an else the rest is cash. */
function readIf(writer: TreeWriter, fields: Fields, path: string): BlockNode {
  const branches: Branch[] = [];
  let otherwise: readonly BlockNode[] | null = null;
  let last: string | null = null;
  for (const [index, child] of childrenOf(fields).entries()) {
    const at = `${path}/children/${index}`;
    if (!isRecord(child)) continue;
    const branch = fieldsOf(child);
    const isElse = branch.get('is-else-condition') === true;
    if (isElse && otherwise === null) {
      tellUnread(writer, 'if-child', branch, at, last ?? '');
      otherwise = readBlocks(writer, branch, at);
    } else {
      const id = writer.id();
      last = id;
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
      branches.push({ test: readTest(writer, branch, at), children: readBlocks(writer, branch, at), id });
    }
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
