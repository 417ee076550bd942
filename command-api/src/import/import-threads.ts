import { Worker } from 'node:worker_threads';
import { unreadable } from '@quantloom/domain/exchange/import-source';
import type { IdSource } from '@quantloom/domain/kernel/ids';
import { refuse } from '@quantloom/domain/kernel/refusal';
import { type ReadAnswer, readSourceWith } from './read-source.ts';

/** Sources of so many characters are read where they arrive: that takes a few milliseconds. */
const SMALL = 50_000;
/** Nothing that is a strategy takes longer. */
const MAX_MS = 30_000;
const MAX_MEGABYTES = 512;

const TOO_HARD = refuse(
  422,
  'source_too_large',
  'This takes too much time or memory to read, which no strategy does.',
);

/** Reads sources, the large ones one after the other in a thread, so that nobody else waits for them. */
export class ImportThreads {
  readonly #newId: IdSource;
  #last: Promise<unknown> = Promise.resolve();

  constructor(newId: IdSource) {
    this.#newId = newId;
  }

  read(given: unknown, bytes: number): Promise<ReadAnswer> {
    if (bytes <= SMALL) return Promise.resolve(readSourceWith(given, this.#newId));
    // A value that is nested without bounds could not even be handed to the thread.
    const refusal = unreadable(given);
    if (refusal) return Promise.resolve(refusal);
    const turn = this.#last.then(() => readInThread(given, this.#newId()));
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}

function readInThread(given: unknown, id: string): Promise<ReadAnswer> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./import-thread.ts', import.meta.url), {
      workerData: { given, id },
      resourceLimits: { maxOldGenerationSizeMb: MAX_MEGABYTES, stackSizeMb: 8 },
    });
    const timer = setTimeout(() => void worker.terminate(), MAX_MS);
    worker.once('message', (answer: ReadAnswer) => resolve(answer));
    worker.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') resolve(TOO_HARD);
      else reject(error);
    });
    worker.once('exit', () => {
      clearTimeout(timer);
      // After an answer this changes nothing.
      resolve(TOO_HARD);
    });
  });
}
