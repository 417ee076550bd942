import {
  ANALYSIS_CLAIMS_COLLECTION,
  BATCH_ANALYSES_COLLECTION,
  BATCH_PROGRESS_COLLECTION,
} from '@quantloom/domain/batch/projections';
import { TOPICS } from '@quantloom/domain/contracts/messages/topics';
import { loadState } from '@quantloom/domain/kernel/handle-command';
import { ENGINE_VERSION } from '@quantloom/domain/kernel/product';
import { NO_LOG } from '@quantloom/domain/ports/log';
import type { MessageBus } from '@quantloom/domain/ports/message-bus';
import { type ResultStore, ResultsMissingError } from '@quantloom/domain/ports/result-store';
import { USAGE_STREAM, usageId } from '@quantloom/domain/usage/stream';
import { ulid } from 'ulid';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  appendBatchEvents,
  batchOf,
  clock,
  createBatch,
  openStores,
  type Stores,
} from '../../testing/batch-stack.ts';
import { BatchSteps } from './batch-steps.ts';

const CAUSE = { id: '01KAZZZZZZZZZZZZZZZZZZZZZZ', correlationId: 'c1', at: '2026-11-01T00:00:00.000Z' };
const SMALL = { a: 3, b: 3, partitions: 1 };

let stores: Stores;
/** Topic and key of each message. */
let published: string[];
/** What was asked of the result store, in order. */
let asked: string[];
/** Said by the result store when rows are to be copied. */
let refusal: Error | null;
let steps: BatchSteps;

beforeEach(async () => {
  stores = await openStores();
  [published, asked, refusal] = [[], [], null];
  const bus = {
    publish: async (topic, messages) => void published.push(...messages.map(({ key }) => `${topic} ${key}`)),
  } as Partial<MessageBus> as MessageBus;
  const results = {
    createBatch: async (id) => void asked.push(`create ${id}`),
    deleteBatch: async (id) => void asked.push(`delete ${id}`),
    copyRows: async (id) => {
      asked.push(`copy to ${id}`);
      if (refusal) throw refusal;
    },
  } as Partial<ResultStore> as ResultStore;
  steps = new BatchSteps({ ...stores, bus, results, clock, ids: ulid, log: NO_LOG });
});
afterEach(async () => {
  await stores.close();
  stores.remove();
});

const happened = (batchId: string, type: string, data: object = {}) =>
  appendBatchEvents(stores, batchId, [{ type, data: { batchId, ...data } }]);

describe('making room for a batch', () => {
  async function takingOver(): Promise<string> {
    const [source, id] = [ulid(), ulid()];
    await createBatch(stores, batchOf(source, SMALL));
    const summary = { rows: 9, failures: 0, best: null, medians: {}, hash: 'h' };
    await happened(source, 'BatchBacktestFinished', { summary });
    await createBatch(stores, batchOf(id, { ...SMALL, reuse: [{ batchId: source, count: 9 }] }));
    return id;
  }

  it('goes on where rows of an earlier one are gone from the store: they are computed again', async () => {
    const id = await takingOver();
    refusal = new ResultsMissingError('source');
    await steps.prepare(id);
    await steps.prepare(id);
    expect(asked).toEqual([`create ${id}`, `copy to ${id}`]);
  });

  it('fails where the store does, and is tried again', async () => {
    const id = await takingOver();
    refusal = new Error('The disk is full');
    await expect(steps.prepare(id)).rejects.toThrow('The disk is full');
    refusal = null;
    await steps.prepare(id);
    expect(asked).toEqual([`create ${id}`, `copy to ${id}`, `create ${id}`, `copy to ${id}`]);
  });

  it('is done anew after the rows of an earlier engine have gone, however often it was done before', async () => {
    const id = ulid();
    await stores.readModels.ensureCollection(BATCH_PROGRESS_COLLECTION);
    await createBatch(stores, { ...batchOf(id, SMALL), engineVersion: '0' });
    await steps.prepare(id);
    await Promise.all([steps.beginAnewOnNewEngine(id, CAUSE), steps.beginAnewOnNewEngine(id, CAUSE)]);
    await steps.beginAnewOnNewEngine(id, CAUSE);
    expect(asked).toEqual([`create ${id}`, `delete ${id}`, `create ${id}`]);
    expect(await steps.state(id)).toMatchObject({ created: { engineVersion: ENGINE_VERSION } });
  });
});

describe('asking for the sums', () => {
  it('is for large batches and for small ones apart, and only while they wait for their sums', async () => {
    // 49,949 rows, and the 50,000 from which on a batch is a large one.
    const shapes = { quick: { a: 199, b: 251, partitions: 1 }, large: { a: 250, b: 200, partitions: 1 } };
    for (const [id, shape] of Object.entries(shapes)) {
      await createBatch(stores, batchOf(id, shape));
      await steps.askForSums(id, CAUSE);
    }
    expect(published).toEqual([]);
    for (const id of Object.keys(shapes)) {
      await happened(id, 'BatchCompilingStarted');
      await steps.askForSums(id, CAUSE);
    }
    expect(published).toEqual([`${TOPICS.quickCompile.name} quick`, `${TOPICS.compile.name} large`]);
  });
});

describe('what is kept about a batch beside its rows', () => {
  const kept = [BATCH_PROGRESS_COLLECTION, BATCH_ANALYSES_COLLECTION, ANALYSIS_CLAIMS_COLLECTION];
  const idsIn = async () =>
    await Promise.all(
      kept.map(async ({ name }) => (await stores.readModels.find(name, {})).map(({ id }) => id)),
    );
  beforeEach(async () => {
    for (const { name } of kept) {
      await stores.readModels.ensureCollection({ name, indexes: [] });
      for (const id of ['gone', 'other']) {
        const document: object = { id, at: '', _revision: 0, _position: '0' };
        await stores.readModels.put(name, document as never);
      }
    }
  });

  it('goes with a batch that is deleted', async () => {
    await steps.run({ kind: 'cancel' }, 'gone', CAUSE);
    expect(await idsIn()).toEqual([['other'], ['other'], ['other']]);
    expect(asked).toEqual(['delete gone']);
    expect(published).toEqual([`${TOPICS.cancellations.name} gone`]);
  });

  it('stays with one that begins anew on a new engine, but its progress: the rows that it counts are gone', async () => {
    await createBatch(stores, { ...batchOf('gone', SMALL), engineVersion: '0' });
    await steps.beginAnewOnNewEngine('gone', CAUSE);
    expect(await idsIn()).toEqual([['other'], ['gone', 'other'], ['gone', 'other']]);
  });

  it('stays with one that is stopped, but its progress', async () => {
    await steps.run({ kind: 'stopWork' }, 'gone', CAUSE);
    expect(await idsIn()).toEqual([['other'], ['gone', 'other'], ['gone', 'other']]);
    expect(asked).toEqual([]);
    expect(published).toEqual([`${TOPICS.cancellations.name} gone`]);
  });
});

it('keeps the quota of a batch that came after all, when its reservation had waited for long', async () => {
  const id = ulid();
  await createBatch(stores, batchOf(id, SMALL));
  await steps.abandon('user-1', '2026-11', id, CAUSE);
  const { state } = await loadState(stores.eventStore, USAGE_STREAM, usageId('user-1', '2026-11'));
  expect(state.used).toBe(9);
  expect(await steps.state(id)).toMatchObject({ status: 'Queued' });
});

it('hands out a quick batch by the places for quick ones, and a large one by those for large ones', async () => {
  steps.capacity.heard('node-1', 2, 1);
  const handedOut = async (isQuick: boolean, userId: string) => {
    const id = ulid();
    await createBatch(stores, batchOf(id, { a: 20, b: 2, partitions: 20, isQuick, userId }));
    await steps.schedule(CAUSE, id);
    await steps.dispatcher.idle();
    const state = await steps.state(id);
    return 'partitions' in state
      ? state.partitions.filter(({ status }) => status !== 'waiting').length
      : null;
  };
  // Four for each place.
  expect(await handedOut(true, 'user-1')).toBe(4);
  expect(await handedOut(false, 'user-2')).toBe(8);
});
