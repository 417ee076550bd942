/**
 * Turns for writing costly answers. Making the JSON of a large one keeps the thread that serves everybody for
 * some milliseconds; ten that are ready at the same moment would keep it for a tenth of a second in one go.
 * So one is written at a time, with whatever else has arrived served in between, and users take turns,
 * however many answers each of them waits for.
 */
export class AnswerTurns {
  /** What waits by user, in the order in which users have their turns. */
  readonly #lines = new Map<string, (() => void)[]>();
  #isTaken = false;

  /** Waits for the user's turn, which lasts until the event loop has gone round once. At once where nobody waits. */
  async take(userId: string): Promise<void> {
    if (!this.#isTaken) {
      this.#isTaken = true;
      setImmediate(() => this.#pass());
      return;
    }
    await new Promise<void>((resolve) => {
      const line = this.#lines.get(userId);
      if (line) line.push(resolve);
      else this.#lines.set(userId, [resolve]);
    });
  }

  #pass(): void {
    const [next] = this.#lines;
    if (!next) {
      this.#isTaken = false;
      return;
    }
    const [userId, line] = next;
    const begin = line.shift();
    // To the end of the turns.
    this.#lines.delete(userId);
    if (line.length > 0) this.#lines.set(userId, line);
    setImmediate(() => this.#pass());
    begin?.();
  }
}

/** Of this thread, which all servers of the process share. */
export const ANSWER_TURNS = new AnswerTurns();
