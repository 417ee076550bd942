import type { Rule } from '../rules.ts';

/** What the process of a tree is asked to time. */
export interface Turn {
  readonly name: string;
  readonly rule: Rule;
  /** Processor milliseconds to repeat each of the two measurements for. */
  readonly budget: number;
}

/** Milliseconds of the thread's processor time for a whole batch. */
export interface Times {
  /** The first batch of a new thread, planning included. */
  readonly cold: number;
  /** Planned anew in a thread whose prices and indicators are there. */
  readonly fresh: number;
  /** A planned batch run again. */
  readonly warm: number;
}

export type FigureName = keyof Times;
export const FIGURES: readonly FigureName[] = ['cold', 'fresh', 'warm'];

/**
 * What a tree answers: its times, and of every combination the cumulative return (NaN: it cannot run), to
 * tell whether both computed the same.
 */
export interface Timed {
  readonly times: Times;
  readonly returns: Float64Array;
}

/** A tree may refuse a batch, as one from before there were rules of rebalancing may. */
export type Answer = Timed | { readonly refusal: string };
