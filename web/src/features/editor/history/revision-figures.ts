import { formatMetric, type MetricSpec } from '../../../lib/format.ts';

/** Metrics by their key, as the engine answers them. */
export type Figures = Readonly<Record<string, number | null>>;

/** Growth of 1 from the first value on. */
export function growthOf(values: readonly number[]): readonly number[] {
  const [first = Number.NaN] = values;
  return values.map((value) => value / first);
}

/**
 * What a metric became: its change in its own unit, and whether that is for the better. Null where nothing
 * that is shown changed.
 */
export function change(
  spec: Pick<MetricSpec, 'key' | 'unit' | 'isHigherBetter'>,
  before: Figures,
  now: Figures,
): { readonly text: string; readonly isBetter: boolean } | null {
  const [from, to] = [before[spec.key], now[spec.key]];
  if (typeof from !== 'number' || typeof to !== 'number') return null;
  const shown = formatMetric(spec, Math.abs(to - from));
  if (!/[1-9]/.test(shown)) return null;
  return { text: `${to > from ? '+' : '−'}${shown}`, isBetter: to > from === spec.isHigherBetter };
}

/** Events that a tree comes with; tags, the archive, names and being public leave it as it is. */
const OF_TREES: ReadonlySet<string> = new Set([
  'StrategyCreated',
  'StrategyCloned',
  'StrategySaved',
  'StrategyRestored',
]);

/** The revisions of a strategy that changed what is run, the newest first as they were given. */
export function treeRevisions<Entry extends { readonly event: string }>(
  entries: readonly Entry[],
): readonly Entry[] {
  return entries.filter(({ event }) => OF_TREES.has(event));
}
