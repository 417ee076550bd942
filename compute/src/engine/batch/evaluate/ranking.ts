import { ranksAbove } from '../../model/comparison.ts';
import type { DayWindow } from '../memory/areas.ts';
import type { MemoryColumn } from '../memory/market-columns.ts';
import type { Workspace } from '../memory/workspace.ts';

/**
 * Ranks columns day by day, one after the other as the reference does: a later column takes the place of an
 * earlier one only if it is better by more than a tie. Writes each column's rank (0 is the best) to its count column.
 */
export function choose(
  workspace: Workspace,
  columns: readonly MemoryColumn[],
  counts: readonly number[],
  { from, days }: DayWindow,
  isTop: boolean,
): void {
  const { f64, u8 } = workspace;
  const rest: number[] = [];
  for (let t = from; t < from + days; t++) {
    for (let i = 0; i < columns.length; i++) rest[i] = i;
    for (let rank = 0; rank < columns.length; rank++) {
      let best = 0;
      let bestValue = f64[(columns[rest[0] as number] as MemoryColumn).at / 8 + t] as number;
      for (let i = 1; i < columns.length - rank; i++) {
        const value = f64[(columns[rest[i] as number] as MemoryColumn).at / 8 + t] as number;
        if (isTop ? ranksAbove(value, bestValue) : ranksAbove(bestValue, value)) {
          best = i;
          bestValue = value;
        }
      }
      u8[(counts[rest[best] as number] as number) + t] = rank;
      rest.splice(best, 1);
    }
    rest.length = columns.length;
  }
}
