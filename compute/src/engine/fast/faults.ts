import type { Fault } from './plan.ts';
import { Key } from './variables.ts';

/** Larger tables of verdicts are not kept. */
const LARGEST_TABLE = 1 << 20;

/** Tells the bindings that cannot run whatever the prices: unknown tickers, windows out of bounds, weights above 100 %. */
export class Faults {
  private readonly groups: { key: Key; faults: Fault[]; known: Uint8Array }[] = [];

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
    for (const { key, faults, known } of this.groups) {
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
