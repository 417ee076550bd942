import { Type } from 'typebox';
import type { StreamKind } from '../kernel/handle-command.ts';
import { type BacktestTried, type TrialCommand, type TrialState, trialsDecider } from './trials.ts';

/** Streams `trials-<lineageId>-<fingerprint>`. */
export const TRIALS_STREAM: StreamKind<TrialCommand, TrialState, BacktestTried> = {
  category: 'trials',
  decider: trialsDecider,
  events: [
    {
      type: 'BacktestTried',
      version: 1,
      schema: Type.Object({
        lineageId: Type.String(),
        strategyId: Type.String(),
        userId: Type.String(),
        fingerprint: Type.String(),
      }),
    },
  ],
};
