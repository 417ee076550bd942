import { write, writeSync } from 'node:fs';

/** Between two tries at a reader who has no room. */
const AGAIN_MS = 20;
/** At the end of the process, a reader who stands still is waited for so long. */
const PATIENCE_MS = 1_000;
/** Bytes that wait for a reader who stands still, so that a log which nobody reads does not fill the memory. */
const MOST_WAITING = 16 * 1024 * 1024;

const WARN_LEVEL = 40;

const mayTryAgain = (error: unknown) =>
  ['EAGAIN', 'EBUSY'].includes((error as NodeJS.ErrnoException).code ?? '');

/**
 * Where log lines go: written beside the work, in their order, and what is left when the process ends. Once
 * nobody reads them any more (`npm start | tee`, and the latter was ended first) they go nowhere. The output
 * that pino brings along tries for ever then, so that the process never ends. Where a reader stands still, the
 * lines for which there is no room are counted, and he is told.
 */
export class LogOutput {
  readonly #fd: number;
  readonly #most: number;
  #waiting: Buffer[] = [];
  /** Bytes that wait or are being written. */
  #held = 0;
  #lost = 0;
  #isWriting = false;
  #isGone = false;

  /** @param most bytes that may wait */
  constructor(fd: number, most = MOST_WAITING) {
    this.#fd = fd;
    this.#most = most;
    process.on('exit', () => this.flushSync());
  }

  write(line: string): void {
    if (this.#isGone) return;
    const bytes = Buffer.from(line);
    // Until he is told of the first, further ones are lost as well: he sees where they were.
    if (this.#lost > 0 || this.#held + bytes.length > this.#most) this.#lost += 1;
    else this.#hold(bytes);
    if (!this.#isWriting) this.#writeOn();
  }

  #hold(bytes: Buffer): void {
    this.#waiting.push(bytes);
    this.#held += bytes.length;
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
    this.#tellLost();
    return Buffer.concat(this.#waiting.splice(0));
  }

  /** In the place of the lines themselves: what comes later waits behind it. */
  #tellLost(): void {
    if (this.#lost === 0 || this.#held > this.#most / 2) return;
    const msg = `${this.#lost} log lines were lost: nobody read them, and no more could wait`;
    this.#lost = 0;
    this.#hold(Buffer.from(`${JSON.stringify({ level: WARN_LEVEL, time: Date.now(), msg })}\n`));
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
      this.#held -= text.length - left.length;
      if (left.length > 0) this.#waiting.unshift(left);
      if (error) setTimeout(() => this.#writeOn(), AGAIN_MS);
      else if (this.#waiting.length > 0 || this.#lost > 0) this.#writeOn();
      else this.#isWriting = false;
    });
  }
}
