import { dice } from '../fast/testing/random-batch.ts';
import { COLUMN_MARGIN, createMemory, instantiateKernels, type Kernels } from './kernels.ts';

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
