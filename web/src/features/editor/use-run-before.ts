import type { BacktestAnswer } from '@quantloom/domain/contracts/backtest';
import { useSelector } from '@xstate/react';
import { useMemo } from 'react';
import type { RunActor } from './machines/actors.ts';
import { comparableRun } from './model/run-before.ts';

/** The run before the last edit, where comparing with it tells what the edit did; null otherwise. */
export function useRunBefore(run: RunActor): BacktestAnswer | null {
  const before = useSelector(run, ({ context }) => context.before);
  const answered = useSelector(run, ({ context }) => (context.label === null ? context.answered : null));
  return useMemo(() => comparableRun(before, answered), [before, answered]);
}
