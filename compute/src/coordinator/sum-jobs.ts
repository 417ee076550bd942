import type { BatchCommand } from '@quantloom/domain/batch/commands';
import type { BatchBacktestCreated, BatchSummary } from '@quantloom/domain/batch/events';
import { BATCH_STREAM } from '@quantloom/domain/batch/stream';
import { systemCommand } from '@quantloom/domain/batch/system-command';
import {
  type CompileMessage,
  JOB_CORRELATION_HEADER,
  readCompile,
} from '@quantloom/domain/contracts/messages/jobs';
import { loadState } from '@quantloom/domain/kernel/handle-command';
import { derivedId } from '@quantloom/domain/kernel/ids';
import { isRefusal } from '@quantloom/domain/kernel/refusal';
import { StateCache } from '@quantloom/domain/kernel/state-cache';
import type { BusMessage, MessageContext } from '@quantloom/domain/ports/message-bus';
import { awayIn } from '@quantloom/domain/ports/outages';
import { type ResultStore, ResultsMissingError } from '@quantloom/domain/ports/result-store';
import { NO_TRACING } from '@quantloom/domain/ports/tracing';
import { compileResults, RowCountError } from './compile-results.ts';
import type { ComputeNodeDeps } from './compute-node-deps.ts';
import { computeMissingRows } from './missing-rows.ts';
import { patiently } from './patience.ts';

const HEARTBEAT_MS = 5_000;
/** Summing up that takes longer than this hangs: no more signs of life are given, and another node is asked. */
const DEADLINE_MS = 1_800_000;

/**
 * Sums up and judges batches whose rows are all there. Any node may, and several at once do no harm: they
 * read what does not change any more, and the commands that follow have ids made from the event that asked for it.
 */
export class SumJobs {
  readonly #deps: ComputeNodeDeps;
  readonly #cache = new StateCache(64);

  constructor(deps: ComputeNodeDeps) {
    this.#deps = deps;
  }

  readonly handle = async (message: BusMessage, context: MessageContext): Promise<void> => {
    const job = readCompile(message.value);
    if (!job) throw new Error(`Unreadable job at ${message.topic}/${message.partition}@${message.offset}`);
    const began = performance.now();
    const beat = setInterval(() => {
      if (performance.now() - began < DEADLINE_MS) void context.heartbeat();
    }, HEARTBEAT_MS);
    try {
      const correlationId = message.headers[JOB_CORRELATION_HEADER] ?? job.batchId;
      const { tracing = NO_TRACING } = this.#deps;
      await tracing.run(
        { name: 'sum up results', kind: 'internal', attributes: { 'quantloom.batch': job.batchId } },
        () => this.#sumUp(job, correlationId, context.signal),
      );
    } finally {
      clearInterval(beat);
    }
  };

  async #sumUp(job: CompileMessage, correlationId: string, signal: AbortSignal): Promise<void> {
    const { outages, log } = this.#deps;
    const { batchId } = job;
    const { state } = await patiently(() => this.#load(batchId), signal, outages, []);
    // Finished by somebody else, failed, or deleted: the message has done its work.
    if (state.status !== 'CompilingResults') return;
    const { created } = state;
    try {
      const summary = await this.#summaryOf(created, signal);
      if (summary === null) return;
      signal.throwIfAborted();
      await this.#prepareAnalysis(created, signal);
      signal.throwIfAborted();
      await this.#command(job, correlationId, { type: 'FinishBatchBacktest', summary }, signal);
    } catch (error) {
      // The partition is another node's now, or this one stops: it comes again.
      if (signal.aborted) throw error;
      // Nor is it the batch's fault that rows could not be computed again here for want of a thread.
      if (awayIn(error)) throw error;
      log.error({ err: error, batchId }, 'the results of a batch could not be summed up');
      const { message, stack = '' } = error instanceof Error ? error : new Error(String(error));
      const errorId = derivedId(Date.parse(job.at), job.eventId, 'backtest-error', batchId);
      const fault = { message, stack: stack.split('\n').slice(1) };
      await this.#command(
        job,
        correlationId,
        { type: 'FailBatchBacktest', errorId, partition: null, fault },
        signal,
      );
    }
  }

  /**
   * Rows that the store has lost since they were computed are computed again: what is missing first, and all
   * of them where the store has others than it says. Null where the batch was deleted meanwhile.
   */
  async #summaryOf(batch: BatchBacktestCreated['data'], signal: AbortSignal): Promise<BatchSummary | null> {
    const { results, outages, nodeId, log } = this.#deps;
    const { batchId } = batch;
    const compiled = () => patiently(() => compiledOrIncomplete(results, batch), signal, outages);
    let found = await compiled();
    for (const isAnew of [false, true]) {
      if (!(found instanceof Error)) break;
      log.warn({ err: found, batchId }, 'rows of a batch are gone from the store and are computed again');
      if (isAnew) await patiently(() => results.deleteBatch(batchId), signal, outages);
      await computeMissingRows(this.#deps, batch, { nodeId, signal });
      const { state } = await patiently(() => this.#load(batchId), signal, outages);
      if (state.status === 'deleted') {
        await patiently(() => results.deleteBatch(batchId), signal, outages);
        return null;
      }
      found = await compiled();
    }
    if (found instanceof Error) throw found;
    return found;
  }

  #load(batchId: string) {
    return loadState(this.#deps.eventStore, BATCH_STREAM, batchId, this.#cache);
  }

  async #prepareAnalysis(batch: BatchBacktestCreated['data'], signal: AbortSignal): Promise<void> {
    const { prepareAnalysis, log } = this.#deps;
    const lost = Promise.withResolvers<void>();
    const stop = () => lost.reject(signal.reason);
    signal.addEventListener('abort', stop);
    try {
      // Nobody waits for it who is not to use it: it may hold up the end of the process for long.
      await Promise.race([prepareAnalysis?.(batch), lost.promise]);
    } catch (error) {
      // The rows are right without it, and whoever looks at it first has it made.
      if (signal.aborted || awayIn(error)) return;
      log.error({ err: error, batchId: batch.batchId }, 'the analysis of a batch could not be prepared');
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  async #command(
    { batchId, eventId, at }: CompileMessage,
    correlationId: string,
    command: BatchCommand,
    signal: AbortSignal,
  ): Promise<void> {
    const { eventStore, clock, nodeId, outages } = this.#deps;
    const context = {
      commandId: derivedId(Date.parse(at), eventId, `${command.type}:${batchId}`),
      correlationId,
      causationId: eventId,
      actor: { kind: 'system', name: `compute ${nodeId}` },
      now: clock.now().toISOString(),
    } as const;
    const result = await patiently(
      () => systemCommand(eventStore, BATCH_STREAM, batchId, command, context, this.#cache),
      signal,
      outages,
    );
    // The batch went on, or away, in the meantime: then this is not wanted any more.
    if (isRefusal(result) && result.status !== 409 && result.status !== 404)
      throw new Error(`${command.type} of batch ${batchId} was refused: ${result.detail}`);
  }
}

/** The summary of a batch, or why it has none: rows that are not there do not come by trying again. */
async function compiledOrIncomplete(
  results: ResultStore,
  batch: BatchBacktestCreated['data'],
): Promise<BatchSummary | RowCountError | ResultsMissingError> {
  try {
    return await compileResults(results, batch);
  } catch (error) {
    if (error instanceof RowCountError || error instanceof ResultsMissingError) return error;
    throw error;
  }
}
