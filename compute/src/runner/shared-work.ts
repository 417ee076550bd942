/**
 * Work that several wait for, each as long as he likes. It is given up when the last of them has left, and
 * not before: what one of them cancels is still done for the others.
 */
export class SharedWork<T> {
  readonly #work: Promise<T>;
  readonly #ended = new AbortController();
  #waiting = 0;
  #isSettled = false;

  /** @param begin starts the work, which ends early when the signal fires */
  constructor(begin: (signal: AbortSignal) => Promise<T>) {
    this.#work = begin(this.#ended.signal);
    const settle = () => {
      this.#isSettled = true;
    };
    this.#work.then(settle, settle);
  }

  /** Called as soon as the work is given up, and when it has failed; both may happen. */
  onFailure(call: () => void): void {
    this.#ended.signal.addEventListener('abort', call, { once: true });
    this.#work.catch(call);
  }

  /** What the work gives. Rejects with its error, or with the signal's reason as soon as that fires. */
  async wait(signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    this.#waiting += 1;
    const left = Promise.withResolvers<never>();
    const leave = () => left.reject(signal.reason);
    signal.addEventListener('abort', leave, { once: true });
    try {
      return await Promise.race([this.#work, left.promise]);
    } finally {
      signal.removeEventListener('abort', leave);
      this.#waiting -= 1;
      if (this.#waiting === 0 && !this.#isSettled) this.#ended.abort(signal.reason);
    }
  }
}
