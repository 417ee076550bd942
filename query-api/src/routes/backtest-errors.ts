import { errorConditions } from '@quantloom/domain/backtest-error/filter';
import {
  type BacktestErrorDocument,
  backtestErrorsProjection,
} from '@quantloom/domain/backtest-error/projections';
import { getBacktestError, listBacktestErrors } from '@quantloom/domain/contracts/http/backtest-errors';
import { refuse } from '@quantloom/domain/kernel/refusal';
import { mountRoute } from '@quantloom/http/routes';
import type { FastifyInstance } from 'fastify';
import { awaitOwnWrites } from '../consistency.ts';
import type { ReadDeps } from '../deps.ts';

const DEFAULT_LIMIT = 200;

function itemOf({ id, createdAt, message, userId, subjectKind, outcome }: BacktestErrorDocument) {
  return { id, created_at: createdAt, message, user_id: userId, kind: subjectKind, outcome };
}

/** Backtest errors for administrators. */
export function mountBacktestErrorQueries(app: FastifyInstance, deps: ReadDeps): void {
  const { readModels, consistency } = deps;
  const { name } = backtestErrorsProjection.collection;

  mountRoute(app, listBacktestErrors, async (call) => {
    await awaitOwnWrites(call, consistency, backtestErrorsProjection);
    const { limit = DEFAULT_LIMIT, skip = 0, ...filter } = call.query;
    const where = errorConditions(filter);
    const page = await readModels.find<BacktestErrorDocument>(name, {
      where,
      sort: [['createdAt', 'desc']],
      limit,
      skip,
    });
    call.reply.header('x-total-count', String(await readModels.count(name, where)));
    return page.map(itemOf);
  });

  mountRoute(app, getBacktestError, async (call) => {
    await awaitOwnWrites(call, consistency, backtestErrorsProjection);
    const document = await readModels.get<BacktestErrorDocument>(name, call.params.id);
    if (!document) return refuse(404, 'backtest_error_not_found', 'There is no such backtest error');
    const { subject } = document;
    return {
      ...itemOf(document),
      engine_version: document.engineVersion,
      batch_id: subject.kind === 'batch' ? subject.batchId : null,
      partition: subject.kind === 'batch' ? subject.partition : null,
      data_version: subject.kind === 'backtest' ? subject.dataVersion : null,
      request: subject.kind === 'backtest' ? subject.request : null,
      debug_data: document.debugData,
      replays: document.replays.map(({ kind, detail, at, engineVersion }) => ({
        kind,
        detail,
        at,
        engine_version: engineVersion,
      })),
    };
  });
}
