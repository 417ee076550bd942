import type { FactoredRunner } from './factored.ts';
import { type FactoredGroup, tileOf } from './factored-parts.ts';
import type { Layout } from './layout.ts';
import type { BlockPlan, IfPlan } from './plan.ts';

/** A batch whose root can be summed up branch by branch. */
export interface FactoredBatch {
  readonly runner: FactoredRunner;
  /** Variables from the slowest to the fastest. */
  readonly order: readonly number[];
  readonly root: IfPlan;
  readonly outer: BlockPlan;
  readonly inner: BlockPlan;
}

/** Combinations of the same conditions and days. */
interface Group {
  readonly digits: Int32Array;
  readonly maskIndex: number;
  readonly first: number;
  readonly last: number;
  readonly rows: number[];
  readonly outer: number[];
  readonly inner: number[];
}

/** Sorts combinations into groups. */
export class Groups {
  private readonly batch: FactoredBatch;
  private readonly groups = new Map<string, Map<number, Group>>();
  private days = '';
  private ofDays = new Map<number, Group>();
  private first = -1;
  private last = -1;

  constructor(batch: FactoredBatch) {
    this.batch = batch;
  }

  add(row: number, digits: Int32Array, first: number, last: number): void {
    if (first !== this.first || last !== this.last) this.select(first, last);
    const { root, outer, inner } = this.batch;
    const maskIndex = root.conditionKey.of(digits);
    let group = this.ofDays.get(maskIndex);
    if (group === undefined) {
      group = { digits: digits.slice(), maskIndex, first, last, rows: [], outer: [], inner: [] };
      this.ofDays.set(maskIndex, group);
    }
    group.rows.push(row);
    group.outer.push(outer.key.of(digits));
    group.inner.push(inner.key.of(digits));
  }

  private select(first: number, last: number): void {
    this.first = first;
    this.last = last;
    this.days = `${first},${last}`;
    const known = this.groups.get(this.days);
    this.ofDays = known ?? new Map();
    if (known === undefined) this.groups.set(this.days, this.ofDays);
  }

  /** @param layoutOf how the days of a run are cut */
  all(layoutOf: (first: number, last: number) => Layout): FactoredGroup[] {
    return Array.from(this.groups.values(), (groups) => [...groups.values()])
      .flat()
      .map((group) => ({
        ...group,
        layout: layoutOf(group.first, group.last),
        outerVariants: new Set(group.outer).size,
        outerTiles: new Set(group.outer.map(tileOf)),
        innerTiles: new Set(group.inner.map(tileOf)),
      }));
  }
}
