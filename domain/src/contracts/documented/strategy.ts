/** The documented schemas of a strategy. They are made of the tables that the product reads strategies with. */
import { FILTER_SORT_NAMES, INDICATOR_NAMES } from '../../strategy/indicator.ts';
import { MAX_WINDOW } from '../../strategy/indicator-table.ts';
import { MAX_CORRIDOR, REBALANCE_DAYS, REBALANCE_RULES } from '../../strategy/rebalancing.ts';
import { MAX_NAME_LENGTH, MAX_NESTING, MAX_NODES } from '../../strategy/structure.ts';
import { COMPARATORS, MAX_CONDITION_GROUPS } from '../../strategy/validation-conditions.ts';
import { flag, listOf, number, objectOf, oneOf, orNull, ref, type Schema, text, whole } from './schema.ts';

const VARIABLE = '\\$[^/]+';
const count = (value: number) => value.toLocaleString('en-US');

/** A number, the same as text, or a variable. */
function numberOrVariable(description: string, least?: number, most?: number): Schema {
  return {
    description: `${description}. A number, a number as text, or a variable such as \`$X\``,
    anyOf: [
      number(undefined, {
        ...(least !== undefined && { minimum: least }),
        ...(most !== undefined && { maximum: most }),
      }),
      text(undefined, { pattern: `^(?:[+-]?(?:\\d+\\.?\\d*|\\.\\d+)|${VARIABLE})$` }),
    ],
  };
}

/** A whole number, the same as text, or a variable. */
function daysOrVariable(description: string, least: number): Schema {
  return {
    description:
      `${description}. A whole number from ${least} to ${count(MAX_WINDOW)}, the same as text, or a ` +
      'variable such as `$W`',
    anyOf: [
      whole(undefined, { minimum: least, maximum: MAX_WINDOW }),
      text(undefined, { pattern: `^(?:\\d{1,4}|${VARIABLE})$` }),
    ],
  };
}

const common = {
  id: text('An id of its own within the strategy: `node_` and a ULID in lower case', {
    minLength: 1,
    maxLength: 100,
    examples: ['node_01jgx2x76hgvedycspn3ngrgdn'],
  }),
  weight: ref('Weight', 'Its share of a parent that specifies weights; elsewhere it is kept and not used'),
  is_collapsed: flag('Whether the editor shows it folded'),
};
/** What every block may leave out: the default stands. */
const LEFT_OUT = ['weight', 'is_collapsed'];

const type = (name: string): Schema => ({ type: 'string', const: name, description: 'Type of the block' });
const children = (description: string) => listOf(ref('Block'), description);
const series = (description: string) =>
  text(
    `${description}: a ticker (\`SPY\`), a variable (\`$A\`), a ratio (\`XLY/XLP\`) or a series ` +
      'for conditions (`@VIXCLS`)',
    { maxLength: 100 },
  );

function block(
  name: string,
  description: string,
  fields: Readonly<Record<string, Schema>>,
  optional: readonly string[] = [],
): Schema {
  const { id, ...rest } = common;
  return objectOf(description, { id, node_type: type(name), ...rest, ...fields }, [...LEFT_OUT, ...optional]);
}

const union = (description: string, byType: Readonly<Record<string, string>>): Schema => ({
  description,
  oneOf: Object.values(byType).map((name) => ref(name)),
  discriminator: {
    propertyName: 'node_type',
    mapping: Object.fromEntries(
      Object.entries(byType).map(([value, name]) => [value, `#/components/schemas/${name}`]),
    ),
  },
});

/** Type of a block and the name of its schema. */
export const BLOCK_SCHEMAS: Readonly<Record<string, string>> = {
  asset: 'AssetBlock',
  group: 'GroupBlock',
  'wt-cash-equal': 'EqualWeightBlock',
  'wt-cash-specified': 'SpecifiedWeightBlock',
  'wt-inverse-volatility': 'InverseVolatilityBlock',
  'if-then-else': 'IfThenElseBlock',
  filter: 'FilterBlock',
  empty: 'EmptyBlock',
};

const conditionType = oneOf(['allOf', 'anyOf'], 'Whether all of the conditions must hold, or any of them');

export const STRATEGY_SCHEMAS: Readonly<Record<string, Schema>> = {
  Strategy: objectOf(
    `A strategy: its root block. At most ${count(MAX_NODES)} blocks, nested at most ${MAX_NESTING} ` +
      'deep; a refusal names the block in `errors[].nodeId`.',
    {
      ...common,
      node_type: type('root'),
      name: text('Name of the strategy', { maxLength: MAX_NAME_LENGTH }),
      description: text('Whatever its author says about it', { maxLength: 10_000 }),
      rebalance: oneOf(
        REBALANCE_RULES,
        'When it trades. `corridor`: whenever a weight is more than `corridor` percentage points off',
      ),
      rebalance_on: orNull(
        oneOf(REBALANCE_DAYS, 'Day of the week, month, quarter or year; `last` by default'),
      ),
      corridor: orNull(
        numberOrVariable(
          `Percentage points above 0 and at most ${MAX_CORRIDOR}; needed by, and read for, \`corridor\` alone`,
          0,
          MAX_CORRIDOR,
        ),
      ),
      version: oneOf(['v1', 'v2'], 'Part of the language that it uses; the server works it out'),
      children: children('What it holds, in equal parts'),
    },
    ['name', 'description', 'rebalance', 'rebalance_on', 'corridor', 'version', ...LEFT_OUT],
  ),
  Block: union('A block of a strategy, told apart by `node_type`.', BLOCK_SCHEMAS),
  Weight: objectOf('A share: `num` / `den`, 50 / 100 for a half.', {
    num: numberOrVariable('Numerator'),
    den: numberOrVariable('Denominator'),
  }),
  AssetBlock: block(
    'asset',
    'Holds one stock or fund.',
    {
      ticker: text('In capitals; a variable (`$A`) in a template; `SIM:TQQQ` for a simulated series', {
        maxLength: 100,
        examples: ['SPY'],
      }),
      name: text('For display', { maxLength: MAX_NAME_LENGTH }),
    },
    ['name'],
  ),
  GroupBlock: block(
    'group',
    'Blocks under a name, in equal parts.',
    {
      name: text('Name of the group', { maxLength: MAX_NAME_LENGTH }),
      source: orNull(ref('StrategySource')),
      children: children('What it holds'),
    },
    ['name', 'source'],
  ),
  StrategySource: objectOf('The saved strategy, and its revision, that a group is a copy of.', {
    strategy_id: text('Id of the strategy'),
    revision: whole('Its revision', { minimum: 0 }),
  }),
  EqualWeightBlock: block('wt-cash-equal', 'Its children in equal parts.', {
    children: children('What it holds'),
  }),
  SpecifiedWeightBlock: block(
    'wt-cash-specified',
    'Its children by their own `weight`. Their sum is at most 100%; what is missing is cash.',
    { children: children('What it holds') },
  ),
  InverseVolatilityBlock: block(
    'wt-inverse-volatility',
    'Its children by the inverse of their volatility: the calmer, the more.',
    {
      params: objectOf('How volatility is measured.', {
        window: daysOrVariable('Daily returns that it is measured over', 2),
      }),
      children: children('What it holds'),
    },
  ),
  IfThenElseBlock: block(
    'if-then-else',
    '`then_children` on days on which the conditions hold, `else_children` on the others.',
    {
      condition_type: conditionType,
      conditions: listOf(ref('ConditionItem'), 'At least one for a strategy that runs'),
      then_children: children('Held while they hold'),
      else_children: children('Held otherwise'),
      is_conditions_collapsed: flag('Whether the editor shows the conditions folded'),
      is_then_collapsed: flag('Whether the editor shows the first list folded'),
      is_else_collapsed: flag('Whether the editor shows the second list folded'),
    },
    ['is_conditions_collapsed', 'is_then_collapsed', 'is_else_collapsed'],
  ),
  ConditionItem: union('A condition, or a group of conditions.', {
    condition: 'Condition',
    'condition-group': 'ConditionGroup',
  }),
  ConditionGroup: block(
    'condition-group',
    `Conditions and further groups in the place of one condition, at most ${MAX_CONDITION_GROUPS} around each other.`,
    { condition_type: conditionType, conditions: listOf(ref('ConditionItem'), 'What is joined') },
  ),
  Condition: block(
    'condition',
    'Compares an indicator with another one, or with a number. ' +
      'Indicators that are returns or deviations are in percent: 5 stands for 5%.',
    {
      lhs_fn: orNull(ref('Indicator', 'Indicator on the left')),
      lhs_fn_params: ref('IndicatorParameters'),
      lhs_val: orNull(series('What the left side looks at')),
      comparator: orNull(
        oneOf(
          COMPARATORS,
          'greater, less, equal, greater or equal, less or equal; equal to a millionth of a millionth',
        ),
      ),
      rhs_fn: orNull(ref('Indicator', 'Indicator on the right; null where `rhs_fixed_val` is true')),
      rhs_fn_params: ref('IndicatorParameters'),
      rhs_val: {
        description:
          'What the right side looks at, as on the left; where `rhs_fixed_val` is true, a number, a ' +
          'number as text or a variable',
        anyOf: [{ type: 'string', maxLength: 100 }, { type: 'number' }, { type: 'null' }],
      },
      rhs_fixed_val: flag('Whether the right side is the number in `rhs_val`'),
      lhs_days_ago: orNull(daysOrVariable('Days that the left side looks back; 0 by default', 0)),
      rhs_days_ago: orNull(daysOrVariable('Days that the right side looks back; 0 by default', 0)),
      rhs_scale: orNull(numberOrVariable('Factor of the indicator on the right; 1 by default')),
      rhs_offset: orNull(numberOrVariable('Added to the right side after `rhs_scale`; 0 by default')),
      for_days: orNull(
        daysOrVariable('Days in a row, today included, on which the comparison must hold; 1 by default', 1),
      ),
    },
    [
      ...['lhs_fn_params', 'rhs_fn_params', 'rhs_fn'],
      ...['lhs_days_ago', 'rhs_days_ago', 'rhs_scale', 'rhs_offset', 'for_days'],
    ],
  ),
  Indicator: oneOf(
    INDICATOR_NAMES,
    'Name of an indicator; the guide has the formula of each under /docs/indicators',
  ),
  IndicatorParameters: objectOf(
    'What an indicator takes; which of these it needs is told at /developers.',
    {
      window: orNull(daysOrVariable('Days that it looks at', 1)),
      deviations: orNull(numberOrVariable('Width of a band in sample deviations', 0)),
      fast: orNull(daysOrVariable('Quick average', 1)),
      slow: orNull(daysOrVariable('Slow average', 1)),
      signal: orNull(daysOrVariable('Average of the difference', 1)),
      with: orNull(series('The second series of `correlation` and `beta`')),
    },
    ['window', 'deviations', 'fast', 'slow', 'signal', 'with'],
  ),
  FilterBlock: block(
    'filter',
    'Of its children the first or last few by an indicator. A child that is no asset is ranked by its own value.',
    {
      sort: objectOf('What the children are ranked by.', {
        fn: oneOf(FILTER_SORT_NAMES, 'An indicator of one series'),
        params: ref('IndicatorParameters'),
      }),
      select: objectOf('Which of them are held.', {
        fn: oneOf(['top', 'bottom'], 'The highest or the lowest'),
        num: numberOrVariable('How many, from 1', 1),
      }),
      weighting: orNull(ref('FilterWeighting')),
      children: children('What is ranked'),
    },
    ['weighting'],
  ),
  FilterWeighting: {
    description: 'How the chosen children share; equally unless this says otherwise.',
    oneOf: [ref('EqualWeighting'), ref('InverseVolatilityWeighting'), ref('RankWeighting')],
    discriminator: {
      propertyName: 'type',
      mapping: {
        equal: '#/components/schemas/EqualWeighting',
        'inverse-volatility': '#/components/schemas/InverseVolatilityWeighting',
        'by-rank': '#/components/schemas/RankWeighting',
      },
    },
  },
  EqualWeighting: objectOf('Equal parts.', { type: { type: 'string', const: 'equal' } }),
  InverseVolatilityWeighting: objectOf('The calmer, the more.', {
    type: { type: 'string', const: 'inverse-volatility' },
    window: daysOrVariable('Daily returns that volatility is measured over', 2),
  }),
  RankWeighting: objectOf('The best-ranked child gets the first weight, and so on.', {
    type: { type: 'string', const: 'by-rank' },
    weights: listOf(ref('Weight'), 'From the best rank on', { maxItems: 1000 }),
  }),
  EmptyBlock: block(
    'empty',
    'A place for a block. In a specified weight its share stays cash; elsewhere it is left out.',
    {},
  ),
};
