import type { Range } from './ranges.ts';

/** Throws unless the merged ranges are one from 0 on, or none: only then do rows have a hash. */
export function checkGapless(batchId: string, stored: readonly Range[]): void {
  if (stored.length > 1 || (stored[0]?.from ?? 0) !== 0)
    throw new Error(`Rows of batch ${batchId} are missing in between`);
}
