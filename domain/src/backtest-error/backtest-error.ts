import type { BacktestRequest } from '../contracts/backtest.ts';
import type { Decider } from '../kernel/decider.ts';
import type { DomainEvent } from '../kernel/event.ts';
import { type Refusal, refuse } from '../kernel/refusal.ts';

/** A row of the cache tables of the error page. */
export interface DebugRow {
  readonly index: number;
  readonly date: string;
  readonly timestamp: number;
  readonly [column: string]: string | number | boolean | null;
}

/** What an administrator sees of an error (`platform.md` section 3). */
export interface DebugData {
  readonly error: { readonly message: string; readonly stack: readonly string[] };
  readonly calculated_dates: Readonly<Record<string, unknown>>;
  readonly bar_counts: Readonly<Record<string, number>>;
  readonly indicator_bar_counts: Readonly<Record<string, number>>;
  readonly parse_results: unknown;
  readonly ohlc_cache: readonly DebugRow[];
  readonly indicator_cache: readonly DebugRow[];
  readonly precalc_cache: readonly DebugRow[];
}

/** What failed, complete enough to be run again. */
export type ErrorSubject =
  | { readonly kind: 'backtest'; readonly request: BacktestRequest; readonly dataVersion: string | null }
  | { readonly kind: 'batch'; readonly batchId: string; readonly partition: number | null };

export type BacktestErrorRecorded = DomainEvent<
  'BacktestErrorRecorded',
  {
    readonly errorId: string;
    /** Whose backtest it was. */
    readonly userId: string;
    readonly subject: ErrorSubject;
    readonly engineVersion: string;
    readonly debugData: DebugData;
  }
>;
export type BacktestErrorReplayed = DomainEvent<
  'BacktestErrorReplayed',
  {
    readonly errorId: string;
    readonly engineVersion: string;
    readonly outcome: ReplayOutcome;
  }
>;
export type ReplayOutcome =
  | { readonly kind: 'succeeded'; readonly detail: string }
  /** It runs now and is refused for a reason that the user can mend. */
  | { readonly kind: 'refused'; readonly detail: string }
  | { readonly kind: 'failed'; readonly detail: string }
  /** A batch was set going again; its own events tell the rest. */
  | { readonly kind: 'requeued'; readonly detail: string };

export type BacktestErrorEvent = BacktestErrorRecorded | BacktestErrorReplayed;

export type BacktestErrorCommand =
  | { readonly type: 'RecordBacktestError'; readonly error: BacktestErrorRecorded['data'] }
  | {
      readonly type: 'RecordReplay';
      readonly engineVersion: string;
      readonly outcome: ReplayOutcome;
    };

export interface BacktestErrorState {
  readonly recorded: BacktestErrorRecorded['data'] | null;
  readonly replays: number;
}

function decide(
  command: BacktestErrorCommand,
  state: BacktestErrorState,
): readonly BacktestErrorEvent[] | Refusal {
  if (command.type === 'RecordBacktestError')
    return state.recorded ? [] : [{ type: 'BacktestErrorRecorded', data: command.error }];
  if (!state.recorded) return refuse(404, 'backtest_error_not_found', 'There is no such backtest error');
  const { engineVersion, outcome } = command;
  return [
    { type: 'BacktestErrorReplayed', data: { errorId: state.recorded.errorId, engineVersion, outcome } },
  ];
}

function evolve(state: BacktestErrorState, event: BacktestErrorEvent): BacktestErrorState {
  switch (event.type) {
    case 'BacktestErrorRecorded':
      return { ...state, recorded: event.data };
    case 'BacktestErrorReplayed':
      return { ...state, replays: state.replays + 1 };
    default:
      event satisfies never;
      return state;
  }
}

/** A defect of the engine, recorded with everything that is needed to run it again. */
export const backtestErrorDecider: Decider<BacktestErrorCommand, BacktestErrorState, BacktestErrorEvent> = {
  initialState: { recorded: null, replays: 0 },
  decide,
  evolve,
};

/** Debug data that knows only the fault itself. */
export function plainDebugData(error: {
  readonly message: string;
  readonly stack: readonly string[];
}): DebugData {
  return {
    error,
    calculated_dates: {},
    bar_counts: {},
    indicator_bar_counts: {},
    parse_results: null,
    ohlc_cache: [],
    indicator_cache: [],
    precalc_cache: [],
  };
}
