import type { BatchBacktestCreated } from '@quantloom/domain/batch/events';
import type { ReadModels } from '@quantloom/domain/ports/read-models';
import type { ResultStore } from '@quantloom/domain/ports/result-store';
import { createAnalysisThreads } from './analysis-threads.ts';
import { VerdictCores } from './verdict-core.ts';

export interface VerdictPreparation {
  /** Computes and keeps what the verdict on a batch takes longest for; its rows must be complete. A repetition finds it kept. */
  readonly prepare: (batch: BatchBacktestCreated['data']) => Promise<void>;
  close(): Promise<void>;
}

/** For the process that compiles results, so that the first look at them finds the verdict computed. */
export function openVerdictPreparation(deps: {
  readonly readModels: ReadModels;
  readonly resultStore: ResultStore;
}): VerdictPreparation {
  const threads = createAnalysisThreads();
  const cores = new VerdictCores(deps.readModels, deps.resultStore, threads);
  return {
    prepare: async ({ batchId, combinations, variables, config }) => {
      const hasSplit = Boolean(config.out_of_sample_date);
      await cores.of({ id: batchId, combinations, variables, hasSplit });
    },
    close: () => threads.close(),
  };
}
