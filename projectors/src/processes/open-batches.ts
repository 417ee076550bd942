import {
  type BacktestErrorDocument,
  backtestErrorsProjection,
} from '@quantloom/domain/backtest-error/projections';
import {
  type BatchDocument,
  batchesProjection,
  UNFINISHED_STATUSES,
} from '@quantloom/domain/batch/projections';
import { PARKED_EVENTS, type ParkedEventDocument } from '@quantloom/domain/kernel/parked-event';
import { checkpointName } from '@quantloom/domain/kernel/projection';
import { BEFORE_FIRST, type Position } from '@quantloom/domain/ports/event-store';
import { pagesById } from '@quantloom/domain/ports/pages-by-id';
import type { CollectionName, ReadDocument, ReadModels, Where } from '@quantloom/domain/ports/read-models';
import {
  type QuotaReservationDocument,
  quotaReservationsProjection,
} from '@quantloom/domain/usage/projections';

const BATCHES = batchesProjection.collection.name;
/** Documents read at a time: a few milliseconds, so that whoever shares the process can go on in between. */
const PAGE = 200;

/** Read models that tell what is open. */
const WITNESSES = [batchesProjection, quotaReservationsProjection, backtestErrorsProjection];

/** All documents that match, in pages and in the order of their ids; other work gets its turn between two pages. */
export async function* pagesOf<Doc extends ReadDocument>(
  readModels: ReadModels,
  collection: CollectionName<Doc>,
  where: Where<NoInfer<Doc>>,
): AsyncGenerator<readonly Doc[]> {
  for await (const page of pagesById(readModels, collection, where, PAGE)) {
    yield page;
    await new Promise(setImmediate);
  }
}

/** True as soon as every read model that tells what is open has seen the log up to `position`. */
export async function haveReached(readModels: ReadModels, position: Position): Promise<boolean> {
  for (const projection of WITNESSES)
    if (((await readModels.checkpoint(checkpointName(projection))) ?? BEFORE_FIRST) < position) return false;
  return true;
}

/**
 * Ids of every batch for which something may still have to be done, as the read models know it: those that
 * have not come to an end; those in Error without the record for administrators; those that were stopped or
 * are gone but still hold quota; and those of which a read model could not apply an event, so that it does
 * not know how they stand. Some of them turn out to need nothing.
 */
export async function* openBatchIds(readModels: ReadModels): AsyncGenerator<string> {
  for (const status of UNFINISHED_STATUSES)
    for await (const page of pagesOf(readModels, BATCHES, { status })) for (const { id } of page) yield id;
  for await (const page of pagesOf<BatchDocument>(readModels, BATCHES, { status: 'Error' }))
    yield* withoutRecord(readModels, page);
  const reservations = quotaReservationsProjection.collection.name;
  for await (const page of pagesOf<BatchDocument>(readModels, BATCHES, { status: 'Stopped' }))
    yield* present(readModels, reservations, page);
  for await (const page of pagesOf<QuotaReservationDocument>(readModels, reservations, {
    isConfirmed: true,
  }))
    yield* missing(readModels, BATCHES, page);
  for (const projection of WITNESSES)
    for await (const page of pagesOf<ParkedEventDocument>(readModels, PARKED_EVENTS.name, {
      projection: projection.name,
    }))
      for (const { stream } of page) if (stream.startsWith('batch-')) yield stream.slice('batch-'.length);
}

async function* withoutRecord(
  readModels: ReadModels,
  failed: readonly BatchDocument[],
): AsyncGenerator<string> {
  const errorIds = failed.flatMap(({ errorId }) => errorId ?? []);
  const errors = await readModels.getMany<BacktestErrorDocument>(
    backtestErrorsProjection.collection.name,
    errorIds,
  );
  const recorded = new Set(errors.map(({ id }) => id));
  for (const { id, errorId } of failed) if (errorId === null || !recorded.has(errorId)) yield id;
}

async function* present(
  readModels: ReadModels,
  collection: string,
  wanted: readonly ReadDocument[],
): AsyncGenerator<string> {
  const ids = wanted.map(({ id }) => id);
  for (const { id } of await readModels.getMany(collection, ids)) yield id;
}

async function* missing(
  readModels: ReadModels,
  collection: string,
  wanted: readonly ReadDocument[],
): AsyncGenerator<string> {
  const found = await readModels.getMany(
    collection,
    wanted.map(({ id }) => id),
  );
  const known = new Set(found.map(({ id }) => id));
  for (const { id } of wanted) if (!known.has(id)) yield id;
}
