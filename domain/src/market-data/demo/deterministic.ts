/**
 * Arithmetic that gives the same bits on every machine: integer operations and the four basic operations on
 * doubles are exactly specified; `Math.exp`, `Math.log` and their kind are not, and are not used in the demo data set.
 */

/** A 32-bit seed from a text (FNV-1a with a final mix). */
export function seedOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** The generator sfc32 (C. Doty-Humphrey, PractRand), seeded by a text. */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  constructor(seed: string) {
    this.#a = seedOf(`${seed}/a`) | 0;
    this.#b = seedOf(`${seed}/b`) | 0;
    this.#c = seedOf(`${seed}/c`) | 0;
    for (let i = 0; i < 12; i++) this.integer();
  }

  /** Uniform in 0..2^32-1. */
  integer(): number {
    const t = (((this.#a + this.#b) | 0) + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (this.#c << 21) | (this.#c >>> 11);
    this.#c = (this.#c + t) | 0;
    return t >>> 0;
  }

  /** Uniform in [0, 1). */
  uniform(): number {
    return this.integer() / 4_294_967_296;
  }

  /** Uniform whole number in 0..n-1. */
  below(n: number): number {
    return Math.floor(this.uniform() * n);
  }

  /** Mean 0, variance 1, nearly normal: the sum of six uniform numbers, whose sum of integers is exact. */
  normal(): number {
    let sum = 0;
    for (let i = 0; i < 6; i++) sum += this.integer();
    // Variance of the sum of six is 6/12, hence the root of 2.
    return (sum / 4_294_967_296 - 3) * Math.SQRT2;
  }
}

/** e to the power of x for |x| < 20, by Taylor's series of x/1024 squared ten times; relative error below 1e-12. */
export function exponential(x: number): number {
  const y = x / 1024;
  let value = 1 + y * (1 + (y / 2) * (1 + (y / 3) * (1 + (y / 4) * (1 + y / 5))));
  for (let i = 0; i < 10; i++) value *= value;
  return value;
}

/** The root of a positive number by Newton's method, from above, so that it ends where it no longer falls. */
export function squareRoot(x: number): number {
  let root = Math.max(x, 1);
  for (;;) {
    const next = (root + x / root) / 2;
    if (next >= root) return root;
    root = next;
  }
}
