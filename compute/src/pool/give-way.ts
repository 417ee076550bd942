import { readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import path from 'node:path';

/**
 * Steps of niceness: about a third of the share of a thread that serves requests, where both want the same
 * processor.
 */
const STEPS = 5;
const LEAST_PRIORITY = 19;

/** Lets whatever answers people go before the calling thread. As in `http`, which compute does not know. */
export function giveWay(): void {
  if (process.platform !== 'linux') return;
  try {
    const thread = Number(path.basename(readlinkSync('/proc/thread-self')));
    setPriority(thread, Math.min(LEAST_PRIORITY, getPriority(thread) + STEPS));
  } catch {
    // Without /proc, or where a container forbids it, all threads are equal: slower under load, and no less right.
  }
}
