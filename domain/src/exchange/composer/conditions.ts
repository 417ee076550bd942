import type { Comparator, ConditionItem, ConditionType } from '../../strategy/tree.ts';
import { isRecord } from '../../strategy/values.ts';
import { numberOrVariable } from '../numbers.ts';
import type { SourceSide, TreeWriter } from '../tree-writer.ts';
import { conditionExtras } from './extras.ts';
import { type Fields, fieldsOf, isSet } from './fields.ts';
import { checkThreshold, readFunction, readParams } from './functions.ts';

const COMPARATORS: readonly Comparator[] = ['gt', 'lt', 'gte', 'lte', 'eq'];

/** Conditions and how an if joins them. */
export interface SourceConditions {
  readonly type: ConditionType;
  readonly items: readonly ConditionItem[];
}

/** The test of an `if-child`: its condition block, which counts where there is one, else its flat fields. */
export function readTest(writer: TreeWriter, fields: Fields, path: string): SourceConditions {
  const block = fields.get('condition');
  if (!isRecord(block)) return { type: 'allOf', items: [readFlat(writer, fields, path)] };
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
  const names = ['lhs-fn', 'lhs-val', 'lhs-fn-params', 'lhs-window-days', 'comparator', 'rhs-fn', 'rhs-val'];
  const flat = names.filter((name) => isSet(fields.get(name)));
  if (flat.length === 0) return;
  const words = flat.map((name) => `${name} ${JSON.stringify(fields.get(name))}`).join(', ');
  const became = `the condition block (${String(fieldsOf(block).get('condition-type') ?? 'binary')})`;
  writer.tell('taken', path, words, became, 'None: the block counts, the fields beside it are leftovers', id);
}

function readFlat(writer: TreeWriter, fields: Fields, path: string): ConditionItem {
  const id = writer.id();
  const side = (name: 'lhs' | 'rhs'): SourceSide => {
    const fn = readFunction(writer, fields.get(`${name}-fn`), path, id);
    const days = fields.get(`${name}-window-days`);
    return {
      fn,
      params: readParams(writer, fn, fields.get(`${name}-fn-params`), days, path, id),
      ticker: writer.ticker(fields.get(`${name}-val`), path, id) || null,
    };
  };
  const lhs = side('lhs');
  const comparator = readComparator(writer, fields.get('comparator'), path, id);
  const given = fields.get('rhs-fixed-value');
  const isFixed = typeof given === 'boolean' ? given : !isSet(fields.get('rhs-fn'));
  if (!isFixed) return writer.condition(id, lhs, comparator, side('rhs'));
  if (isSet(fields.get('rhs-fn'))) {
    const days = fields.get('rhs-fn-params') ?? fields.get('rhs-window-days');
    const said = `rhs-fn ${JSON.stringify(fields.get('rhs-fn'))} ${JSON.stringify(days ?? null)} beside a fixed value`;
    writer.tell('taken', path, said, 'the fixed value', 'None: the fixed value counts', id);
  }
  return writer.condition(id, lhs, comparator, {
    value: readValue(writer, fields.get('rhs-val'), lhs, path, id),
  });
}

function readComparator(writer: TreeWriter, given: unknown, path: string, id: string): Comparator | null {
  const known = COMPARATORS.find((comparator) => comparator === given);
  if (known) return known;
  const said = isSet(given) ? `the comparator ${JSON.stringify(given)}` : 'no comparator';
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
  const value = numberOrVariable(given);
  if (value === null) {
    const said = isSet(given) ? `the value ${JSON.stringify(given)}` : 'no value to compare with';
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
  if (kind === 'binary-compound') {
    const tickers = fields.get('tickers');
    const list = Array.isArray(tickers) ? tickers : [];
    const items = list.map((ticker: unknown) => readBinary(writer, fields, path, ticker));
    const type = readOperator(writer, fields, path, items[0]?.id ?? null);
    if (items.length === 0) return incomplete(writer, path, 'a test on no tickers');
    return { type, items };
  }
  if (kind !== 'binary' && isSet(kind))
    return incomplete(writer, path, `the condition type ${JSON.stringify(kind)}`);
  return { type: 'allOf', items: [readBinary(writer, fields, path, null)] };
}

function incomplete(writer: TreeWriter, path: string, said: string): SourceConditions {
  const id = writer.id();
  writer.tell('lost', path, said, 'an empty condition', 'The block cannot run until it is set', id);
  const none: SourceSide = { fn: null, params: {}, ticker: null };
  return { type: 'allOf', items: [writer.condition(id, none, null, none)] };
}

function readCompound(writer: TreeWriter, fields: Fields, path: string): SourceConditions {
  const given = fields.get('conditions');
  const list = Array.isArray(given) ? given : [];
  const items = list.flatMap((item: unknown, index): readonly ConditionItem[] => {
    const at = `${path}/conditions/${index}`;
    if (!isRecord(item)) return incomplete(writer, at, JSON.stringify(item)).items;
    const inner = readBlock(writer, item, at);
    const kind = fieldsOf(item).get('condition-type');
    const isGroup = kind === 'compound' || kind === 'binary-compound';
    return isGroup ? [writer.conditionGroup(inner.type, inner.items)] : inner.items;
  });
  if (items.length === 0) return incomplete(writer, path, 'a compound condition without conditions');
  return { type: readOperator(writer, fields, path, items[0]?.id ?? null), items };
}

function readOperator(writer: TreeWriter, fields: Fields, path: string, id: string | null): ConditionType {
  const operator = fields.get('operator');
  if (operator === 'any' || operator === 'or') return 'anyOf';
  if (operator !== 'all' && operator !== 'and')
    writer.tell(
      'guessed',
      path,
      `the operator ${JSON.stringify(operator ?? null)}`,
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
    const fn = readFunction(writer, source.get('fn'), at, id);
    const own = source.get('ticker');
    const isPlaceholder = ticker !== null && (own === '%' || (name === 'lhs' && !isSet(own)));
    return {
      fn,
      params: readParams(
        writer,
        fn,
        source.get('params'),
        source.get('window-days') ?? source.get('window'),
        at,
        id,
      ),
      ticker: writer.ticker(isPlaceholder ? ticker : own, at, id) || null,
    };
  };
  const lhs = side('lhs');
  const comparator = readComparator(writer, fields.get('comparator'), path, id);
  const right = fields.get('rhs');
  const constant = isRecord(right) ? fieldsOf(right).get('constant') : right;
  const isConstant = !isRecord(right) || isSet(constant) || !isSet(fieldsOf(right).get('fn'));
  const rhs = isConstant ? { value: readValue(writer, constant, lhs, `${path}/rhs`, id) } : side('rhs');
  return writer.condition(id, lhs, comparator, rhs, conditionExtras(fields));
}
