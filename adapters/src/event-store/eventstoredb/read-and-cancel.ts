import { DeadlineExceededError, type StreamingRead } from '@eventstore/db-client';

/** Reads have no deadline of their own: one that brings nothing for this long, while somebody waits for it, counts as lost. */
const SILENCE_LIMIT_MS = 30_000;

/**
 * Iterates a read and cancels the call behind it when the consumer stops early; the client leaves it open otherwise. What has
 * arrived by then is let run through: a call with unread data never counts as finished, and `dispose` would wait for it for ever.
 */
export async function* readAndCancel<E>(
  read: StreamingRead<E>,
  silenceLimitMs = SILENCE_LIMIT_MS,
): AsyncIterable<E> {
  let isDone = false;
  // After the iteration nobody else listens, and an error without a listener would end the process.
  read.on('error', () => {});
  const events = read.iterator({ destroyOnReturn: false })[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await soon(events.next(), silenceLimitMs);
      if (done) break;
      yield value as E;
    }
    isDone = true;
  } finally {
    if (!isDone) {
      // Lets go of the stream, at once or when the cancelled call has ended; what it says then has been said or is of no interest.
      events.return?.().catch(() => {});
      await read.cancel();
      read.resume();
    }
  }
}

async function soon<T>(work: Promise<T>, limitMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DeadlineExceededError(undefined, 'The server went silent')), limitMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
