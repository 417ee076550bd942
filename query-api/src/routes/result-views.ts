import { listResultViews, resultViewAnswer } from '@quantloom/domain/contracts/http/result-views';
import {
  NO_RESULT_VIEWS,
  type ResultViewsDocument,
  resultViewsProjection,
} from '@quantloom/domain/result-views/result-views';
import { mountRoute } from '@quantloom/http/routes';
import type { FastifyInstance } from 'fastify';
import { awaitOwnWrites } from '../consistency.ts';
import type { ReadDeps } from '../deps.ts';

/** How the caller looks at the results of batches. */
export function mountResultViewQueries(app: FastifyInstance, deps: ReadDeps): void {
  mountRoute(app, listResultViews, async (call) => {
    await awaitOwnWrites(call, deps.consistency, resultViewsProjection);
    const { name } = resultViewsProjection.collection;
    const found = await deps.readModels.get<ResultViewsDocument>(name, call.principal.userId);
    const state = found ?? NO_RESULT_VIEWS;
    return state.views.map((view) => resultViewAnswer(view, state));
  });
}
