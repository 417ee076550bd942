import { strategySummariesProjection } from '@quantloom/domain/strategy/projection';
import { getStarCount } from '@quantloom/domain/testing/examples/star-count';
import { starsProjection } from '@quantloom/domain/testing/examples/stars';
import { mountRoute } from '@quantloom/http/routes';
import type { FastifyInstance } from 'fastify';
import { awaitOwnWrites } from '../../src/consistency.ts';
import type { ReadDeps } from '../../src/deps.ts';
import { refuseStrategyOfOthers } from '../../src/routes/strategy-runs.ts';

/** How many people have marked a strategy. */
export function mountStarCount(app: FastifyInstance, deps: ReadDeps): void {
  mountRoute(app, getStarCount, async (call) => {
    await awaitOwnWrites(call, deps.consistency, strategySummariesProjection, starsProjection);
    const { id } = call.params;
    // Others than its owner do not even learn that it is there.
    const refused = await refuseStrategyOfOthers(deps.readModels, id, call.principal.userId);
    if (refused) return refused;
    const found = await deps.readModels.get(starsProjection.collection.name, id);
    return { strategy_id: id, stars: found?.stars ?? 0 };
  });
}
