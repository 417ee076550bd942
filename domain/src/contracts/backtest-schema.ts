import { Type } from 'typebox';
import { DayText, exactly, Text } from '../kernel/event-fields.ts';
import { FILLS, INDICATOR_PRICES } from '../strategy/run-settings.ts';
import { RunTree } from '../strategy/tree-schema.ts';

/** What of a backtest or a batch is kept in events. */

const settings = {
  /** When a decision is traded; default `close`. */
  fill: Type.Optional(Type.Union([Type.Enum([...FILLS]), Type.Null()])),
  /** What cash earns; default nothing. */
  cash: Type.Optional(Type.Union([exactly({ rate: Type.Number() }), exactly({ ticker: Text }), Type.Null()])),
  /** Change no row: they are for whoever runs one of them alone. */
  benchmarks: Type.Optional(Type.Union([Type.Array(Text), Type.Null()])),
  /** What decisions read; default `adjusted`. */
  indicator_prices: Type.Optional(Type.Union([Type.Enum([...INDICATOR_PRICES]), Type.Null()])),
};

/** As it is stored with a batch: read, checked and complete (`readConfig`). */
export const BacktestConfigSchema = exactly({
  start_date: DayText,
  end_date: DayText,
  starting_balance: Type.Optional(Type.Number()),
  slippage_bps: Type.Optional(Type.Number()),
  include: Type.Optional(exactly({ history: Type.Optional(Type.Boolean()) })),
  benchmark_ticker: Type.Optional(Text),
  ...settings,
  /** First day of the out-of-sample part, where one was chosen before the run. */
  out_of_sample_date: Type.Optional(DayText),
  /** Every combination is computed with the other fill as well. */
  both_fills: Type.Optional(Type.Boolean()),
});

export const TemplateBotSchema = exactly({
  id: Type.Optional(Text),
  name: Text,
  type: Type.Optional(Text),
  /** Names with their `$`, in the order that numbers the combinations. */
  variables: Type.Array(Text),
  algorithm: RunTree,
});

const Flag = Type.Optional(Type.Boolean());

/** A single backtest, read and checked; with a defect of the engine it is kept so that it can be run again. */
export const BacktestRequestSchema = exactly({
  start_date: DayText,
  end_date: DayText,
  /** Default 10000. */
  starting_balance: Type.Optional(Type.Number()),
  /** Whole number 0..1000; default 10. */
  slippage_bps: Type.Optional(Type.Number()),
  /** Default SPY. */
  benchmark_ticker: Type.Optional(Text),
  ...settings,
  include: Type.Optional(
    exactly({ history: Flag, debug: Flag, explanation: Flag, report: Flag, attribution: Flag, flips: Flag }),
  ),
  /** Of the batch whose row is computed again; changes nothing. */
  out_of_sample_date: Type.Optional(DayText),
  trading_bot: RunTree,
});
