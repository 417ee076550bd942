import type { Column } from '../../src/engine/series/column.ts';

/**
 * The lowest of the last `window` prices; `out[i]` is written for every day from `first`, the first with so
 * many prices, to the column's last. The lowest price so far is looked for anew only when it leaves the window.
 */
export function lowestPrice(
  { last, values }: Column,
  window: number,
  first: number,
  out: Float64Array,
): void {
  let at = -1;
  for (let i = first; i <= last; i++) {
    if (at <= i - window) {
      at = i - window + 1;
      for (let j = at + 1; j <= i; j++) if ((values[j] as number) <= (values[at] as number)) at = j;
    } else if ((values[i] as number) <= (values[at] as number)) at = i;
    out[i] = values[at] as number;
  }
}
