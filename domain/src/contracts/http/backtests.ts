import { type Static, Type } from 'typebox';
import { said, shownAs } from '../../kernel/said.ts';
import type { BacktestAnswer } from '../backtest.ts';
import { EXAMPLE_BACKTEST, EXAMPLE_SENSITIVITY } from './examples.ts';
import { defineRoute } from './route.ts';

/** A strategy of 10,000 blocks is about 3 MB. */
export const BACKTEST_BODY_LIMIT = 8 * 1024 * 1024;
const NullableString = Type.Union([Type.String(), Type.Null()]);
/** Numbers stored as text count as numbers. */
const NumberOrText = Type.Union([Type.Number(), Type.String(), Type.Null()]);

/** Dates and terms of a backtest or of a batch. Lenient where `readTerms` has the better sentence. */
export const TermFields = {
  start_date: Type.Optional(NullableString),
  end_date: Type.Optional(NullableString),
  starting_balance: Type.Optional(NumberOrText),
  slippage_bps: Type.Optional(NumberOrText),
  benchmark_ticker: Type.Optional(NullableString),
  fill: Type.Optional({
    ...NullableString,
    description: 'When a decision is traded: at the same close (`close`, the default) or at the `next-close`',
  }),
  cash: Type.Optional({
    ...Type.Union([
      Type.Object({
        rate: Type.Optional(NumberOrText),
        ticker: Type.Optional(NullableString),
      }),
      Type.Null(),
    ]),
    description:
      'What cash earns: `{"rate": 4}` in percent per year, or `{"ticker": "BIL"}`; nothing by default',
  }),
  benchmarks: Type.Optional({
    ...Type.Union([Type.Array(Type.String()), Type.Null()]),
    description: 'Up to 5 further tickers to compare with',
  }),
  indicator_prices: Type.Optional({
    ...NullableString,
    description:
      'The closes that conditions, filters and weights read: those that returns are earned on ' +
      '(`adjusted`, the default), those adjusted for `splits` only, or those that were paid ' +
      '(`raw`)',
  }),
};

export const BacktestBody = Type.Object({
  ...TermFields,
  include: Type.Optional(
    Type.Union([
      Type.Object({
        history: Type.Optional(Type.Boolean()),
        debug: Type.Optional(Type.Boolean()),
        explanation: Type.Optional(Type.Boolean()),
        report: Type.Optional(Type.Boolean()),
        attribution: Type.Optional(Type.Boolean({ description: 'What each block earned' })),
      }),
      Type.Null(),
    ]),
  ),
  out_of_sample_date: said(
    "Of a batch's configuration, which may be sent as it is: a single backtest has no such part.",
    Type.Optional(
      Type.Unknown({ readOnly: true, description: 'Of a batch; may be sent along and is ignored' }),
    ),
  ),
  both_fills: said(
    "Of a batch's configuration, too.",
    Type.Optional(
      Type.Unknown({ readOnly: true, description: 'Of a batch; may be sent along and is ignored' }),
    ),
  ),
  trading_bot: shownAs('Strategy', Type.Unknown({ description: 'The strategy: its root block' })),
  strategy_id: said(
    'The saved strategy that this is a run of: it counts in the honest trial count of its lineage.',
    Type.Optional(Type.String({ maxLength: 100 })),
  ),
  data_version: said(
    'Run on this published data version instead of the current one.',
    Type.Optional(Type.String({ maxLength: 100 })),
  ),
});
export type BacktestBodyInput = Static<typeof BacktestBody>;

export const runBacktest = defineRoute({
  id: 'runBacktest',
  cost: 'run',
  method: 'POST',
  path: '/api/v1/backtests',
  side: 'query',
  tag: 'Backtests',
  summary: 'Runs one strategy over a range of days; without `include.history` only metrics and days',
  access: { kind: 'user', machine: true },
  body: shownAs('BacktestRequest', BacktestBody),
  answer: shownAs(
    'BacktestAnswer',
    Type.Unsafe<BacktestAnswer>({ type: 'object', additionalProperties: true }),
  ),
  bodyLimit: BACKTEST_BODY_LIMIT,
  document: 'run',
  example: { body: EXAMPLE_BACKTEST },
});

const { include: _include, ...RunFields } = BacktestBody.properties;

/** The numbers around one of a strategy's, each run with all else as it is. */
export const SensitivityBody = Type.Object({
  ...RunFields,
  place: Type.Object({
    node_id: Type.String({ maxLength: 100, description: 'The block or condition that holds the number' }),
    index: Type.Integer({
      minimum: 0,
      maximum: 100,
      description: 'Which of its numbers, from 0 on in reading order',
    }),
  }),
});
export type SensitivityBodyInput = Static<typeof SensitivityBody>;

const Metric = Type.Union([Type.Number(), Type.Null()]);

export const SensitivityAnswer = Type.Object({
  /** The number as it stands. */
  value: Type.Number(),
  rows: Type.Array(
    Type.Object({
      value: Type.Number(),
      sharpe: Metric,
      annualized_return: Metric,
      cumulative_return: Metric,
      /** Why it cannot be run with this number; null where it was. */
      reason: Type.Union([Type.String(), Type.Null()]),
    }),
  ),
  data_version: Type.String(),
  /** Rows that count as trials of the strategy's lineage; 0 for one that was never saved. */
  trials: Type.Integer(),
});
export type SensitivityAnswerOutput = Static<typeof SensitivityAnswer>;

export const runSensitivity = defineRoute({
  id: 'runSensitivity',
  cost: 'run',
  method: 'POST',
  path: '/api/v1/backtests/sensitivity',
  side: 'query',
  tag: 'Backtests',
  summary: 'Runs one strategy with about twenty numbers around one of its own; takes no quota',
  access: { kind: 'user', machine: true },
  body: shownAs('SensitivityRequest', SensitivityBody),
  answer: SensitivityAnswer,
  bodyLimit: BACKTEST_BODY_LIMIT,
  document: 'sensitivity',
  example: { body: EXAMPLE_SENSITIVITY },
});
