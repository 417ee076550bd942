import { INDICATOR_NAMES, INDICATORS } from '@quantloom/domain/strategy/indicator';
import { INDICATOR_GROUPS } from '@quantloom/domain/strategy/indicator-table';
import type { IndicatorName, WindowIndicatorName } from '@quantloom/domain/strategy/tree';

/** What most people look for, the first of their group; all others follow in the order of the table. */
const FIRST: readonly WindowIndicatorName[] = [
  ...(['relative-strength-index', 'cumulative-return', 'moving-average-return'] as const),
  ...(['current-price', 'moving-average-price', 'exponential-moving-average-price'] as const),
  ...(['standard-deviation-return', 'standard-deviation-price', 'z-score', 'max-drawdown'] as const),
];

/** The functions as the list shows them. */
export const INDICATOR_LISTS: readonly {
  readonly label: string;
  readonly names: readonly IndicatorName[];
}[] = INDICATOR_GROUPS.map((label) => ({
  label,
  names: [...new Set([...FIRST, ...INDICATOR_NAMES])].filter((name) => INDICATORS[name].group === label),
}));
