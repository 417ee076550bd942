import type { StreamKind } from '../kernel/handle-command.ts';
import {
  type BacktestTried,
  TRIAL_EVENTS,
  type TrialCommand,
  type TrialState,
  trialsDecider,
} from './trials.ts';

/** Streams `trials-<lineageId>-<fingerprint>`. */
export const TRIALS_STREAM: StreamKind<TrialCommand, TrialState, BacktestTried> = {
  ...TRIAL_EVENTS,
  decider: trialsDecider,
};
