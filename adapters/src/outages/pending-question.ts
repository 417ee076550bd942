/**
 * One question to a server at a time: who asks while one is under way gets its answer, and it is not given up
 * when nobody waits for it any more. A server that is frozen still takes connections, and when it wakes it
 * answers those first that have waited longest: of questions that were given up it would have dozens to look
 * through before it comes to one that counts.
 */
export class PendingQuestion {
  readonly #ask: (signal: AbortSignal) => Promise<void>;
  readonly #limitMs: number;
  readonly #closing = new AbortController();
  #answer: Promise<void> | null = null;

  /**
   * @param ask gives up when its signal aborts
   * @param limitMs how long it is waited for (default 5,000); then it may be lost, as where the server has come
   * back at another address, and another one is asked
   */
  constructor(ask: (signal: AbortSignal) => Promise<void>, limitMs = 5_000) {
    this.#ask = ask;
    this.#limitMs = limitMs;
  }

  answer(): Promise<void> {
    this.#answer ??= this.#asked().finally(() => {
      this.#answer = null;
    });
    return this.#answer;
  }

  /** Gives up what is under way. */
  close(): void {
    this.#closing.abort();
  }

  async #asked(): Promise<void> {
    const giveUp = new AbortController();
    const stop = () => giveUp.abort();
    this.#closing.signal.addEventListener('abort', stop, { once: true });
    const timer = setTimeout(stop, this.#limitMs);
    try {
      await this.#ask(giveUp.signal);
    } finally {
      clearTimeout(timer);
      this.#closing.signal.removeEventListener('abort', stop);
    }
  }
}
