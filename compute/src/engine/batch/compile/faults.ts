import type { Fault } from './plan.ts';
import { Key } from './variables.ts';

/** Larger tables of verdicts are not kept. */
const LARGEST_TABLE = 1 << 20;

interface Group {
  readonly key: Key;
  readonly faults: Fault[];
  readonly known: Uint8Array;
}

/**
 * Tells the bindings that cannot run whatever the prices: unknown tickers, windows out of bounds, weights
 * above 100%.
 */
export class Faults {
  private readonly groups: Group[] = [];
  /** Those within a list of variables, by the list itself: it is asked for with each of its bindings. */
  private readonly within = new Map<readonly number[], readonly Group[]>();

  constructor(faults: readonly Fault[], radices: readonly number[]) {
    const byVariables = new Map<string, Fault[]>();
    for (const fault of faults) {
      const name = fault.key.variables.join();
      const list = byVariables.get(name);
      if (list === undefined) byVariables.set(name, [fault]);
      else list.push(fault);
    }
    for (const list of byVariables.values()) {
      const key = new Key(list[0]?.key.variables ?? [], radices);
      const known = new Uint8Array(key.size <= LARGEST_TABLE ? key.size : 0);
      this.groups.push({ key, faults: list, known });
    }
  }

  has(digits: Int32Array): boolean {
    return this.anyOf(this.groups, digits);
  }

  /** Whether the values of some variables alone cannot run; those of the others are not looked at. */
  hasWithin(variables: readonly number[], digits: Int32Array): boolean {
    let groups = this.within.get(variables);
    if (groups === undefined) {
      groups = this.groups.filter(({ key }) => key.variables.every((one) => variables.includes(one)));
      this.within.set(variables, groups);
    }
    return this.anyOf(groups, digits);
  }

  private anyOf(groups: readonly Group[], digits: Int32Array): boolean {
    for (const { key, faults, known } of groups) {
      const index = key.of(digits);
      let verdict = known[index] ?? 0;
      if (verdict === 0) {
        verdict = faults.some((fault) => fault.isFaulty(digits)) ? FAULTY : FINE;
        if (index < known.length) known[index] = verdict;
      }
      if (verdict === FAULTY) return true;
    }
    return false;
  }
}

const FINE = 1;
const FAULTY = 2;
