import { CONSUMER_GROUPS } from '@quantloom/domain/contracts/messages/topics';
import { ENGINE_VERSION } from '@quantloom/domain/kernel/product';
import type { BusMessage, MessageContext } from '@quantloom/domain/ports/message-bus';
import { created, finished, queued, started } from '@quantloom/domain/testing/batch-builders';
import { MemoryEventStore } from '@quantloom/domain/testing/memory-event-store';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { asset, condition, ifThenElse, marketOf, root } from '../../testing/fixtures.ts';
import { createWorkerPool, type WorkerPool } from '../pool/worker-pool.ts';
import { createPoolBlockRunner } from '../runner/pool-block-runner.ts';
import { type ComputeNode, startComputeNode } from './compute-node.ts';
import type { ComputeNodeDeps } from './compute-node-deps.ts';

type Handler = (message: BusMessage, context: MessageContext) => Promise<void>;

let eventStore: MemoryEventStore;
let handlers: Map<string, Handler>;
let pool: WorkerPool;
let node: ComputeNode;
let ids = 0;
const nextId = () => String(++ids).padStart(26, '0');
let time: string;
const clock = { now: () => new Date(time) };

async function happened(...events: readonly ReturnType<typeof created>[]): Promise<void> {
  const actor = { kind: 'system', name: 'test' } as const;
  const metadata = { commandId: nextId(), correlationId: 'test', causationId: 'test', actor };
  const recordedAt = '2026-11-21T00:00:00.000Z';
  const recorded = events.map((event) => ({
    ...event,
    id: nextId(),
    metadata: { ...metadata, schemaVersion: 1, recordedAt },
  }));
  await eventStore.append('batch-b1', recorded, 'any');
}

const switched = ifThenElse(
  [condition({ lhs_val: 'SPY', lhs_fn_params: { window: '$W' } })],
  [asset('SPY')],
  [],
);

beforeEach(async () => {
  [eventStore, handlers, time] = [new MemoryEventStore(), new Map(), '2026-11-21T00:00:00.000Z'];
  const nothing = async () => undefined;
  const prices = marketOf({ SPY: { seed: 1, firstDay: 12_000, bars: 10 } });
  pool = createWorkerPool({
    threads: 2,
    cacheBytes: 1 << 20,
    workerFile: new URL('../../testing/no-such-worker.ts', import.meta.url),
  });
  const deps = {
    eventStore,
    bus: {
      ensureTopics: nothing,
      publish: nothing,
      subscribe: async ({ group }: { group: string }, handler: Handler) => {
        handlers.set(group, handler);
        return { pause: () => undefined, close: nothing };
      },
    },
    results: { createBatch: nothing, storedRanges: async () => [], countRows: async () => 39 },
    runner: createPoolBlockRunner({ pool, marketData: { load: async () => prices } as never, clock }),
    clock,
    ids: nextId,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    nodeId: 'n1',
  } as unknown as ComputeNodeDeps;
  node = await startComputeNode(deps);
  const template = { name: 'T', variables: ['$W'], algorithm: root(switched) as never };
  const variables = [{ name: '$W', values: Array.from({ length: 40 }, (_, i) => i + 2) }];
  await happened(created({ engineVersion: ENGINE_VERSION, template, variables }), queued(0, 1, 2, 3));
});
afterEach(async () => {
  await node.close();
  await pool.close();
});

/** Hands a message to the node as the bus would. */
async function handed(group: string, value: object): Promise<void> {
  const message = { topic: 't', key: 'k', partition: 0, offset: 0n, value, headers: {}, deliveryAttempt: 1 };
  const context = { signal: new AbortController().signal, heartbeat: async () => undefined };
  await handlers.get(group)?.(message as BusMessage, context);
}
/** What comes of a message in the log that comes again. */
async function eventsOf(group: string, value: object): Promise<string[]> {
  const before = eventStore.events.length;
  await expect(handed(group, value)).rejects.toMatchObject({ code: 'dependency_away' });
  return eventStore.events.slice(before).map(({ type }) => type);
}

it('a partition has not failed on a node none of whose threads starts: it comes again', async () => {
  const job = { batchId: 'b1', partition: 0, round: 1 };
  expect(await eventsOf(CONSUMER_GROUPS.jobs, job)).toEqual(['PartitionStarted']);
});

it('nor has a batch of which such a node had to compute rows again before it summed them up', async () => {
  for (const partition of [0, 1, 2, 3]) await happened(started(partition), finished(partition));
  await happened({ type: 'BatchCompilingStarted', data: { batchId: 'b1' } });
  const asked = { batchId: 'b1', eventId: 'e1', at: '2026-11-21T00:00:00.000Z' };
  expect(await eventsOf(CONSUMER_GROUPS.compile, asked)).toEqual([]);
});

it('a partition that never came to a row, however often it was begun, has failed and is not begun again', async () => {
  const tries = Array.from({ length: 10 }, (_, i) => i + 1);
  await happened(...tries.map((attempt) => started(0, attempt)));
  const before = eventStore.events.length;
  time = '2026-11-22T00:00:00.000Z';
  // Begun, it would come again: no thread starts.
  await handed(CONSUMER_GROUPS.jobs, { batchId: 'b1', partition: 0, round: 1 });
  expect(eventStore.events.slice(before).map(({ type }) => type)).toEqual(['PartitionFailed']);
});
