import { listSharedResults } from '@quantloom/domain/contracts/http/shared-results';
import {
  type SharedResultDocument,
  sharedResultOf,
  sharedResultsProjection,
} from '@quantloom/domain/shared-result/shared-result';
import { strategySummariesProjection } from '@quantloom/domain/strategy/projection';
import { mountRoute } from '@quantloom/http/routes';
import type { FastifyInstance } from 'fastify';
import { awaitOwnWrites } from '../consistency.ts';
import type { ReadDeps } from '../deps.ts';
import { refuseStrategyOfOthers } from './strategy-runs.ts';

const MOST_SHOWN = 200;

/** Links that the owner of a strategy has made. */
export function mountSharedResultQueries(app: FastifyInstance, deps: ReadDeps): void {
  mountRoute(app, listSharedResults, async (call) => {
    await awaitOwnWrites(call, deps.consistency, strategySummariesProjection, sharedResultsProjection);
    const { id } = call.params;
    const refused = await refuseStrategyOfOthers(deps.readModels, id, call.principal.userId);
    if (refused) return refused;
    const { name } = sharedResultsProjection.collection;
    const found = await deps.readModels.find<SharedResultDocument>(name, {
      where: { strategyId: id },
      sort: [['at', 'desc']],
      limit: MOST_SHOWN,
    });
    return found.map(({ shared, at }) => sharedResultOf(shared, at));
  });
}
