import type { ProgressMessage } from '@quantloom/domain/contracts/messages/jobs';
import type { ResultBlock } from '@quantloom/domain/contracts/result-block';
import { ENGINE_VERSION } from '@quantloom/domain/kernel/product';
import { DependencyAwayError, type Outage } from '@quantloom/domain/ports/outages';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type PartitionRun, runPartition } from './run-partition.ts';

/** All of one block. */
const ROWS = 40;
const batch = {
  batchId: 'b1',
  userId: 'ada',
  variables: [],
  config: {},
  template: {},
  dataVersion: 'v1',
  combinations: ROWS,
  partitionSize: ROWS,
  partitions: 1,
  engineVersion: ENGINE_VERSION,
} as unknown as PartitionRun['batch'];

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A partition on a store and an engine that a test tells what to do. */
function partition(
  how: {
    readonly stored?: { from: number; to: number }[];
    readonly compute?: (signal: AbortSignal, from: number) => Promise<void>;
    readonly append?: () => Promise<void>;
    readonly options?: PartitionRun['options'];
    readonly capacity?: number;
  } = {},
) {
  const said: ProgressMessage[] = [];
  const released: ResultBlock[] = [];
  const begun: number[] = [];
  const away: Outage[] = [];
  let heartbeats = 0;
  const abort = new AbortController();
  const run = {
    batch,
    partition: 0,
    nodeId: 'n1',
    abort,
    clock: { now: () => new Date() },
    runner: {
      capacity: how.capacity ?? 1,
      runBlock: async (_work: unknown, { from }: { from: number }, { signal }: { signal: AbortSignal }) => {
        begun.push(from);
        await how.compute?.(signal, from);
        return { from } as ResultBlock;
      },
      release: (block: ResultBlock) => void released.push(block),
    },
    results: {
      createBatch: async () => undefined,
      storedRanges: async () => how.stored ?? [],
      append: async () => await how.append?.(),
    },
    heartbeat: async () => {
      heartbeats += 1;
    },
    publish: async (message: ProgressMessage) => void said.push(message),
    outages: { current: () => away, untilBack: async () => undefined },
    options: how.options,
  } as unknown as PartitionRun;
  return { run, said, released, begun, away, abort, heartbeats: () => heartbeats };
}

const seconds = (count: number) => new Promise<void>((resolve) => setTimeout(resolve, count * 1_000));
/** Longer than anybody here waits, and left as soon as it is aborted. */
const stuck = (signal: AbortSignal) =>
  new Promise<void>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
async function ended(run: PartitionRun) {
  const running = runPartition(run);
  running.catch(() => undefined);
  await vi.advanceTimersByTimeAsync(10_000_000);
  return await running;
}

describe('a partition', () => {
  it('says how far it is, stored rows among them, and how quick it computes the others', async () => {
    const { run, said } = partition({ stored: [{ from: 0, to: 30 }], compute: () => seconds(2) });
    expect((await ended(run)).seconds).toBe(2);
    expect(said[0]).toMatchObject({ done: 30, total: 40, rate: 0, state: 'running' });
    expect(said.at(-1)).toMatchObject({ done: 40, total: 40, rate: 5, state: 'finished' });
  });

  it('lets the memory of a block go that was stored at the first try, and of no other', async () => {
    let tries = 0;
    const { run, released, said } = partition({
      append: async () => {
        tries += 1;
        if (tries === 1) throw new DependencyAwayError('results', 'gone');
      },
    });
    await ended(run);
    expect([tries, released]).toEqual([2, []]);
    expect(said.at(-1)).toMatchObject({ done: 40, state: 'finished' });
    const other = partition();
    await ended(other.run);
    expect(other.released).toHaveLength(1);
  });

  it('ends with the sentence that it stalled, whatever the engine says of being stopped', async () => {
    const { run, said, abort } = partition({ compute: stuck, options: { stallSeconds: 5 } });
    await expect(ended(run)).rejects.toThrow(/^Partition 0 stored nothing for \d+ seconds$/);
    expect(abort.signal.aborted).toBe(true);
    expect(said.at(-1)?.state).toBe('failed');
    const odd = partition({
      compute: (signal) => stuck(signal).catch(() => Promise.reject(new Error('The task was aborted'))),
      options: { stallSeconds: 5 },
    });
    await expect(ended(odd.run)).rejects.toMatchObject({ code: 'job_deadline' });
  });

  it('stalls when it has stored nothing for longer than it may, not at that second', async () => {
    const { run, abort } = partition({ compute: stuck, options: { stallSeconds: 5 } });
    const running = runPartition(run);
    running.catch(() => undefined);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(abort.signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1_000);
    await expect(running).rejects.toThrow('stored nothing for 6 seconds');
  });

  it('does not stall as long as it goes on storing, however long that takes', async () => {
    const { run, begun } = partition({ compute: () => seconds(4), options: { stallSeconds: 5 } });
    const several = { ...run, batch: { ...batch, combinations: 256, partitionSize: 256 } };
    const running = runPartition(several);
    running.catch(() => undefined);
    await vi.advanceTimersByTimeAsync(20_000);
    expect((await running).seconds).toBe(16);
    expect(begun).toEqual([0, 64, 128, 192]);
  });

  it('ends when it takes longer than it may, though it goes on storing', async () => {
    const { run } = partition({ compute: stuck, options: { stallSeconds: 1_000, deadlineSeconds: 60 } });
    await expect(ended(run)).rejects.toThrow('Partition 0 was not done after 60 seconds');
  });

  it('neither stalls nor takes too long while a server is away, and stays with its node', async () => {
    const { run, away, heartbeats } = partition({
      compute: () => seconds(600),
      options: { stallSeconds: 50, deadlineSeconds: 60 },
    });
    const running = runPartition(run);
    running.catch(() => undefined);
    await vi.advanceTimersByTimeAsync(10_000);
    const before = heartbeats();
    away.push({ dependency: 'results', since: new Date(), reason: 'gone' });
    await vi.advanceTimersByTimeAsync(560_000);
    expect(heartbeats()).toBeGreaterThan(before + 500);
    away.pop();
    await vi.advanceTimersByTimeAsync(100_000);
    // Forty seconds of it counted.
    expect((await running).seconds).toBeCloseTo(40, 0);
  });

  it('says that it was cancelled where it was', async () => {
    const { run, said, abort } = partition({ compute: stuck });
    const running = runPartition(run);
    running.catch(() => undefined);
    await vi.advanceTimersByTimeAsync(2_000);
    abort.abort('cancelled');
    await vi.advanceTimersByTimeAsync(1_000);
    await expect(running).rejects.toBe('cancelled');
    expect(said.at(-1)?.state).toBe('cancelled');
    const count = said.length;
    // It says nothing any more.
    await vi.advanceTimersByTimeAsync(10_000);
    expect(said).toHaveLength(count);
  });

  it('begins no further block after one that failed, and waits for those that were begun', async () => {
    const { run, begun, released } = partition({
      capacity: 2,
      compute: async (_, from) => {
        await seconds(from === 0 ? 1 : 2);
        if (from === 0) throw new Error('The engine stumbled');
      },
    });
    const many = { ...batch, combinations: 100_000, partitionSize: 100_000 };
    await expect(ended({ ...run, batch: many })).rejects.toThrow('The engine stumbled');
    expect([begun.length, released.length]).toEqual([2, 1]);
  });

  it('ends when its last word is said, not before', async () => {
    const { run } = partition();
    const heard = Promise.withResolvers<void>();
    let isOver = false;
    const running = runPartition({ ...run, publish: () => heard.promise }).then(() => {
      isOver = true;
    });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(isOver).toBe(false);
    heard.resolve();
    await running;
  });

  it('is not computed by an engine of another version', async () => {
    const { run, begun } = partition();
    await expect(ended({ ...run, batch: { ...batch, engineVersion: '0' } })).rejects.toThrow(
      /engine version 0/,
    );
    expect(begun).toEqual([]);
  });
});
