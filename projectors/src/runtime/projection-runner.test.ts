import type { EventStore } from '@quantloom/domain/ports/event-store';
import { type Log, NO_LOG } from '@quantloom/domain/ports/log';
import { DependencyAwayError } from '@quantloom/domain/ports/outages';
import type { ReadModels } from '@quantloom/domain/ports/read-models';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { COUNTER_CATALOGUE, clock, counters } from '../../testing/embedded-log.ts';
import { ProjectionRunner } from './projection-runner.ts';
import { Turns } from './turns.ts';

describe('a projection that cannot go on', () => {
  let told: object[];
  let tries: number[];
  beforeEach(() => {
    vi.useFakeTimers();
    told = [];
    tries = [];
  });
  afterEach(() => vi.useRealTimers());

  /** Lets a projection try for so long to find its place; answers how many seconds lie between its tries. */
  async function pausesWithin(ms: number, found: () => unknown): Promise<number[]> {
    const log: Log = { ...NO_LOG, error: (facts) => void told.push(facts) };
    const readModels = {
      ensureCollection: async () => undefined,
      resumePoint: async () => {
        tries.push(Date.now());
        return found();
      },
    } as unknown as ReadModels;
    const eventStore = { reaches: async () => false } as unknown as EventStore;
    const times = { batchSize: 10, idleSaveMs: 50, retryMs: 1_000 };
    const deps = {
      eventStore,
      readModels,
      catalogue: COUNTER_CATALOGUE,
      clock,
      log,
      turns: new Turns(),
      ...times,
    };
    const runner = new ProjectionRunner(counters(), deps, () => undefined);
    await runner.start();
    await vi.advanceTimersByTimeAsync(ms);
    expect(runner.state).toBe('failing');
    await runner.stop();
    return tries.slice(1).map((time, i) => (time - (tries[i] ?? 0)) / 1_000);
  }

  it('tries again after longer and longer pauses, up to half a minute, and says so each time', async () => {
    const pauses = await pausesWithin(100_000, () => {
      throw new Error('The disk is full');
    });
    expect(pauses).toEqual([1, 2, 4, 8, 16, 30, 30]);
    expect(told).toHaveLength(8);
    expect(told.at(-1)).toMatchObject({ projection: 'counters', failures: 8 });
  });

  it('says once that the log is another one: that stays so until somebody does something', async () => {
    const place = { position: 7n, standsOn: null, edition: null };
    expect(await pausesWithin(20_000, () => place)).toHaveLength(4);
    expect(told).toMatchObject([{ err: { code: 'log_behind' }, failures: 1 }]);
  });

  it('waits for a server that is away at the same pace, and leaves it to others to tell', async () => {
    const pauses = await pausesWithin(2_000, () => {
      throw new DependencyAwayError('readModels', 'gone');
    });
    expect(new Set(pauses)).toEqual(new Set([0.25]));
    expect(told).toEqual([]);
  });
});
