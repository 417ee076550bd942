/**
 * The documented schemas of what is sent. The readers of these bodies also take dates, numbers and fields in
 * looser forms.
 */
import { OWN_FIELDS_DOCUMENTED } from '../../strategy/own-fields/own-fields.ts';
import {
  CASH_RATE_BOUNDS,
  FILLS,
  INDICATOR_PRICES,
  MAX_BENCHMARKS,
  MAX_TICKER_LETTERS,
} from '../../strategy/run-settings.ts';
import { flag, listOf, mapOf, number, objectOf, oneOf, ref, type Schema, text, whole } from './schema.ts';

const day = (description: string) =>
  text(`${description}, \`YYYY-MM-DD\``, { format: 'date', examples: ['2015-01-02'] });
const ticker = (description: string) =>
  text(description, { minLength: 1, maxLength: MAX_TICKER_LETTERS, examples: ['SPY'] });

const terms: Readonly<Record<string, Schema>> = {
  start_date: day('First day that is asked for; it begins later where a ticker or an indicator does'),
  end_date: day('Last day that is asked for, not in the future'),
  starting_balance: number('Money at the start, above 0; 10,000 by default', { exclusiveMinimum: 0 }),
  slippage_bps: whole('Cost of everything that is traded, in hundredths of a percent; 10 by default', {
    minimum: 0,
    maximum: 1000,
  }),
  benchmark_ticker: ticker('What it is compared with; SPY by default'),
  fill: oneOf(FILLS, 'When a decision is traded: at the same close (the default) or at the next one'),
  cash: ref('CashReturn', 'What cash earns; nothing by default'),
  benchmarks: listOf(ticker('A ticker'), 'Further tickers to compare with', { maxItems: MAX_BENCHMARKS }),
  indicator_prices: oneOf(
    INDICATOR_PRICES,
    'The closes that conditions, filters and weights read: adjusted ones (the default), those adjusted ' +
      'for splits only, or those that were paid. Returns are earned on adjusted closes whatever it is',
  ),
};
const OPTIONAL_TERMS = Object.keys(terms).filter((name) => !['start_date', 'end_date'].includes(name));

const lineage: Readonly<Record<string, Schema>> = {
  strategy_id: text('The saved strategy that this is a run of: it counts among the trials of its lineage', {
    maxLength: 100,
  }),
  data_version: text('Version of the prices; the current one by default', { minLength: 1, maxLength: 100 }),
};

const template = {
  template_bot: ref('TemplateBot'),
  variables: mapOf(
    listOf(
      { anyOf: [{ type: 'string', maxLength: 100 }, { type: 'number' }] },
      'Tickers or numbers; one that is there twice counts once',
      { minItems: 1, maxItems: 100_000 },
    ),
    'Name of each variable of the template, with its `$` → its values',
  ),
  backtest_config: ref('BacktestConfig'),
};

const strategyFields: Readonly<Record<string, Schema>> = {
  name: text('Its name', { maxLength: 200 }),
  is_public: flag('Whether everybody who has the link can read and clone it'),
  status: oneOf(['draft'], 'The only one there is'),
  algorithm: ref('Strategy'),
};

const changes: Readonly<Record<string, Schema>> = {
  ...strategyFields,
  ...OWN_FIELDS_DOCUMENTED,
};

export const REQUEST_SCHEMAS: Readonly<Record<string, Schema>> = {
  CashReturn: {
    description: 'What cash earns: percent a year, or the returns of a ticker.',
    oneOf: [ref('CashRate'), ref('CashTicker')],
  },
  CashRate: objectOf('A rate.', {
    rate: number('Percent a year', { minimum: CASH_RATE_BOUNDS.min, maximum: CASH_RATE_BOUNDS.max }),
  }),
  CashTicker: objectOf('The returns of a ticker, such as BIL.', { ticker: ticker('The ticker') }),
  BacktestRequest: objectOf(
    'A backtest: the strategy, its days, its terms.',
    {
      trading_bot: ref('Strategy'),
      ...terms,
      include: ref('BacktestParts'),
      ...lineage,
    },
    [...OPTIONAL_TERMS, 'include', ...Object.keys(lineage)],
  ),
  SensitivityRequest: objectOf(
    'A backtest that is run with about twenty numbers around one of its own.',
    { trading_bot: ref('Strategy'), ...terms, ...lineage, place: ref('NumberPlace') },
    [...OPTIONAL_TERMS, ...Object.keys(lineage)],
  ),
  NumberPlace: objectOf('Where a number stands in a strategy.', {
    node_id: text('The block or condition that holds it', { maxLength: 100 }),
    index: whole('Which of its numbers, from 0 on in reading order', { minimum: 0, maximum: 100 }),
  }),
  BacktestParts: objectOf(
    'What to answer besides metrics and days.',
    {
      history: flag('The backtest by day'),
      report: flag('The full report'),
      explanation: flag('Why it held what it held, by day'),
      attribution: flag('What each block earned'),
      debug: flag('What the engine looked at'),
    },
    ['history', 'report', 'explanation', 'attribution', 'debug'],
  ),
  BacktestConfig: objectOf(
    'Days and terms of a batch, the same for all of its rows.',
    {
      ...terms,
      out_of_sample_date: day(
        'First day that is locked away: rankings and verdict use the days before it until somebody opens the rest',
      ),
      both_fills: flag(
        'Whether every combination is computed with the other fill as well: its rows then have the ' +
          'columns `other_fill_annualized_return`, `other_fill_cumulative_return`, ' +
          '`other_fill_max_drawdown` and `other_fill_sharpe_ratio`. ' +
          'It takes at least twice as long, and each combination counts once',
      ),
    },
    [...OPTIONAL_TERMS, 'out_of_sample_date', 'both_fills'],
  ),
  TemplateBot: objectOf(
    'A strategy with variables, as it is or as it was saved.',
    {
      id: text('Id of the saved one, so that the trials of its lineage are counted', { maxLength: 100 }),
      name: text('Its name', { maxLength: 1000 }),
      type: text('`template`', { maxLength: 20 }),
      variables: listOf(
        text(undefined, { maxLength: 100 }),
        'Names with their `$`, in the order that numbers the rows',
        {
          maxItems: 100,
        },
      ),
      algorithm: ref('Strategy'),
    },
    ['id', 'name', 'type', 'variables'],
  ),
  EstimateRequest: objectOf(
    'A batch that is to follow.',
    {
      ...template,
      planned_slippage_bps: whole(
        'Slippage of the batch that is to follow, where the estimate is asked for with another one',
        { minimum: 0, maximum: 1000 },
      ),
    },
    ['planned_slippage_bps'],
  ),
  BatchRequest: objectOf(
    'A batch: a template, the values of its variables, days and terms. Every combination of the values is a row.',
    {
      name: text('Its name; that of the template by default', { maxLength: 1000 }),
      is_public: flag('Whether everybody who has the link can read it'),
      ...template,
    },
    ['name', 'is_public'],
  ),
  BatchChange: {
    ...objectOf(
      'What is to change: one of these at a time.',
      {
        name: text('Its name', { maxLength: 1000 }),
        is_public: flag('Whether everybody who has the link can read it'),
        note: text('What its owner says about it', { maxLength: 10_000 }),
      },
      ['name', 'is_public', 'note'],
    ),
    minProperties: 1,
    maxProperties: 1,
  },
  NewTradingBot: objectOf(
    'A strategy to save. One that cannot run yet is a draft like any other.',
    {
      ...strategyFields,
      imported_from: ref('ImportOrigin', 'Where it came from; the report of the import is kept with it'),
    },
    ['name', 'is_public', 'status', 'imported_from'],
  ),
  TradingBotChange: objectOf('What is to change.', changes, Object.keys(changes)),
  ImportRequest: objectOf('A strategy of another tool, or of this one.', {
    json: {
      description:
        'The strategy as JSON, or as the text of a file of any notation (JSON, EDN, text language)',
      anyOf: [{ type: 'string' }, { type: 'object', additionalProperties: true }],
    },
  }),
};
