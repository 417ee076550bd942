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

/** An answer as bytes: JSON in UTF-8, or as `encodeColumns` of `contracts/backtest-columns.ts` writes it. */
export type AnswerForm = 'json' | 'columns';

/**
 * Runs single backtests and estimates. A strategy that cannot run rejects with a `RefusalError` of status 400 whose text names the
 * block; a defect of the engine rejects with an error of code `engine_defect` that carries `debugData`.
 */
export interface BacktestRunner {
  run(
    request: BacktestRequest,
    options?: { dataVersion?: string; signal?: AbortSignal },
  ): Promise<BacktestAnswer>;
  /** As `run`, with the answer written by whoever computed it. */
  runAs(
    form: AnswerForm,
    request: BacktestRequest,
    options?: { dataVersion?: string; signal?: AbortSignal },
  ): Promise<Uint8Array<ArrayBuffer>>;
  estimate(
    request: BatchRequest,
    options?: { dataVersion?: string; signal?: AbortSignal },
  ): Promise<BatchEstimate>;
}
