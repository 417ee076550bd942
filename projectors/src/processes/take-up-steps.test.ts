import { backtestErrorsProjection } from '@quantloom/domain/backtest-error/projections';
import type { BatchEvent } from '@quantloom/domain/batch/events';
import type { BatchStep } from '@quantloom/domain/batch/process';
import { batchesProjection } from '@quantloom/domain/batch/projections';
import { BATCH_STREAM } from '@quantloom/domain/batch/stream';
import { loadState } from '@quantloom/domain/kernel/handle-command';
import { PARKED_EVENTS } from '@quantloom/domain/kernel/parked-event';
import { BEFORE_FIRST } from '@quantloom/domain/ports/event-store';
import { NO_LOG } from '@quantloom/domain/ports/log';
import type { CollectionSpec } from '@quantloom/domain/ports/read-models';
import { created, queued } from '@quantloom/domain/testing/batch-builders';
import { quotaReservationsProjection } from '@quantloom/domain/usage/projections';
import { ulid } from 'ulid';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type EmbeddedLog, openEmbeddedLog } from '../../testing/embedded-log.ts';
import type { BatchProcessDeps } from './batch-process-deps.ts';
import type { BatchSteps } from './batch-steps.ts';
import { takeUpOpenBatches } from './take-up.ts';

const NOW = '2026-11-21T00:00:00.000Z';
/** What tells of open work. */
const COLLECTIONS: readonly CollectionSpec[] = [
  batchesProjection.collection,
  quotaReservationsProjection.collection,
  backtestErrorsProjection.collection,
  PARKED_EVENTS,
];

let log: EmbeddedLog;
/** What was done, as `batch step`. */
let done: string[];
/** What happens in each step. */
let within: () => void;
let leaving: AbortController;
beforeEach(async () => {
  log = await openEmbeddedLog();
  for (const spec of COLLECTIONS) await log.readModels.ensureCollection(spec);
  [done, within, leaving] = [[], () => undefined, new AbortController()];
});
afterEach(() => log.close());

/** A batch that the read model takes for one at work. */
async function batch(id: string, ...events: readonly BatchEvent[]): Promise<void> {
  const by = { commandId: id, correlationId: 'test', causationId: id };
  const metadata = {
    ...by,
    actor: { kind: 'system', name: 'test' } as const,
    schemaVersion: 1,
    recordedAt: NOW,
  };
  const stored = events.map((event) => ({ ...event, id: ulid(), metadata }));
  if (stored.length > 0) await log.eventStore.append(`batch-${id}`, stored, 'noStream');
  const document = { id, status: 'Running', _revision: 0, _position: '0' };
  await log.readModels.put(batchesProjection.collection.name, document as never);
}

async function takenUp() {
  const info = vi.fn();
  const schedule = vi.fn(async () => undefined);
  const steps = {
    state: async (id: string) => (await loadState(log.eventStore, BATCH_STREAM, id)).state,
    run: async ({ kind }: BatchStep, id: string) => {
      done.push(`${id} ${kind}`);
      within();
    },
    schedule,
  } as unknown as BatchSteps;
  const clock = { now: () => new Date(NOW) };
  const deps = { ...log, clock, ids: () => 'cause', log: { ...NO_LOG, info } } as unknown as BatchProcessDeps;
  await takeUpOpenBatches(deps, steps, BEFORE_FIRST, leaving.signal);
  return { scheduled: schedule.mock.calls as unknown[], told: info.mock.calls.map(([facts]) => facts) };
}

it('does what is open of each batch, looks once for all that wait, and tells how many it took up', async () => {
  await batch('a', created(), queued(0));
  await batch('b', created());
  // The read model knows it, and the log has nothing of it.
  await batch('c');
  const { scheduled, told } = await takenUp();
  expect(done).toEqual(['a prepare', 'a publishJobs', 'b prepare']);
  expect(scheduled).toEqual([[{ id: 'cause', correlationId: 'open-batches', at: NOW }, null]]);
  expect(told).toEqual([{ batches: 2 }]);
});

it('tells nothing where nothing was open, and looks for what waits all the same', async () => {
  const { scheduled, told } = await takenUp();
  expect([done, scheduled.length, told]).toEqual([[], 1, []]);
});

it('is broken off between two steps, and leaves the rest to who begins again', async () => {
  await batch('a', created(), queued(0));
  await batch('b', created());
  within = () => leaving.abort();
  const { scheduled, told } = await takenUp();
  expect([done, scheduled, told]).toEqual([['a prepare'], [], []]);
  [within, leaving] = [() => undefined, new AbortController()];
  await takenUp();
  expect(done).toEqual(['a prepare', 'a prepare', 'a publishJobs', 'b prepare']);
});

it('looks for nothing that waits once it is to end', async () => {
  await batch('a', created());
  within = () => leaving.abort();
  const { scheduled, told } = await takenUp();
  expect([done, scheduled, told]).toEqual([['a prepare'], [], []]);
});
