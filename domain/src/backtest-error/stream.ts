import { Type } from 'typebox';
import type { StreamKind } from '../kernel/handle-command.ts';
import {
  type BacktestErrorCommand,
  type BacktestErrorEvent,
  type BacktestErrorState,
  backtestErrorDecider,
} from './backtest-error.ts';

const Rows = Type.Array(Type.Record(Type.String(), Type.Unknown()));

const DebugDataSchema = Type.Object({
  error: Type.Object({ message: Type.String(), stack: Type.Array(Type.String()) }),
  calculated_dates: Type.Record(Type.String(), Type.Unknown()),
  bar_counts: Type.Record(Type.String(), Type.Number()),
  indicator_bar_counts: Type.Record(Type.String(), Type.Number()),
  parse_results: Type.Unknown(),
  ohlc_cache: Rows,
  indicator_cache: Rows,
  precalc_cache: Rows,
});

const Subject = Type.Union([
  Type.Object({
    kind: Type.Literal('backtest'),
    request: Type.Unknown(),
    dataVersion: Type.Union([Type.String(), Type.Null()]),
  }),
  Type.Object({
    kind: Type.Literal('batch'),
    batchId: Type.String(),
    partition: Type.Union([Type.Integer(), Type.Null()]),
  }),
]);

/** Streams `backtestError-<id>`. */
export const BACKTEST_ERROR_STREAM: StreamKind<BacktestErrorCommand, BacktestErrorState, BacktestErrorEvent> =
  {
    category: 'backtestError',
    decider: backtestErrorDecider,
    events: [
      {
        type: 'BacktestErrorRecorded',
        version: 1,
        schema: Type.Object({
          errorId: Type.String(),
          userId: Type.String(),
          subject: Subject,
          engineVersion: Type.String(),
          debugData: DebugDataSchema,
        }),
      },
      {
        type: 'BacktestErrorReplayed',
        version: 1,
        schema: Type.Object({
          errorId: Type.String(),
          engineVersion: Type.String(),
          outcome: Type.Object({ kind: Type.String(), detail: Type.String() }),
        }),
      },
    ],
  };
