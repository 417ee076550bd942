import type { ServerEventRead, ServerRead } from './server-client.ts';
import { ErrorType, ServerError } from './server-errors.ts';

/**
 * Reads have no deadline of their own: one that brings nothing for this long, while somebody waits for it,
 * counts as lost.
 */
const SILENCE_LIMIT_MS = 30_000;

/** Iterates a read, and gives it up when the consumer stops early or the server says nothing any more. */
export async function* readAndCancel(
  read: ServerRead,
  silenceLimitMs = SILENCE_LIMIT_MS,
): AsyncIterable<ServerEventRead> {
  let isDone = false;
  try {
    for (;;) {
      const { done, value } = await soon(read.next(), silenceLimitMs);
      if (done) break;
      yield value;
    }
    isDone = true;
  } finally {
    if (!isDone) await read.abandon();
  }
}

async function soon<T>(work: Promise<T>, limitMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new ServerError(ErrorType.DEADLINE_EXCEEDED, 'The server went silent')),
      limitMs,
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
