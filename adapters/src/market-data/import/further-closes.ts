import type { FurtherBasis } from '@quantloom/domain/market-data/price-basis';
import { splitLike } from '@quantloom/domain/market-data/series-checks';
import type { FurtherSeries } from '../files/data-set-writer.ts';
import type { FurtherColumns } from './further-columns.ts';
import type { SourcePart } from './join-sources.ts';

/**
 * A step between the two closes of a ticker that no usual dividend makes: a split, unless a tenth of the
 * company was paid out.
 */
const LEAST_STEP = 1.15;
/** Below this price the rounding of adjusted closes makes steps of its own. */
const LEAST_PRICE = 0.5;
/** What a source adjusts for splits takes such a step only where it has forgotten one. */
const LEAST_SPLIT_STEP = 1.4;

/**
 * What a file has of a ticker beside its adjusted closes, by basis. Closes for which the file says no basis
 * are adjusted for splits where they take no step against the adjusted ones that a split would make, else
 * they are taken for those that were paid. Closes that were paid are adjusted for splits by the file's own
 * factors, and are as they stand where there was no split.
 */
export function furtherOf(part: SourcePart, { basis, splitFactor }: FurtherColumns): FurtherSeries[] {
  const { others } = part;
  if (others === undefined) return [];
  const kept: number[] = [];
  for (let i = 0; i < others.length; i++) if ((others[i] as number) > 0) kept.push(i);
  if (kept.length === 0) return [];
  const days = Int32Array.from(kept, (i) => part.days[i] as number);
  const closes = Float64Array.from(kept, (i) => others[i] as number);
  if (splitFactor !== null && part.splits !== undefined)
    return [
      { basis: 'none', days, closes },
      { basis: 'splits', days, closes: withoutSplits(part, part.splits, kept) },
    ];
  const step = largestStep(part, others, kept);
  if (basis === 'splits') {
    const hasForgotten = step !== null && step.size >= LEAST_SPLIT_STEP && splitLike(step.ratio) !== null;
    return [{ basis: hasForgotten ? 'none' : 'splits', days, closes }];
  }
  const isSplit = step !== null && step.size >= LEAST_STEP;
  if (basis === 'none')
    return isSplit
      ? [{ basis, days, closes }]
      : [
          { basis, days, closes },
          { basis: 'splits', days, closes },
        ];
  return [{ basis: isSplit ? 'none' : 'splits', days, closes }];
}

/**
 * Closes divided by the factors of all later splits. A factor stands on the first day of the new price, also
 * where that day's close is missing.
 */
function withoutSplits(part: SourcePart, factors: Float64Array, kept: readonly number[]): Float64Array {
  const divisors = new Float64Array(factors.length);
  let divisor = 1;
  for (let i = factors.length - 1; i >= 0; i--) {
    divisors[i] = divisor;
    const factor = factors[i] as number;
    if (factor > 0 && Number.isFinite(factor)) divisor *= factor;
  }
  return Float64Array.from(kept, (i) => (part.others?.[i] as number) / (divisors[i] as number));
}

/** The largest step from one day to the next of the adjusted closes against the others. */
function largestStep(
  { closes }: SourcePart,
  others: Float64Array,
  kept: readonly number[],
): { readonly size: number; readonly ratio: number } | null {
  let found: { size: number; ratio: number } | null = null;
  let before: number | null = null;
  for (const i of kept) {
    const adjusted = closes[i] as number;
    if (adjusted < LEAST_PRICE || (others[i] as number) < LEAST_PRICE) continue;
    const quotient = adjusted / (others[i] as number);
    if (before !== null) {
      const ratio = before / quotient;
      const size = Math.max(ratio, 1 / ratio);
      if (found === null || size > found.size) found = { size, ratio };
    }
    before = quotient;
  }
  return found;
}

/** Of each basis the series of all files; a basis that one of them lacks is left out. */
export function basesInAll(byFile: readonly (readonly FurtherSeries[])[]): readonly FurtherBasis[] {
  const [first = [], ...rest] = byFile;
  return first
    .map(({ basis }) => basis)
    .filter((basis) => rest.every((series) => series.some((one) => one.basis === basis)));
}
