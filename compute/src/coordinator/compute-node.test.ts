import type { BatchEvent } from '@quantloom/domain/batch/events';
import { JOB_CORRELATION_HEADER, MESSAGE_ID_HEADER } from '@quantloom/domain/contracts/messages/jobs';
import { CONSUMER_GROUPS, TOPICS } from '@quantloom/domain/contracts/messages/topics';
import { ENGINE_VERSION } from '@quantloom/domain/kernel/product';
import { WrongExpectedRevisionError } from '@quantloom/domain/ports/event-store';
import type { BusMessage, MessageContext } from '@quantloom/domain/ports/message-bus';
import { DependencyAwayError } from '@quantloom/domain/ports/outages';
import { ResultsMissingError } from '@quantloom/domain/ports/result-store';
import {
  created,
  failed,
  finished,
  queued,
  started,
  stopped,
} from '@quantloom/domain/testing/batch-builders';
import { MemoryEventStore } from '@quantloom/domain/testing/memory-event-store';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ComputeNode, startComputeNode } from './compute-node.ts';
import type { ComputeNodeDeps } from './compute-node-deps.ts';

type Handler = (message: BusMessage, context: MessageContext) => Promise<void>;

/** What a test sets, and what came of it. */
interface World {
  stored: { readonly from: number; readonly to: number }[];
  /** Rows of the batch where they are summed up. */
  rows: number;
  /** Both reject where the store has lost the batch. */
  count: () => Promise<number>;
  ranges: () => Promise<World['stored']>;
  /** What the store is told to make and to remove. */
  made: (batchId: string) => void;
  removed: () => void;
  compute: (signal: AbortSignal) => Promise<void>;
  heartbeat: () => Promise<void>;
  prepareAnalysis: () => Promise<void>;
}
let world: World;
let eventStore: MemoryEventStore;
let published: { readonly topic: string; readonly value: unknown }[];
let deleted: string[];
/** Warnings and errors. */
let logged: string[];
let handlers: Map<string, Handler>;
let node: ComputeNode;

const REMOVED: BatchEvent = {
  type: 'BatchBacktestDeleted',
  data: { batchId: 'b1', userId: 'u1', quotaMonth: '2026-11', quotaReleased: 0 },
};

let ids = 0;
const nextId = () => String(++ids).padStart(26, '0');

async function happened(...events: readonly BatchEvent[]): Promise<void> {
  const actor = { kind: 'system', name: 'test' } as const;
  const recordedAt = '2026-11-21T00:00:00.000Z';
  const metadata = { ...{ commandId: nextId(), correlationId: 'test', causationId: 'test' }, actor };
  const recorded = events.map((event) => ({
    ...event,
    id: nextId(),
    metadata: { ...metadata, schemaVersion: 1, recordedAt },
  }));
  await eventStore.append('batch-b1', recorded, 'any');
}
const typesAfter = (count: number) => eventStore.events.slice(count).map(({ type }) => type);

beforeEach(async () => {
  [eventStore, published, deleted, logged, handlers] = [new MemoryEventStore(), [], [], [], new Map()];
  const nothing = async () => undefined;
  world = {
    stored: [],
    rows: 40,
    count: async () => world.rows,
    ranges: async () => world.stored,
    made: () => undefined,
    removed: () => undefined,
    compute: nothing,
    heartbeat: nothing,
    prepareAnalysis: nothing,
  };
  const deps = {
    eventStore,
    bus: {
      ensureTopics: nothing,
      publish: async (topic: string, messages: readonly { value: unknown }[]) => {
        for (const { value } of messages) published.push({ topic, value });
      },
      subscribe: async ({ group }: { group: string }, handler: Handler) => {
        handlers.set(group, handler);
        return { pause: () => undefined, resume: () => undefined, close: nothing };
      },
    },
    results: {
      createBatch: async (id: string) => world.made(id),
      storedRanges: () => world.ranges(),
      append: nothing,
      deleteBatch: async (id: string) => {
        deleted.push(id);
        world.removed();
      },
      countRows: () => world.count(),
      hashRows: async () => 'hash',
      medians: async () => ({}),
      query: async () => ({ columns: [], rows: [], total: 0 }),
    },
    runner: {
      capacity: 1,
      runBlock: async (_work: unknown, { from }: { from: number }, { signal }: { signal: AbortSignal }) => {
        await world.compute(signal);
        return { from };
      },
      release: () => undefined,
    },
    clock: { now: () => new Date('2026-11-21T00:00:00.000Z') },
    ids: nextId,
    log: {
      info: () => undefined,
      warn: (_: unknown, message: string) => logged.push(message),
      error: (_: unknown, message: string) => logged.push(message),
    },
    nodeId: 'n1',
    prepareAnalysis: () => world.prepareAnalysis(),
  } as unknown as ComputeNodeDeps;
  node = await startComputeNode(deps);
});
afterEach(() => node.close());

/** Hands a message to the node as the bus would. */
async function handed(
  group: string,
  value: object,
  signal = new AbortController().signal,
  headers: BusMessage['headers'] = {},
): Promise<void> {
  const message = { topic: 't', key: 'k', partition: 0, offset: 0n, value, headers, deliveryAttempt: 1 };
  await handlers.get(group)?.(message as BusMessage, { signal, heartbeat: () => world.heartbeat() });
}

describe('a job', () => {
  const job = (partition = 0, signal?: AbortSignal) =>
    handed(CONSUMER_GROUPS.jobs, { batchId: 'b1', partition, round: 1 }, signal);
  let before: number;
  beforeEach(async () => {
    await happened(created({ engineVersion: ENGINE_VERSION }), queued(0, 1, 2, 3));
    before = eventStore.events.length;
  });

  it('is begun, stored and finished', async () => {
    await job();
    expect(typesAfter(before)).toEqual(['PartitionStarted', 'PartitionFinished']);
    expect(node.running()).toEqual([]);
  });

  it('is followed back to the request and the message that it came from', async () => {
    const headers = { [JOB_CORRELATION_HEADER]: 'request-1', [MESSAGE_ID_HEADER]: 'job-1' };
    await handed(CONSUMER_GROUPS.jobs, { batchId: 'b1', partition: 0, round: 1 }, undefined, headers);
    const from = { correlationId: 'request-1', causationId: 'job-1' };
    expect(eventStore.events.slice(before)).toMatchObject([{ metadata: from }, { metadata: from }]);
  });

  it('says with how many rows of its own part it begins, whatever else is stored', async () => {
    await happened(started(1), failed(1));
    world.stored = [
      { from: 0, to: 13 },
      { from: 18, to: 25 },
      { from: 30, to: 40 },
    ];
    const count = eventStore.events.length;
    await job(1);
    expect(eventStore.events[count]).toMatchObject({ type: 'PartitionStarted', data: { stored: 5 } });
  });

  it('is computed again where the store has lost what there was of the batch', async () => {
    await happened(started(1), failed(1));
    world.ranges = () => Promise.reject(new ResultsMissingError('b1'));
    const made: string[] = [];
    world.made = (id) => {
      made.push(id);
      world.ranges = async () => world.stored;
    };
    const count = eventStore.events.length;
    await job(1);
    expect(made).toEqual(['b1']);
    expect(eventStore.events[count]).toMatchObject({ type: 'PartitionStarted', data: { stored: 0 } });
    expect(typesAfter(count)).toEqual(['PartitionStarted', 'PartitionFinished']);
    expect(logged).toEqual(['the rows of a batch are gone from the store and are computed again']);
  });

  it('leaves no rows behind of a batch that was deleted while it was computed', async () => {
    world.compute = () => happened(REMOVED);
    await job();
    expect(deleted).toEqual(['b1']);
    expect(typesAfter(before)).toEqual(['PartitionStarted', 'BatchBacktestDeleted']);
  });

  it('has not failed where a server has gone away between two steps: it comes again', async () => {
    world.heartbeat = () => Promise.reject(new DependencyAwayError('bus', 'not reached'));
    await expect(job()).rejects.toMatchObject({ code: 'dependency_away' });
    expect(typesAfter(before)).toEqual(['PartitionStarted']);
  });

  it('that fails is told to have failed, and is done with', async () => {
    world.compute = () => Promise.reject(new Error('The engine stumbled'));
    await job();
    expect(eventStore.events.at(-1)).toMatchObject({
      type: 'PartitionFailed',
      data: { partition: 0, fault: { message: 'The engine stumbled' } },
    });
  });

  it('that fails after another node has finished it changes nothing', async () => {
    world.compute = async () => {
      await happened(finished(0));
      throw new Error('The engine stumbled');
    };
    await job();
    expect(typesAfter(before)).toEqual(['PartitionStarted', 'PartitionFinished']);
  });

  it('comes again where its failure could not be told', async () => {
    world.compute = async () => {
      // Others write to the batch all the time, and are always faster.
      eventStore.append = (stream, _events, expected) =>
        Promise.reject(new WrongExpectedRevisionError(stream, expected, 99));
      throw new Error('The engine stumbled');
    };
    await expect(job()).rejects.toThrow();
    expect(typesAfter(before)).toEqual(['PartitionStarted']);
  });

  it('that is another node’s already when it comes is not computed', async () => {
    let isComputed = false;
    world.compute = async (signal) => {
      signal.throwIfAborted();
      isComputed = true;
    };
    await expect(job(0, AbortSignal.abort())).rejects.toBeDefined();
    expect(isComputed).toBe(false);
    expect(typesAfter(before)).toEqual([]);
    expect(node.running()).toEqual([]);
  });

  describe('of a batch that is being computed', () => {
    let running: Promise<void>;
    let signal: AbortSignal;
    beforeEach(async () => {
      const begun = Promise.withResolvers<void>();
      world.compute = (given) => {
        signal = given;
        begun.resolve();
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      };
      running = job();
      // What it settles as is looked at later.
      running.catch(() => undefined);
      await begun.promise;
    });
    const cancel = (batchId: string) => handed('compute.cancellations.n1', { batchId });

    it('ends with its own batch and with no other, has not failed, and does not come again', async () => {
      for (const other of ['b0', 'b10', 'b2']) await cancel(other);
      expect([signal.aborted, node.running()]).toEqual([false, [{ batchId: 'b1', partition: 0 }]]);
      await happened(REMOVED);
      await cancel('b1');
      await running;
      expect(node.running()).toEqual([]);
      expect(typesAfter(before)).toEqual(['PartitionStarted', 'BatchBacktestDeleted']);
      // What was stored until then goes as well.
      expect(deleted).toEqual(['b1']);
    });

    it('keeps what is stored where the batch is there still', async () => {
      await cancel('b1');
      await running;
      expect(typesAfter(before)).toEqual(['PartitionStarted']);
      expect(deleted).toEqual([]);
    });

    it('comes again where the node stops, or loses it to another one, and has not failed', async () => {
      await node.close();
      await expect(running).rejects.toBe('stopped');
      expect(typesAfter(before)).toEqual(['PartitionStarted']);
    });
  });

  it('of a batch that was stopped meanwhile has done its work', async () => {
    await happened(stopped(0, 40));
    const count = eventStore.events.length;
    await job();
    expect(typesAfter(count)).toEqual([]);
  });
});

describe('a batch whose rows are all there', () => {
  const sumUp = (signal?: AbortSignal) =>
    handed(CONSUMER_GROUPS.compile, { batchId: 'b1', eventId: 'e1', at: '2026-11-21T00:00:00.000Z' }, signal);
  let before: number;
  beforeEach(async () => {
    const parts = [0, 1, 2, 3];
    await happened(
      created({ engineVersion: ENGINE_VERSION }),
      queued(...parts),
      ...parts.map((n) => started(n)),
    );
    await happened(...parts.map((n) => finished(n)));
    await happened({ type: 'BatchCompilingStarted', data: { batchId: 'b1' } });
    before = eventStore.events.length;
  });

  it('is finished once, however often it is asked for', async () => {
    await sumUp();
    await sumUp();
    expect(typesAfter(before)).toEqual(['BatchBacktestFinished']);
  });

  it('is followed back to the request and the event that it came from', async () => {
    const headers = { [JOB_CORRELATION_HEADER]: 'request-1' };
    const value = { batchId: 'b1', eventId: 'e1', at: '2026-11-21T00:00:00.000Z' };
    await handed(CONSUMER_GROUPS.compile, value, undefined, headers);
    const from = { correlationId: 'request-1', causationId: 'e1' };
    expect(eventStore.events.slice(before)).toMatchObject([{ metadata: from }]);
  });

  it('has an error of its own each time that it fails', async () => {
    world.rows = 39;
    const errorIds: unknown[] = [];
    for (const eventId of ['e1', 'e2']) {
      await handed(CONSUMER_GROUPS.compile, { batchId: 'b1', eventId, at: '2026-11-21T00:00:00.000Z' });
      const { type, data } = eventStore.events.at(-1) ?? {};
      expect(type).toBe('BatchBacktestFailed');
      const { errorId } = data as { readonly errorId: string };
      errorIds.push(errorId);
      await happened(
        { type: 'BatchBacktestReplayed', data: { batchId: 'b1', errorId, partitions: [] } },
        { type: 'BatchCompilingStarted', data: { batchId: 'b1' } },
      );
    }
    expect(new Set(errorIds).size).toBe(2);
  });

  it('is finished though its analysis could not be prepared: the rows are right without it', async () => {
    world.prepareAnalysis = () => Promise.reject(new Error('The analysis stumbled'));
    await sumUp();
    expect(typesAfter(before)).toEqual(['BatchBacktestFinished']);
    expect(logged).toEqual(['the analysis of a batch could not be prepared']);
  });

  it('is finished without a word where its analysis needs a server that is away', async () => {
    world.prepareAnalysis = () =>
      Promise.reject(new DependencyAwayError('readModels', 'it has not answered'));
    await sumUp();
    expect(typesAfter(before)).toEqual(['BatchBacktestFinished']);
    expect(logged).toEqual([]);
  });

  it.each(['rows', 'the whole batch'])(
    'is finished where the store has lost %s: it is computed again',
    async (lost) => {
      let computed = 0;
      world.rows = 39;
      if (lost !== 'rows') world.count = () => Promise.reject(new ResultsMissingError('b1'));
      world.compute = async () => {
        computed += 1;
        if (computed < 4) return;
        world.rows = 40;
        world.count = async () => world.rows;
      };
      await sumUp();
      expect(computed).toBe(4);
      expect(deleted).toEqual([]);
      expect(typesAfter(before)).toEqual(['BatchBacktestFinished']);
      expect(logged).toEqual(['rows of a batch are gone from the store and are computed again']);
    },
  );

  it('has all of its rows computed anew where the store has others than it says', async () => {
    world.rows = 41;
    world.removed = () => (world.rows = 40);
    await sumUp();
    expect(deleted).toEqual(['b1']);
    expect(typesAfter(before)).toEqual(['BatchBacktestFinished']);
  });

  it('fails where rows are missing though all were computed again, and does not wait for them', async () => {
    world.rows = 39;
    const began = performance.now();
    await sumUp();
    // Whatever is tried again takes half a minute.
    expect(performance.now() - began).toBeLessThan(10_000);
    expect(deleted).toEqual(['b1']);
    expect(eventStore.events.at(-1)).toMatchObject({
      type: 'BatchBacktestFailed',
      data: { fault: { message: 'Batch b1 has 39 rows where 40 combinations were to be computed' } },
    });
  });

  it('leaves no rows behind where it is deleted while they are computed again', async () => {
    world.rows = 39;
    let computed = 0;
    world.compute = async () => {
      computed += 1;
      if (computed === 1) await happened(REMOVED);
    };
    await sumUp();
    expect(computed).toBe(4);
    expect(deleted).toEqual(['b1']);
    expect(typesAfter(before)).toEqual(['BatchBacktestDeleted']);
  });

  it('is left alone where somebody else has finished or deleted it meanwhile', async () => {
    const others: readonly BatchEvent[] = [
      { type: 'BatchBacktestFinished', data: { batchId: 'b1', summary: {} as never } },
      REMOVED,
    ];
    for (const other of others) {
      world.prepareAnalysis = () => happened(other);
      await sumUp();
      expect(typesAfter(before)).not.toContain('BatchBacktestFailed');
    }
  });

  it('goes on where it was replayed meanwhile: what was summed up is of no use any more', async () => {
    const error = { batchId: 'b1', errorId: 'x' };
    const fault = { message: 'The disk was full', stack: [] };
    world.prepareAnalysis = () =>
      happened(
        { type: 'BatchBacktestFailed', data: { ...error, userId: 'u1', partition: null, fault } },
        { type: 'BatchBacktestReplayed', data: { ...error, partitions: [0, 1, 2, 3] } },
      );
    await sumUp();
    expect(typesAfter(before)).toEqual(['BatchBacktestFailed', 'BatchBacktestReplayed']);
  });

  it('has not failed where the node stops or loses it on the way', async () => {
    const lost = new AbortController();
    world.prepareAnalysis = () => new Promise<void>(() => lost.abort(new Error('lost')));
    await expect(sumUp(lost.signal)).rejects.toThrow('lost');
    expect(typesAfter(before)).toEqual([]);
  });
});

it('a node says how much it can do, and that it goes', async () => {
  const said = () => published.filter(({ topic }) => topic === TOPICS.nodes.name).map(({ value }) => value);
  expect(said()).toEqual([{ node: 'n1', slots: 2, quickSlots: 2 }]);
  await node.close();
  expect(said().at(-1)).toEqual({ node: 'n1', slots: 0, quickSlots: 0 });
});
