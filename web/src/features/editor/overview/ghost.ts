import type { BacktestAnswer } from '@quantloom/domain/contracts/backtest';
import { useMemo } from 'react';
import { valuesOnDays } from '../model/run-before.ts';
import type { FurtherLine } from './BacktestChart.tsx';

/** The lines with the run before the last edit as a ghost behind them, on the days of the present answer. */
export function useWithGhost(
  lines: readonly FurtherLine[],
  answer: BacktestAnswer | null,
  before: BacktestAnswer | null,
): readonly FurtherLine[] {
  return useMemo(() => {
    const days = answer?.history?.timestamps;
    if (!days || !before?.history) return lines;
    const ghost: FurtherLine = {
      name: 'Before the edit',
      values: valuesOnDays(before, days),
      isDashed: false,
      isGhost: true,
    };
    return [ghost, ...lines];
  }, [lines, answer, before]);
}
