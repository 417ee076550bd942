/**
 * Wakes whoever waits for something new. A waiter names the version it has already looked at, so a change
 * between looking and waiting is never missed.
 */
export class Pulse {
  #version = 0;
  readonly #waiters = new Set<() => void>();

  get version(): number {
    return this.#version;
  }

  get hasWaiters(): boolean {
    return this.#waiters.size > 0;
  }

  notify(): void {
    this.#version += 1;
    const waiters = [...this.#waiters];
    this.#waiters.clear();
    for (const wake of waiters) wake();
  }

  /** Resolves as soon as the version differs from `seen` or the signal aborts; never rejects. */
  after(seen: number, signal?: AbortSignal): Promise<void> {
    if (this.#version !== seen || signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        signal?.removeEventListener('abort', wake);
        this.#waiters.delete(wake);
        resolve();
      };
      this.#waiters.add(wake);
      signal?.addEventListener('abort', wake, { once: true });
    });
  }
}
