import type { ResultVariable } from '@quantloom/domain/ports/result-store';
import { numberOf } from '@quantloom/domain/strategy/values';
import { normalValue } from '@quantloom/domain/strategy/variables';

/**
 * The variables that something depends on, and the number of their present values among all their
 * combinations: the mixed-radix index under which that something is cached.
 */
export class Key {
  readonly variables: readonly number[];
  readonly size: number;
  private readonly multipliers: readonly number[];
  private readonly radices: readonly number[];

  constructor(variables: Iterable<number>, radices: readonly number[]) {
    this.variables = [...new Set(variables)].sort((a, b) => a - b);
    const multipliers: number[] = [];
    let size = 1;
    for (const variable of this.variables) {
      multipliers.push(size);
      size *= radices[variable] ?? 1;
    }
    this.multipliers = multipliers;
    this.radices = this.variables.map((variable) => radices[variable] ?? 1);
    this.size = size;
  }

  of(digits: Int32Array): number {
    let index = 0;
    const { variables, multipliers } = this;
    for (let i = 0; i < variables.length; i++) {
      index += (digits[variables[i] as number] as number) * (multipliers[i] as number);
    }
    return index;
  }

  /** Sets the digits of the key's variables to those of an index. */
  write(index: number, digits: Int32Array): void {
    const { variables, multipliers, radices } = this;
    for (let i = 0; i < variables.length; i++) {
      digits[variables[i] as number] =
        Math.floor(index / (multipliers[i] as number)) % (radices[i] as number);
    }
  }
}

/** A value of the tree that may be a variable. */
export class Place {
  /** Index of the variable; -1 for a constant. */
  readonly variable: number;
  private readonly texts: readonly string[];
  private readonly numbers: Float64Array;

  constructor(raw: unknown, variables: readonly ResultVariable[]) {
    this.variable = variables.findIndex(({ name }) => name === raw);
    const all = variables[this.variable]?.values ?? [raw];
    this.texts = all.map(String);
    this.numbers = Float64Array.from(all, (value) => {
      const bound = typeof value === 'string' || typeof value === 'number' ? normalValue(value) : value;
      return numberOf(bound) ?? Number.NaN;
    });
  }

  text(digits: Int32Array): string {
    return this.texts[this.variable < 0 ? 0 : (digits[this.variable] as number)] as string;
  }

  /** NaN where the value is not a number. */
  number(digits: Int32Array): number {
    return this.numbers[this.variable < 0 ? 0 : (digits[this.variable] as number)] as number;
  }

  get variables(): readonly number[] {
    return this.variable < 0 ? [] : [this.variable];
  }

  /** Largest number it may be. */
  get largest(): number {
    return this.numbers.reduce((largest, number) => Math.max(largest, number), 0);
  }
}

/** Writes the index of each variable's value in a combination; the last variable varies fastest. */
export function writeDigits(digits: Int32Array, radices: readonly number[], combination: number): void {
  let rest = combination;
  for (let i = digits.length - 1; i >= 0; i--) {
    const radix = radices[i] as number;
    // The remainder of numbers that may be larger than 32 bits is a call to a library.
    const next = Math.floor(rest / radix);
    digits[i] = rest - next * radix;
    rest = next;
  }
}
