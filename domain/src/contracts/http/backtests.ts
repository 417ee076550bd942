import { type Static, Type } from 'typebox';
import type { BacktestAnswer } from '../backtest.ts';
import { EXAMPLE_BACKTEST } from './examples.ts';
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
  /** Of a batch's configuration, which may be sent as it is: a single backtest has no such part. */
  out_of_sample_date: Type.Optional(
    Type.Unknown({ readOnly: true, description: 'Of a batch; may be sent along and is ignored' }),
  ),
  trading_bot: Type.Unknown({ description: 'The strategy: its root block' }),
  /** The saved strategy that this is a run of: it counts in the honest trial count of its lineage. */
  strategy_id: Type.Optional(Type.String({ maxLength: 100 })),
  /** Run on this published data version instead of the current one. */
  data_version: Type.Optional(Type.String({ maxLength: 100 })),
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
  body: BacktestBody,
  answer: Type.Unsafe<BacktestAnswer>({ type: 'object', additionalProperties: true }),
  bodyLimit: BACKTEST_BODY_LIMIT,
  example: { body: EXAMPLE_BACKTEST },
});
