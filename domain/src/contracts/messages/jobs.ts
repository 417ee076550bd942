/** Messages of `backtest.jobs.v1` and `backtest.quick-jobs.v1`; key `<batchId>:<partition>`. */
export interface JobMessage {
  readonly batchId: string;
  readonly partition: number;
  /** How often this partition was put on the bus, this time included. */
  readonly round: number;
}

/** Messages of `backtest.compile.v1` and `backtest.quick-compile.v1`; key `<batchId>`. */
export interface CompileMessage {
  readonly batchId: string;
  /**
   * The event that asks for it and when that was (ISO 8601): ids of what follows are made from them, so that
   * a repetition is none.
   */
  readonly eventId: string;
  readonly at: string;
}

/** Messages of `forward-test.evaluations.v1`; key `<strategyId>`. */
export interface EvaluationMessage {
  readonly strategyId: string;
  /** The version of the prices to decide with: of an older one nothing is decided any more. */
  readonly dataVersion: string;
  /** How often it was asked for, this time included. */
  readonly round: number;
}

/** Messages of `backtest.cancellations.v1`; every compute node reads all of them. Key `<batchId>`. */
export interface CancellationMessage {
  readonly batchId: string;
}

/** Messages of `backtest.nodes.v1`, every few seconds; key: the node. A node that goes says 0. */
export interface NodeMessage {
  readonly node: string;
  /** Partitions of large and of quick batches that it works on side by side. */
  readonly slots: number;
  readonly quickSlots: number;
}

/** Messages of `backtest.progress.v1`; key `<batchId>`. The last one of a partition stands. */
export interface ProgressMessage {
  readonly batchId: string;
  readonly partition: number;
  readonly node: string;
  /** Rows of the partition that are stored. */
  readonly done: number;
  readonly total: number;
  /** Backtests a second in this partition, over the time since it began; 0 where it has just begun. */
  readonly rate: number;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly state: 'running' | 'finished' | 'failed' | 'cancelled';
}

/** Key of a job. */
export const jobKey = (batchId: string, partition: number): string => `${batchId}:${partition}`;

/** Message id in the headers: the same job put on the bus twice by a repeated delivery has the same id. */
export const jobMessageId = (job: JobMessage): string => `${job.batchId}:${job.partition}:${job.round}`;

/** Header that carries the message id, so that consumers can recognise a repetition. */
export const MESSAGE_ID_HEADER = 'message-id';
/** Header by which a job is followed from the browser's request to the compute node. */
export const JOB_CORRELATION_HEADER = 'correlation-id';
/** Header with the id of the event that the job follows from. */
export const CAUSATION_HEADER = 'causation-id';

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0;
}
function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** Reads a job; null for anything else (a message from a newer version goes to the dead letters). */
export function readJob(value: unknown): JobMessage | null {
  const { batchId, partition, round } = recordOf(value);
  return isText(batchId) && isCount(partition) && isCount(round) ? { batchId, partition, round } : null;
}

/** Reads what is to be summed up; null for anything else. */
export function readCompile(value: unknown): CompileMessage | null {
  const { batchId, eventId, at } = recordOf(value);
  if (!isText(batchId) || !isText(eventId) || !isText(at) || Number.isNaN(Date.parse(at))) return null;
  return { batchId, eventId, at };
}

/** Reads what is to be evaluated; null for anything else. */
export function readEvaluation(value: unknown): EvaluationMessage | null {
  const { strategyId, dataVersion, round } = recordOf(value);
  if (!isText(strategyId) || !isText(dataVersion) || !isCount(round)) return null;
  return { strategyId, dataVersion, round };
}

/** Reads what a node says of itself; null for anything else. */
export function readNode(value: unknown): NodeMessage | null {
  const { node, slots, quickSlots } = recordOf(value);
  return isText(node) && isCount(slots) && isCount(quickSlots) ? { node, slots, quickSlots } : null;
}

/** Reads a cancellation; null for anything else. */
export function readCancellation(value: unknown): CancellationMessage | null {
  const { batchId } = recordOf(value);
  return isText(batchId) ? { batchId } : null;
}

/** Reads a progress message; null for anything else. */
export function readProgress(value: unknown): ProgressMessage | null {
  const { batchId, partition, node, done, total, rate, at, state } = recordOf(value);
  if (!isText(batchId) || !isText(node) || !isText(at)) return null;
  if (!isCount(partition) || !isCount(done) || !isCount(total)) return null;
  if (typeof rate !== 'number' || !Number.isFinite(rate)) return null;
  if (state !== 'running' && state !== 'finished' && state !== 'failed' && state !== 'cancelled') return null;
  return { batchId, partition, node, done, total, rate, at, state };
}
