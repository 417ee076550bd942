import { listSharedResults, type SharedResult } from '@quantloom/domain/contracts/http/shared-results';
import {
  type SharedResultDocument,
  sharedResultOf,
  sharedResultsProjection,
} from '@quantloom/domain/shared-result/shared-result';
import { strategySummariesProjection } from '@quantloom/domain/strategy/projection';
import { breath } from '@quantloom/http/breath';
import { mountRoute } from '@quantloom/http/routes';
import type { FastifyInstance } from 'fastify';
import { awaitOwnWrites } from '../consistency.ts';
import type { ReadDeps } from '../deps.ts';
import { refuseStrategyOfOthers } from './strategy-runs.ts';

const MOST_SHOWN = 200;
/**
 * Each holds its curves, and the strategy where it is shown: some hundred KB, which hold everybody up while
 * they are read.
 */
const READ_AT_ONCE = 10;

/** Links that the owner of a strategy has made. */
export function mountSharedResultQueries(app: FastifyInstance, deps: ReadDeps): void {
  mountRoute(app, listSharedResults, async (call) => {
    await awaitOwnWrites(call, deps.consistency, strategySummariesProjection, sharedResultsProjection);
    const { id } = call.params;
    const refused = await refuseStrategyOfOthers(deps.readModels, id, call.principal.userId);
    if (refused) return refused;
    const { name } = sharedResultsProjection.collection;
    // By id: one that is shared meanwhile pushes others into the next read.
    const answer = new Map<string, SharedResult>();
    for (let skip = 0; skip < MOST_SHOWN; skip += READ_AT_ONCE) {
      const found = await deps.readModels.find<SharedResultDocument>(name, {
        where: { strategyId: id },
        sort: [['at', 'desc']],
        limit: READ_AT_ONCE,
        skip,
      });
      for (const { shared, at } of found) answer.set(shared.shareId, sharedResultOf(shared, at));
      if (found.length < READ_AT_ONCE) break;
      await breath();
    }
    return [...answer.values()];
  });
}
