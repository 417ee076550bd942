import { ConfigurationError } from '../config.ts';

/** What the system itself says in one sentence: no right to write, no room, an address that is not there. */
const OF_SYSTEM: ReadonlySet<unknown> = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EADDRNOTAVAIL']);

/** What an operator reads of a start that failed: one sentence where he can mend it, else all there is. */
export function wordsOfFailure(error: unknown): unknown {
  const isOfSystem = error instanceof Error && OF_SYSTEM.has((error as NodeJS.ErrnoException).code);
  return error instanceof ConfigurationError || isOfSystem ? (error as Error).message : error;
}

/**
 * Calls back once when the process that has started this one is gone. npm passes a signal on to the shell in
 * which it runs us, and the shell ends without us: the server would hold folder and port with nobody to stop
 * it.
 */
export function whenOrphaned(
  parent: number,
  callback: () => void,
  parentNow: () => number = () => process.ppid,
): void {
  const timer = setInterval(() => {
    if (parentNow() === parent) return;
    clearInterval(timer);
    callback();
  }, 250);
  timer.unref();
}
