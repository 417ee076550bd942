import type { BatchCommand } from '@quantloom/domain/batch/commands';
import { partitionRange } from '@quantloom/domain/batch/state';
import { BATCH_STREAM } from '@quantloom/domain/batch/stream';
import { systemCommand } from '@quantloom/domain/batch/system-command';
import {
  JOB_CORRELATION_HEADER,
  type JobMessage,
  MESSAGE_ID_HEADER,
  type NodeMessage,
  type ProgressMessage,
  readCancellation,
  readJob,
} from '@quantloom/domain/contracts/messages/jobs';
import { CONSUMER_GROUPS, TOPICS } from '@quantloom/domain/contracts/messages/topics';
import { loadState } from '@quantloom/domain/kernel/handle-command';
import { isRefusal, type Refusal } from '@quantloom/domain/kernel/refusal';
import { StateCache } from '@quantloom/domain/kernel/state-cache';
import type { BusMessage, MessageContext } from '@quantloom/domain/ports/message-bus';
import { awayIn } from '@quantloom/domain/ports/outages';
import { ResultsMissingError } from '@quantloom/domain/ports/result-store';
import type { ComputeNodeDeps } from './compute-node-deps.ts';
import { patiently } from './patience.ts';
import { runPartition } from './run-partition.ts';
import { SumJobs } from './sum-jobs.ts';

export interface ComputeNode {
  /** Partitions in work now. */
  running(): readonly { readonly batchId: string; readonly partition: number }[];
  /** Takes no more jobs, aborts those in work (they go to another node) and leaves the group. */
  close(): Promise<void>;
}

const ANNOUNCE_MS = 5_000;

/** Joins the group that works off the jobs. The thread that calls this never computes. */
export async function startComputeNode(deps: ComputeNodeDeps): Promise<ComputeNode> {
  const { bus, log, nodeId, options = {} } = deps;
  await bus.ensureTopics(Object.values(TOPICS));
  const node = new Node(deps);
  const cancellations = await bus.subscribe(
    // A group of its own: every node hears of every cancellation.
    { group: `compute.cancellations.${nodeId}`, topics: [TOPICS.cancellations.name], from: 'latest' },
    async ({ value }) => {
      const message = readCancellation(value);
      if (message) node.cancel(message.batchId);
    },
  );
  const sums = new SumJobs(deps);
  const subscriptions = await Promise.all([
    // One large one at a time: it takes memory by its rows.
    bus.subscribe(
      { group: CONSUMER_GROUPS.compile, topics: [TOPICS.compile.name], concurrency: 1 },
      sums.handle,
    ),
    bus.subscribe(
      {
        group: CONSUMER_GROUPS.quickCompile,
        topics: [TOPICS.quickCompile.name],
        concurrency: options.quickSlots ?? 2,
      },
      sums.handle,
    ),
    bus.subscribe(
      { group: CONSUMER_GROUPS.jobs, topics: [TOPICS.jobs.name], concurrency: options.slots ?? 2 },
      node.handle,
    ),
    bus.subscribe(
      {
        group: CONSUMER_GROUPS.quickJobs,
        topics: [TOPICS.quickJobs.name],
        concurrency: options.quickSlots ?? 2,
      },
      node.handle,
    ),
  ]);
  const announce = async (message: NodeMessage) => {
    try {
      await bus.publish(TOPICS.nodes.name, [{ key: nodeId, value: message }]);
    } catch (error) {
      // It is said again in a moment.
      if (!awayIn(error)) log.warn({ err: error, nodeId }, 'the node could not say that it is there');
    }
  };
  const size = { node: nodeId, slots: options.slots ?? 2, quickSlots: options.quickSlots ?? 2 };
  const announcing = setInterval(() => void announce(size), ANNOUNCE_MS);
  await announce(size);
  log.info({ nodeId, capacity: deps.runner.capacity }, 'compute node is ready');
  return {
    running: () => node.running(),
    close: async () => {
      clearInterval(announcing);
      // First of all: a job that is taken while it says that it goes would only be thrown away.
      for (const subscription of subscriptions) subscription.pause();
      node.stop();
      await Promise.all([
        announce({ node: nodeId, slots: 0, quickSlots: 0 }),
        ...[...subscriptions, cancellations].map((subscription) => subscription.close()),
      ]);
    },
  };
}

/** What the events of a job are to be followed back to. */
interface Origin {
  readonly correlationId?: string;
  readonly causationId?: string;
}

const originOf = ({ headers }: BusMessage): Origin => ({
  ...(headers[JOB_CORRELATION_HEADER] && { correlationId: headers[JOB_CORRELATION_HEADER] }),
  ...(headers[MESSAGE_ID_HEADER] && { causationId: headers[MESSAGE_ID_HEADER] }),
});

interface RunningJob {
  readonly job: JobMessage;
  readonly abort: AbortController;
}

/** Why a running job was aborted. */
const CANCELLED = 'cancelled';
const STOPPED = 'stopped';

class Node {
  readonly #deps: ComputeNodeDeps;
  readonly #jobs = new Set<RunningJob>();
  readonly #cache = new StateCache(64);

  constructor(deps: ComputeNodeDeps) {
    this.#deps = deps;
  }

  running(): { batchId: string; partition: number }[] {
    return [...this.#jobs].map(({ job: { batchId, partition } }) => ({ batchId, partition }));
  }

  cancel(batchId: string): void {
    for (const { job, abort } of this.#jobs) if (job.batchId === batchId) abort.abort(CANCELLED);
  }

  stop(): void {
    for (const { abort } of this.#jobs) abort.abort(STOPPED);
  }

  readonly handle = async (message: BusMessage, context: MessageContext): Promise<void> => {
    const job = readJob(message.value);
    if (!job) throw new Error(`Unreadable job at ${message.topic}/${message.partition}@${message.offset}`);
    const running: RunningJob = { job, abort: new AbortController() };
    const lost = () => running.abort.abort(STOPPED);
    context.signal.addEventListener('abort', lost);
    if (context.signal.aborted) lost();
    this.#jobs.add(running);
    try {
      await this.#work(job, running.abort, context, originOf(message));
    } finally {
      this.#jobs.delete(running);
      context.signal.removeEventListener('abort', lost);
    }
  };

  async #work(
    job: JobMessage,
    abort: AbortController,
    context: MessageContext,
    origin: Origin,
  ): Promise<void> {
    const { eventStore, nodeId, clock, log } = this.#deps;
    const { batchId, partition } = job;
    const { signal } = abort;
    const stored = await this.#storedRows(batchId, partition, signal);
    // It is another node's to begin: a start that leads nowhere counts against the partition.
    if (signal.reason === STOPPED) signal.throwIfAborted();
    const started = await this.#command(
      batchId,
      { type: 'StartPartition', partition, node: nodeId, stored, now: clock.now().toISOString() },
      origin,
      signal,
    );
    // Finished by somebody else, deleted, or given up: the message has done its work.
    if (isRefusal(started)) return;
    const { state } = await loadState(eventStore, BATCH_STREAM, batchId, this.#cache);
    if (!('created' in state) || state.partitions[partition]?.status !== 'running') return;
    try {
      const { seconds } = await runPartition({
        ...this.#deps,
        batch: state.created,
        partition,
        abort,
        heartbeat: () => context.heartbeat(),
        publish: (progress) => this.#publish(progress),
      });
      const finish = { type: 'FinishPartition', partition, node: nodeId, seconds } as const;
      const finished = await this.#command(batchId, finish, origin, signal);
      if (isRefusal(finished)) await this.#dropIfDeleted(batchId);
    } catch (error) {
      if (abort.signal.reason === CANCELLED) {
        log.info({ batchId, partition }, 'partition was cancelled');
        await this.#dropIfDeleted(batchId);
        return;
      }
      // Not the job's fault: it comes again, here or elsewhere.
      if (abort.signal.reason === STOPPED) throw error;
      // Nor where a server has gone away between two steps.
      if (awayIn(error)) throw error;
      if (await this.#dropIfDeleted(batchId)) return;
      const { message, stack = '' } = error instanceof Error ? error : new Error(String(error));
      log.error({ err: error, batchId, partition }, 'partition failed');
      const fault = {
        message,
        stack: stack
          .split('\n')
          .slice(1)
          .map((line) => line.trim()),
      };
      // The signal has aborted with the partition; a failure that cannot be told is one that comes again.
      const fail = { type: 'FailPartition', partition, node: nodeId, fault } as const;
      const failed = await this.#command(batchId, fail, origin, context.signal);
      if (isRefusal(failed) && failed.status !== 404) throw error;
    }
  }

  /** Rows of a partition that earlier attempts have stored: an attempt that adds to them is none that leads nowhere. */
  async #storedRows(batchId: string, partition: number, signal: AbortSignal): Promise<number> {
    const { eventStore, results, outages, log } = this.#deps;
    const load = () => loadState(eventStore, BATCH_STREAM, batchId, this.#cache);
    const { state } = await patiently(load, signal, outages, []);
    // The first attempt makes the room for rows; until then there is nothing to count.
    if (!('created' in state) || (state.partitions[partition]?.starts ?? 0) === 0) return 0;
    const { from, to } = partitionRange(state.created, partition);
    const stored = async () => {
      try {
        return await results.storedRanges(batchId);
      } catch (error) {
        if (!(error instanceof ResultsMissingError)) throw error;
        log.warn(
          { batchId, partition },
          'the rows of a batch are gone from the store and are computed again',
        );
        return [];
      }
    };
    const ranges = await patiently(stored, signal, outages, []);
    return ranges.reduce(
      (sum, range) => sum + Math.max(0, Math.min(range.to, to) - Math.max(range.from, from)),
      0,
    );
  }

  /** Rows that were written while the batch was being deleted go as well. */
  async #dropIfDeleted(batchId: string): Promise<boolean> {
    const { eventStore, results } = this.#deps;
    const { state } = await loadState(eventStore, BATCH_STREAM, batchId, this.#cache);
    if (state.status !== 'deleted') return false;
    await results.deleteBatch(batchId);
    return true;
  }

  async #publish(progress: ProgressMessage): Promise<void> {
    try {
      await this.#deps.bus.publish(TOPICS.progress.name, [{ key: progress.batchId, value: progress }]);
    } catch (error) {
      // Progress is for the eye; the next message comes in a second.
      if (awayIn(error)) return;
      this.#deps.log.warn({ err: error, batchId: progress.batchId }, 'progress could not be published');
    }
  }

  /** Waits for a log that is away: the command has one id however often it is tried, so it is carried out once. */
  async #command(
    batchId: string,
    command: BatchCommand,
    origin: Origin,
    signal: AbortSignal,
  ): Promise<Refusal | object> {
    const { eventStore, ids, clock, nodeId, outages } = this.#deps;
    const context = {
      commandId: ids(),
      correlationId: origin.correlationId ?? batchId,
      ...(origin.causationId && { causationId: origin.causationId }),
      actor: { kind: 'system', name: `compute ${nodeId}` },
      now: clock.now().toISOString(),
    } as const;
    const decide = () => systemCommand(eventStore, BATCH_STREAM, batchId, command, context, this.#cache);
    return patiently(decide, signal, outages, []);
  }
}
