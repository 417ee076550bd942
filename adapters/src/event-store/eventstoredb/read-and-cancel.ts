import { isCommandError, type StreamingRead } from '@eventstore/db-client';

/**
 * Iterates a read and cancels the call behind it when the consumer stops early; the client leaves it open otherwise. What has
 * arrived by then is let run through: a call with unread data never counts as finished, and `dispose` would wait for it for ever.
 */
export async function* readAndCancel<E>(read: StreamingRead<E>): AsyncIterable<E> {
  let isDone = false;
  // After the iteration nobody else listens, and an error without a listener would end the process.
  read.on('error', () => {});
  try {
    for await (const event of read.iterator({ destroyOnReturn: false })) yield event as E;
    isDone = true;
  } finally {
    if (!isDone) {
      await read.cancel();
      read.resume();
    }
  }
}

/** The server's name for what went wrong, or null for other errors. */
export function errorType(error: unknown): string | null {
  return error instanceof Error && isCommandError(error) ? error.type : null;
}
