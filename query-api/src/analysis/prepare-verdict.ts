import type { BatchBacktestCreated } from '@quantloom/domain/batch/events';
import type { BacktestRunner } from '@quantloom/domain/ports/backtest-runner';
import type { Log } from '@quantloom/domain/ports/log';
import { awayIn } from '@quantloom/domain/ports/outages';
import type { ReadModels } from '@quantloom/domain/ports/read-models';
import type { ResultStore } from '@quantloom/domain/ports/result-store';
import { createAnalysisThreads } from './analysis-threads.ts';
import { type JudgedBatch, VerdictCores } from './verdict-core.ts';

/** Rows from which on a thread's memory is worth more than its start. */
const LARGE = 50_000;

export interface VerdictPreparation {
  /**
   * Computes and keeps what the verdict on a batch takes longest for; its rows must be complete. A repetition
   * finds it kept. Running rows again goes on afterwards, one batch at a time: what this process does not
   * come to is done at the first look.
   */
  readonly prepare: (batch: BatchBacktestCreated['data']) => Promise<void>;
  /** For whoever makes verdicts in the same process. */
  readonly cores: VerdictCores;
  /** Resolves when no batch is being worked on. */
  readonly idle: () => Promise<void>;
  close(): Promise<void>;
}

/** Batches whose rows wait to be run again; the verdict on further ones is made at the first look. */
const MOST_WAITING = 100;

/** For the process that compiles results, so that the first look at them finds the verdict computed. */
export function openVerdictPreparation(deps: {
  readonly readModels: ReadModels;
  readonly resultStore: ResultStore;
  readonly backtestRunner: BacktestRunner;
  readonly log: Pick<Log, 'error'>;
}): VerdictPreparation {
  const threads = createAnalysisThreads();
  const { readModels, resultStore: store, backtestRunner: runner, log } = deps;
  const cores = new VerdictCores({ readModels, store, threads, runner });
  let running = 0;
  let waiting = 0;
  let isClosed = false;
  let tests = Promise.resolve();
  const release = async (combinations: number) => {
    // A thread that has nothing more to do keeps what it worked on: a hundred bytes per row. The next batch
    // starts another one.
    if (combinations > LARGE && running === 0) await threads.close();
  };
  const test = async (batch: JudgedBatch) => {
    waiting -= 1;
    if (isClosed) return;
    running += 1;
    try {
      await cores.judged(batch);
    } catch (error) {
      // Whoever looks at the verdict has it computed then.
      if (!isClosed && !awayIn(error))
        log.error({ err: error, batchId: batch.id }, 'a verdict could not be prepared');
    } finally {
      running -= 1;
    }
    await release(batch.combinations);
  };
  return {
    prepare: async ({ batchId, combinations, variables, config, template, dataVersion }) => {
      const { algorithm } = template;
      const batch = { id: batchId, combinations, variables, algorithm, config, dataVersion };
      running += 1;
      try {
        await cores.core(batch);
      } finally {
        running -= 1;
      }
      if (waiting >= MOST_WAITING || isClosed) return release(combinations);
      waiting += 1;
      tests = tests.then(() => test(batch));
    },
    cores,
    idle: () => tests,
    close: async () => {
      isClosed = true;
      cores.stop();
      await tests;
      await threads.close();
    },
  };
}
