import type { StreamKind } from '../kernel/handle-command.ts';
import {
  type BacktestErrorCommand,
  type BacktestErrorState,
  backtestErrorDecider,
} from './backtest-error.ts';
import { BACKTEST_ERROR_EVENTS, type BacktestErrorEvent } from './events.ts';

/** Streams `backtestError-<id>`. */
export const BACKTEST_ERROR_STREAM: StreamKind<BacktestErrorCommand, BacktestErrorState, BacktestErrorEvent> =
  { ...BACKTEST_ERROR_EVENTS, decider: backtestErrorDecider };
