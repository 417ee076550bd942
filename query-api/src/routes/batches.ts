import {
  BATCH_PROGRESS_COLLECTION,
  type BatchDefinitionDocument,
  type BatchDocument,
  type BatchProgressDocument,
  batchDefinitionsProjection,
  batchesProjection,
} from '@quantloom/domain/batch/projections';
import {
  detailOf,
  differencesToday,
  failureOf,
  jobNames,
  listItemOf,
  progressOf,
} from '@quantloom/domain/batch/view';
import {
  type BatchServerEvent,
  followBatchBacktest,
  getBatchBacktest,
  getBatchQuota,
  listBatchBacktests,
} from '@quantloom/domain/contracts/http/batches';
import { PLANS } from '@quantloom/domain/identity/plans';
import { ENGINE_VERSION } from '@quantloom/domain/kernel/product';
import { isRefusal, type Refusal, refuse } from '@quantloom/domain/kernel/refusal';
import { costOfStoredTree } from '@quantloom/domain/limits/cost';
import { USE_LIMITS } from '@quantloom/domain/limits/limits';
import { listingsProjection } from '@quantloom/domain/listing/projection';
import { exchangeMonth } from '@quantloom/domain/market-data/exchange-day';
import type { MarketData } from '@quantloom/domain/ports/market-data';
import {
  type StrategySummaryDocument,
  strategySummariesProjection,
} from '@quantloom/domain/strategy/projection';
import { type UsageMonthDocument, usageMonthsProjection } from '@quantloom/domain/usage/projections';
import { usageId } from '@quantloom/domain/usage/stream';
import { quotaRecord } from '@quantloom/domain/usage/usage';
import { mountRoute } from '@quantloom/http/routes';
import { Turns } from '@quantloom/http/turns';
import type { FastifyInstance } from 'fastify';
import { definitionOf, maySeeBatch, visibleBatch } from '../batch-access.ts';
import { ChangedBars } from '../changed-bars.ts';
import { awaitOwnWrites } from '../consistency.ts';
import type { ReadDeps } from '../deps.ts';
import { type ListSource, listPage } from '../list-page.ts';
import { streamEvents } from '../server-sent-events.ts';
import { SharedLooks } from '../shared-looks.ts';

export interface BatchReadDeps extends ReadDeps {
  readonly marketData: MarketData;
}

const BATCHES: ListSource<BatchDocument, ReturnType<typeof listItemOf>> = {
  kind: 'batch',
  projection: batchesProjection,
  own: (userId) => ({ userId }),
  fields: {
    name: 'name',
    created: 'createdAt',
    visibility: 'isPublic',
    status: 'status',
    size: 'combinations',
    strategy: 'strategyId',
  },
  usual: 'created',
  lineOf: listItemOf,
};
/** How often a followed batch is looked at: often at first, since a small one is done within a second. */
const FOLLOW_SOON_MS = 100;
const FOLLOW_EVERY_MS = 500;
const SOON_MS = 3_000;

/** Reads of batch backtests: list, quota, detail, live events. */
export function mountBatchQueries(app: FastifyInstance, deps: BatchReadDeps): void {
  const { readModels, clock, consistency } = deps;
  const closing = new AbortController();
  app.addHook('preClose', async () => closing.abort());

  mountRoute(app, listBatchBacktests, async (call) => {
    await awaitOwnWrites(call, consistency, batchesProjection, listingsProjection);
    const { userId } = call.principal;
    return await listPage(deps, call.reply, BATCHES, userId, call.query);
  });

  mountRoute(app, getBatchQuota, async (call) => {
    await awaitOwnWrites(call, consistency, usageMonthsProjection);
    const { userId, planId } = call.principal;
    const id = usageId(userId, exchangeMonth(clock.now()));
    const month = await readModels.get<UsageMonthDocument>(usageMonthsProjection.collection.name, id);
    return quotaRecord(month?.used ?? 0, PLANS[planId].monthlyBacktests);
  });

  const progressNow = async (batch: BatchDocument) =>
    progressOf(
      batch,
      await readModels.get<BatchProgressDocument>(BATCH_PROGRESS_COLLECTION.name, batch.id),
      clock.now().getTime(),
    );

  const changedBars = new ChangedBars(deps.marketData);

  mountRoute(app, getBatchBacktest, async (call) => {
    const read = [batchesProjection, batchDefinitionsProjection, strategySummariesProjection];
    await awaitOwnWrites(call, consistency, ...read);
    const { userId } = call.principal;
    const batch = await visibleBatch(readModels, call.params.id, userId);
    if (isRefusal(batch)) return batch;
    const definition = await definitionOf(readModels, batch.id);
    if (isRefusal(definition)) return definition;
    const refused = await call.cost.expect(costOfStoredTree(definition.templateBot));
    if (refused) return refused;
    call.reply.header('etag', `"${batch._revision}"`);
    const differsToday = await todayDiffers(batch, definition, deps, changedBars);
    return detailOf(batch, definition, await progressNow(batch), { userId, differsToday });
  });

  // However many follow a batch, it is looked at once for all of them.
  const followed = new SharedLooks(async (id) => {
    const batch = await readModels.get<BatchDocument>(batchesProjection.collection.name, id);
    return { batch, progress: batch ? await progressNow(batch) : NO_PROGRESS };
  }, FOLLOW_SOON_MS - 20);
  const streams = new Turns();

  mountRoute(app, followBatchBacktest, async (call) => {
    await awaitOwnWrites(call, consistency, batchesProjection);
    const { userId } = call.principal;
    const first = await visibleBatch(readModels, call.params.id, userId);
    if (isRefusal(first)) return first;
    const limit = USE_LIMITS[call.principal.planId].eventStreams;
    const end = await streams.take(userId, { inFlight: limit, waiting: 0 });
    if (end === null) return tooManyStreams(limit);
    call.reply.raw.once('close', end);
    // Who has left before says so no more.
    if (call.reply.raw.destroyed) end();
    const snapshot = async (): Promise<BatchServerEvent> => {
      const { batch, progress } = await followed.at(first.id);
      if (!batch || !maySeeBatch(batch, userId)) return deletedEvent(first);
      return {
        id: batch.id,
        status: batch.status,
        job_names: jobNames(batch),
        time_actual: { start_time: batch.startedAt, end_time: batch.finishedAt },
        progress,
        error: failureOf(batch),
        revision: batch._revision,
      };
    };
    return streamEvents(call.reply, {
      event: 'batch',
      every: (followed) => (followed < SOON_MS ? FOLLOW_SOON_MS : FOLLOW_EVERY_MS),
      closing: closing.signal,
      next: snapshot,
      isStillLetIn: () => call.request.isStillLetIn?.() ?? Promise.resolve(true),
      isLast: ({ status }) => ['Finished', 'Stopped', 'Error', 'Deleted'].includes(status),
    });
  });
}

const NO_PROGRESS: BatchServerEvent['progress'] = {
  percent: 0,
  rows: 0,
  rate: null,
  remaining_seconds: null,
  nodes: [],
};

function tooManyStreams(limit: number): Refusal {
  return refuse(
    429,
    'too_many_streams',
    `You follow ${limit} batches already, which is as many as your plan allows at the same time. ` +
      'Close another page first.',
    { data: { retry_after: 5, left: 0 } },
  );
}

function deletedEvent(batch: BatchDocument): BatchServerEvent {
  return {
    id: batch.id,
    status: 'Deleted',
    job_names: [],
    time_actual: { start_time: batch.startedAt, end_time: null },
    progress: NO_PROGRESS,
    error: null,
    revision: batch._revision,
  };
}

async function todayDiffers(
  batch: BatchDocument,
  definition: BatchDefinitionDocument,
  deps: BatchReadDeps,
  changedBars: ChangedBars,
): Promise<string[]> {
  const dataVersion = await deps.marketData.current().then(
    ({ version }) => version,
    (error: { code?: unknown }) => {
      if (error.code === 'no_data_set') return null;
      throw error;
    },
  );
  const strategy =
    batch.strategyId === null
      ? null
      : await deps.readModels.get<StrategySummaryDocument>(
          strategySummariesProjection.collection.name,
          batch.strategyId,
        );
  // Its tree is what counts: a name, a tag or a deletion that was undone makes a revision as well. When the
  // batch was made, its own revision was the current one.
  const isEdited = strategy !== null && strategy.algorithmUpdatedAt >= batch.createdAt;
  const revision = isEdited ? strategy._revision : batch.strategyRevision;
  return differencesToday(batch, {
    dataVersion,
    engineVersion: ENGINE_VERSION,
    strategyRevision: strategy && !strategy.isDeleted ? revision : null,
    changedTickers: dataVersion === null ? null : await changedBars.of(batch, definition, dataVersion),
  });
}
