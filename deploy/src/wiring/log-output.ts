import { constants, fstatSync, openSync, writeSync } from 'node:fs';

/** Between two tries at a reader who has no room. */
const AGAIN_MS = 20;
/** At the end of the process, a reader who takes nothing is waited for so long. */
const PATIENCE_MS = 1_000;
/** Bytes that wait for a reader who stands still, so that a log which nobody reads does not fill the memory. */
const MOST_WAITING = 16 * 1024 * 1024;
const WARN_LEVEL = 40;

const mayTryAgain = (error: unknown) =>
  ['EAGAIN', 'EBUSY'].includes((error as NodeJS.ErrnoException).code ?? '');

/**
 * Where log lines go: each at once and in their order, and what is left when the process ends. Once nobody
 * reads them any more (`npm start | tee`, and the latter was ended first) they go nowhere. The output that
 * pino brings along tries for ever then, so that the process never ends. Where the reader of a pipe stands
 * still they wait; those for which there is no room are counted, and he is told.
 */
export class LogOutput {
  readonly #fd: number;
  readonly #most: number;
  readonly #waiting: Buffer[] = [];
  /** Bytes that wait. */
  #held = 0;
  #lost = 0;
  #isResting = false;
  #isGone = false;

  /** @param most bytes that may wait */
  constructor(fd: number, most = MOST_WAITING) {
    this.#fd = withoutBlocking(fd);
    this.#most = most;
    process.on('exit', () => this.flushSync());
  }

  write(line: string): void {
    if (this.#isGone) return;
    const bytes = Buffer.from(line);
    // Until he is told of the first, further ones are lost as well: he sees where they were.
    if (this.#lost > 0 || this.#held + bytes.length > this.#most) this.#lost += 1;
    else this.#hold(bytes);
    if (!this.#isResting) this.#writeOn();
  }

  /** Writes what waits before it returns; gives up where nobody reads. */
  flushSync(): void {
    let [before, since] = [this.#held, performance.now()];
    while (!this.#pour() && performance.now() - since < PATIENCE_MS) {
      if (this.#held < before) [before, since] = [this.#held, performance.now()];
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, AGAIN_MS);
    }
  }

  #hold(bytes: Buffer): void {
    this.#waiting.push(bytes);
    this.#held += bytes.length;
  }

  /** In the place of the lines themselves: what comes later waits behind it. */
  #tellLost(): void {
    if (this.#lost === 0 || this.#held > this.#most / 2) return;
    const msg = `${this.#lost} log lines were lost: nobody read them, and no more could wait`;
    this.#lost = 0;
    this.#hold(Buffer.from(`${JSON.stringify({ level: WARN_LEVEL, time: Date.now(), msg })}\n`));
  }

  #writeOn(): void {
    this.#isResting = !this.#pour();
    // What waits holds no process up: its end writes it.
    if (this.#isResting) setTimeout(() => this.#writeOn(), AGAIN_MS).unref();
  }

  /** Writes as much as the reader has room for; false where something is left. */
  #pour(): boolean {
    try {
      while (!this.#isGone) {
        this.#tellLost();
        const [line] = this.#waiting;
        if (!line) return true;
        const written = writeSync(this.#fd, line);
        this.#held -= written;
        if (written === line.length) this.#waiting.shift();
        else this.#waiting[0] = line.subarray(written);
      }
    } catch (error) {
      if (mayTryAgain(error)) return false;
      this.#isGone = true;
      this.#waiting.length = 0;
    }
    return true;
  }
}

/**
 * The same pipe, in a way that says when it has no room instead of holding the process up; others who write
 * to it are not touched. A file, a terminal or a socket is taken as it is.
 */
function withoutBlocking(fd: number): number {
  if (!fstatSync(fd).isFIFO()) return fd;
  try {
    return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    // Another system, another user's pipe: its reader holds the process up, as he would any program.
    return fd;
  }
}
