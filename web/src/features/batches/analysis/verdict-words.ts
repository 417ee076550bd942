import type { Figure } from '@quantloom/domain/contracts/http/analysis';
import { nearlyCertain } from '@quantloom/domain/statistics/probability-words';
import { fixed, formatCount, formatPercent, MISSING } from '../../../lib/format.ts';

/** Estimates, not shares that were counted: none of them is ever certain. */
const ESTIMATED: readonly string[] = [
  'alpha_p',
  'superior_ability',
  'deflated_sharpe',
  'deflated_sharpe_effective',
];

/** A figure of the verdict in its unit. */
export function figureText({ key, value, unit }: Pick<Figure, 'key' | 'value' | 'unit'>): string {
  if (value === null) return MISSING;
  if (unit === 'count') return formatCount(Math.round(value));
  const words = ESTIMATED.includes(key) ? nearlyCertain(value) : null;
  if (words !== null) return words;
  if (unit === 'probability' || unit === 'share') return formatPercent(value);
  return `${fixed(value, 2)}${unit === 'years' ? ' years' : ''}`;
}

/**
 * Of a confidence set that holds all: rows leave it by being worse than the mean of the others, so that one
 * winner alone drives none out.
 */
export function noneLeftOut(rows: number): string {
  return (
    `The confidence set leaves out none of the ${formatCount(rows)} rows that were compared: none is ` +
    'clearly worse than their average. That does not make each as good as the best.'
  );
}
