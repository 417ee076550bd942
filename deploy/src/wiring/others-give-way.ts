import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import path from 'node:path';
import { letGiveWay } from '@quantloom/http/give-way';

const TASKS = '/proc/self/task';

/**
 * Lets the main thread, which serves requests, go before all other threads that the process has by now: V8's
 * helpers, which collect the garbage of threads that compute, and the result store's, which sort what anybody
 * asks to be sorted. Threads that a thread begins later begin where it is then. One that gave way by itself
 * stays where it is. Only Linux knows priorities of threads.
 */
export function letOthersGiveWay(): void {
  if (process.platform !== 'linux') return;
  try {
    const own = getPriority(process.pid);
    for (const name of readdirSync(TASKS)) {
      const thread = Number(name);
      if (thread !== process.pid && getPriority(thread) === own && !isPool(name)) letGiveWay(thread);
    }
  } catch {
    // A thread that has just ended, or a container that forbids it: those that were not reached are equal.
  }
}

/** libuv's pool compresses answers and checks passwords: it serves, too. */
function isPool(thread: string): boolean {
  return readFileSync(path.join(TASKS, thread, 'comm'), 'utf8').startsWith('libuv');
}
