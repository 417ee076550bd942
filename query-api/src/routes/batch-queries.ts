import type { FastifyInstance } from 'fastify';
import { createAnalysisThreads } from '../analysis/analysis-threads.ts';
import { CashOfBatches } from '../analysis/cash-of-batches.ts';
import type { RecomputeDeps } from '../deps.ts';
import type { QueryApiDeps } from '../query-api-deps.ts';
import { mountBatchAnalysis } from './analysis.ts';
import { mountBands } from './bands.ts';
import { mountOutOfSample } from './out-of-sample.ts';
import { mountRecompute } from './recompute.ts';
import { mountRowFigures } from './row-figures.ts';
import { mountStability } from './stability.ts';
import { mountBatchVerdict } from './verdict.ts';
import { mountWalkForward } from './walk-forward.ts';

/**
 * Analysis, verdict and recomputation of batch results, with the threads that they share; the threads end
 * with the server.
 */
export function mountBatchAnalyses(
  app: FastifyInstance,
  deps: RecomputeDeps & Pick<QueryApiDeps, 'marketData' | 'verdicts'>,
): void {
  const threads = createAnalysisThreads();
  const closing = new AbortController();
  app.addHook('onClose', async () => {
    closing.abort();
    await threads.close();
  });
  const cash = new CashOfBatches(deps.backtestRunner, closing.signal);
  mountBatchAnalysis(app, deps, threads);
  mountBatchVerdict(app, deps, threads);
  mountWalkForward(app, deps, threads, cash);
  mountStability(app, deps, threads, cash);
  mountBands(app, deps, threads);
  mountRowFigures(app, deps);
  mountOutOfSample(app, deps);
  mountRecompute(app, deps);
}
