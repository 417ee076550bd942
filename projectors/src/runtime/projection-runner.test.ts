import type { EventStore } from '@quantloom/domain/ports/event-store';
import { type Log, NO_LOG } from '@quantloom/domain/ports/log';
import { DependencyAwayError } from '@quantloom/domain/ports/outages';
import type { ReadModels } from '@quantloom/domain/ports/read-models';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  added,
  COUNTER_CATALOGUE,
  type Counter,
  clock,
  counters,
  openEmbeddedLog,
  until,
} from '../../testing/embedded-log.ts';
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

it('a projection that is stopped before a replay goes on later with what came before that', async () => {
  const log = await openEmbeddedLog();
  const amounts = Array.from({ length: 100 }, () => added('c-1', 1));
  const { position: before } = await log.eventStore.append('c-1', amounts, 'noStream');
  const data = { projection: 'counters', stream: 'c-2', eventId: 'e' };
  const request = { ...added('x', 0), type: 'ParkedEventReplayRequested', data };
  const { position: last } = await log.eventStore.append('parkedEvents-counters', [request], 'any');
  const times = { batchSize: 200, idleSaveMs: 5, retryMs: 10, turns: new Turns() };
  const runnerOn = (readModels: ReadModels) => {
    const deps = { eventStore: log.eventStore, readModels, catalogue: COUNTER_CATALOGUE, clock, log: NO_LOG };
    return new ProjectionRunner(counters(), { ...deps, ...times }, () => undefined);
  };
  let stopping: Promise<void> | null = null;
  // The events come in one batch, and are applied some at a time: it is stopped after the first ones.
  const stoppingAtOnce = new Proxy(log.readModels, {
    get: (target, key) => {
      const value = Reflect.get(target, key) as (...given: unknown[]) => unknown;
      if (key === 'commit') stopping ??= first.stop();
      return value.bind(target);
    },
  });
  const first = runnerOn(stoppingAtOnce);
  await first.start();
  await until(() => stopping !== null);
  await stopping;
  expect(first.reached).toBeLessThan(before);
  const second = runnerOn(log.readModels);
  await second.start();
  await until(() => second.reached >= last);
  await second.stop();
  expect(await log.readModels.get<Counter>('counters_v1', 'c-1')).toMatchObject({ sum: 100 });
  await log.close();
});
