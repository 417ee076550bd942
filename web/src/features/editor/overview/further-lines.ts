import type { BacktestAnswer, BacktestRequest } from '@quantloom/domain/contracts/backtest';
import { otherFill } from '@quantloom/domain/strategy/run-settings';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { fillWords } from '../../terms/terms.ts';
import { backtest } from '../model/editor-api.ts';
import type { FurtherLine } from './BacktestChart.tsx';

const NO_LINES: readonly FurtherLine[] = [];

/** The same run with its orders filled at the other close, once it is asked for. `at` tells one run from another. */
export function useOtherFill(answered: BacktestRequest | null, at: number | null, isShown: boolean) {
  return useQuery({
    queryKey: ['other-fill', at],
    queryFn: async ({ signal }) => {
      if (!answered) throw new Error('There is no run to compare with');
      const request = { ...answered, fill: otherFill(answered.fill ?? 'close'), include: { history: true } };
      return await backtest(request, null, signal);
    },
    enabled: isShown && answered !== null && at !== null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    retry: false,
  });
}

/** The lines that a chart draws beside strategy and benchmark. */
export function useFurtherLines(
  answer: BacktestAnswer | null,
  answered: BacktestRequest | null,
  other: BacktestAnswer | undefined,
): readonly FurtherLine[] {
  return useMemo(() => {
    const lines: FurtherLine[] = Object.entries(answer?.benchmarks ?? {}).flatMap(([name, found]) =>
      found?.value ? [{ name, values: found.value, isDashed: false }] : [],
    );
    if (other?.history)
      lines.push({
        name: `Filled at ${fillWords(otherFill(answered?.fill ?? 'close'))}`,
        values: other.history.value,
        isDashed: true,
      });
    return lines.length === 0 ? NO_LINES : lines;
  }, [answer, answered, other]);
}
