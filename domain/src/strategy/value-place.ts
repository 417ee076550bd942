import type { IndicatorName } from './tree.ts';

/** What a value of a tree is; a function is one too, it can be replaced and is never a variable. */
export type ValueKind =
  | 'held'
  | 'signal'
  | 'threshold'
  | 'window'
  | 'parameter'
  | 'weight'
  | 'count'
  | 'corridor'
  | 'days'
  | 'scale'
  | 'function';

/** Which of several numbers of one kind it is; `rank 1` is the weight of the best-ranked. */
export type ValueField =
  | 'fast'
  | 'slow'
  | 'signal'
  | 'deviations'
  | 'days_ago'
  | 'for_days'
  | 'scale'
  | 'offset'
  | `rank ${number}`;

/** The numbers beside a place leave it no less than `min` and no more than `max`; one that is left out says nothing. */
export interface Room {
  readonly min?: number;
  readonly max?: number;
}

/** A place of a tree that holds a number, a ticker or a function. */
export interface ValuePlace {
  readonly kind: ValueKind;
  /** Left out where the kind says all. */
  readonly field?: ValueField;
  /** The side of the condition that it belongs to; left out elsewhere, and of what belongs to both. */
  readonly side?: 'left' | 'right';
  /** What the numbers beside it leave of what `boundsOf` allows: a fast window stays below its slow one. */
  readonly room?: Room;
  /** The function that it belongs to, or that it is compared with; null where there is none. */
  readonly fn: IndicatorName | null;
  /** A number as a number, whatever it is stored as; one side of a ratio. */
  readonly value: number | string;
  /** The block or condition that holds it. */
  readonly nodeId: string;
}
