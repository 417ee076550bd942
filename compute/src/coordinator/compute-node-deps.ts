import type { BatchBacktestCreated } from '@quantloom/domain/batch/events';
import type { IdSource } from '@quantloom/domain/kernel/ids';
import type { Clock } from '@quantloom/domain/ports/clock';
import type { EventStore } from '@quantloom/domain/ports/event-store';
import type { Log } from '@quantloom/domain/ports/log';
import type { MessageBus } from '@quantloom/domain/ports/message-bus';
import type { Outages } from '@quantloom/domain/ports/outages';
import type { ResultStore } from '@quantloom/domain/ports/result-store';
import type { Tracing } from '@quantloom/domain/ports/tracing';
import type { BlockRunner } from './block-runner.ts';

/** Rejects where it could not be done: whoever looks at the analysis has it computed then. */
export type PrepareAnalysis = (batch: BatchBacktestCreated['data']) => Promise<void>;

export interface ComputeNodeDeps {
  readonly eventStore: EventStore;
  readonly bus: MessageBus;
  readonly results: ResultStore;
  readonly runner: BlockRunner;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly log: Log;
  /** Absent where no server is needed. */
  readonly outages?: Outages;
  /** Who is told of the work on each batch; absent: nobody. */
  readonly tracing?: Tracing;
  /** Unique among the running nodes, shown to users: for example host name and process id. */
  readonly nodeId: string;
  /**
   * Computes what the analysis of complete rows takes longest for, before the batch is called finished;
   * absent: done when asked for.
   */
  readonly prepareAnalysis?: PrepareAnalysis;
  readonly options?: ComputeNodeOptions;
}

export interface ComputeNodeOptions {
  /** Large jobs at a time. Default 2: the next one begins while the last blocks of the one before are computed. */
  readonly slots?: number;
  /** Small jobs at a time, beside the large ones. Default 2. */
  readonly quickSlots?: number;
  /** A job without a stored block for this long has failed. Default 120. */
  readonly stallSeconds?: number;
  /** A job that takes longer than this has failed, whatever it says. Default 1800. */
  readonly deadlineSeconds?: number;
  /** Milliseconds between progress messages. Default 1000. */
  readonly progressEvery?: number;
}
