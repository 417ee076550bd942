import { computeRowFigures } from '@quantloom/domain/contracts/http/stability';
import { isRefusal } from '@quantloom/domain/kernel/refusal';
import { mountRoute } from '@quantloom/http/routes';
import type { FastifyInstance } from 'fastify';
import { analysedBatch, orNull } from '../analysis/analysed-batch.ts';
import { runPicked } from '../analysis/picked-runs.ts';
import type { RecomputeDeps } from '../deps.ts';

/**
 * Expected shortfall and exposure of rows that somebody looks at: neither adds up over days and branches, so
 * that batches do not store them (decision 0470), and both are in the report of a single run.
 */
export function mountRowFigures(app: FastifyInstance, deps: RecomputeDeps): void {
  mountRoute(app, computeRowFigures, async (call) => {
    const analysed = await analysedBatch(call, deps, call.params.id);
    if (isRefusal(analysed)) return analysed;
    const runs = await runPicked(call, deps, analysed, call.body.combinations, { report: true });
    if (!Array.isArray(runs)) return runs;
    return {
      rows: runs.map(({ combination, answer }) =>
        isRefusal(answer)
          ? { combination, error: answer.detail, expected_shortfall_95: null, exposure: null }
          : {
              combination,
              error: null,
              expected_shortfall_95: orNull(answer.report?.expected_shortfall_95),
              exposure: orNull(answer.report?.exposure),
            },
      ),
    };
  });
}
