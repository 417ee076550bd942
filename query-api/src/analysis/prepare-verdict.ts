import type { BatchBacktestCreated } from '@quantloom/domain/batch/events';
import type { ReadModels } from '@quantloom/domain/ports/read-models';
import type { ResultStore } from '@quantloom/domain/ports/result-store';
import { createAnalysisThreads } from './analysis-threads.ts';
import { VerdictCores } from './verdict-core.ts';

/** Rows from which on a thread's memory is worth more than its start. */
const LARGE = 50_000;

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
  let running = 0;
  return {
    prepare: async ({ batchId, combinations, variables, config }) => {
      const hasSplit = Boolean(config.out_of_sample_date);
      running += 1;
      try {
        await cores.of({ id: batchId, combinations, variables, hasSplit });
      } finally {
        running -= 1;
      }
      // A thread that has nothing more to do keeps what it worked on: a hundred bytes per row. The next batch starts another one.
      if (combinations > LARGE && running === 0) await threads.close();
    },
    close: () => threads.close(),
  };
}
