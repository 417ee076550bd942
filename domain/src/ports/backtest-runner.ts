import type { BacktestAnswer, BacktestRequest, BatchRequest } from '../contracts/backtest.ts';

export interface BatchEstimate {
  readonly requestedCombinations: number;
  readonly combinations: number;
  /** From creation to end on a machine without other batches; measured on a sample of the combinations on the machine that answers. */
  readonly seconds: number;
  /** The part of them that a batch takes whatever its size. */
  readonly fixedSeconds: number;
  /** Partitions that make a few seconds of work each. */
  readonly partitions: number;
  readonly dataVersion: string;
}

/**
 * Runs single backtests and estimates. A strategy that cannot run rejects with a `RefusalError` of status 400 whose text names the
 * block; a defect of the engine rejects with an error of code `engine_defect` that carries `debugData`.
 */
export interface BacktestRunner {
  run(
    request: BacktestRequest,
    options?: { dataVersion?: string; signal?: AbortSignal },
  ): Promise<BacktestAnswer>;
  estimate(
    request: BatchRequest,
    options?: { dataVersion?: string; signal?: AbortSignal },
  ): Promise<BatchEstimate>;
}
