import { type Static, Type } from 'typebox';
import { BacktestRequestSchema } from '../contracts/backtest-schema.ts';
import { defineStream, type EventOf, type Frozen } from '../kernel/define-stream.ts';
import { Count, exactly, Id, NullableCount, NullableText, Text } from '../kernel/event-fields.ts';

/** The events of a `backtestError-{id}` stream. */

/** A row of the cache tables of the error page. */
export interface DebugRow {
  readonly index: number;
  readonly date: string;
  readonly timestamp: number;
  readonly [column: string]: string | number | boolean | null;
}

const Cell = Type.Union([Text, Type.Number(), Type.Boolean(), Type.Null()]);
const Rows = Type.Array(
  Type.Unsafe<DebugRow>(
    Type.Object(
      { index: Type.Integer(), date: Text, timestamp: Type.Number() },
      { additionalProperties: Cell },
    ),
  ),
);
const Counts = Type.Record(Type.String(), Type.Number());

const DebugDataSchema = exactly({
  error: exactly({ message: Text, stack: Type.Array(Text) }),
  calculated_dates: exactly({
    first_day: Type.Optional(Text),
    last_day: Type.Optional(Text),
    first_day_decided_by: Type.Optional(Type.Array(Text)),
    last_day_decided_by: Type.Optional(Type.Array(Text)),
    first_defined: Type.Optional(Type.Record(Type.String(), Text)),
  }),
  bar_counts: Counts,
  indicator_bar_counts: Counts,
  /** The tree as the engine reads it, in the engine's own shape: shown to administrators, read by nobody. */
  parse_results: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]),
  ohlc_cache: Rows,
  indicator_cache: Rows,
  precalc_cache: Rows,
  /** Why the tables are empty, where filling them failed as well. */
  tables_failed: Type.Optional(Text),
  /** Which row of a batch was computed. */
  combination: Type.Optional(Count),
});
/** What an administrator sees of an error (`platform.md` section 3). */
export type DebugData = Frozen<Static<typeof DebugDataSchema>>;

const SubjectSchema = Type.Union([
  exactly({ kind: Type.Literal('backtest'), request: BacktestRequestSchema, dataVersion: NullableText }),
  exactly({ kind: Type.Literal('batch'), batchId: Id, partition: NullableCount }),
]);
/** What failed, complete enough to be run again. */
export type ErrorSubject = Frozen<Static<typeof SubjectSchema>>;

const OutcomeSchema = exactly({
  /**
   * `refused`: it runs now and is refused for a reason that the user can mend; `requeued`: a batch was set
   * going again, its own events tell the rest.
   */
  kind: Type.Enum(['succeeded', 'refused', 'failed', 'requeued']),
  detail: Text,
});
export type ReplayOutcome = Frozen<Static<typeof OutcomeSchema>>;

export const BACKTEST_ERROR_EVENTS = defineStream({
  category: 'backtestError',
  events: {
    BacktestErrorRecorded: exactly({
      errorId: Id,
      /** Whose backtest it was. */
      userId: Id,
      subject: SubjectSchema,
      engineVersion: Text,
      debugData: DebugDataSchema,
    }),
    BacktestErrorReplayed: exactly({ errorId: Id, engineVersion: Text, outcome: OutcomeSchema }),
  },
});
export type BacktestErrorEvent = EventOf<typeof BACKTEST_ERROR_EVENTS>;
export type BacktestErrorRecorded = EventOf<typeof BACKTEST_ERROR_EVENTS, 'BacktestErrorRecorded'>;
