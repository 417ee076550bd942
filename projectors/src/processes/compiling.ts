import { Lanes } from './lanes.ts';

/** Rows from which on summing up takes seconds. */
const LARGE = 50_000;
/** Small batches that are summed up at a time, beside a large one. */
const SMALL_AT_A_TIME = 2;

/**
 * Summing up results and preparing the verdict, beside everything else: nobody's dispatch waits for it, and a small batch not for a large one.
 * What is under way when the process dies is found by the status of the batch.
 */
export class Compiling {
  readonly #large = new Lanes(1);
  readonly #small = new Lanes(SMALL_AT_A_TIME);
  readonly #open = new Set<string>();

  /** Whether the batch is being summed up, or waits for its turn. */
  has(batchId: string): boolean {
    return this.#open.has(batchId);
  }

  /** @param work rejects only where the process ends: what fails is a matter of the batch */
  begin(batchId: string, combinations: number, work: () => Promise<void>): void {
    if (this.#open.has(batchId)) return;
    this.#open.add(batchId);
    const lanes = combinations >= LARGE ? this.#large : this.#small;
    lanes
      .run(batchId, work)
      .catch(() => undefined)
      .finally(() => this.#open.delete(batchId));
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    await Promise.all([this.#large.below(1), this.#small.below(1)]);
  }
}
