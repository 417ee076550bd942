/** How the chosen children of a filter share, while it is edited. */
import {
  DEFAULT_WINDOW,
  MAX_WINDOW,
  MIN_INVERSE_VOLATILITY_WINDOW,
} from '@quantloom/domain/strategy/indicator';
import { percent } from '@quantloom/domain/strategy/node-factory';
import type { FilterWeighting } from '@quantloom/domain/strategy/tree';
import { entryFault, readNumber, readNumberOrVariable } from '../../../lib/number-entry.ts';

export interface WeightingDraft {
  readonly type: FilterWeighting['type'];
  readonly window: string;
  /** Percentages from the best-ranked on, as typed: `60, 40`. */
  readonly weights: string;
}

export function weightingDraftOf(stored: FilterWeighting | null | undefined): WeightingDraft {
  return {
    type: stored?.type ?? 'equal',
    window: String(stored?.type === 'inverse-volatility' ? stored.window : DEFAULT_WINDOW),
    weights:
      stored?.type === 'by-rank'
        ? stored.weights
            .map(({ num, den }) => Number(((100 * Number(num)) / Number(den)).toFixed(6)))
            .join(', ')
        : '60, 40',
  };
}

const partsOf = (entered: string): string[] =>
  entered
    .split(/[,;\s]+/)
    .map((part) => part.replace(/%$/, ''))
    .filter((part) => part !== '');

/** What is wrong with it in a sentence, or null. */
export function weightingFault({ type, window, weights }: WeightingDraft): string | null {
  if (type === 'inverse-volatility')
    return entryFault(
      readNumberOrVariable(window, { isWhole: true, min: MIN_INVERSE_VOLATILITY_WINDOW, max: MAX_WINDOW }),
    );
  if (type === 'equal') return null;
  const parts = partsOf(weights);
  if (parts.length === 0) return 'Enter a percentage for each rank, such as 60, 40';
  const entries = parts.map((part) => readNumber(part, { min: 0, max: 100 }));
  const wrong = entries.map(entryFault).find((fault) => fault !== null);
  if (wrong) return wrong;
  const sum = entries.reduce((total, entry) => total + (entry.isRead ? entry.value : 0), 0);
  return sum > 100 + 1e-7 ? `The percentages add up to ${Number(sum.toFixed(6))}%: at most 100%` : null;
}

/** What a draft without a fault is stored as; null: equally. */
export function weightingOf({ type, window, weights }: WeightingDraft): FilterWeighting | null {
  if (type === 'equal') return null;
  if (type === 'by-rank') return { type, weights: partsOf(weights).map((part) => percent(Number(part))) };
  const entry = readNumberOrVariable(window);
  return { type, window: entry.isRead ? entry.value : DEFAULT_WINDOW };
}
