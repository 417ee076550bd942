import type { BatchDetail } from '@quantloom/domain/contracts/http/batches';
import { plural } from '../../../lib/format.ts';
import { columnWords } from './columns.ts';

/** Figures that are not stored: rows are run again for them when somebody asks. */
export const COMPUTED_COLUMNS = ['expected_shortfall_95', 'exposure'] as const;
export type ComputedColumn = (typeof COMPUTED_COLUMNS)[number];

/** Rows that figures are computed for next, and what the button for it says; null where all of them have figures. */
export interface FigureOffer {
  readonly combinations: readonly number[];
  readonly words: string;
}

/**
 * @param shown combinations in the order of the table
 * @param known those that have figures
 * @param most at a time
 */
export function figureOffer(
  shown: readonly number[],
  picked: readonly number[],
  known: ReadonlySet<number>,
  most: number,
): FigureOffer | null {
  const left = (rows: readonly number[]) => rows.filter((row) => !known.has(row)).slice(0, most);
  const ofPicked = left(picked);
  if (ofPicked.length > 0)
    return { combinations: ofPicked, words: `Compute for ${plural(ofPicked.length, 'picked row')}` };
  const next = left(shown);
  if (next.length === 0) return null;
  const rows = plural(next.length, 'row');
  const isFirst = next.length < shown.length && next.every((row, at) => row === shown[at]);
  if (isFirst) return { combinations: next, words: `Compute for the first ${rows}` };
  return {
    combinations: next,
    words: next.length === shown.length ? `Compute for ${rows}` : `Compute for ${rows} more`,
  };
}

/** Heading of a computed column: it knows no day that is locked away, and else it is of all days. */
export function computedHeader(
  column: ComputedColumn,
  { out_of_sample }: Pick<BatchDetail, 'out_of_sample'>,
): string {
  const { label } = columnWords(column);
  if (out_of_sample === null) return label;
  return `${label}, ${out_of_sample.opened ? 'Whole Period' : 'In Sample'}`;
}
