/** Messages of `backtest.jobs.v1` and `backtest.quick-jobs.v1`; key `<batchId>:<partition>`. */
export interface JobMessage {
  readonly batchId: string;
  readonly partition: number;
  /** How often this partition was put on the bus, this time included. */
  readonly round: number;
}

/** Messages of `backtest.cancellations.v1`; every compute node reads all of them. Key `<batchId>`. */
export interface CancellationMessage {
  readonly batchId: string;
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
