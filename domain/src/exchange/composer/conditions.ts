import { COMPARATOR_OF_SIGN } from '../../strategy/comparators.ts';
import type { Comparator, ConditionItem, ConditionType } from '../../strategy/tree.ts';
import { isRecord } from '../../strategy/values.ts';
import { flagOf, sourceNumber } from '../numbers.ts';
import { sourceWords } from '../source-words.ts';
import type { SourceSide, TreeWriter } from '../tree-writer.ts';
import { conditionExtras } from './extras.ts';
import { type Fields, fieldsOf, isSet, listOf, tellUnread } from './fields.ts';
import { checkThreshold, readFunction } from './functions.ts';

const COMPARATORS: Readonly<Record<string, Comparator>> = {
  gt: 'gt',
  lt: 'lt',
  gte: 'gte',
  lte: 'lte',
  eq: 'eq',
  ge: 'gte',
  le: 'lte',
  ...COMPARATOR_OF_SIGN,
  '≥': 'gte',
  '≤': 'lte',
  '==': 'eq',
};

/** Conditions and how an if joins them. */
export interface SourceConditions {
  readonly type: ConditionType;
  readonly items: readonly ConditionItem[];
}

/** The test of an `if-child`: its condition block, which counts where there is one, else its flat fields. */
export function readTest(writer: TreeWriter, fields: Fields, path: string): SourceConditions {
  const block = fields.get('condition');
  if (!isRecord(block)) {
    const flat = readFlat(writer, fields, path);
    if (isSet(block))
      writer.tell(
        'lost',
        path,
        `the condition ${sourceWords(block)}`,
        'the fields beside it',
        'This is no condition block',
        flat.id,
      );
    return { type: 'allOf', items: [flat] };
  }
  const test = readBlock(writer, block, `${path}/condition`);
  tellStale(writer, fields, block, path, test.items[0]?.id ?? null);
  return test;
}

/** Flat fields beside a condition block are leftovers. */
function tellStale(
  writer: TreeWriter,
  fields: Fields,
  block: Readonly<Record<string, unknown>>,
  path: string,
  id: string | null,
): void {
  const names = [
    ...['lhs-fn', 'lhs-val', 'lhs-fn-params', 'lhs-window-days', 'comparator'],
    ...['rhs-fn', 'rhs-val', 'rhs-fn-params', 'rhs-window-days', 'rhs-fixed-value'],
  ];
  const flat = names.filter((name) => isSet(fields.get(name)));
  if (flat.length === 0) return;
  const words = flat.map((name) => `${name} ${sourceWords(fields.get(name))}`).join(', ');
  const became = `the condition block (${String(fieldsOf(block).get('condition-type') ?? 'binary')})`;
  writer.tell('taken', path, words, became, 'None: the block counts, the fields beside it are leftovers', id);
}

function readFlat(writer: TreeWriter, fields: Fields, path: string): ConditionItem {
  const id = writer.id();
  const side = (name: 'lhs' | 'rhs'): SourceSide => {
    const days = fields.get(`${name}-window-days`);
    const params = fields.get(`${name}-fn-params`);
    return {
      ...readFunction(writer, fields.get(`${name}-fn`), params, days, path, id),
      ticker: writer.ticker(fields.get(`${name}-val`), path, id) || null,
    };
  };
  const lhs = side('lhs');
  const comparator = readComparator(writer, fields.get('comparator'), path, id);
  const given = flagOf(fields.get('rhs-fixed-value'));
  const isFixed = given ?? !isSet(fields.get('rhs-fn'));
  if (!isFixed && !isBareNumber(fields)) return writer.condition(id, lhs, comparator, side('rhs'));
  if (!isFixed)
    writer.tell(
      'guessed',
      path,
      `${sourceWords(fields.get('rhs-val'))}, said not to be a fixed value, without a function`,
      'a fixed value',
      'When the condition holds',
      id,
    );
  const leftovers = ['rhs-fn', 'rhs-fn-params', 'rhs-window-days'].filter((name) =>
    isFilled(fields.get(name)),
  );
  if (leftovers.length > 0) {
    const words = leftovers.map((name) => `${name} ${sourceWords(fields.get(name))}`).join(', ');
    writer.tell(
      'taken',
      path,
      `${words} beside a fixed value`,
      'the fixed value',
      'None: the fixed value counts',
      id,
    );
  }
  return writer.condition(id, lhs, comparator, {
    value: readValue(writer, fields.get('rhs-val'), lhs, path, id),
  });
}

/** Whether the right side is a number and no function stands beside it, whatever the flag says. */
function isBareNumber(fields: Fields): boolean {
  return !isSet(fields.get('rhs-fn')) && sourceNumber(fields.get('rhs-val')) !== null;
}

function isFilled(value: unknown): boolean {
  return isSet(value) && !(isRecord(value) && Object.keys(value).length === 0);
}

function readComparator(writer: TreeWriter, given: unknown, path: string, id: string): Comparator | null {
  const name = typeof given === 'string' ? given.trim().toLowerCase() : '';
  const known = Object.hasOwn(COMPARATORS, name) ? COMPARATORS[name] : undefined;
  if (known) return known;
  const said = isSet(given) ? `the comparator ${sourceWords(given)}` : 'no comparator';
  writer.tell('lost', path, said, 'none', 'The condition cannot run until one is chosen', id);
  return null;
}

function readValue(
  writer: TreeWriter,
  given: unknown,
  lhs: SourceSide,
  path: string,
  id: string,
): number | string | null {
  const value = writer.number(given, 'value', path, id);
  if (value === null) {
    const said = isSet(given) ? `the value ${sourceWords(given)}` : 'no value to compare with';
    writer.tell('lost', path, said, 'none', 'The condition cannot run until there is one', id);
  }
  checkThreshold(writer, lhs.fn, value, path, id);
  return value;
}

function readBlock(
  writer: TreeWriter,
  block: Readonly<Record<string, unknown>>,
  path: string,
): SourceConditions {
  const fields = fieldsOf(block);
  const kind = fields.get('condition-type');
  if (kind === 'compound') return readCompound(writer, fields, path);
  const tickers = listOf(fields.get('tickers'));
  if (kind === 'binary-compound' || (isPlaceholder(fields) && tickers.length > 0))
    return readForEach(writer, fields, tickers, path);
  if (kind !== 'binary' && isSet(kind))
    return incomplete(writer, path, `the condition ${sourceWords(block)}`);
  const item = readBinary(writer, fields, path, null);
  tellUnread(writer, 'condition', fields, path, item.id);
  for (const name of ['tickers', 'conditions', 'operator'])
    if (isSet(fields.get(name)) && listOf(fields.get(name)).length !== 0)
      writer.tell(
        'taken',
        path,
        `${name} ${sourceWords(fields.get(name))} on a single condition`,
        'left out',
        'None: a leftover of an earlier form',
        item.id,
      );
  return { type: 'allOf', items: [item] };
}

/** Whether the left side names no ticker of its own but each of a list. */
function isPlaceholder(fields: Fields): boolean {
  const left = fields.get('lhs');
  return isRecord(left) && fieldsOf(left).get('ticker') === '%';
}

/** One test on each of several tickers. */
function readForEach(
  writer: TreeWriter,
  fields: Fields,
  tickers: readonly unknown[],
  path: string,
): SourceConditions {
  const items = tickers.map((ticker) => readBinary(writer, fields, path, ticker));
  const [first] = items;
  if (!first) return incomplete(writer, path, 'a test on no tickers');
  tellUnread(writer, 'condition', fields, path, first.id);
  if (items.length > 1)
    writer.tell(
      'taken',
      path,
      `one test ${sourceWords(fields.get('lhs'))} ${String(fields.get('comparator'))} ` +
        `${sourceWords(fields.get('rhs'))} on each of ${sourceWords(tickers)}`,
      `${items.length} conditions`,
      'None: its numbers stand once for each of them',
      first.id,
    );
  return { type: readOperator(writer, fields, path, first.id), items };
}

function incomplete(writer: TreeWriter, path: string, said: string): SourceConditions {
  const id = writer.id();
  writer.tell('lost', path, said, 'an empty condition', 'The block cannot run until it is set', id);
  const none: SourceSide = { fn: null, params: {}, ticker: null };
  return { type: 'allOf', items: [writer.condition(id, none, null, none)] };
}

function readCompound(writer: TreeWriter, fields: Fields, path: string): SourceConditions {
  const items = listOf(fields.get('conditions')).flatMap((item, index): readonly ConditionItem[] => {
    const at = `${path}/conditions/${index}`;
    if (!isRecord(item)) return incomplete(writer, at, sourceWords(item)).items;
    const inner = readBlock(writer, item, at);
    const isGroup = inner.items.length !== 1 || fieldsOf(item).get('condition-type') === 'compound';
    return isGroup ? [writer.conditionGroup(inner.type, inner.items)] : inner.items;
  });
  const [first] = items;
  if (!first) return incomplete(writer, path, 'a compound condition without conditions');
  tellUnread(writer, 'condition', fields, path, first.id);
  for (const name of ['lhs', 'rhs', 'comparator', 'tickers'])
    if (isSet(fields.get(name)) && sourceWords(fields.get(name)) !== '[]')
      writer.tell(
        'taken',
        path,
        `${name} ${sourceWords(fields.get(name))} on a compound condition`,
        'left out',
        'None: its conditions count',
        first.id,
      );
  return { type: readOperator(writer, fields, path, first.id), items };
}

function readOperator(writer: TreeWriter, fields: Fields, path: string, id: string | null): ConditionType {
  const given = fields.get('operator');
  const operator = typeof given === 'string' ? given.trim().toLowerCase() : given;
  if (operator === 'any' || operator === 'or') return 'anyOf';
  if (operator !== 'all' && operator !== 'and')
    writer.tell(
      'guessed',
      path,
      `the operator ${sourceWords(given)}`,
      'all of',
      'When the block is true',
      id,
    );
  return 'allOf';
}

/** @param ticker what `%` stands for; null where there is none */
function readBinary(writer: TreeWriter, fields: Fields, path: string, ticker: unknown): ConditionItem {
  const id = writer.id();
  const side = (name: 'lhs' | 'rhs'): SourceSide => {
    const given = fields.get(name);
    const source = isRecord(given) ? fieldsOf(given) : new Map<string, unknown>();
    const at = `${path}/${name}`;
    const own = source.get('ticker');
    const isEach = ticker !== null && (own === '%' || (name === 'lhs' && !isSet(own)));
    tellUnread(writer, 'side of a condition', source, at, id);
    const days = source.get('window-days') ?? source.get('window');
    return {
      ...readFunction(writer, source.get('fn'), source.get('params'), days, at, id),
      ticker: writer.ticker(isEach ? ticker : own, at, id) || null,
    };
  };
  const lhs = side('lhs');
  const comparator = readComparator(writer, fields.get('comparator'), path, id);
  const right = fields.get('rhs');
  const source = isRecord(right) ? fieldsOf(right) : null;
  const constant = source ? source.get('constant') : right;
  const isConstant = !source || isSet(constant) || !isSet(source.get('fn'));
  if (source && isSet(constant) && isSet(source.get('fn')))
    writer.tell(
      'guessed',
      `${path}/rhs`,
      `a constant ${sourceWords(constant)} beside ${sourceWords(right)}`,
      'the constant',
      'When the condition holds, if the function was meant',
      id,
    );
  else if (source && isConstant) tellUnread(writer, 'constant of a condition', source, `${path}/rhs`, id);
  const rhs = isConstant ? { value: readValue(writer, constant, lhs, `${path}/rhs`, id) } : side('rhs');
  return writer.condition(id, lhs, comparator, rhs, conditionExtras(fields));
}
