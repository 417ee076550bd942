import { closeSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import type { Stored } from './stand-in-answers.ts';

/** An event as a line holds it. */
interface Kept extends Omit<Stored, 'position' | 'data' | 'metadata'> {
  readonly position: string;
  readonly data: string;
  readonly metadata: string;
}

/**
 * The file of a stand-in that is to be killed and started again: a line for each append, which is in the file
 * before the append is acknowledged. It outlives the process, not the machine (nothing waits for the disk).
 */
export class StandInJournal {
  readonly #file: number;
  readonly #end: (error: unknown) => never;

  /**
   * @param file made where there is none
   * @param end what is done when it cannot be written to: the real server ends, too
   */
  constructor(file: string, end: (error: unknown) => never) {
    this.#file = openSync(file, 'a+');
    this.#end = end;
  }

  /** What is in it, in order. A last line that a kill has cut off was not acknowledged, and goes. */
  read(): Stored[] {
    const bytes = Buffer.alloc(fstatSync(this.#file).size);
    let length = 0;
    while (length < bytes.length)
      length += readSync(this.#file, bytes, length, bytes.length - length, length);
    const whole = bytes.lastIndexOf('\n') + 1;
    if (whole < bytes.length) ftruncateSync(this.#file, whole);
    return bytes
      .subarray(0, whole)
      .toString()
      .split('\n')
      .filter((line) => line !== '')
      .flatMap((line) => (JSON.parse(line) as readonly Kept[]).map(storedOf));
  }

  /** The events of one append, all or none. */
  write(events: readonly Stored[]): void {
    let rest = Buffer.from(`${JSON.stringify(events.map(keptOf))}\n`);
    try {
      while (rest.length > 0) rest = rest.subarray(writeSync(this.#file, rest));
    } catch (error) {
      this.#end(error);
    }
  }

  close(): void {
    closeSync(this.#file);
  }
}

const keptOf = (event: Stored): Kept => ({
  ...event,
  position: String(event.position),
  data: Buffer.from(event.data).toString('base64'),
  metadata: Buffer.from(event.metadata).toString('base64'),
});

const storedOf = (event: Kept): Stored => ({
  ...event,
  position: BigInt(event.position),
  data: Buffer.from(event.data, 'base64'),
  metadata: Buffer.from(event.metadata, 'base64'),
});
