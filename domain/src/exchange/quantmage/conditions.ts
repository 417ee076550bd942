import { INDICATORS } from '../../strategy/indicator.ts';
import type { ConditionItem, ConditionType, FunctionParams, IndicatorName } from '../../strategy/tree.ts';
import { field, isRecord } from '../../strategy/values.ts';
import { isSet } from '../composer/fields.ts';
import { checkThreshold } from '../composer/functions.ts';
import { flagOf, sourceNumber } from '../numbers.ts';
import { sourceWords } from '../source-words.ts';
import { nearestFunction } from '../text/words.ts';
import type { SourceSide, TreeWriter } from '../tree-writer.ts';
import { listOf, type Source, tellUnknown, textOf } from './fields.ts';

/** By the letters and digits of their names alone. */
const FUNCTIONS: Readonly<Record<string, IndicatorName>> = {
  currentprice: 'current-price',
  movingaverage: 'moving-average-price',
  exponentialmovingaverage: 'exponential-moving-average-price',
  relativestrengthindex: 'relative-strength-index',
  cumulativereturn: 'cumulative-return',
  movingaverageofreturns: 'moving-average-return',
  movingaverageofreturn: 'moving-average-return',
  volatility: 'standard-deviation-return',
  maxdrawdown: 'max-drawdown',
  drawdown: 'current-drawdown',
  '13612wmomentum': 'momentum-13612w',
  momentum13612w: 'momentum-13612w',
  '13612w': 'momentum-13612w',
  '13612umomentum': 'momentum-13612u',
  momentum13612u: 'momentum-13612u',
  '13612u': 'momentum-13612u',
  aroonup: 'aroon-up',
  aroondown: 'aroon-down',
  macd: 'macd',
  ppo: 'ppo',
};

const CONDITION_FIELDS: ReadonlySet<string> = new Set([
  ...[
    'condition_type',
    'type',
    'lh_indicator',
    'lh_ticker_symbol',
    'lh_days_ago',
    'lh_weight',
    'lh_bias',
    'rh_indicator',
  ],
  ...[
    'rh_ticker_symbol',
    'rh_days_ago',
    'rh_weight',
    'rh_bias',
    'rh_value',
    'greater_than',
    'for_days',
    'conditions',
    'id',
  ],
]);

const INDICATOR_FIELDS: ReadonlySet<string> = new Set(['type', 'window', 'id']);

/** The condition of a spell, joined ones as groups. */
export function readTest(
  writer: TreeWriter,
  given: unknown,
  path: string,
): { readonly type: ConditionType; readonly items: readonly ConditionItem[] } {
  const kind = isRecord(given) ? field(given, 'condition_type') : undefined;
  if (!isRecord(given) || (kind !== 'AllOf' && kind !== 'AnyOf'))
    return { type: 'allOf', items: [readCondition(writer, given, path)] };
  const items = listOf(field(given, 'conditions')).map((item, index): ConditionItem => {
    const at = `${path}/conditions/${index}`;
    const inner = isRecord(item) ? field(item, 'condition_type') : undefined;
    if (inner !== 'AllOf' && inner !== 'AnyOf') return readCondition(writer, item, at);
    const group = readTest(writer, item, at);
    return writer.conditionGroup(group.type, group.items);
  });
  return { type: kind === 'AllOf' ? 'allOf' : 'anyOf', items };
}

function readCondition(writer: TreeWriter, given: unknown, path: string): ConditionItem {
  const id = writer.id();
  const source: Source = isRecord(given) ? given : {};
  tellUnknown(writer, source, CONDITION_FIELDS, path, id);
  const type = field(source, 'type') ?? 'IndicatorAndNumber';
  const kind = field(source, 'condition_type') ?? 'SingleCondition';
  if (kind !== 'SingleCondition' || (type !== 'IndicatorAndNumber' && type !== 'BothIndicators')) {
    const none: SourceSide = { fn: null, params: {}, ticker: null };
    const said = `the condition ${JSON.stringify(kind === 'SingleCondition' ? type : kind)} ${sourceWords(given)}`;
    writer.tell(
      'lost',
      path,
      said,
      'an empty condition',
      'It cannot be expressed: the block cannot run until it is set',
      id,
    );
    return writer.condition(id, none, null, none);
  }
  const lhs = readSide(writer, source, 'lh', path, id);
  for (const [name, neutral] of [
    ['lh_weight', 1],
    ['lh_bias', 0],
  ] as const) {
    const value = sourceNumber(field(source, name));
    if (value !== null && value !== neutral)
      writer.tell(
        'lost',
        path,
        `${name} ${value}`,
        'left out',
        'The left side is not scaled or moved here',
        id,
      );
  }
  const isGreater = flagOf(field(source, 'greater_than')) !== false;
  if (!isGreater)
    writer.report.once(
      'not greater',
      'guessed',
      path,
      'greater_than: false',
      'less than',
      'Ties only: readers disagree whether equality counts',
      id,
    );
  const comparator = isGreater ? 'gt' : 'lt';
  /** A number that is stored where it is not the one that counts anyway. */
  const optional = (name: string, from: string, neutral: number): Record<string, number> => {
    const given = field(source, from);
    const value = asNumber(writer.number(given, from, path, id));
    if (value === null && isSet(given))
      writer.tell('lost', path, `${from} ${sourceWords(given)}`, 'left out', 'When the condition holds', id);
    return value === null || value === neutral ? {} : { [name]: value };
  };
  const further = {
    ...optional('lhs_days_ago', 'lh_days_ago', 0),
    ...optional('for_days', 'for_days', 1),
  };
  if (type === 'BothIndicators') tellLeftovers(writer, source, ['rh_value'], path, id);
  if (type === 'BothIndicators')
    return writer.condition(id, lhs, comparator, readSide(writer, source, 'rh', path, id), {
      ...further,
      ...optional('rhs_days_ago', 'rh_days_ago', 0),
      ...optional('rhs_scale', 'rh_weight', 1),
      ...optional('rhs_offset', 'rh_bias', 0),
    });
  tellLeftovers(
    writer,
    source,
    ['rh_indicator', 'rh_ticker_symbol', 'rh_days_ago', 'rh_weight', 'rh_bias'],
    path,
    id,
  );
  const value = asNumber(writer.number(field(source, 'rh_value'), 'value', path, id));
  if (value === null)
    writer.tell(
      'lost',
      path,
      `the value ${sourceWords(field(source, 'rh_value'))}`,
      'none',
      'The condition cannot run until there is one',
      id,
    );
  checkThreshold(writer, lhs.fn, value, path, id);
  return writer.condition(id, lhs, comparator, { value }, further);
}

/** Fields that the other type of condition reads; what they hold by default is not worth a line. */
function tellLeftovers(
  writer: TreeWriter,
  source: Source,
  names: readonly string[],
  path: string,
  id: string,
): void {
  const idle: Readonly<Record<string, unknown>> = { rh_days_ago: 0, rh_weight: 1, rh_bias: 0, rh_value: 0 };
  const left = names.filter((name) => isSet(field(source, name)) && field(source, name) !== idle[name]);
  if (left.length === 0) return;
  const words = left.map((name) => `${name} ${sourceWords(field(source, name))}`).join(', ');
  writer.tell(
    'taken',
    path,
    `${words} beside ${textOf(field(source, 'type'))}`,
    'left out',
    'None: not read',
    id,
  );
}

/** The tool has no variables. */
function asNumber(value: number | string | null): number | null {
  return typeof value === 'number' ? value : sourceNumber(value);
}

function readSide(
  writer: TreeWriter,
  source: Source,
  side: 'lh' | 'rh',
  path: string,
  id: string,
): SourceSide {
  const { fn, params } = readIndicator(
    writer,
    field(source, `${side}_indicator`),
    `${path}/${side}_indicator`,
    id,
  );
  return { fn, params, ticker: writer.ticker(field(source, `${side}_ticker_symbol`), path, id) || null };
}

/** An indicator with its window; null, and told, where there is none like it. */
export function readIndicator(
  writer: TreeWriter,
  given: unknown,
  path: string,
  id: string,
): { readonly fn: IndicatorName | null; readonly params: FunctionParams } {
  const source: Source = isRecord(given) ? given : {};
  const type = field(source, 'type');
  const key = textOf(type)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
  const fn = Object.hasOwn(FUNCTIONS, key) ? (FUNCTIONS[key] ?? null) : null;
  if (fn === null) {
    const window = sourceNumber(field(source, 'window'));
    const near = nearestFunction(textOf(type));
    writer.tell(
      'lost',
      path,
      `the indicator ${sourceWords(type)}${isRecord(given) ? ` ${sourceWords(given)}` : ''}`,
      window === null ? 'no function' : `no function, over ${window} days`,
      `The block cannot run until one is chosen${near === null ? '' : `; the nearest name here is ${near}`}`,
      id,
    );
    return { fn, params: window === null ? {} : { window } };
  }
  const { parameters } = INDICATORS[fn];
  tellUnknown(writer, source, INDICATOR_FIELDS, path, id);
  const window = asNumber(writer.number(field(source, 'window'), 'window', path, id));
  if (parameters[0]?.name !== 'window') {
    if (window !== null && window !== 0)
      writer.tell(
        parameters.length === 0 ? 'taken' : 'guessed',
        path,
        `${textOf(type)} with a window of ${window}`,
        parameters.length === 0
          ? 'no window'
          : parameters.map(({ label, default: preset }) => `${label} ${preset}`).join(', '),
        parameters.length === 0 ? 'None: the function has no window' : 'The indicator, if others were meant',
        id,
      );
    else if (parameters.length > 0)
      writer.report.once(
        `preset ${fn}`,
        'guessed',
        path,
        `${textOf(type)} without windows`,
        parameters.map(({ label, default: preset }) => `${label} ${preset}`).join(', '),
        'The indicator, if others were meant',
        id,
      );
    return { fn, params: Object.fromEntries(parameters.map(({ name, default: preset }) => [name, preset])) };
  }
  if (window === null)
    writer.tell(
      'lost',
      path,
      isSet(field(source, 'window'))
        ? `the window ${sourceWords(field(source, 'window'))} of ${textOf(type)}`
        : `no window of ${textOf(type)}`,
      'none',
      'The block cannot run until it is set',
      id,
    );
  return { fn, params: window === null ? {} : { window } };
}
