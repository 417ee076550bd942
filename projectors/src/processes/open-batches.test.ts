import { backtestErrorsProjection } from '@quantloom/domain/backtest-error/projections';
import { batchesProjection } from '@quantloom/domain/batch/projections';
import { PARKED_EVENTS } from '@quantloom/domain/kernel/parked-event';
import { checkpointName } from '@quantloom/domain/kernel/projection';
import type { CollectionSpec } from '@quantloom/domain/ports/read-models';
import { quotaReservationsProjection } from '@quantloom/domain/usage/projections';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type EmbeddedLog, openEmbeddedLog } from '../../testing/embedded-log.ts';
import { haveReached, openBatchIds } from './open-batches.ts';

const WITNESSES = [batchesProjection, quotaReservationsProjection, backtestErrorsProjection] as const;
const BATCHES: CollectionSpec = batchesProjection.collection;
const RESERVATIONS: CollectionSpec = quotaReservationsProjection.collection;
const ERRORS: CollectionSpec = backtestErrorsProjection.collection;

let log: EmbeddedLog;
beforeEach(async () => {
  log = await openEmbeddedLog();
  for (const spec of [BATCHES, RESERVATIONS, ERRORS, PARKED_EVENTS])
    await log.readModels.ensureCollection(spec);
});
afterEach(() => log.close());

/** Documents with what is asked of them, by id. */
async function stand(spec: CollectionSpec, documents: Readonly<Record<string, object>>): Promise<void> {
  for (const [id, fields] of Object.entries(documents)) {
    const document: object = { id, ...fields, _revision: 0, _position: '0' };
    await log.readModels.put(spec.name, document as never);
  }
}
async function open(): Promise<string[]> {
  const ids: string[] = [];
  for await (const id of openBatchIds(log.readModels)) ids.push(id);
  return ids.toSorted();
}

it('names batches that have not come to an end, whatever they wait for', async () => {
  await stand(BATCHES, {
    queued: { status: 'Queued' },
    running: { status: 'Running' },
    compiling: { status: 'CompilingResults' },
    finished: { status: 'Finished' },
  });
  expect(await open()).toEqual(['compiling', 'queued', 'running']);
});

it('names failed ones without the record for administrators', async () => {
  await stand(BATCHES, {
    recorded: { status: 'Error', errorId: 'e1' },
    unrecorded: { status: 'Error', errorId: 'e2' },
    'of-old': { status: 'Error', errorId: null },
  });
  await stand(ERRORS, { e1: {} });
  expect(await open()).toEqual(['of-old', 'unrecorded']);
});

it('names those that hold quota although they were stopped or are gone', async () => {
  await stand(BATCHES, {
    stopped: { status: 'Stopped' },
    'stopped-before': { status: 'Stopped' },
    finished: { status: 'Finished' },
  });
  await stand(RESERVATIONS, {
    stopped: { isConfirmed: true },
    finished: { isConfirmed: true },
    gone: { isConfirmed: true },
    // May come yet; the sweep gives it back if not.
    'not-yet-there': { isConfirmed: false },
  });
  expect(await open()).toEqual(['gone', 'stopped']);
});

it('names those of which a read model that tells what is open could not apply an event', async () => {
  const [batches, reservations, errors] = WITNESSES.map(({ name }) => name);
  await stand(PARKED_EVENTS, {
    a: { projection: batches, stream: 'batch-a' },
    b: { projection: errors, stream: 'batch-b' },
    c: { projection: reservations, stream: 'usage-user-1-2026-11' },
    d: { projection: 'strategies', stream: 'batch-d' },
  });
  expect(await open()).toEqual(['a', 'b']);
});

it('waits for the slowest of the read models that it asks', async () => {
  const commit = (at: 0 | 1 | 2, next: bigint, expected: bigint | null = null) =>
    log.readModels.commit(checkpointName(WITNESSES[at]), { expected, next, writes: [] });
  const reached = async () => await haveReached(log.readModels, 5n);
  expect(await reached()).toBe(false);
  await commit(0, 9n);
  await commit(1, 5n);
  expect(await reached()).toBe(false);
  await commit(2, 4n);
  expect(await reached()).toBe(false);
  await commit(2, 5n, 4n);
  expect(await reached()).toBe(true);
});
