import { pause } from '@quantloom/domain/kernel/pause';
import { awayIn, NO_OUTAGES, type Outages } from '@quantloom/domain/ports/outages';

/** Milliseconds between tries after an error that is no outage: half a minute in all. */
const PAUSES = [100, 300, 1_000, 3_000, 10_000, 15_000];
/** Between two tries at a server that is away for single calls only (no room on its disk, say). */
const AWAY_MS = 1_000;

/**
 * Does something with a server that may be away. An outage is nobody's fault: it must not use up the tries of
 * a partition, however long it lasts, so it is waited for. Rejects with the last error where something else
 * keeps failing, and at once when the signal aborts.
 *
 * @param pauses milliseconds before each further try
 */
export async function patiently<T>(
  work: () => Promise<T>,
  signal: AbortSignal,
  outages: Outages = NO_OUTAGES,
  pauses: readonly number[] = PAUSES,
): Promise<T> {
  for (let failures = 0; ; ) {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted) throw error;
      if (awayIn(error)) {
        await pause(AWAY_MS / 4, signal);
        await outages.untilBack(signal);
        if (outages.current().length === 0) await pause((AWAY_MS * 3) / 4, signal);
      } else {
        const next = pauses[failures];
        if (next === undefined) throw error;
        failures += 1;
        await pause(next, signal);
      }
      signal.throwIfAborted();
    }
  }
}
