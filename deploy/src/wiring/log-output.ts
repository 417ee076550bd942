import { write, writeSync } from 'node:fs';

/** Between two tries at a reader who has no room. */
const AGAIN_MS = 20;
/** At the end of the process, a reader who stands still is waited for so long. */
const PATIENCE_MS = 1_000;

const mayTryAgain = (error: unknown) =>
  ['EAGAIN', 'EBUSY'].includes((error as NodeJS.ErrnoException).code ?? '');

/**
 * Where log lines go: written beside the work, in their order, and what is left when the process ends. Once
 * nobody reads them any more (`npm start | tee`, and the latter was ended first) they go nowhere. The output
 * that pino brings along tries for ever then, so that the process never ends.
 */
export class LogOutput {
  readonly #fd: number;
  #waiting: Buffer[] = [];
  #isWriting = false;
  #isGone = false;

  constructor(fd: number) {
    this.#fd = fd;
    process.on('exit', () => this.flushSync());
  }

  write(line: string): void {
    if (this.#isGone) return;
    this.#waiting.push(Buffer.from(line));
    if (!this.#isWriting) this.#writeOn();
  }

  /** Writes what waits before it returns; gives up where nobody reads. */
  flushSync(): void {
    const text = this.#taken();
    const until = performance.now() + PATIENCE_MS;
    for (let at = 0; at < text.length && !this.#isGone; ) {
      try {
        at += writeSync(this.#fd, text, at);
      } catch (error) {
        if (!mayTryAgain(error) || performance.now() > until) this.#isGone = true;
        else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, AGAIN_MS);
      }
    }
  }

  #taken(): Buffer {
    return Buffer.concat(this.#waiting.splice(0));
  }

  #writeOn(): void {
    this.#isWriting = true;
    const text = this.#taken();
    write(this.#fd, text, (error, written) => {
      if (error && !mayTryAgain(error)) {
        this.#isGone = true;
        this.#waiting = [];
        return;
      }
      const left = text.subarray(error ? 0 : written);
      if (left.length > 0) this.#waiting.unshift(left);
      if (error) setTimeout(() => this.#writeOn(), AGAIN_MS);
      else if (this.#waiting.length > 0) this.#writeOn();
      else this.#isWriting = false;
    });
  }
}
