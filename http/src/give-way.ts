import { readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import path from 'node:path';

/**
 * Steps of niceness: about a third of the share of a thread that serves requests, where both want the same
 * processor.
 */
const STEPS = 5;
const LEAST_PRIORITY = 19;

/**
 * Lets the thread that serves requests go before the calling one where there are more threads at work than
 * processors. Only Linux knows priorities of threads.
 */
export function giveWay(): void {
  if (process.platform !== 'linux') return;
  try {
    letGiveWay(Number(path.basename(readlinkSync('/proc/thread-self'))));
  } catch {
    // Without /proc, or where a container forbids it, all threads are equal: slower under load, and no less right.
  }
}

/**
 * The same of a thread of this process by its number. Throws where the system does not allow it, or the
 * thread has ended.
 */
export function letGiveWay(thread: number): void {
  setPriority(thread, Math.min(LEAST_PRIORITY, getPriority(thread) + STEPS));
}
