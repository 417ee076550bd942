import { covers, type Range } from './ranges.ts';

interface HasStored {
  /** Merged. */
  readonly stored: readonly Range[];
}

/** Target combination → source combination, for those that the source has and the target lacks. */
export function copyablePairs(change: {
  readonly source: HasStored;
  readonly target: HasStored;
  readonly targets: Int32Array;
  readonly map: Int32Array;
}): Map<number, number> {
  const { source, target, targets, map } = change;
  if (targets.length !== map.length) throw new Error('copyRows needs one source per target');
  const pairs = new Map<number, number>();
  targets.forEach((combination, i) => {
    const from = map[i] as number;
    if (!covers(target.stored, combination) && covers(source.stored, from)) pairs.set(combination, from);
  });
  return pairs;
}
