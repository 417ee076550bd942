/**
 * Stretches that are added up together, so that the state of a combination is read and written once for all
 * of them: their records still fit the first-level cache.
 */
export const STRETCHES_TOGETHER = 4;
/** Tuples of a stretch are numbered from a multiple of this on: kernels clear 16 bytes at a time. */
const TUPLES_ALIGNED = 8;

/** Counts the stretches that wait to be added up, and what they take of the areas that all of them share. */
export class WaitingStretches {
  private readonly mostTuples: number;
  private readonly mostSequences: number;
  count = 0;
  tuples = 0;
  sequences = 0;

  /**
   * @param mostTuples room for tuples of all of them, a multiple of 8, and @param mostSequences for sequences:
   * each at least what a single stretch has
   */
  constructor(mostTuples: number, mostSequences: number) {
    this.mostTuples = mostTuples;
    this.mostSequences = mostSequences;
  }

  /** Whether a stretch with so many tuples, and at most so many sequences, fits beside those that wait. */
  hasRoom(tuples: number, sequences: number): boolean {
    return (
      this.count < STRETCHES_TOGETHER &&
      this.tuples + tuples <= this.mostTuples &&
      this.sequences + sequences <= this.mostSequences
    );
  }

  add(tuples: number, sequences: number): void {
    this.count++;
    this.tuples += Math.ceil(tuples / TUPLES_ALIGNED) * TUPLES_ALIGNED;
    this.sequences += sequences;
  }

  clear(): void {
    this.count = 0;
    this.tuples = 0;
    this.sequences = 0;
  }
}
