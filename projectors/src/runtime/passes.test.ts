import { DependencyAwayError } from '@quantloom/domain/ports/outages';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startPasses } from './passes.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Passes that end when the test says so. */
function rig() {
  const ends: PromiseWithResolvers<void>[] = [];
  const logged: string[] = [];
  const signals: AbortSignal[] = [];
  const passes = startPasses(
    (signal) => {
      const end = Promise.withResolvers<void>();
      ends.push(end);
      signals.push(signal);
      return end.promise;
    },
    {
      everyMs: 1_000,
      log: { info: () => {}, warn: () => {}, error: (_fields, message) => logged.push(message) },
      failure: 'it failed',
    },
  );
  return { passes, ends, logged, signals };
}
const settle = () => vi.advanceTimersByTimeAsync(0);

it('whoever asks while a pass is under way waits for that one, and begins another one afterwards', async () => {
  const { passes, ends } = rig();
  const asked = [passes.pass(), passes.pass()];
  expect(ends).toHaveLength(1);
  ends[0]?.resolve();
  await Promise.all(asked);
  void passes.pass();
  expect(ends).toHaveLength(2);
  ends[1]?.resolve();
  await passes.close();
});

it('looks again after a pause, also where a pass has failed, which is logged', async () => {
  const { passes, ends, logged } = rig();
  ends[0]?.reject(new Error('away'));
  await settle();
  expect(logged).toEqual(['it failed']);
  await vi.advanceTimersByTimeAsync(999);
  expect(ends).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(ends).toHaveLength(2);
  ends[1]?.resolve();
  await passes.close();
});

it('says nothing of a pass that a server away has ended, however often: whoever watches the server does', async () => {
  const { passes, ends, logged } = rig();
  for (const [round, away] of ['bus', 'readModels', 'eventStore'].entries()) {
    const error = new DependencyAwayError(away as 'bus', 'it has not answered');
    ends[round]?.reject(round === 1 ? new Error('Not looked at', { cause: error }) : error);
    await vi.advanceTimersByTimeAsync(1_000);
  }
  expect(ends).toHaveLength(4);
  expect(logged).toEqual([]);
  ends[3]?.reject(new Error('a defect'));
  await settle();
  expect(logged).toEqual(['it failed']);
  await passes.close();
});

it('ends when the pass under way has ended, and says nothing of what fails because it was told to end', async () => {
  const { passes, ends, logged, signals } = rig();
  let isClosed = false;
  const closing = passes.close().then(() => {
    isClosed = true;
  });
  await settle();
  expect(signals[0]?.aborted).toBe(true);
  expect(isClosed).toBe(false);
  ends[0]?.reject(new Error('aborted'));
  await closing;
  expect(logged).toEqual([]);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(ends).toHaveLength(1);
});
