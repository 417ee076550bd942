import { mustBeginAnew } from '@quantloom/domain/batch/decider';
import type { BatchEvent } from '@quantloom/domain/batch/events';
import { type BatchDocument, batchesProjection } from '@quantloom/domain/batch/projections';
import { type BatchState, batchExists } from '@quantloom/domain/batch/state';
import { ENGINE_VERSION } from '@quantloom/domain/kernel/product';
import { NO_LOG } from '@quantloom/domain/ports/log';
import { created, finished, given, queued } from '@quantloom/domain/testing/batch-builders';
import { folded } from '@quantloom/domain/testing/folded';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type EmbeddedLog, openEmbeddedLog } from '../../testing/embedded-log.ts';
import type { BatchProcessDeps } from './batch-process-deps.ts';
import type { Cause } from './cause.ts';
import { Dispatcher } from './dispatcher.ts';

const CAUSE = { id: 'e1', correlationId: 'c1', at: '2026-01-01T00:00:00.000Z' };
/** More than are put onto the bus side by side. */
const BATCHES = 9;

let log: EmbeddedLog;
let states: Map<string, BatchState>;
let events: Map<string, BatchEvent[]>;
/** Batches whose partitions went onto the bus, and those that began anew. */
let sent: string[];
let begunAnew: string[];
let refused: string | null;
/** What the partitions that went onto the bus follow from. */
let causes: Map<string, Cause>;
/** Said when a batch is to be made ready. */
let unready: Error | null;
/** What making a batch ready takes. */
let making: Promise<void>;
/** What reading a state takes. */
let stateRead: () => Promise<void>;
let dispatcher: Dispatcher;

beforeEach(async () => {
  [states, events, sent, begunAnew, refused] = [new Map(), new Map(), [], [], null];
  [causes, unready, making] = [new Map(), null, Promise.resolve()];
  stateRead = () => Promise.resolve();
  log = await openEmbeddedLog();
  await log.readModels.ensureCollection(batchesProjection.collection);
  dispatcher = new Dispatcher({ readModels: log.readModels, log: NO_LOG } as unknown as BatchProcessDeps, {
    state: async (batchId) => {
      await stateRead();
      return states.get(batchId) ?? given();
    },
    isReady: (state) => batchExists(state) && !mustBeginAnew(state, ENGINE_VERSION),
    mustBeginAnew: (state) => batchExists(state) && mustBeginAnew(state, ENGINE_VERSION),
    makeReady: async (batchId) => {
      await making;
      if (unready) throw unready;
      begunAnew.push(batchId);
      know(batchId, created({ batchId, userId: batchId, engineVersion: ENGINE_VERSION }));
    },
    queue: async (batchId, partitions, cause) => {
      if (batchId === refused) throw new Error('the log refuses it');
      sent.push(batchId);
      causes.set(batchId, cause);
      know(batchId, ...(events.get(batchId) ?? []), queued(...partitions));
    },
    places: () => ({ all: 100, perUser: 8 }),
  });
});
afterEach(() => log.close());

function know(batchId: string, ...all: BatchEvent[]): void {
  events.set(batchId, all);
  states.set(batchId, given(...all));
}

/** A batch that only the read models know of, each of a user of its own. */
async function inReadModels(batchId: string, engineVersion: string, ...more: BatchEvent[]): Promise<void> {
  const first = created({ batchId, userId: batchId, engineVersion });
  know(batchId, first, ...more);
  await show(folded(batchesProjection, first) as BatchDocument);
}
const show = (document: BatchDocument) =>
  log.readModels.put(batchesProjection.collection.name, { ...document, _revision: 0, _position: '0' });
const sweep = async () => {
  await dispatcher.addOpenBatches(CAUSE);
  await dispatcher.run(CAUSE);
  await dispatcher.idle();
};

it('comes to every batch again that had no turn because another one failed', async () => {
  const ids = Array.from({ length: BATCHES }, (_, i) => `b${i}`);
  for (const id of ids) await inReadModels(id, ENGINE_VERSION);
  refused = 'b0';
  await expect(sweep()).rejects.toThrow('the log refuses it');
  expect(sent).not.toContain('b8');
  refused = null;
  await sweep();
  expect(sent.toSorted()).toEqual(ids);
});

it('lets a batch begin anew that waits with all of its partitions on the way to an older engine', async () => {
  await inReadModels('old', '0', queued(0, 1, 2, 3));
  await sweep();
  expect(begunAnew).toEqual(['old']);
  expect(sent).toEqual(['old']);
});

it('comes to a batch again that could not be made ready', async () => {
  await inReadModels('old', '0', queued(0, 1, 2, 3));
  unready = new Error('The disk is full');
  await sweep();
  expect(sent).toEqual([]);
  unready = null;
  await sweep();
  expect(sent).toEqual(['old']);
});

it('is idle no sooner than what it made ready is on its way', async () => {
  const reading = Promise.withResolvers<void>();
  know('old', created({ batchId: 'old', engineVersion: '0' }));
  await dispatcher.look('old', CAUSE);
  // The batch is ready, and what is to be sent of it is still looked up.
  stateRead = () => (begunAnew.length > 0 ? reading.promise : Promise.resolve());
  await expect.poll(() => begunAnew).toEqual(['old']);
  setTimeout(() => reading.resolve(), 50);
  await dispatcher.idle();
  expect(sent).toEqual(['old']);
});

it('goes on with a batch as soon as it is ready, without waiting to be asked', async () => {
  know('old', created({ batchId: 'old', engineVersion: '0' }));
  await dispatcher.look('old', CAUSE);
  await dispatcher.idle();
  expect(sent).toEqual(['old']);
});

it('traces what it puts onto the bus back to the batch’s own event, not to that of another user', async () => {
  const own = { ...CAUSE, id: 'e2', correlationId: 'c2' };
  know('heard-of', created({ batchId: 'heard-of', userId: 'u1', engineVersion: ENGINE_VERSION }));
  await dispatcher.look('heard-of', own);
  await inReadModels('unheard-of', ENGINE_VERSION);
  await sweep();
  expect(Object.fromEntries(causes)).toEqual({
    'heard-of': own,
    'unheard-of': { ...CAUSE, correlationId: 'unheard-of' },
  });
});

it('tells how much is open of large and of quick batches, and how long that takes', async () => {
  const some = { userId: 'u1', engineVersion: ENGINE_VERSION, partitions: 4, timeEstimateSeconds: 12 };
  know('large', created({ batchId: 'large', ...some }), queued(0, 1), finished(0));
  know('quick', created({ batchId: 'quick', ...some, isQuick: true }), queued(2), finished(2), finished(1));
  for (const id of ['large', 'quick']) await dispatcher.look(id);
  expect(dispatcher.backlog()).toEqual([
    { kind: 'large', partitions: 3, seconds: 9 },
    { kind: 'quick', partitions: 2, seconds: 6 },
  ]);
  know('large', ...(events.get('large') ?? []), finished(1), finished(2), finished(3));
  await dispatcher.look('large');
  expect(dispatcher.backlog()[0]).toEqual({ kind: 'large', partitions: 0, seconds: 0 });
});

it('asks the log whether a batch is idle that the read models show as waiting', async () => {
  await inReadModels('on-its-way', ENGINE_VERSION, queued(0));
  await inReadModels('waiting', ENGINE_VERSION);
  await dispatcher.addOpenBatches(CAUSE);
  expect(await dispatcher.isIdle('on-its-way')).toBe(false);
  expect(await dispatcher.isIdle('waiting')).toBe(true);
});

it('has forgotten everything after another process was at work, and takes it from the log again', async () => {
  const one = { userId: 'u1', engineVersion: ENGINE_VERSION };
  const own = { ...CAUSE, id: 'e2', correlationId: 'c2' };
  await inReadModels('moved', ENGINE_VERSION);
  await inReadModels('taken', ENGINE_VERSION);
  await inReadModels('failed', ENGINE_VERSION, queued(0, 1, 2, 3));
  for (const id of ['moved', 'taken', 'failed']) await dispatcher.look(id, own);
  know('failed', created({ batchId: 'failed', ...one }));
  know('taken', created({ batchId: 'taken', ...one }), queued(0));
  dispatcher.reset();
  expect(dispatcher.backlog().map(({ partitions }) => partitions)).toEqual([0, 0]);
  expect([await dispatcher.isIdle('taken'), await dispatcher.isIdle('moved')]).toEqual([false, true]);
  await sweep();
  expect(sent.toSorted()).toEqual(['failed', 'moved', 'taken']);
  expect(causes.get('moved')).toEqual({ ...CAUSE, correlationId: 'moved' });
});

it('comes to those that run, too, which the read models show, and leaves out what has nothing open', async () => {
  const document = (batchId: string, over: Partial<BatchDocument>) => {
    const some = { partitions: 4, timeEstimateSeconds: 8 };
    const first = created({ batchId, userId: batchId, engineVersion: ENGINE_VERSION, ...some });
    know(batchId, first);
    return show({ ...(folded(batchesProjection, first) as BatchDocument), ...over });
  };
  await document('runs', { status: 'Running' });
  await document('all-out', { status: 'Running', openPartitions: [] });
  await document('waits', { openPartitions: [2, 3] });
  await dispatcher.addOpenBatches(CAUSE);
  // Four of the one, of which the log was asked, and two of the other.
  expect(dispatcher.backlog()[0]).toMatchObject({ partitions: 6, seconds: 6 * 2 });
  await dispatcher.run(CAUSE);
  expect(sent.toSorted()).toEqual(['runs', 'waits']);
});

it('goes by what it has heard of a batch, and not by what the read models still show of it', async () => {
  await inReadModels('b1', ENGINE_VERSION, queued(0));
  await dispatcher.look('b1', CAUSE);
  expect(await dispatcher.isIdle('b1')).toBe(false);
  await dispatcher.addOpenBatches(CAUSE);
  expect(await dispatcher.isIdle('b1')).toBe(false);
});

it('makes a batch ready once, however often it hears of it meanwhile', async () => {
  know('old', created({ batchId: 'old', engineVersion: '0' }));
  const { promise, resolve } = Promise.withResolvers<void>();
  making = promise;
  for (let i = 0; i < 3; i += 1) await dispatcher.look('old', CAUSE);
  resolve();
  await dispatcher.idle();
  expect(sent).toEqual(['old']);
  expect(begunAnew).toEqual(['old']);
});
