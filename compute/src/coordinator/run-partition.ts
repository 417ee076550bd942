import type { BatchBacktestCreated } from '@quantloom/domain/batch/events';
import { blockRows, type OpenBlock, openBlocks, rowsIn } from '@quantloom/domain/batch/partitioning';
import { partitionRange } from '@quantloom/domain/batch/state';
import type { ProgressMessage } from '@quantloom/domain/contracts/messages/jobs';
import { ENGINE_VERSION } from '@quantloom/domain/kernel/product';
import type { Clock } from '@quantloom/domain/ports/clock';
import { NO_OUTAGES, type Outages } from '@quantloom/domain/ports/outages';
import type { ResultStore } from '@quantloom/domain/ports/result-store';
import type { BatchWork, BlockRunner } from './block-runner.ts';
import { patiently } from './patience.ts';

export interface PartitionRun {
  readonly batch: BatchBacktestCreated['data'];
  readonly partition: number;
  readonly runner: BlockRunner;
  readonly results: ResultStore;
  readonly clock: Clock;
  readonly nodeId: string;
  /** Aborted from outside (cancelled, node stops) and from inside (stalled, too long). */
  readonly abort: AbortController;
  readonly heartbeat: () => Promise<void>;
  readonly publish: (progress: ProgressMessage) => Promise<void>;
  /** While a server is away, nobody can store anything, and nothing counts as standing still. */
  readonly outages?: Outages;
  readonly options?: {
    readonly stallSeconds?: number;
    readonly deadlineSeconds?: number;
    readonly progressEvery?: number;
  };
}

/** A partition that makes no progress, or takes too long. */
export class JobDeadlineError extends Error {
  readonly code = 'job_deadline';
  constructor(message: string) {
    super(message);
    this.name = 'JobDeadlineError';
  }
}

/**
 * Computes and stores what is missing of a partition, several blocks at a time. Blocks are stored as they
 * come; what an earlier attempt has stored is skipped, so a repetition computes at most the blocks that were in work.
 *
 * @returns seconds it took
 * Rejects with the abort reason's error, a `JobDeadlineError`, or whatever engine or store rejected with.
 */
export async function runPartition(run: PartitionRun): Promise<{ readonly seconds: number }> {
  const { batch, partition, runner, results, abort, outages, options = {} } = run;
  if (batch.engineVersion !== ENGINE_VERSION)
    throw new Error(
      `The batch was created for engine version ${batch.engineVersion}, this node runs version ` +
        `${ENGINE_VERSION}: its rows would not belong together`,
    );
  const range = partitionRange(batch, partition);
  const work = workOf(batch);
  const stored = await patiently(
    async () => {
      await results.createBatch(batch.batchId, batch.variables);
      return results.storedRanges(batch.batchId);
    },
    abort.signal,
    outages,
  );
  const blocks = openBlocks(range, stored, blockRows(batch.partitionSize));
  const total = range.to - range.from;
  const open = blocks.reduce((sum, { gaps }) => sum + rowsIn(gaps), 0);
  const watch = new Watch(run, total, total - open, options);
  try {
    await forEachSideBySide(blocks, runner.capacity, async (block) => {
      abort.signal.throwIfAborted();
      const rows = await runner.runBlock(work, block, { signal: abort.signal });
      abort.signal.throwIfAborted();
      let tries = 0;
      await patiently(
        () => {
          tries += 1;
          return results.append(rows);
        },
        abort.signal,
        outages,
      );
      // A try that was given up may still be reading the rows somewhere.
      if (tries === 1) runner.release(rows);
      await watch.progressed(rowsIn(block.gaps));
    });
    await watch.end('finished');
    return { seconds: watch.seconds() };
  } catch (error) {
    // The first error stops the others; what they were doing is thrown away.
    abort.abort(error);
    await watch.end(abort.signal.reason === 'cancelled' ? 'cancelled' : 'failed');
    throw watch.fault ?? error;
  }
}

/** The part of a batch that worker threads need. */
export function workOf(batch: BatchBacktestCreated['data']): BatchWork {
  const { batchId, userId, template, variables, config, dataVersion } = batch;
  return { batchId, userId, template, variables, config, dataVersion };
}

/** Runs the items in order, `width` at a time; waits for all that were begun before it rejects with the first error. */
async function forEachSideBySide(
  items: readonly OpenBlock[],
  width: number,
  handle: (item: OpenBlock) => Promise<void>,
): Promise<void> {
  let next = 0;
  let failed = false;
  const lanes = Array.from({ length: Math.min(Math.max(1, width), items.length) }, async () => {
    while (next < items.length && !failed) {
      const item = items[next] as OpenBlock;
      next += 1;
      try {
        await handle(item);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  });
  const outcomes = await Promise.allSettled(lanes);
  const rejected = outcomes.find((outcome) => outcome.status === 'rejected');
  if (rejected) throw rejected.reason;
}

/** Tells the world how far a partition is, about once a second, and stops it when it stalls. */
class Watch {
  fault: JobDeadlineError | null = null;
  readonly #run: PartitionRun;
  readonly #total: number;
  #began: number;
  readonly #timer: NodeJS.Timeout;
  readonly #stall: number;
  readonly #deadline: number;
  #done: number;
  #computed = 0;
  #last: number;
  #lookedAt: number;
  #publishing: Promise<void> = Promise.resolve();

  constructor(run: PartitionRun, total: number, done: number, options: NonNullable<PartitionRun['options']>) {
    this.#run = run;
    this.#total = total;
    this.#done = done;
    this.#began = run.clock.now().getTime();
    this.#last = this.#began;
    this.#lookedAt = this.#began;
    this.#stall = (options.stallSeconds ?? 120) * 1_000;
    this.#deadline = (options.deadlineSeconds ?? 1_800) * 1_000;
    this.#say('running');
    this.#timer = setInterval(() => this.#tick(), options.progressEvery ?? 1_000);
    this.#timer.unref();
  }

  seconds(): number {
    return Math.max(0, this.#run.clock.now().getTime() - this.#began) / 1_000;
  }

  /** Rows were stored: the only thing that counts as progress. */
  async progressed(rows: number): Promise<void> {
    this.#done += rows;
    this.#computed += rows;
    this.#last = this.#run.clock.now().getTime();
    await this.#run.heartbeat();
  }

  async end(state: ProgressMessage['state']): Promise<void> {
    clearInterval(this.#timer);
    this.#say(state);
    await this.#publishing;
  }

  #tick(): void {
    const now = this.#run.clock.now().getTime();
    const { partition, abort, outages = NO_OUTAGES, heartbeat } = this.#run;
    const passed = now - this.#lookedAt;
    this.#lookedAt = now;
    if (outages.current().length > 0) {
      this.#last += passed;
      this.#began += passed;
      // The partition stays with this node: its next one could do no more.
      void heartbeat();
      return;
    }
    if (now - this.#last > this.#stall)
      this.fault = new JobDeadlineError(
        `Partition ${partition} stored nothing for ${Math.round((now - this.#last) / 1_000)} seconds`,
      );
    else if (now - this.#began > this.#deadline)
      this.fault = new JobDeadlineError(
        `Partition ${partition} was not done after ${Math.round(this.#deadline / 1_000)} seconds`,
      );
    if (this.fault) abort.abort(this.fault);
    else this.#say('running');
  }

  #say(state: ProgressMessage['state']): void {
    const { batch, partition, nodeId, clock, publish } = this.#run;
    const seconds = this.seconds();
    const message: ProgressMessage = {
      batchId: batch.batchId,
      partition,
      node: nodeId,
      done: this.#done,
      total: this.#total,
      // Not as a whole number: what takes seconds for a row has a rate, too.
      rate: seconds > 0 ? Number((this.#computed / seconds).toPrecision(3)) : 0,
      at: clock.now().toISOString(),
      state,
    };
    this.#publishing = this.#publishing.then(() => publish(message));
  }
}
