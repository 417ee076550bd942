import { batchHoldOut } from '@quantloom/domain/batch/hold-out';
import { type BatchLooksDocument, batchLooksProjection, earlierLooks } from '@quantloom/domain/batch/looks';
import { batchesProjection } from '@quantloom/domain/batch/projections';
import { getOutOfSample } from '@quantloom/domain/contracts/http/out-of-sample';
import { isRefusal } from '@quantloom/domain/kernel/refusal';
import { mountRoute } from '@quantloom/http/routes';
import type { FastifyInstance } from 'fastify';
import { definitionOf, visibleBatch } from '../batch-access.ts';
import { awaitOwnWrites } from '../consistency.ts';
import type { ReadDeps } from '../deps.ts';

/** Batches of a lineage that are looked at, those that saw furthest first. */
const MOST_BATCHES = 1_000;
const MOST_NAMED = 20;

/** Whether the out-of-sample part of a batch was opened, and who had seen it before there was a batch. */
export function mountOutOfSample(app: FastifyInstance, deps: ReadDeps): void {
  const { readModels, consistency } = deps;
  mountRoute(app, getOutOfSample, async (call) => {
    await awaitOwnWrites(call, consistency, batchesProjection, batchLooksProjection);
    const { userId } = call.principal;
    const batch = await visibleBatch(readModels, call.params.id, userId);
    if (isRefusal(batch)) return batch;
    const definition = await definitionOf(readModels, batch.id);
    if (isRefusal(definition)) return definition;
    const { out_of_sample_date: date = null } = definition.backtestConfig;
    const opened = batch.outOfSampleOpened;
    const seen = { count: 0, batches: [] };
    const holdOut = batchHoldOut(definition.holdOutDate, definition.backtestConfig);
    if (date === null)
      return { date, hold_out: holdOut, opened: null, ranked_whole: false, seen_before: seen };
    const { name: collection } = batchLooksProjection.collection;
    const documents = await readModels.find<BatchLooksDocument>(collection, {
      where: { lineageId: batch.lineageId, seenUntil: { gte: date } },
      sort: [['seenUntil', 'desc']],
      limit: MOST_BATCHES,
    });
    const looks = earlierLooks(
      documents.filter(({ id }) => id !== batch.id),
      { date, before: batch.createdAt },
    );
    return {
      date,
      hold_out: holdOut,
      opened: opened && { at: opened.at, by_you: opened.by === userId },
      ranked_whole: batch.summary !== null && batch.summary.part !== 'in_sample',
      seen_before: {
        count: looks.length,
        batches: looks
          .filter((look) => look.userId === userId)
          .slice(0, MOST_NAMED)
          .map(({ batchId, name, at, until }) => ({ id: batchId, name, at, until })),
      },
    };
  });
}
