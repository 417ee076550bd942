/**
 * Combinations are numbered from 0 as a mixed-radix number over the variables in the template's order, the
 * last one fastest. Counts stay within 2^53.
 */
export interface CombinationSpace {
  /** Values per variable. */
  readonly radices: readonly number[];
  /** Product of the radices; 1 where there is no variable. */
  readonly count: number;
}

/** The space over lists of values, in the template's order of variables. */
export function combinationSpace(radices: readonly number[]): CombinationSpace {
  return { radices, count: radices.reduce((product, radix) => product * radix, 1) };
}

/** Index into each variable's values of combination `number`. */
export function combinationDigits(space: CombinationSpace, number: number): number[] {
  const digits = new Array<number>(space.radices.length).fill(0);
  let rest = number;
  for (let i = digits.length - 1; i >= 0; i--) {
    const radix = space.radices[i] ?? 1;
    digits[i] = rest % radix;
    rest = Math.floor(rest / radix);
  }
  return digits;
}

/** The inverse of `combinationDigits`. */
export function combinationNumber(space: CombinationSpace, digits: readonly number[]): number {
  return space.radices.reduce((number, radix, i) => number * radix + (digits[i] ?? 0), 0);
}
