import type { ConditionItemPlan, ConditionPlan, IndicatorPlan } from '../compile/plan.ts';
import { Place } from '../compile/variables.ts';
import type { Areas } from '../memory/areas.ts';
import type { Indicators } from './block-indicators.ts';

/** The masks of conditions: 255 on the days on which they hold. */
export class Conditions {
  private readonly areas: Areas;
  private readonly indicators: Indicators;
  /** A mask per depth of groups, for what is joined to the one before. */
  private readonly masks: number[] = [];

  constructor(areas: Areas, indicators: Indicators) {
    this.areas = areas;
    this.indicators = indicators;
  }

  /** Writes whether all, or any, of some items hold. */
  join(
    items: readonly ConditionItemPlan[],
    needsAll: boolean,
    digits: Int32Array,
    out: number,
    depth = 0,
  ): void {
    const { kernels } = this.areas.workspace;
    const { from, days } = this.areas.window;
    items.forEach((item, i) => {
      const target = i === 0 ? out : this.maskAt(depth);
      if (item.kind === 'group') this.join(item.items, item.needsAll, digits, target, depth + 1);
      else this.condition(item, digits, target);
      if (i === 0) return;
      if (needsAll) kernels.andInto(target + from, out + from, days);
      else kernels.orInto(target + from, out + from, days);
    });
  }

  private maskAt(depth: number): number {
    this.masks[depth] ??= this.areas.column(this.areas.data.padded);
    return this.masks[depth];
  }

  private condition(condition: ConditionPlan, digits: Int32Array, out: number): void {
    this.compare(condition, digits, out);
    const times = condition.forDays?.number(digits) ?? 1;
    if (times === 1) return;
    const { u8 } = this.areas.workspace;
    const { from, days } = this.areas.window;
    let run = 0;
    for (let t = out + from; t < out + from + days; t++) {
      run = u8[t] === 0 ? 0 : run + 1;
      u8[t] = run >= times ? 255 : 0;
    }
  }

  private compare(condition: ConditionPlan, digits: Int32Array, out: number): void {
    const { kernels } = this.areas.workspace;
    const { from, days } = this.areas.window;
    const { a, b, mask } = this.areas.scratch;
    const target = out + from;
    const left = this.shifted(condition.left, condition.leftDaysAgo, digits, a) + from * 8;
    const { comparator } = condition;
    if (condition.right instanceof Place) {
      const number = condition.right.number(digits);
      const sign = comparator === 'gt' || comparator === 'gte' ? 1 : -1;
      if (comparator === 'eq') kernels.equalToNumber(left, number, target, days);
      else kernels.greaterThanNumber(left, number, sign, target, days);
      if (comparator !== 'gte' && comparator !== 'lte') return;
      kernels.equalToNumber(left, number, mask + from, days);
    } else {
      const right = this.rightOf(condition, condition.right, digits, b) + from * 8;
      if (comparator === 'eq') kernels.equal(left, right, target, days);
      else if (comparator === 'gt' || comparator === 'gte') kernels.greater(left, right, target, days);
      else kernels.greater(right, left, target, days);
      if (comparator !== 'gte' && comparator !== 'lte') return;
      kernels.equal(left, right, mask + from, days);
    }
    kernels.orInto(mask + from, target, days);
  }

  /**
   * Address of an indicator as it was some days before; in the scratch column where that is not the indicator
   * itself.
   */
  private shifted(
    indicator: IndicatorPlan,
    daysAgo: Place | null,
    digits: Int32Array,
    scratch: number,
  ): number {
    const { at } = this.indicators.of(indicator, digits);
    const days = daysAgo?.number(digits) ?? 0;
    if (days === 0) return at;
    const { f64 } = this.areas.workspace;
    const { length } = this.areas.data.calendar;
    const first = scratch / 8;
    f64.fill(Number.NaN, first, first + Math.min(days, length));
    if (days < length) f64.copyWithin(first + days, at / 8, at / 8 + length - days);
    return scratch;
  }

  private rightOf(
    { rightDaysAgo, scale, offset }: ConditionPlan,
    indicator: IndicatorPlan,
    digits: Int32Array,
    scratch: number,
  ): number {
    const at = this.shifted(indicator, rightDaysAgo, digits, scratch);
    if (scale === null && offset === null) return at;
    const [factor, summand] = [scale?.number(digits) ?? 1, offset?.number(digits) ?? 0];
    const { f64 } = this.areas.workspace;
    const { from, days } = this.areas.window;
    const [source, target] = [at / 8, scratch / 8];
    for (let t = from; t < from + days; t++) f64[target + t] = (f64[source + t] as number) * factor + summand;
    return scratch;
  }
}
