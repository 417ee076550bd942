import type { RecordedEvent } from '@quantloom/domain/kernel/event';
import { NO_LOG } from '@quantloom/domain/ports/log';
import { DependencyAwayError, type Outages } from '@quantloom/domain/ports/outages';
import type { TracedWork } from '@quantloom/domain/ports/tracing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { BatchProcessDeps } from './batch-process-deps.ts';
import type { BatchSteps } from './batch-steps.ts';
import { react, untilDone } from './react.ts';

const CAUSE = { id: 'e1', correlationId: 'c1', at: '2026-01-01T00:00:00.000Z' };

let failed: Parameters<BatchSteps['fail']>[];
let tries: number;
let stopping: AbortController;

beforeEach(() => {
  vi.useFakeTimers();
  [failed, tries, stopping] = [[], 0, new AbortController()];
});
afterEach(() => {
  vi.useRealTimers();
});

/** A step of a batch that is tried until it is done, or its batch has failed. */
function step(work: () => Promise<void>, outages?: Outages) {
  const steps = { fail: async (...given) => void failed.push(given) } as Partial<BatchSteps> as BatchSteps;
  const what = { batchId: 'b1', what: 'PartitionFinished', cause: CAUSE };
  return untilDone({ log: NO_LOG, ...(outages && { outages }) }, steps, what, stopping.signal, async () => {
    tries += 1;
    await work();
  });
}

describe('a step of a batch that fails', () => {
  it('is tried some times within half a minute, and then its batch fails, once', async () => {
    const done = step(() => Promise.reject(new Error('The disk is full')));
    // An end also where it is tried for ever.
    const ended = done.then(() => true);
    await vi.advanceTimersByTimeAsync(60_000);
    stopping.abort();
    await expect(ended).resolves.toBe(true);
    expect(tries).toBe(9);
    expect(failed).toMatchObject([
      ['b1', null, { message: 'PartitionFinished: The disk is full' }, { id: 'e1' }],
    ]);
  });

  it('is left alone for longer after each try, up to eight seconds', async () => {
    const at: number[] = [];
    const began = Date.now();
    const done = step(async () => {
      at.push(Date.now() - began);
      throw new Error('The disk is full');
    });
    await vi.advanceTimersByTimeAsync(60_000);
    await done;
    const pauses = at.slice(1).map((time, index) => time - (at[index] ?? 0));
    expect(pauses).toEqual([100, 200, 400, 800, 1_600, 3_200, 6_400, 8_000]);
  });

  it('is done where a later try succeeds', async () => {
    const done = step(async () => {
      if (tries < 3) throw new Error('The disk is full');
    });
    await vi.advanceTimersByTimeAsync(60_000);
    await done;
    expect([tries, failed]).toEqual([3, []]);
  });

  it('waits for as long as a server is away, which is no fault of the batch', async () => {
    const done = step(async () => {
      if (tries < 50) throw new DependencyAwayError('eventStore', 'gone');
    });
    await vi.advanceTimersByTimeAsync(60_000);
    await done;
    expect([tries, failed]).toEqual([50, []]);
  });

  it('leaves a server that is away alone for half a second', async () => {
    const done = step(async () => {
      if (tries < 3) throw new DependencyAwayError('eventStore', 'gone');
    });
    await vi.advanceTimersByTimeAsync(499);
    expect(tries).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(tries).toBe(2);
    await vi.advanceTimersByTimeAsync(500);
    await done;
    expect(tries).toBe(3);
  });

  it('says so where its process stops meanwhile, and fails nothing', async () => {
    const done = expect(step(() => Promise.reject(new Error('The disk is full')))).rejects.toThrow('disk');
    await vi.advanceTimersByTimeAsync(1_000);
    stopping.abort();
    await vi.advanceTimersByTimeAsync(10);
    await done;
    expect(failed).toEqual([]);
  });

  it('tells where it failed, by the lines of the stack that name places', async () => {
    const done = step(() => Promise.reject(new Error('The disk is full')));
    await vi.advanceTimersByTimeAsync(60_000);
    await done;
    const [, , fault] = failed[0] as unknown as [unknown, unknown, { readonly stack: readonly string[] }];
    expect(fault.stack.length).toBeGreaterThan(0);
    for (const line of fault.stack) expect(line).toMatch(/^ +at /);
  });

  it('is not tried before the server is told to be back, and not once its process stops', async () => {
    const back = Promise.withResolvers<void>();
    const outages = { untilBack: () => back.promise } as Partial<Outages> as Outages;
    const away = () => Promise.reject(new DependencyAwayError('eventStore', 'gone'));
    const done = expect(step(away, outages)).rejects.toThrow('gone');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(tries).toBe(1);
    stopping.abort();
    back.resolve();
    await done;
    expect([tries, failed]).toEqual([1, []]);
  });
});

it('stands in the trace of what caused it, under the event that it reacts to', async () => {
  const traced: TracedWork[] = [];
  const run = async (work: TracedWork) => void traced.push(work);
  const deps = { log: NO_LOG, tracing: { run } } as unknown as BatchProcessDeps;
  const event = {
    id: 'e7',
    type: 'BatchCreated',
    data: { batchId: 'b1' },
    metadata: { correlationId: 'c1', causationId: 'command-1', recordedAt: CAUSE.at },
  } as unknown as RecordedEvent;
  await react(deps, {} as BatchSteps, event, stopping.signal);
  expect(traced).toEqual([
    {
      name: 'react to BatchCreated',
      kind: 'consumer',
      correlationId: 'c1',
      id: 'e7',
      cause: 'command-1',
      attributes: { 'quantloom.batch': 'b1' },
    },
  ]);
});
