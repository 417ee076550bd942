import type { BatchRequest, Provenance } from '@quantloom/domain/contracts/backtest';
import type { Refusal } from '@quantloom/domain/kernel/refusal';
import type { AnswerForm, DailyRows, RunFigures } from '@quantloom/domain/ports/backtest-runner';
import type { PriceSeries } from '@quantloom/domain/ports/market-data';
import type { RunHashes } from '@quantloom/domain/strategy/run-hashes';
import type { RunRequest } from '@quantloom/domain/strategy/written-tree';
import type { BatchEngineOptions, Failure } from '../engine/batch/batch-engine.ts';
import type { ResultColumns } from '../engine/figures/result-columns.ts';

/** What a worker thread is started with. */
export interface WorkerSetup {
  /** Bound of the columns a thread's engines keep, all together. */
  readonly cacheBytes: number;
  /** One number: the id of the task that is cancelled. Written by the pool, read by the thread while it computes. */
  readonly cancelled: Int32Array;
}

/** How many planned batches a thread keeps for the next range. The pool says when one goes. */
export const ENGINES_PER_WORKER = 4;

/** Prices always travel as shared memory: no copy. */
export type SharedPrices = ReadonlyMap<string, PriceSeries>;

export interface RangeTask {
  readonly type: 'range';
  readonly task: number;
  /** Key of an opened batch. */
  readonly key: string;
  readonly columns: ResultColumns;
  /** Combinations to compute, `to` exclusive, all within the columns. */
  readonly ranges: readonly { readonly from: number; readonly to: number }[];
}

export interface BacktestTask {
  readonly type: 'backtest';
  readonly task: number;
  readonly request: RunRequest;
  readonly prices: SharedPrices;
  readonly today: string;
  readonly knowsHolidays?: boolean | undefined;
  readonly form: AnswerForm;
  /** Becomes part of the answer. */
  readonly provenance?: Provenance | undefined;
  /** Version of the engine that has made the run before. */
  readonly madeBy?: string | undefined;
  readonly wantsHashes: boolean;
}

/** Combinations of a batch that was opened for the reference engine, day by day. */
export interface DailyTask {
  readonly type: 'daily';
  readonly task: number;
  readonly key: string;
  readonly combinations: readonly number[];
}

export type ToWorker =
  | {
      readonly type: 'open';
      readonly key: string;
      readonly batch: BatchRequest;
      readonly prices: SharedPrices;
      readonly options: Pick<BatchEngineOptions, 'today' | 'force'>;
    }
  | { readonly type: 'drop'; readonly key: string }
  | RangeTask
  | DailyTask
  | BacktestTask;

export type FromWorker =
  | { readonly type: 'ready' }
  | {
      readonly type: 'range-done';
      readonly task: number;
      readonly failures: readonly Failure[];
      /** Time on the clock. */
      readonly milliseconds: number;
      /** Processor time of the thread, which other work on the machine does not lengthen. */
      readonly cpuMilliseconds: number;
    }
  | {
      readonly type: 'answer';
      readonly task: number;
      /** In the form that the task asked for. */
      readonly answer: Uint8Array<ArrayBuffer>;
      /** Where it is said what the prices are. */
      readonly figures?: RunFigures | undefined;
      readonly hashes?: RunHashes | undefined;
      readonly milliseconds: number;
      /** Processor time of the thread. */
      readonly cpuMilliseconds: number;
    }
  | {
      readonly type: 'daily-done';
      readonly task: number;
      readonly rows: DailyRows;
      readonly milliseconds: number;
      /** Processor time of the thread. */
      readonly cpuMilliseconds: number;
    }
  | { readonly type: 'refused'; readonly task: number; readonly refusal: Refusal }
  | {
      readonly type: 'defect';
      readonly task: number;
      readonly message: string;
      readonly debugData: Readonly<Record<string, unknown>>;
    };
