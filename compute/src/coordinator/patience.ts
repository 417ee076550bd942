/** Milliseconds between tries of the result store: half a minute in all, which a restart of a server takes. */
const PAUSES = [100, 300, 1_000, 3_000, 10_000, 15_000];

/**
 * Does something with a server that may be away for a moment. An outage is nobody's fault: it must not use up the tries of a partition. Rejects with the last
 * error when it stays away, and at once when the signal aborts.
 *
 * @param pauses milliseconds before each further try
 */
export async function patiently<T>(
  work: () => Promise<T>,
  signal: AbortSignal,
  pauses: readonly number[] = PAUSES,
): Promise<T> {
  for (const pause of pauses) {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted) throw error;
      await wait(pause, signal);
      signal.throwIfAborted();
    }
  }
  return work();
}

function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener('abort', done);
  });
}
