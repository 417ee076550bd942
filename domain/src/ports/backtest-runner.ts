import type {
  BacktestAnswer,
  BacktestRequest,
  BatchRequest,
  Metrics,
  Provenance,
} from '../contracts/backtest.ts';
import type { MetricColumn } from '../contracts/result-block.ts';
import type { DailyReturns } from '../statistics/shared-days.ts';
import type { RunHashes } from '../strategy/run-hashes.ts';
import type { RunRequest } from '../strategy/written-tree.ts';

export interface BatchEstimate {
  readonly requestedCombinations: number;
  readonly combinations: number;
  /**
   * From creation to end on a machine without other batches; measured on a sample of the combinations on the
   * machine that answers.
   */
  readonly seconds: number;
  /** The part of them that a batch takes whatever its size. */
  readonly fixedSeconds: number;
  /**
   * Computing and storing all of it on one node that has nothing else to do: the work itself, whatever the
   * machine is busy with just now.
   */
  readonly workSeconds: number;
  /** Partitions that make a few seconds of work each. */
  readonly partitions: number;
  readonly dataVersion: string;
  /** Processor milliseconds that measuring took. */
  readonly spentMs: number;
}

/** The rows of a batch that is kept nowhere. */
export interface SmallBatch {
  readonly dataVersion: string;
  readonly rows: readonly {
    /** By variable, as in the request. */
    readonly values: Readonly<Record<string, string | number>>;
    /** NaN where a metric is undefined. */
    readonly metrics: Readonly<Record<MetricColumn, number>>;
    /** Why it cannot be simulated, naming the block; null where it was. */
    readonly reason: string | null;
  }[];
}

/** A row of a batch day by day. */
export interface DailyRow extends DailyReturns {
  readonly combination: number;
  /** Ticker → mean share of the portfolio, 0..1, of what was held at all; what is missing to 1 was cash. */
  readonly weights: Readonly<Record<string, number>>;
}

/** Some rows of a batch day by day; days are epoch seconds of midnight UTC. */
export interface DailyRows {
  readonly rows: readonly DailyRow[];
  /** Rows that cannot be simulated, and why, naming the block; null where the engine failed. */
  readonly failures: readonly { readonly combination: number; readonly reason: string | null }[];
}

/** What is kept of a run: small, whatever was asked for. */
export interface RunFigures {
  readonly metrics: Metrics;
  /** `YYYY-MM-DD`. */
  readonly firstDay: string;
  readonly lastDay: string;
  /** The value in units of the starting balance, thinned out to at most 60 points. */
  readonly line: readonly number[];
  /** With the hash of the result. */
  readonly provenance: Provenance & { readonly result_hash: string };
  /**
   * The hash that the engine named by `madeBy` has given this result, if its days and values are the same bit
   * by bit.
   */
  readonly hashAsMade?: string;
}

/** How a run is to be made, and for whom. */
export interface RunOptions {
  /** Published version of the prices; default: the current one. */
  readonly dataVersion?: string;
  /**
   * Whether the exchange's holidays are known behind the end of the prices, as they are to a decision that is
   * made on the day itself. Default: no, the next weekday follows (`docs/engine.md` section 12).
   */
  readonly knowsHolidays?: boolean;
  /** Version of the engine that has made the run before. */
  readonly madeBy?: string;
  readonly signal?: AbortSignal;
  /** Whose share of the machine it uses: the user. Default: everybody without a name together. */
  readonly owner?: string;
  /** Milliseconds that it is expected to take (`limits/cost.ts`). */
  readonly expectedMs?: number;
  /** Milliseconds after which it is ended with a refusal of code `took_too_long`. */
  readonly deadlineMs?: number;
  /** Told how many milliseconds of a processor it took, also where it was ended. */
  readonly onSpent?: (milliseconds: number) => void;
  /** Told what is worth keeping of a run that succeeded, so that nobody has to read its answer for that. */
  readonly onFigures?: (figures: RunFigures) => void;
  /** Told the hashes of a run that succeeded; they are worked out, where it was computed, only for who asks. */
  readonly onHashes?: ((hashes: RunHashes) => void) | undefined;
}

/** An answer as bytes: JSON in UTF-8, or as `encodeColumns` of `contracts/backtest-columns.ts` writes it. */
export type AnswerForm = 'json' | 'columns';

/**
 * Runs single backtests and estimates. A strategy that cannot run rejects with a `RefusalError` of status 400
 * whose text names the block; a defect of the engine rejects with an error of code `engine_defect` that
 * carries `debugData`.
 */
export interface BacktestRunner {
  run(request: BacktestRequest, options?: RunOptions): Promise<BacktestAnswer>;
  /** As `run`, with the answer written by whoever computed it; a strategy that is JSON is parsed there, too. */
  runAs(form: AnswerForm, request: RunRequest, options?: RunOptions): Promise<Uint8Array<ArrayBuffer>>;
  estimate(request: BatchRequest, options?: RunOptions): Promise<BatchEstimate>;
  /** Runs all combinations of a small batch that is kept nowhere, 1,024 of them at most, in their order. */
  rows(request: BatchRequest, options?: RunOptions): Promise<SmallBatch>;
  /**
   * Runs combinations of a batch day by day. `onRows` is told of them piece by piece, roughly in the order
   * given, so that something is there when time is over; `expectedMs` of the options is that of one row,
   * `deadlineMs` that of all.
   */
  dailyRows(
    request: BatchRequest,
    combinations: readonly number[],
    onRows: (rows: DailyRows) => void,
    options?: RunOptions,
  ): Promise<void>;
}
