import type { BlockPlan } from '../../compile/plan.ts';
import { Key } from '../../compile/variables.ts';
import type { Spans } from '../../memory/spans.ts';

/** Branches of more variants keep them in the order of their variables. */
const MOST_SORTED = 1 << 12;

/** Numbers the bindings of a branch's variables that are not bound with the conditions. */
export class BranchVariants {
  readonly key: Key;
  /** Number of a binding by the index of its key, and back; null where they are the same. */
  private readonly numbers: Int32Array | null;
  private readonly indexes: Int32Array | null;

  constructor(key: Key, indexes: Int32Array | null) {
    this.key = key;
    this.indexes = indexes;
    this.numbers = indexes === null ? null : new Int32Array(indexes.length);
    indexes?.forEach((index, number) => {
      if (this.numbers !== null) this.numbers[index] = number;
    });
  }

  get size(): number {
    return this.key.size;
  }

  of(digits: Int32Array): number {
    const index = this.key.of(digits);
    return this.numbers === null ? index : (this.numbers[index] as number);
  }

  write(number: number, digits: Int32Array): void {
    this.key.write(this.indexes === null ? number : (this.indexes[number] as number), digits);
  }
}

/**
 * The variants of a branch, those that begin and end on the same days next to each other: eight neighbours
 * are followed side by side, from the first day of any of them to the last.
 */
export function branchVariants(
  block: BlockPlan,
  bound: readonly number[],
  radices: readonly number[],
  spans: Spans,
  isFaulty: (digits: Int32Array) => boolean,
): BranchVariants {
  const key = new Key(
    block.key.variables.filter((variable) => !bound.includes(variable)),
    radices,
  );
  if (key.size > MOST_SORTED || key.variables.length < block.key.variables.length)
    return new BranchVariants(key, null);
  const digits = new Int32Array(radices.length);
  const days = Array.from({ length: key.size }, (_, index) => {
    key.write(index, digits);
    return isFaulty(digits) ? { first: 0, last: 0 } : spans.of(block, digits);
  });
  const indexes = Int32Array.from(days.keys());
  const compared = (a: number, b: number) => {
    const [x, y] = [days[a], days[b]];
    return (x?.last ?? 0) - (y?.last ?? 0) || (x?.first ?? 0) - (y?.first ?? 0) || a - b;
  };
  const isSorted = indexes.every((index) => index === 0 || compared(index - 1, index) < 0);
  return new BranchVariants(key, isSorted ? null : indexes.sort(compared));
}
