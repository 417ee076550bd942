import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Job } from './jobs.ts';
import { watchTask } from './task-watch.ts';
import type { WorkerThread } from './worker-thread.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A task of a job that may take a second of a processor, on a thread that may keep others waiting for two. */
function rig(job: Partial<Job> = {}, isNeeded = false) {
  const said: string[] = [];
  const state = { cpu: 5_000, task: 1 };
  const worker = {
    isAt: (number: number) => number === state.task,
    cpuMilliseconds: async () => state.cpu,
    end: () => said.push('end'),
  } as unknown as WorkerThread;
  const watched = {
    deadlineMs: 1_000,
    cpuMilliseconds: 0,
    isLeftWhenEnded: false,
    isLong: false,
    putBack: () => {
      said.push('put back');
      return true;
    },
    ...job,
  } as Job;
  const onDeadline = (ms: number) => void said.push(`deadline ${ms}`);
  watchTask(worker, watched, 1, { isNeeded: () => isNeeded, patienceMs: 2_000, onDeadline });
  return { said, state };
}

it('counts the processor time of the thread since the task began, not the time on the clock', async () => {
  const { said, state } = rig();
  await vi.advanceTimersByTimeAsync(1_000);
  state.cpu += 999;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(said).toEqual([]);
  state.cpu += 1;
  await vi.advanceTimersByTimeAsync(200);
  expect(said).toEqual(['deadline 1000', 'end']);
  // Once.
  await vi.advanceTimersByTimeAsync(60_000);
  expect(said).toHaveLength(2);
});

it('counts what the job has taken before, and ends no thread that leaves the task by itself', async () => {
  const { said } = rig({ cpuMilliseconds: 1_000, isLeftWhenEnded: true });
  await vi.advanceTimersByTimeAsync(100);
  expect(said).toEqual(['deadline 1000']);
});

it('gives up what has taken twenty deadlines on the clock, whatever it had of a processor', async () => {
  const { said } = rig();
  await vi.advanceTimersByTimeAsync(19_900);
  expect(said).toEqual([]);
  await vi.advanceTimersByTimeAsync(100);
  expect(said).toEqual(['deadline 1000', 'end']);
});

it('puts back what others wait for after a while, unless it is long by its nature', async () => {
  const short = rig({}, true);
  const long = rig({ isLong: true }, true);
  const alone = rig();
  await vi.advanceTimersByTimeAsync(1_900);
  expect(short.said).toEqual([]);
  await vi.advanceTimersByTimeAsync(100);
  expect([short.said, long.said, alone.said]).toEqual([['put back', 'end'], [], []]);
});

it('looks no more once the thread is at another task, or where the job may take as long as it likes', async () => {
  const { said, state } = rig();
  state.task = 2;
  const free = rig({ deadlineMs: undefined }, true);
  await vi.advanceTimersByTimeAsync(60_000);
  expect([said, free.said]).toEqual([[], []]);
});
