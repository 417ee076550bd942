import {
  COLUMN_MARGIN,
  createMemory,
  instantiateKernels,
  type Kernels,
} from '../src/engine/kernels/kernels.ts';
import { BRANCH_SUM_FIELDS, LANES, SEGMENT_FIELDS } from '../src/engine/kernels/shared.ts';
import { dice } from './random-batch.ts';

/** A memory with kernels, and columns of random content in it. */
export class Bench {
  readonly kernels: Kernels;
  readonly days: number;
  readonly random: () => number;
  private readonly memory = createMemory();
  private next = 65_536;

  constructor(seed: number, days: number) {
    this.memory.grow(64);
    this.kernels = instantiateKernels(this.memory);
    this.days = days;
    const throwDice = dice(seed);
    this.random = () => throwDice(1_000_000) / 1_000_000;
  }

  get f64(): Float64Array {
    return new Float64Array(this.memory.buffer);
  }
  get i32(): Int32Array {
    return new Int32Array(this.memory.buffer);
  }
  get u8(): Uint8Array {
    return new Uint8Array(this.memory.buffer);
  }

  /** Address of an area of bytes. */
  area(bytes: number): number {
    const at = this.next;
    this.next += (bytes + 2 * COLUMN_MARGIN + 63) & ~63;
    return at + COLUMN_MARGIN;
  }

  numbers(value: (t: number) => number): number {
    const at = this.area(this.days * 8);
    for (let t = 0; t < this.days; t++) this.f64[at / 8 + t] = value(t);
    return at;
  }

  bytes(value: (t: number) => number): number {
    const at = this.area(this.days);
    for (let t = 0; t < this.days; t++) this.u8[at + t] = value(t);
    return at;
  }

  words(values: readonly number[]): number {
    const at = this.area(values.length * 4);
    this.i32.set(values, at / 4);
    return at;
  }

  readNumbers(at: number): number[] {
    return Array.from(this.f64.subarray(at / 8, at / 8 + this.days));
  }

  readBytes(at: number): number[] {
    return Array.from(this.u8.subarray(at, at + this.days));
  }
}

export function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i);
}

/** The simulation of `engine.md` sections 4 and 5, one combination and one day at a time. */
export function follow(returns: readonly number[]) {
  const sums = [0, 0, 0, 0];
  let value = 1;
  let high = 1;
  let lowest = 1;
  for (const r of returns) {
    sums.forEach((sum, i) => {
      sums[i] = sum + r ** (i + 1);
    });
    value *= 1 + r;
    high = Math.max(high, value);
    lowest = Math.min(lowest, value / high);
  }
  return { sums, value, lowest };
}

/** Sums of products with the benchmark's returns, and of squares of returns below 0. */
export function compared(
  days: readonly number[],
  returnOn: (t: number) => number,
  benchmark: readonly number[],
) {
  const sum = (of: (r: number, t: number) => number) => days.reduce((all, t) => all + of(returnOn(t), t), 0);
  return [sum((r, t) => r * (benchmark[t] as number)), sum((r) => Math.min(r, 0) ** 2)] as const;
}

/** Doubles of a segment of the simulation pass, and of a step of a branch's sums. */
export const SEGMENT_DOUBLES = SEGMENT_FIELDS * LANES;
export const STEP_DOUBLES = BRANCH_SUM_FIELDS * LANES;
