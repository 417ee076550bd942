import { existsSync } from 'node:fs';
import path from 'node:path';

/** What is broken in the defective product, each as long as a file of this name stands in the data folder. */
export const DEFECTS = {
  /** Returns of `BIL` fail in the middle of a simulation. */
  engine: 'engine-is-broken',
  /** Strategies with "Unreadable" in their name cannot be listed. */
  projection: 'projection-is-broken',
} as const;

export const BROKEN_TICKER = 'BIL';
export const BROKEN_NAME = 'Unreadable';

/** Whether a defect is there now, as a process of the product sees it. */
export function isBroken(defect: keyof typeof DEFECTS): boolean {
  const { DATA_DIR } = process.env;
  if (DATA_DIR === undefined) throw new Error('The defective product needs DATA_DIR');
  return existsSync(path.join(DATA_DIR, DEFECTS[defect]));
}
