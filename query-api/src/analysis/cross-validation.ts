import {
  allRanks,
  allWinners,
  conclusionOf,
  type OverfittingResult,
  type RowPart,
} from '@quantloom/domain/statistics/overfitting';
import type { RowMarks } from '@quantloom/domain/statistics/row-marks';
import type { AnalysisThreads, LaneName } from './analysis-threads.ts';
import type { SharedSums } from './tasks.ts';

/** Rows of one task: some 30 ms, so that what people wait for finds its turn in between. */
const PART = 32_768;
/** Rows from which on a second thread is worth its start. */
const LARGE = 50_000;

/**
 * Cross-validates the rows that are not marked on the threads, large batches on both of them; the result does
 * not depend on which thread takes what.
 */
export async function crossValidate(
  threads: AnalysisThreads,
  sums: SharedSums,
  marks: RowMarks,
): Promise<OverfittingResult> {
  const found = await threads.run({ kind: 'usable', ...sums, marks });
  const { blocks } = found;
  const rows = new Int32Array(new SharedArrayBuffer(found.rows.byteLength));
  rows.set(found.rows);
  const usable = { blocks, rows };
  const lanes: readonly LaneName[] = rows.length > LARGE ? ['slow', 'quick'] : ['slow'];
  const winners = allWinners(
    await inParts(rows.length, lanes, (part, lane) =>
      threads.run({ kind: 'winners', ...sums, usable, ...part }, lane),
    ),
  );
  const ranks = allRanks(
    await inParts(rows.length, lanes, (part, lane) =>
      threads.run({ kind: 'ranks', ...sums, usable, winners, ...part }, lane),
    ),
  );
  return conclusionOf(sums, usable, winners, ranks);
}

/** Every lane takes the next part when it is done with one; the answers come in the order of the parts. */
async function inParts<T>(
  rows: number,
  lanes: readonly LaneName[],
  work: (part: RowPart, lane: LaneName) => Promise<T>,
): Promise<T[]> {
  const found: T[] = [];
  let next = 0;
  await Promise.all(
    lanes.map(async (lane) => {
      for (let part = next++; part * PART < rows; part = next++)
        found[part] = await work({ from: part * PART, to: Math.min(rows, (part + 1) * PART) }, lane);
    }),
  );
  return found;
}
