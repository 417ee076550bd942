import { featuresOf, type TreeFeature } from '@quantloom/domain/strategy/language-version';
import type { BatchPlan } from './batch-plan.ts';

/**
 * What a batch uses of the second part of the language, in its tree or in its settings (`docs/engine.md`,
 * sections 9 to 14).
 */
export type EngineFeature = TreeFeature | 'fill' | 'cash';

/** The features that the fast path computes. A batch that uses any other runs on the reference path. */
const COVERED: ReadonlySet<EngineFeature> = new Set<EngineFeature>([
  'comparator',
  'days-ago',
  'scale-and-offset',
  'for-days',
  'condition-group',
  'indicator',
  'sort-function',
  'weighting',
  'rebalance',
  'corridor',
  'fill',
  'cash',
]);

/** Everything of the second part that a batch uses. */
export function featuresOfBatch({ algorithm, terms }: BatchPlan): ReadonlySet<EngineFeature> {
  const features = new Set<EngineFeature>(featuresOf(algorithm));
  if (terms.fill !== 'close') features.add('fill');
  if (terms.cash !== null) features.add('cash');
  return features;
}

/** Whether the fast path knows all that a batch uses; how large it may be is another question (`supportedPlan`). */
export function isCovered(plan: BatchPlan): boolean {
  const { benchmark, cash } = plan.terms;
  const hasCalendar = (plan.prices.get(benchmark)?.days.length ?? 0) > 0;
  // Without a benchmark the dates of that ticker would count towards every combination's calendar.
  if (!hasCalendar && cash !== null && 'ticker' in cash) return false;
  for (const feature of featuresOfBatch(plan)) if (!COVERED.has(feature)) return false;
  return true;
}
