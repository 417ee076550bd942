import type { Decider } from '../kernel/decider.ts';
import { type Refusal, refuse } from '../kernel/refusal.ts';
import type { BacktestErrorEvent, BacktestErrorRecorded, DebugData, ReplayOutcome } from './events.ts';

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
