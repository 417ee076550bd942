import { INDICATORS } from './indicator.ts';
import { around, roundStep, stepOf } from './suggested-variables.ts';
import type { Algorithm } from './tree.ts';
import { swapValues, type ValuePlace } from './tree-values.ts';

/** A number of a tree, named by the block or condition that holds it and its place among the numbers there, from 0 on in reading order. */
export interface NumberPlace {
  readonly nodeId: string;
  readonly index: number;
}

/** A number of a tree with its place. */
export interface TreeNumber extends NumberPlace {
  readonly kind: ValuePlace['kind'];
  readonly fn: ValuePlace['fn'];
  readonly value: number;
}

/** Steps to either side of a number. */
const STEPS = 10;

/** Every number of a tree in reading order; variables, tickers and functions are left out. */
export function numbersOf(algorithm: Algorithm): TreeNumber[] {
  const found: TreeNumber[] = [];
  eachNumber(algorithm, (number) => {
    found.push(number);
    return number.value;
  });
  return found;
}

/** The tree with something else in the place of one number; the very same tree where there is no such place. */
export function withNumber(algorithm: Algorithm, place: NumberPlace, value: number | string): Algorithm {
  return eachNumber(algorithm, (number) =>
    number.nodeId === place.nodeId && number.index === place.index ? value : number.value,
  );
}

function eachNumber(algorithm: Algorithm, swap: (number: TreeNumber) => number | string): Algorithm {
  const counts = new Map<string, number>();
  return swapValues(algorithm, ({ kind, fn, value, nodeId }) => {
    if (typeof value !== 'number') return value;
    const index = counts.get(nodeId) ?? 0;
    counts.set(nodeId, index + 1);
    return swap({ nodeId, index, kind, fn, value });
  });
}

/** About twenty numbers around one, itself among them, ascending, within what its place allows. */
export function neighboursOf({ kind, fn, value }: Pick<TreeNumber, 'kind' | 'fn' | 'value'>): number[] {
  const whole = Math.max(1, roundStep(Math.max(1, Math.abs(value)) / 20));
  switch (kind) {
    case 'window':
      return around(value, whole, fn === null ? 1 : INDICATORS[fn].minWindow, 2000, STEPS);
    case 'days':
      return around(value, whole, 1, 2000, STEPS);
    case 'count':
      return around(value, 1, 1, value + STEPS, STEPS);
    case 'weight':
      return around(value, 2, 0, 100, STEPS);
    case 'corridor':
      return around(value, Math.max(0.5, roundStep(value / 10)), 0.5, 100, STEPS);
    case 'threshold':
      return fn === 'relative-strength-index'
        ? around(value, 1, 0, 100, STEPS)
        : around(value, stepOf(value / 2), null, null, STEPS);
    default:
      return around(value, stepOf(value / 2), null, null, STEPS);
  }
}
