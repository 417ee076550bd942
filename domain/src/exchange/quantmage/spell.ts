import { MAX_NESTING } from '../../strategy/structure.ts';
import type { Algorithm, BlockNode, FilterWeighting, RebalanceRule, Weight } from '../../strategy/tree.ts';
import { field, isRecord } from '../../strategy/values.ts';
import { isSet } from '../composer/fields.ts';
import { sortAndSelect } from '../composer/filter-choice.ts';
import { readRule } from '../composer/rebalancing-rule.ts';
import { tellSum } from '../composer/weights.ts';
import { flagOf, sourceNumber } from '../numbers.ts';
import { sourceWords } from '../source-words.ts';
import type { TreeWriter } from '../tree-writer.ts';
import { readIndicator, readTest } from './conditions.ts';
import { listOf, type Source, tellUnknown, textOf } from './fields.ts';

const FULL: Weight = { num: 100, den: 100 };

const RULES: Readonly<Record<string, RebalanceRule>> = {
  Daily: 'daily',
  Weekly: 'weekly',
  Monthly: 'monthly',
  Quarterly: 'quarterly',
  Yearly: 'yearly',
};

const KNOWN_FIELDS: ReadonlySet<string> = new Set([
  ...[
    'name',
    'description',
    'incantation',
    'benchmark_ticker',
    'slippage_bps',
    'trading_type',
    'threshold',
    'version',
  ],
  ...['id', 'created_at', 'updated_at', 'author', 'tags', 'url', 'spell_id'],
]);
const INCANTATION_FIELDS: ReadonlySet<string> = new Set([
  ...[
    'incantation_type',
    'symbol',
    'name',
    'condition',
    'then_incantation',
    'else_incantation',
    'then_comment',
  ],
  ...[
    'else_comment',
    'comment',
    'type',
    'weights',
    'inverse_volatility_window',
    'incantations',
    'sort_indicator',
    'count',
  ],
  ...['bottom', 'weight_type', 'conditions', 'collapsed', 'enabled', 'id'],
]);
const INCANTATIONS: ReadonlySet<unknown> = new Set(['Ticker', 'IfElse', 'Weighted', 'Filtered', 'Switch']);

/** Whether a value looks like a whole spell. */
export function isSpell(value: Source): boolean {
  return isRecord(field(value, 'incantation'));
}

/** Reads a spell of QuantMage. */
export function readSpell(writer: TreeWriter, source: Source, path: string): Algorithm {
  const id = writer.id();
  tellUnknown(writer, source, KNOWN_FIELDS, path, id);
  const incantation = `${path}/incantation`;
  return {
    id,
    node_type: 'root',
    weight: FULL,
    is_collapsed: false,
    name: writer.name(field(source, 'name'), path, id),
    description: textOf(field(source, 'description')).slice(0, 10_000),
    ...readTrading(writer, source, path, id),
    version: 'v1',
    children: [readIncantation(writer, field(source, 'incantation'), incantation)],
  };
}

function readTrading(
  writer: TreeWriter,
  source: Source,
  path: string,
  id: string,
): ReturnType<typeof readRule> {
  const type = field(source, 'trading_type') ?? 'Threshold';
  if (type === 'Threshold') {
    const given = field(source, 'threshold');
    const read = writer.number(given, 'threshold', path, id);
    const corridor = sourceNumber(read);
    if (corridor === null)
      writer.tell(
        'guessed',
        path,
        `the threshold ${sourceWords(given)}`,
        '5 percentage points',
        'When it trades',
        id,
      );
    return { rebalance: 'corridor', corridor: corridor ?? 5 };
  }
  if (isSet(field(source, 'threshold')))
    writer.tell(
      'taken',
      path,
      `a threshold of ${sourceWords(field(source, 'threshold'))} beside ${textOf(type)}`,
      'left out',
      'None: it counts with Threshold only',
      id,
    );
  const rule = typeof type === 'string' && Object.hasOwn(RULES, type) ? RULES[type] : type;
  return readRule(writer, { rebalance: rule, width: undefined }, path, id);
}

function readAll(writer: TreeWriter, source: Source, path: string): BlockNode[] {
  return listOf(field(source, 'incantations')).map((item, index) =>
    readIncantation(writer, item, `${path}/incantations/${index}`),
  );
}

function readIncantation(writer: TreeWriter, given: unknown, path: string): BlockNode {
  if (!isRecord(given)) {
    if (given !== null && given !== undefined)
      return writer.missing(path, sourceWords(given), 'This is no block');
    return { id: writer.id(), node_type: 'empty', weight: FULL, is_collapsed: false };
  }
  const type = field(given, 'incantation_type');
  const block = incantationOf(writer, given, type, path);
  // A block that is not known tells all of its fields itself, and keeps the blocks in them.
  if (INCANTATIONS.has(type)) tellUnknown(writer, given, INCANTATION_FIELDS, path, block.id);
  if (flagOf(field(given, 'enabled')) === false)
    writer.tell(
      'guessed',
      path,
      'a block that is switched off',
      'a block that counts',
      'What is held',
      block.id,
    );
  return block;
}

function incantationOf(writer: TreeWriter, source: Source, type: unknown, path: string): BlockNode {
  switch (type) {
    case 'Ticker':
      return writer.asset(path, field(source, 'symbol'), field(source, 'name'));
    case 'IfElse': {
      const id = writer.id();
      const test = readTest(writer, field(source, 'condition'), `${path}/condition`);
      const then = readIncantation(writer, field(source, 'then_incantation'), `${path}/then_incantation`);
      const otherwise = readIncantation(
        writer,
        field(source, 'else_incantation'),
        `${path}/else_incantation`,
      );
      tellComments(writer, source, path, id);
      return writer.ifThenElse(id, test.type, test.items, [then], [otherwise]);
    }
    case 'Weighted':
      return named(writer, source, path, readWeighted(writer, source, path));
    case 'Filtered':
      return named(writer, source, path, readFiltered(writer, source, path));
    case 'Switch':
      return readSwitch(writer, source, path);
    default:
      return unknownIncantation(writer, source, type, path);
  }
}

function tellComments(writer: TreeWriter, source: Source, path: string, id: string): void {
  for (const name of ['then_comment', 'else_comment', 'comment']) {
    const comment = textOf(field(source, name)).trim();
    if (comment !== '')
      writer.tell('taken', path, `${name} ${JSON.stringify(comment)}`, 'left out', 'None: a remark', id);
  }
}

/** A name of a block that has none here becomes a group around it. */
function named(writer: TreeWriter, source: Source, path: string, block: BlockNode): BlockNode {
  const given = field(source, 'name');
  if (typeof given !== 'string' || given.trim() === '') return block;
  const id = writer.id();
  const name = writer.name(given, path, id);
  return { id, node_type: 'group', weight: FULL, is_collapsed: false, name, children: [block] };
}

/** Fields that a line on an unknown block leaves out. */
const IDLE: ReadonlySet<string> = new Set(['incantation_type', 'incantations', 'id', 'name']);

function unknownIncantation(writer: TreeWriter, source: Source, type: unknown, path: string): BlockNode {
  const rest = Object.entries(source).filter(
    ([name, value]) => isSet(value) && !IDLE.has(name) && !name.endsWith('incantation'),
  );
  const words = rest.length === 0 ? '' : ` ${sourceWords(Object.fromEntries(rest))}`;
  const said = `the block ${JSON.stringify(type ?? null)}${words}`;
  const missing = writer.missing(
    path,
    said,
    'It cannot be expressed: it cannot run until something is put in its place',
  );
  const inner = Object.entries(source).flatMap(([name, value]): BlockNode[] => {
    if (name === 'incantations') return readAll(writer, source, path);
    return name.endsWith('incantation') && isRecord(value)
      ? [readIncantation(writer, value, `${path}/${name}`)]
      : [];
  });
  if (inner.length === 0) return missing;
  const common = { id: writer.id(), weight: FULL, is_collapsed: false, name: missing.name };
  return { ...common, node_type: 'group', children: [missing, ...inner] };
}

function readWeighted(writer: TreeWriter, source: Source, path: string): BlockNode {
  const id = writer.id();
  const common = { id, weight: FULL, is_collapsed: false };
  const children = readAll(writer, source, path);
  const type = field(source, 'type');
  if (type !== 'Custom') tellIdle(writer, source, 'weights', path, id);
  if (type !== 'InverseVolatility') tellIdle(writer, source, 'inverse_volatility_window', path, id);
  if (type === 'Custom') {
    const weights = listOf(field(source, 'weights'));
    const shares = weights.map((weight) => sourceNumber(writer.number(weight, 'weight', path, id)));
    const weighted = children.map((child, index): BlockNode => {
      const share = shares[index] ?? null;
      if (share === null)
        writer.tell(
          'lost',
          path,
          `the weight ${sourceWords(weights[index])}`,
          'none',
          'The block cannot run until it has one',
          child.id,
        );
      return { ...child, weight: { num: share ?? '', den: 100 } };
    });
    if (weights.length > children.length)
      writer.tell(
        'lost',
        path,
        `${weights.length} weights ${sourceWords(weights)} for ${children.length} blocks`,
        'the first of them',
        'The weights left over',
        id,
      );
    const sum = children.reduce((total, _, index) => total + (shares[index] ?? Number.NaN) / 100, 0);
    tellSum(writer, sum, children.length, path, id);
    return { ...common, node_type: 'wt-cash-specified', children: weighted };
  }
  if (type === 'InverseVolatility') {
    const window = windowOf(writer, field(source, 'inverse_volatility_window'), path, id);
    return { ...common, node_type: 'wt-inverse-volatility', params: { window }, children };
  }
  if (type !== 'Equal')
    writer.tell('guessed', path, `the weighting ${sourceWords(type)}`, 'equal weights', 'What is held', id);
  return { ...common, node_type: 'wt-cash-equal', children };
}

/** A setting of another way of weighting. */
function tellIdle(writer: TreeWriter, source: Source, name: string, path: string, id: string): void {
  const value = field(source, name);
  if (!isSet(value) || sourceWords(value) === '[]' || value === 0) return;
  writer.report.few(
    `idle ${name}`,
    50,
    'taken',
    path,
    `${name} ${sourceWords(value)}`,
    'left out',
    'None: it belongs to another way of weighting',
    id,
  );
}

function windowOf(writer: TreeWriter, given: unknown, path: string, id: string): number {
  const window = sourceNumber(writer.number(given, 'window', path, id));
  if (window === null)
    writer.tell(
      'guessed',
      path,
      `the window ${sourceWords(given)}`,
      '10 days',
      'The figures, if another was meant',
      id,
    );
  return window ?? 10;
}

function readFiltered(writer: TreeWriter, source: Source, path: string): BlockNode {
  const id = writer.id();
  const { fn, params } = readIndicator(writer, field(source, 'sort_indicator'), `${path}/sort_indicator`, id);
  const common = { id, node_type: 'filter', weight: FULL, is_collapsed: false } as const;
  return {
    ...common,
    ...sortAndSelect(
      writer,
      { fn, params },
      flagOf(field(source, 'bottom')) === true ? 'bottom' : 'top',
      field(source, 'count'),
      path,
      id,
    ),
    ...weightingOf(writer, source, path, id),
    children: readAll(writer, source, path),
  };
}

function weightingOf(
  writer: TreeWriter,
  source: Source,
  path: string,
  id: string,
): { readonly weighting?: FilterWeighting } {
  const type = field(source, 'weight_type');
  if (type !== 'Custom') tellIdle(writer, source, 'weights', path, id);
  if (type !== 'InverseVolatility') tellIdle(writer, source, 'inverse_volatility_window', path, id);
  switch (type) {
    case 'Custom': {
      const given = listOf(field(source, 'weights'));
      const weights = given.map(
        (weight): Weight => ({ num: writer.number(weight, 'weight', path, id) ?? '', den: 100 }),
      );
      if (weights.some(({ num }) => num === ''))
        writer.tell(
          'lost',
          path,
          `the weights ${sourceWords(given)}`,
          'weights that are not all set',
          'The block cannot run until they are',
          id,
        );
      if (weights.length === 0)
        writer.tell('lost', path, 'no weights', 'none', 'The block cannot run until it has some', id);
      tellSum(
        writer,
        weights.reduce((sum, { num }) => sum + (num === '' ? Number.NaN : Number(num) / 100), 0),
        weights.length,
        path,
        id,
      );
      return { weighting: { type: 'by-rank', weights } };
    }
    case 'InverseVolatility': {
      const window = windowOf(writer, field(source, 'inverse_volatility_window'), path, id);
      return { weighting: { type: 'inverse-volatility', window } };
    }
    case 'Equal':
    case undefined:
    case null:
      return {};
    default:
      writer.tell('guessed', path, `the weighting ${sourceWords(type)}`, 'equal weights', 'What is held', id);
      return {};
  }
}

/** N conditions and N+1 blocks: the block of the first condition that is true, else the last. */
function readSwitch(writer: TreeWriter, source: Source, path: string): BlockNode {
  const conditions = listOf(field(source, 'conditions'));
  // Each is a level of the tree.
  if (conditions.length > MAX_NESTING) return unknownIncantation(writer, source, 'Switch', path);
  const blocks = readAll(writer, source, path);
  const branches = conditions.map((condition, index) => ({
    id: writer.id(),
    test: readTest(writer, condition, `${path}/conditions/${index}`),
    block: blocks[index],
  }));
  const [first] = branches;
  if (!first) return unknownIncantation(writer, source, 'Switch', path);
  writer.tell(
    'guessed',
    path,
    `Switch of ${conditions.length} conditions and ${blocks.length} blocks`,
    'the block of the first condition that is true, else the last',
    'Readers disagree: others count the true conditions',
    first.id,
  );
  if (blocks.length !== conditions.length + 1)
    writer.tell(
      'guessed',
      path,
      `${blocks.length} blocks for ${conditions.length} conditions`,
      'cash where one is missing',
      'What is held',
      first.id,
    );
  const [outer] = branches.reduceRight<readonly BlockNode[]>(
    (rest, { id, test, block }) => [writer.ifThenElse(id, test.type, test.items, block ? [block] : [], rest)],
    blocks.slice(conditions.length),
  );
  return outer ?? unknownIncantation(writer, source, 'Switch', path);
}
