import type { OpenBlock } from '@quantloom/domain/batch/partitioning';
import type { BatchVariable } from '@quantloom/domain/batch/variable-values';
import type { BacktestConfig, TemplateBot } from '@quantloom/domain/contracts/backtest';
import type { ResultBlock } from '@quantloom/domain/contracts/result-block';

/**
 * What a compute node has to know of a batch; equal for all of its blocks, so that threads keep what they
 * prepared for it.
 */
export interface BatchWork {
  readonly batchId: string;
  /** Whose share of the machine it uses. */
  readonly userId: string;
  readonly template: TemplateBot;
  /** Distinct values in order: block columns refer to them by index. */
  readonly variables: readonly BatchVariable[];
  readonly config: BacktestConfig;
  readonly dataVersion: string;
}

/** The worker pool as the coordinator sees it. */
export interface BlockRunner {
  /** Blocks that are worth running side by side: the threads. */
  readonly capacity: number;
  /**
   * Computes the gaps of a block on the worker threads; the rows between them stay empty, they are stored
   * already. Rejects with an `AbortError` soon (well under a second) after the signal aborts, and with the
   * engine's error otherwise; a combination that cannot be simulated is a row, not an error.
   */
  runBlock(
    work: BatchWork,
    block: OpenBlock,
    options: { readonly signal: AbortSignal },
  ): Promise<ResultBlock>;
  /** Lets later blocks use the memory of a block that is stored: from now on nobody may look at its columns. */
  release(block: ResultBlock): void;
}
