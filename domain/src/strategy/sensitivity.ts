import { around, roundStep, stepOf } from './suggested-variables.ts';
import type { Algorithm } from './tree.ts';
import { swapValues } from './tree-values.ts';
import { boundsOf } from './value-bounds.ts';
import type { ValuePlace } from './value-place.ts';

/**
 * A number of a tree, named by the block or condition that holds it and its place among the numbers there,
 * from 0 on in reading order.
 */
export interface NumberPlace {
  readonly nodeId: string;
  readonly index: number;
}

/** A number of a tree with its place. */
export interface TreeNumber extends NumberPlace, Omit<ValuePlace, 'value'> {
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
  return swapValues(algorithm, ({ value, ...place }) => {
    if (typeof value !== 'number') return value;
    const index = counts.get(place.nodeId) ?? 0;
    counts.set(place.nodeId, index + 1);
    return swap({ ...place, index, value });
  });
}

/** About twenty numbers around one, itself among them, ascending, within what its place allows. */
export function neighboursOf(number: Pick<TreeNumber, 'kind' | 'fn' | 'field' | 'room' | 'value'>): number[] {
  const { kind, fn, room, value } = number;
  const { isWhole, ...bounds } = boundsOf(number);
  const min = Math.max(bounds.min ?? -Infinity, room?.min ?? -Infinity);
  const max = Math.min(bounds.max ?? Infinity, room?.max ?? Infinity);
  const within = (step: number, from = min, to = max) => around(value, step, from, to, STEPS);
  switch (kind) {
    case 'count':
      return within(1, 1, value + STEPS);
    case 'weight':
      return within(2);
    case 'corridor': {
      const step = Math.max(0.5, roundStep(value / 10));
      return within(step, 0.5);
    }
    case 'threshold':
      return fn === 'relative-strength-index' ? within(1, 0, 100) : within(stepOf(value / 2));
    default:
      return within(isWhole ? Math.max(1, roundStep(Math.max(1, Math.abs(value)) / 20)) : stepOf(value / 2));
  }
}
