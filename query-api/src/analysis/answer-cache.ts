/**
 * Answers that follow from the rows of finished batches alone, so that they never change: the last ones used
 * are kept, and requests for the same one at the same time share one computation. A computation that fails is not kept.
 */
export class AnswerCache {
  readonly #capacity: number;
  /** In order of use, the oldest first. */
  readonly #answers = new Map<string, Promise<unknown>>();

  /** @param capacity answers kept; they are up to about a megabyte each */
  constructor(capacity = 64) {
    this.#capacity = capacity;
  }

  /** Whether an answer is kept, or under way. */
  has(key: readonly unknown[]): boolean {
    return this.#answers.has(JSON.stringify(key));
  }

  /** The kept answer, or a computed one. */
  of<T>(key: readonly unknown[], compute: () => Promise<T>): Promise<T> {
    const id = JSON.stringify(key);
    const known = this.#answers.get(id) as Promise<T> | undefined;
    const answer = known ?? compute();
    this.#answers.delete(id);
    this.#answers.set(id, answer);
    if (!known)
      answer.catch(() => {
        if (this.#answers.get(id) === answer) this.#answers.delete(id);
      });
    const oldest = this.#answers.keys().next();
    if (this.#answers.size > this.#capacity && !oldest.done) this.#answers.delete(oldest.value);
    return answer;
  }
}
