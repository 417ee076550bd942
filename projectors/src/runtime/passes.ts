import { pause } from '@quantloom/domain/kernel/pause';
import type { Log } from '@quantloom/domain/ports/log';
import { awayIn } from '@quantloom/domain/ports/outages';

/** Something that is looked at again and again until it is closed. */
interface Passes {
  /** Looks now; whoever asks while that is under way waits for the same pass. */
  pass(): Promise<void>;
  /** Ends the looking, and waits for the pass under way. */
  close(): Promise<void>;
}

/**
 * Runs a pass at once and then with pauses of `everyMs` between. A pass that fails is logged with `failure`,
 * and tried again; one that fails for want of a server is only tried again, since whoever watches the servers
 * tells that once.
 *
 * @param once one pass; it should end early once the signal is aborted
 */
export function startPasses(
  once: (signal: AbortSignal) => Promise<void>,
  { everyMs, log, failure }: { readonly everyMs: number; readonly log: Log; readonly failure: string },
): Passes {
  const abort = new AbortController();
  let underWay: Promise<void> | null = null;
  const pass = () => {
    underWay ??= once(abort.signal).finally(() => {
      underWay = null;
    });
    return underWay;
  };
  const looking = (async () => {
    while (!abort.signal.aborted) {
      await pass().catch((error: unknown) => {
        if (!abort.signal.aborted && !awayIn(error)) log.error({ err: error }, failure);
      });
      await pause(everyMs, abort.signal);
    }
  })();
  return {
    pass,
    close: async () => {
      abort.abort();
      await looking;
    },
  };
}
