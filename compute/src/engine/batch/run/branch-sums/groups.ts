import type { IfPlan } from '../../compile/plan.ts';
import type { BranchPlan, FactoredGroup } from './factored-parts.ts';

/** Sorts combinations into groups of the same conditions. */
export class Groups {
  private readonly root: IfPlan;
  private readonly outer: BranchPlan;
  private readonly inner: BranchPlan;
  private readonly groups = new Map<number, FactoredGroup>();

  constructor(root: IfPlan, outer: BranchPlan, inner: BranchPlan) {
    this.root = root;
    this.outer = outer;
    this.inner = inner;
  }

  add(row: number, digits: Int32Array, first: number, last: number): void {
    const maskIndex = this.root.conditionKey.of(digits);
    let group = this.groups.get(maskIndex);
    if (group === undefined) {
      group = { digits: digits.slice(), maskIndex, rows: [], firsts: [], lasts: [], outer: [], inner: [] };
      this.groups.set(maskIndex, group);
    }
    group.rows.push(row);
    group.firsts.push(first);
    group.lasts.push(last);
    group.outer.push(this.outer.variants.of(digits));
    group.inner.push(this.inner.variants.of(digits));
  }

  all(): FactoredGroup[] {
    return [...this.groups.values()];
  }
}
