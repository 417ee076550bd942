/**
 * The documented schemas of a single backtest's answer; a test holds real answers and the types of
 * `../backtest.ts` against them.
 */
import { COMPUTED_HOLDING, SERIES_FIGURES } from './report-fields.ts';
import { flag, listOf, mapOf, number, objectOf, orNull, ref, type Schema, text, whole } from './schema.ts';

const figure = (description: string) => orNull(number(description));
const byDay = (description: string) => listOf({ type: 'number' }, description);

export const BACKTEST_SCHEMAS: Readonly<Record<string, Schema>> = {
  Metrics: objectOf(
    'The figures of a backtest, as fractions: 0.1 is 10%. Null where a figure cannot be computed. ' +
      '/docs/metrics has the formulas.',
    {
      duration: whole('Calendar days from the first to the last'),
      cumulative_return: figure('Growth over the whole time'),
      annualized_return: figure('Growth a year'),
      standard_deviation: figure('Of the daily returns, a year'),
      max_drawdown: figure('Largest fall from a high, positive'),
      calmer: figure('Calmar ratio: annualized return over max drawdown'),
      sharpe: figure('Sharpe ratio, a year, without a deduction for cash'),
      trailing_1_month: figure('Return of the last 21 trading days'),
      trailing_3_month: figure('Return of the last 63 trading days'),
    },
  ),
  BacktestAnswer: objectOf(
    'A backtest. `include` of the request says which of the optional parts come along.',
    {
      metrics: ref('Metrics'),
      benchmark_metrics: orNull(
        ref('Metrics', 'Of the benchmark over the same days; null without its prices'),
      ),
      calculated_dates: ref('CalculatedDates'),
      benchmarks: mapOf(
        orNull(ref('FurtherBenchmark')),
        'Ticker of each further benchmark; null without a price on the first or last day',
      ),
      report: ref('BacktestReport'),
      history: ref('BacktestHistory'),
      explanation: ref('BacktestExplanation'),
      attribution: ref('BacktestAttribution'),
      debug_data: ref('DebugData'),
      provenance: ref('Provenance'),
    },
    ['benchmarks', 'report', 'history', 'explanation', 'attribution', 'debug_data', 'provenance'],
  ),
  DebugData: {
    type: 'object',
    description:
      'What the engine looked at, for searching its faults: its form may change with every version.',
    additionalProperties: true,
  },
  CalculatedDates: objectOf('The days that were simulated, and why they begin and end there.', {
    first_day: text('`YYYY-MM-DD`'),
    last_day: text('`YYYY-MM-DD`'),
    first_day_decided_by: listOf(
      text(),
      'What made it later than the first trading day that was asked for; empty: nothing did',
    ),
    last_day_decided_by: listOf(text(), 'The same of the last day'),
    first_defined: mapOf(text(), 'Ticker, ratio or indicator → its first day with a value'),
  }),
  BacktestHistory: objectOf('The backtest by day. All lists are as long as `timestamps`.', {
    timestamps: listOf({ type: 'integer' }, 'Seconds since 1970, at midnight UTC'),
    value: byDay('Value of the portfolio'),
    benchmark_value: orNull(
      listOf(
        { anyOf: [{ type: 'number' }, { type: 'null' }] },
        'Value of the same money in the benchmark; null where it has no prices',
      ),
    ),
    tickers: mapOf(listOf({ type: 'number' }), 'Ticker → its share after the trade of the day, in percent'),
    indicators: mapOf(listOf({ anyOf: [{ type: 'number' }, { type: 'null' }] }), 'Indicator → its values'),
    turnover: byDay('Share of the portfolio that was traded, cash not counted'),
  }),
  FurtherBenchmark: objectOf(
    'A further benchmark.',
    { metrics: ref('Metrics'), value: byDay('By day, where history is asked for') },
    ['value'],
  ),
  Provenance: objectOf(
    'What it was computed with.',
    {
      data_version: text('Version of the prices; they never change within one'),
      engine_version: text('Version of the rules'),
      is_simulated: flag('True when prices are simulated: no figure is real then'),
      price_basis: listOf(text(), 'What the real prices are adjusted for'),
      indicator_prices: text(
        'The closes that decisions were read from, where they are not the adjusted ones: `splits` or `raw`',
      ),
      result_hash: text(
        'Hash of the days and values and of both versions: the same run has the same one, whatever `include` asks for',
      ),
    },
    ['price_basis', 'indicator_prices', 'result_hash'],
  ),
  BacktestAttribution: objectOf(
    'What each block earned: that of the root, less `costs`, with `cash`, is the cumulative ' +
      'return. Money in units of the starting balance.',
    {
      blocks: mapOf(ref('BlockAttribution'), 'Id of the block → what came of it; empty blocks are missing'),
      costs: number('Spent on slippage, the first entry included'),
      cash: number('Earned by cash'),
    },
  ),
  BlockAttribution: objectOf('What came of a block.', {
    days: whole('Simulated days after whose trade something of it was held'),
    earned: number('In units of the starting balance'),
    hit_rate: figure(
      'Part of the days that began with something of it held on which it earned more than 0; null where there is none',
    ),
  }),
  BacktestExplanation: objectOf('Why it held what it held, by day.', {
    conditions: mapOf(ref('ConditionHistory'), 'Id of the condition → its sides'),
    branches: mapOf(listOf({ type: 'boolean' }), 'Id of the if block → whether its first list was held'),
    selections: mapOf(ref('SelectionHistory'), 'Id of the filter → what it chose'),
    shares: mapOf(listOf({ type: 'number' }), 'Id of the block → its share of the portfolio, 0 to 1'),
  }),
  ConditionHistory: objectOf('The sides of a condition by day.', {
    lhs: listOf({ anyOf: [{ type: 'number' }, { type: 'null' }] }, 'Left side'),
    rhs: listOf({ anyOf: [{ type: 'number' }, { type: 'null' }] }, 'Right side'),
    holds: listOf({ type: 'boolean' }, 'Whether it held'),
  }),
  SelectionHistory: objectOf('What a filter chose: `ids[i]` from the day `from[i]` until the next change.', {
    from: listOf({ type: 'integer' }, 'Places in `timestamps`'),
    ids: listOf(listOf(text()), 'Ids of the chosen children'),
  }),
  BacktestReport: objectOf('The report of a backtest. Fractions unless said; null where undefined.', {
    ...SERIES_FIGURES,
    correlation: figure('With the benchmark'),
    beta: figure('How much it moves with the benchmark'),
    alpha: figure('Return beyond what beta explains, a year'),
    tracking_error: figure('Deviation of the daily difference to the benchmark, a year'),
    information_ratio: figure('Mean of that difference over its deviation, a year'),
    up_capture: figure('Mean growth in months in which the benchmark rose, over that of the benchmark'),
    down_capture: figure('The same of the months in which it fell'),
    turnover_per_year: figure('Traded share of the portfolio, a year'),
    trades: whole('Days after the first on which anything was traded'),
    costs: number('Money spent on slippage, in units of the starting balance'),
    exposure: figure('Mean share that was not cash'),
    holdings: mapOf(ref('Holding'), 'Ticker → what it did for the portfolio'),
    benchmark: orNull(ref('SeriesReport', 'The same of the benchmark over the same days')),
  }),
  SeriesReport: objectOf('The figures of the strategy and of the benchmark.', SERIES_FIGURES),
  Holding: objectOf('What one ticker did for the portfolio.', COMPUTED_HOLDING),
  Drawdown: objectOf('A fall from a high.', {
    peak: text('Last day of the high'),
    trough: text('Lowest day'),
    recovery: orNull(text('First day that is as high again; null where there was none')),
    depth: number('Positive fraction'),
    days_to_trough: whole('Calendar days'),
    days_to_recovery: orNull(whole('Calendar days')),
  }),
  DayReturn: objectOf('The return of a day.', { date: text('`YYYY-MM-DD`'), return: number('Fraction') }),
  PeriodReturn: objectOf('The return of a month or year.', {
    period: text('`2015-01` or `2015`'),
    return: number('Fraction'),
  }),
  ListedPeriod: objectOf('The return of a month or year in a list.', {
    period: text('`2015-01` or `2015`'),
    return: number('Fraction'),
    is_partial: flag('Whether the backtest does not cover all of it'),
  }),
  RollingYear: objectOf('The 252 returns up to a day.', {
    date: text('Last day'),
    return: number('Growth over them'),
    sharpe: figure('Their Sharpe ratio'),
  }),
};
