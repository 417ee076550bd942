import { type Layout, MONTH, QUARTER } from './layout.ts';
import type { Borders } from './spans.ts';

/** Finer grids make sums longer than the days they stand for. */
const MOST_CUTS = 1024;

/**
 * A run of days between neighbouring cuts is a step. Where a layout's segments lie among the steps: segment i
 * is the steps [begins[i], begins[i + 1]).
 */
export interface StepsOfLayout {
  readonly layout: Layout;
  readonly begins: Int32Array;
  /** Step in which the out-of-sample part begins; the number of steps where there is none. */
  readonly split: number;
}

/**
 * Where the days of a batch are cut, for all of its combinations alike: whatever day one begins or ends on,
 * its sums are put together from the same steps in the same order, whoever else runs with it. That makes its
 * row the same bits however a batch is divided up, and lets combinations of different first and last days
 * share what is known of a step.
 */
export class DayGrid {
  /** Step i has the returns of the days [cuts[i], cuts[i + 1]). */
  readonly cuts: Int32Array;
  /** Per step the first one behind its section: a part of the days that most combinations run through as a whole. */
  readonly sectionEnds: Int32Array;
  private readonly known = new WeakMap<Layout, StepsOfLayout>();

  /** Use `dayGrid`. */
  constructor(cuts: Int32Array, sections: ReadonlySet<number>) {
    this.cuts = cuts;
    const steps = cuts.length - 1;
    this.sectionEnds = new Int32Array(steps);
    let end = steps;
    for (let i = steps - 1; i >= 0; i--) {
      if (sections.has(cuts[i + 1] as number)) end = i + 1;
      this.sectionEnds[i] = end;
    }
  }

  get steps(): number {
    return this.cuts.length - 1;
  }

  get days(): number {
    return (this.cuts[this.steps] as number) - (this.cuts[0] as number);
  }

  /** The cuts from one to another, both included. */
  between(from: number, to: number): Int32Array {
    return this.cuts.subarray(this.stepAt(from), this.stepAt(to) + 1);
  }

  /** Layouts are kept by their users; what is known of them goes with the batch. */
  of(layout: Layout): StepsOfLayout {
    let found = this.known.get(layout);
    if (found === undefined) {
      const begins = layout.cuts.map((day) => this.stepAt(day));
      const split = layout.after === null ? this.steps : (begins[layout.after.begin] as number);
      found = { layout, begins, split };
      this.known.set(layout, found);
    }
    return found;
  }

  private stepAt(day: number): number {
    const { cuts } = this;
    let low = 0;
    let high = cuts.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((cuts[middle] as number) < day) low = middle + 1;
      else high = middle;
    }
    if (cuts[low] !== day) throw new Error(`Day ${day} is not a cut of the batch's grid`);
    return low;
  }
}

/**
 * The grid of a batch; null where no combination can run, or where there would be too many cuts.
 * @param layoutOf how the days from a first to a last day are cut
 */
export function dayGrid(
  { firsts, lasts }: Borders,
  layoutOf: (first: number, last: number) => Layout,
): DayGrid | null {
  const first = firsts[0];
  const end = lasts[lasts.length - 1];
  if (first === undefined || end === undefined || first >= end) return null;
  const sections = new Set(layoutOf(first, end).cuts);
  const cuts = new Set(sections);
  for (const day of firsts) if (day < end) cuts.add(day + 1);
  for (const day of lasts) {
    for (const cut of [day + 1, day + 1 - MONTH, day + 1 - QUARTER]) if (cut > first + 1) cuts.add(cut);
  }
  if (cuts.size > MOST_CUTS) return null;
  return new DayGrid(Int32Array.from(cuts).sort(), sections);
}
