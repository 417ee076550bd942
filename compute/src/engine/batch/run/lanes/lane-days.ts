import { LANES } from '../../../kernels/shared.ts';
import type { StepsOfLayout } from '../../memory/day-grid.ts';

/**
 * The first and last steps of combinations that are followed side by side, one per lane, and the lowest value
 * over the high that each comes by.
 */
export class LaneDays {
  readonly lowest = {
    before: new Float64Array(LANES),
    whole: new Float64Array(LANES),
    after: new Float64Array(LANES),
  };
  /** Whether some lane goes on from days before the out-of-sample date to days after it. */
  hasAfter = false;
  private readonly begins = new Int32Array(LANES);
  private readonly ends = new Int32Array(LANES);
  private readonly none: number;
  private readonly lanes: number[] = [];
  private split = 0;
  private known: readonly number[] = [];

  constructor(steps: number) {
    this.none = steps;
  }

  clear(): void {
    this.lanes.length = 0;
    this.split = this.none;
    this.hasAfter = false;
  }

  add(lane: number, { begins, split, layout }: StepsOfLayout): void {
    this.lanes.push(lane);
    this.begins[lane] = begins[0] as number;
    this.ends[lane] = begins[layout.blocks.length] as number;
    if (split >= this.none || layout.after?.begin === 0) return;
    // The same step for all that have days on both sides.
    this.split = split;
    this.hasAfter = true;
  }

  /** Steps at which a lane begins or ends or the out-of-sample part begins, ascending. */
  borders(isAfter: boolean): readonly number[] {
    const { begins, ends, lanes, split } = this;
    const first = lanes[0] as number;
    const isAlike = lanes.every((lane) => begins[lane] === begins[first] && ends[lane] === ends[first]);
    if (isAlike && !this.hasAfter) return [begins[first] as number, ends[first] as number];
    const borders = new Set<number>();
    for (const lane of lanes) {
      borders.add(begins[lane] as number);
      borders.add(ends[lane] as number);
    }
    if (this.hasAfter) borders.add(split);
    this.known = [...borders].sort((a, b) => a - b);
    return isAfter ? this.known.filter((border) => border >= split) : this.known;
  }

  /**
   * Begins the lanes that begin at a border, and keeps the lowest of those that end there. `state` has value
   * over high, then the lowest of each lane.
   */
  reach(border: number, isAfter: boolean, f64: Float64Array, state: number): void {
    const { begins, ends, lanes, split, lowest } = this;
    for (const lane of lanes) {
      const low = f64[state + LANES + lane] as number;
      if (ends[lane] === border) {
        if (isAfter) lowest.after[lane] = low;
        else {
          lowest.whole[lane] = low;
          // Good where nothing is on the other side of the out-of-sample date.
          if (border <= split) lowest.before[lane] = low;
          if ((begins[lane] as number) >= split || !this.hasAfter) lowest.after[lane] = low;
        }
      }
      if (border === split && !isAfter && (begins[lane] as number) < split && (ends[lane] as number) > split)
        lowest.before[lane] = low;
      const begin = isAfter ? Math.max(begins[lane] as number, split) : begins[lane];
      if (begin === border) {
        f64[state + lane] = 1;
        f64[state + LANES + lane] = 1;
      }
    }
  }
}
