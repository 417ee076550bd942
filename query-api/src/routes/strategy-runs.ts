import {
  getStrategyRun,
  listStrategyRuns,
  type StrategyRun,
} from '@quantloom/domain/contracts/http/strategy-runs';
import { type Refusal, refuse } from '@quantloom/domain/kernel/refusal';
import type { ReadModels, Where } from '@quantloom/domain/ports/read-models';
import {
  type StrategySummaryDocument,
  strategySummariesProjection,
} from '@quantloom/domain/strategy/projection';
import { STRATEGY_NOT_FOUND } from '@quantloom/domain/strategy/strategy';
import {
  lastRunsProjection,
  type StrategyRunDocument,
  strategyRunsProjection,
} from '@quantloom/domain/strategy-run/projections';
import { mountRoute } from '@quantloom/http/routes';
import type { FastifyInstance } from 'fastify';
import { awaitOwnWrites } from '../consistency.ts';
import type { ReadDeps } from '../deps.ts';

const RUNS_SHOWN = 50;

export const RUN_NOT_FOUND = refuse(
  404,
  'run_not_found',
  'This run cannot be found. Runs are recorded when a saved strategy is run as it is saved.',
);

/** A recorded run as the API shows it. */
export function strategyRunOf(document: StrategyRunDocument): StrategyRun & { line: number[] } {
  const { terms, line } = document;
  return {
    id: document.runId,
    at: document.at,
    revision: document.revision,
    terms: { ...terms },
    data_version: document.dataVersion,
    engine_version: document.engineVersion,
    is_simulated: document.isSimulated,
    result_hash: document.resultHash,
    first_day: document.firstDay,
    last_day: document.lastDay,
    metrics: { ...document.figures },
    line: [...line],
  };
}

/** Null where the strategy is the caller's own. What others ran is theirs, however public the strategy. */
export async function refuseStrategyOfOthers(
  readModels: ReadModels,
  strategyId: string,
  userId: string,
): Promise<Refusal | null> {
  const { name } = strategySummariesProjection.collection;
  const strategy = await readModels.get<StrategySummaryDocument>(name, strategyId);
  return strategy && !strategy.isDeleted && strategy.ownerId === userId ? null : STRATEGY_NOT_FOUND;
}

/** A run of a strategy by its id, or the last one. */
export async function findRun(
  readModels: ReadModels,
  strategyId: string,
  run: string,
): Promise<StrategyRunDocument | null> {
  const [projection, id] = run === 'last' ? [lastRunsProjection, strategyId] : [strategyRunsProjection, run];
  const found = await readModels.get<StrategyRunDocument>(projection.collection.name, id);
  return found?.strategyId === strategyId ? found : null;
}

/** Reads of what saved strategies came to. */
export function mountStrategyRunQueries(app: FastifyInstance, deps: ReadDeps): void {
  const projections = [strategySummariesProjection, strategyRunsProjection, lastRunsProjection];

  mountRoute(app, listStrategyRuns, async (call) => {
    await awaitOwnWrites(call, deps.consistency, ...projections);
    const { id } = call.params;
    const refused = await refuseStrategyOfOthers(deps.readModels, id, call.principal.userId);
    if (refused) return refused;
    const { limit = RUNS_SHOWN, skip = 0 } = call.query;
    const where: Where<StrategyRunDocument> = { strategyId: id };
    const { name } = strategyRunsProjection.collection;
    const [runs, total] = await Promise.all([
      deps.readModels.find<StrategyRunDocument>(name, { where, sort: [['at', 'desc']], limit, skip }),
      deps.readModels.count(name, where),
    ]);
    call.reply.header('x-total-count', String(total));
    return runs.map(strategyRunOf);
  });

  mountRoute(app, getStrategyRun, async (call) => {
    await awaitOwnWrites(call, deps.consistency, ...projections);
    const { id, run } = call.params;
    const refused = await refuseStrategyOfOthers(deps.readModels, id, call.principal.userId);
    if (refused) return refused;
    const found = await findRun(deps.readModels, id, run);
    return found ? strategyRunOf(found) : RUN_NOT_FOUND;
  });
}
