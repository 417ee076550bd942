import type { ResultFilter, ResultVariable } from '@quantloom/domain/ports/result-store';

type Value = string | number;

const collator = new Intl.Collator('en');

/** Numbers before texts; numbers by size, texts as people order them. Values that differ never compare equal. */
export function compareValues(a: Value, b: Value): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'number') return -1;
  if (typeof b === 'number') return 1;
  return collator.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0);
}

/**
 * The values of one variable in sort order. Rows store the place in this order (the rank) instead of the
 * value: four bytes at most, and sorting or comparing ranks is sorting or comparing values.
 */
export class Dictionary {
  readonly name: string;
  /** In the user's order; blocks refer to this one. */
  readonly values: readonly Value[];
  /** By rank. */
  readonly sorted: readonly Value[];
  /** Rank of each value in the user's order. */
  readonly ranks: Int32Array;
  readonly isIdentity: boolean;

  constructor({ name, values }: ResultVariable) {
    this.name = name;
    this.values = values;
    const order = values.map((_, index) => index);
    order.sort((a, b) => compareValues(values[a] as Value, values[b] as Value) || a - b);
    this.sorted = order.map((index) => values[index] as Value);
    this.ranks = new Int32Array(values.length);
    order.forEach((index, rank) => {
      this.ranks[index] = rank;
    });
    this.isIdentity = order.every((index, rank) => index === rank);
  }

  /** True where all values are numbers. */
  get isNumeric(): boolean {
    return this.values.every((value) => typeof value === 'number');
  }

  /** Ranks of values that are named by their index in the user's order. */
  ranksOf(indexes: Int32Array): Int32Array {
    return this.isIdentity ? indexes : indexes.map((index) => this.ranks[index] as number);
  }

  /** Ranks of the values that the filter keeps. */
  matching({ op, value }: ResultFilter): number[] {
    const keep = this.#test(op, value);
    return this.sorted.flatMap((each, rank) => (keep(each) ? [rank] : []));
  }

  #test(op: ResultFilter['op'], operand: ResultFilter['value']): (value: Value) => boolean {
    if (op === 'isNull') return () => false;
    if (op === 'isNotNull') return () => true;
    // As text, so that a number typed into a form finds the number.
    const wanted = new Set((Array.isArray(operand) ? operand : [operand]).map(String));
    if (op === 'eq' || op === 'in') return (value) => wanted.has(String(value));
    if (op === 'ne') return (value) => !wanted.has(String(value));
    if (op === 'outside') {
      const [from, to] = (operand as readonly Value[]).map((each) => this.#asNumber(each)) as [Value, Value];
      return (value) => compareValues(value, from) < 0 || compareValues(value, to) >= 0;
    }
    const bound = this.#asNumber(operand as Value);
    const order = (value: Value) => compareValues(value, bound);
    switch (op) {
      case 'gt':
        return (value) => order(value) > 0;
      case 'gte':
        return (value) => order(value) >= 0;
      case 'lt':
        return (value) => order(value) < 0;
      case 'lte':
        return (value) => order(value) <= 0;
    }
  }

  #asNumber(value: Value): Value {
    return this.isNumeric && value !== '' && Number.isFinite(Number(value)) ? Number(value) : value;
  }
}

/** Ranks of the variables of combination `k`: its mixed-radix digits, the last variable fastest. */
export function ranksOfCombination(k: number, dictionaries: readonly Dictionary[], into: Int32Array): void {
  let rest = k;
  for (let i = dictionaries.length - 1; i >= 0; i--) {
    const { ranks } = dictionaries[i] as Dictionary;
    into[i] = ranks[rest % ranks.length] as number;
    rest = Math.floor(rest / ranks.length);
  }
}

/** Combinations of a batch with these variables. */
export function combinationsOf(variables: readonly Pick<ResultVariable, 'values'>[]): number {
  return variables.reduce((product, { values }) => product * values.length, 1);
}
