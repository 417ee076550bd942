import { type Static, Type } from 'typebox';
import type { Metrics } from '../contracts/backtest.ts';
import { defineStream, type EventOf, type Frozen } from '../kernel/define-stream.ts';
import { Count, DayText, exactly, Id, NullableNumber, Text } from '../kernel/event-fields.ts';

/** Dates and terms of a run, all of them said: whatever the defaults come to be, it can be made again. */
export const RunTermsSchema = exactly({
  start_date: DayText,
  end_date: DayText,
  starting_balance: Type.Number(),
  slippage_bps: Count,
  benchmark_ticker: Text,
  fill: Type.Optional(Type.Enum(['close', 'next-close'])),
  cash: Type.Optional(Type.Union([exactly({ rate: Type.Number() }), exactly({ ticker: Text })])),
  indicator_prices: Type.Optional(Type.Enum(['splits', 'raw'])),
});
export type RunTerms = Frozen<Static<typeof RunTermsSchema>>;

const figures: Record<keyof Metrics, typeof NullableNumber> = {
  duration: NullableNumber,
  cumulative_return: NullableNumber,
  annualized_return: NullableNumber,
  standard_deviation: NullableNumber,
  max_drawdown: NullableNumber,
  calmer: NullableNumber,
  sharpe: NullableNumber,
  trailing_1_month: NullableNumber,
  trailing_3_month: NullableNumber,
};

/** The metrics of a run, as they are kept. */
export const FiguresSchema = exactly(figures);
export type Figures = Frozen<Static<typeof FiguresSchema>>;

/** Metrics to be kept: what is no finite number is none. */
export function figuresOfMetrics(metrics: Metrics): Figures {
  const finite = (value: number | null) => (value !== null && Number.isFinite(value) ? value : null);
  return {
    duration: finite(metrics.duration),
    cumulative_return: finite(metrics.cumulative_return),
    annualized_return: finite(metrics.annualized_return),
    standard_deviation: finite(metrics.standard_deviation),
    max_drawdown: finite(metrics.max_drawdown),
    calmer: finite(metrics.calmer),
    sharpe: finite(metrics.sharpe),
    trailing_1_month: finite(metrics.trailing_1_month),
    trailing_3_month: finite(metrics.trailing_3_month),
  };
}

/** Names of the figures that are kept. */
export const FIGURE_NAMES = Object.keys(figures) as (keyof Metrics)[];

/** The events of a `strategyRuns-{strategyId}-{yyyy-mm}` stream. */
export const STRATEGY_RUN_EVENTS = defineStream({
  category: 'strategyRuns',
  events: {
    /** A saved strategy was run as it stands, and came to something else than the last time. */
    StrategyRunRecorded: exactly({
      strategyId: Id,
      ownerId: Id,
      runId: Id,
      /** Of the strategy: the revision that holds this tree. */
      revision: Count,
      /** `treeFingerprint` of the tree: the same for trees that run alike by what they say. */
      treeHash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
      terms: RunTermsSchema,
      dataVersion: Text,
      engineVersion: Text,
      isSimulated: Type.Boolean(),
      /** `result-hash.ts` of the engine. */
      resultHash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
      firstDay: DayText,
      lastDay: DayText,
      figures: FiguresSchema,
      /** The value in units of the starting balance, thinned out. */
      line: Type.Array(Type.Number(), { maxItems: 60 }),
    }),
  },
});
export type StrategyRunRecorded = EventOf<typeof STRATEGY_RUN_EVENTS, 'StrategyRunRecorded'>;
export type RecordedRun = StrategyRunRecorded['data'];
