import type { Decider } from '../kernel/decider.ts';
import type { StreamKind } from '../kernel/handle-command.ts';
import { isSameDocument } from '../kernel/same-document.ts';
import { type RecordedRun, STRATEGY_RUN_EVENTS, type StrategyRunRecorded } from './events.ts';

export interface RecordRun {
  readonly type: 'RecordRun';
  readonly run: RecordedRun;
}

/** The last run of the month, and how many were recorded in it. */
export interface RunsState {
  readonly last: RecordedRun | null;
  readonly recorded: number;
}

/**
 * Different runs of one strategy that are recorded in one month; later ones are answered, and nothing is kept
 * of them.
 */
export const MOST_RUNS_A_MONTH = 1_000;

/** Whether two runs say the same: same request, same versions, same result. Ids differ always. */
function isSameRun({ runId: _, revision: __, ...left }: RecordedRun, right: RecordedRun): boolean {
  const { runId: ___, revision: ____, ...other } = right;
  return isSameDocument(left, other);
}

/**
 * A run that says what the last one said already is no news. A stream ends with its month, so that none grows
 * for ever.
 */
export const strategyRunsDecider: Decider<RecordRun, RunsState, StrategyRunRecorded> = {
  initialState: { last: null, recorded: 0 },
  decide: ({ run }, { last, recorded }) =>
    recorded >= MOST_RUNS_A_MONTH || (last && isSameRun(last, run))
      ? []
      : [{ type: 'StrategyRunRecorded', data: run }],
  evolve: ({ recorded }, { data }) => ({ last: data, recorded: recorded + 1 }),
};

export const strategyRunsStream: StreamKind<RecordRun, RunsState, StrategyRunRecorded> = {
  ...STRATEGY_RUN_EVENTS,
  decider: strategyRunsDecider,
};

/** @param at ISO 8601, UTC */
export const strategyRunsId = (strategyId: string, at: string): string => `${strategyId}-${at.slice(0, 7)}`;
