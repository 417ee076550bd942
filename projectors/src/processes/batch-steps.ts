import { plainDebugData } from '@quantloom/domain/backtest-error/backtest-error';
import { BACKTEST_ERROR_STREAM } from '@quantloom/domain/backtest-error/stream';
import type { BatchCommand } from '@quantloom/domain/batch/commands';
import { mustBeginAnew } from '@quantloom/domain/batch/decider';
import { QUICK_COMPILE_ROWS } from '@quantloom/domain/batch/partitioning';
import type { BatchStep } from '@quantloom/domain/batch/process';
import {
  ANALYSIS_CLAIMS_COLLECTION,
  BATCH_ANALYSES_COLLECTION,
  BATCH_PROGRESS_COLLECTION,
  type BatchDefinitionDocument,
  batchDefinitionsProjection,
} from '@quantloom/domain/batch/projections';
import { batchFingerprint, mapReuse } from '@quantloom/domain/batch/reuse';
import { type BatchState, batchExists } from '@quantloom/domain/batch/state';
import { BATCH_STREAM } from '@quantloom/domain/batch/stream';
import { systemCommand } from '@quantloom/domain/batch/system-command';
import type { BatchVariable } from '@quantloom/domain/batch/variable-values';
import {
  CAUSATION_HEADER,
  type CancellationMessage,
  type CompileMessage,
  JOB_CORRELATION_HEADER,
  type JobMessage,
  jobKey,
  jobMessageId,
  MESSAGE_ID_HEADER,
} from '@quantloom/domain/contracts/messages/jobs';
import { TOPICS } from '@quantloom/domain/contracts/messages/topics';
import { type CommandContext, loadState } from '@quantloom/domain/kernel/handle-command';
import { derivedId } from '@quantloom/domain/kernel/ids';
import { ENGINE_VERSION } from '@quantloom/domain/kernel/product';
import { isRefusal } from '@quantloom/domain/kernel/refusal';
import { StateCache } from '@quantloom/domain/kernel/state-cache';
import { ResultsMissingError } from '@quantloom/domain/ports/result-store';
import { USAGE_STREAM, usageId } from '@quantloom/domain/usage/stream';
import type { QuotaReleased } from '@quantloom/domain/usage/usage';
import type { BatchProcessDeps } from './batch-process-deps.ts';
import { Capacity } from './capacity.ts';
import type { Cause } from './cause.ts';
import { Dispatcher, type DispatchWork } from './dispatcher.ts';

const ROWS_PER_COPY = 200_000;

/** Carries out the steps of the batch process manager. Every method may be repeated. */
export class BatchSteps {
  readonly #deps: BatchProcessDeps;
  readonly #cache = new StateCache(512);
  readonly #prepared = new Set<string>();
  /** Under way: what follows the log and what looks for open work may come to the same batch at once. */
  readonly #preparing = new Map<string, Promise<void>>();
  readonly #changing = new Map<string, Promise<void>>();
  /** What the compute nodes can do at a time. */
  readonly capacity = new Capacity();
  readonly dispatcher: Dispatcher;

  constructor(deps: BatchProcessDeps) {
    this.#deps = deps;
    this.dispatcher = new Dispatcher(deps, this.#dispatchWork());
  }

  async state(batchId: string): Promise<BatchState> {
    return (await loadState(this.#deps.eventStore, BATCH_STREAM, batchId, this.#cache)).state;
  }

  #context(cause: Cause, effect: string): CommandContext {
    return {
      commandId: derivedId(Date.parse(cause.at), cause.id, effect),
      correlationId: cause.correlationId,
      causationId: cause.id,
      actor: { kind: 'system', name: 'batch-process' },
      now: this.#deps.clock.now().toISOString(),
    };
  }

  async #command(batchId: string, command: BatchCommand, cause: Cause, commandId?: string): Promise<void> {
    const derived = this.#context(cause, `${command.type}:${batchId}`);
    const context = commandId === undefined ? derived : { ...derived, commandId };
    const result = await systemCommand(
      this.#deps.eventStore,
      BATCH_STREAM,
      batchId,
      command,
      context,
      this.#cache,
    );
    // The batch went on, or away, in the meantime: then the step is not wanted any more.
    if (isRefusal(result) && result.status !== 409 && result.status !== 404)
      throw new Error(`${command.type} of batch ${batchId} was refused: ${result.detail}`);
  }

  async run(step: BatchStep, batchId: string, cause: Cause): Promise<void> {
    switch (step.kind) {
      case 'prepare':
        return this.prepare(batchId);
      case 'schedule':
        return this.schedule(cause, batchId);
      case 'publishJobs':
        return this.#publish(batchId, step.jobs, cause);
      case 'startCompiling':
        return this.#command(batchId, { type: 'StartCompiling' }, cause);
      case 'compile':
        return this.askForSums(batchId, cause);
      case 'fail':
        return this.fail(batchId, step.partition, step.fault, cause);
      case 'recordError':
        return this.#recordError(batchId, step, cause);
      case 'stopWork':
        return this.#stopWork(batchId);
      case 'cancel':
        return this.#cancel(batchId);
      case 'releaseQuota':
        return this.#releaseQuota(batchId, step, cause);
      default:
        step satisfies never;
    }
  }

  /** Room for the rows, and the rows that earlier batches have already. */
  async prepare(batchId: string): Promise<void> {
    if (this.#prepared.has(batchId)) return;
    await once(this.#preparing, batchId, () => this.#prepare(batchId));
  }

  async #prepare(batchId: string): Promise<void> {
    const state = await this.state(batchId);
    if (!batchExists(state)) return;
    const { results } = this.#deps;
    const { variables, reuse } = state.created;
    await results.createBatch(batchId, variables);
    if (reuse.length > 0) {
      const earlier: { batchId: string; variables: readonly BatchVariable[] }[] = [];
      for (const { batchId: source } of reuse) {
        const sourceState = await this.state(source);
        // A source that was deleted meanwhile is computed again; the user was not charged for it.
        if (batchExists(sourceState) && sourceState.status === 'Finished')
          earlier.push({ batchId: source, variables: sourceState.created.variables });
      }
      // In pieces, so that copying millions of rows takes no more memory than copying a few.
      for (const { batchId: source, targets, sources } of mapReuse(variables, earlier))
        for (let from = 0; from < targets.length; from += ROWS_PER_COPY) {
          const to = from + ROWS_PER_COPY;
          await this.#copy(batchId, source, targets.slice(from, to), sources.slice(from, to));
        }
    }
    this.#prepared.add(batchId);
  }

  /**
   * Rows that are gone from the store (a restore without them, a lost disk) are computed again like those of
   * a deleted batch.
   */
  async #copy(batchId: string, source: string, targets: Int32Array, sources: Int32Array): Promise<void> {
    try {
      await this.#deps.results.copyRows(batchId, source, targets, sources);
    } catch (error) {
      if (!(error instanceof ResultsMissingError)) throw error;
      this.#deps.log.warn({ batchId, source }, 'rows of an earlier batch are gone and are computed again');
    }
  }

  /**
   * Puts waiting partitions onto the bus, as far as there are places.
   *
   * @param changed the batch that has changed; null: look for batches that nobody has heard of
   */
  async schedule(cause: Cause, changed: string | null): Promise<void> {
    if (changed === null) await this.dispatcher.addOpenBatches(cause);
    else await this.dispatcher.look(changed, cause);
    await this.dispatcher.run(cause);
  }

  #dispatchWork(): DispatchWork {
    const { options, ids } = this.#deps;
    const { partitionsPerUser = 8, partitionsPerSlot = 4 } = options ?? {};
    return {
      state: (batchId) => this.state(batchId),
      isReady: (state) =>
        batchExists(state) &&
        !mustBeginAnew(state, ENGINE_VERSION) &&
        (this.#prepared.has(state.created.batchId) || state.partitions.some(({ rounds }) => rounds > 0)),
      mustBeginAnew: (state) => batchExists(state) && mustBeginAnew(state, ENGINE_VERSION),
      makeReady: async (batchId, cause) => {
        await this.beginAnewOnNewEngine(batchId, cause);
        await this.prepare(batchId);
      },
      // An id of its own each time: what was queued before is left alone by the stream, and one cause may queue twice.
      queue: (batchId, partitions, cause) =>
        this.#command(batchId, { type: 'QueuePartitions', partitions }, cause, ids()),
      places: (isQuick) => {
        const slots = this.capacity.slots(isQuick);
        return { all: slots === null ? null : slots * partitionsPerSlot, perUser: partitionsPerUser };
      },
    };
  }

  /**
   * Lets a batch that an older engine has begun start again on this one. Its rows go first: a death in
   * between leaves a batch without rows that still waits for the new engine, never one that counts old rows as new.
   */
  async beginAnewOnNewEngine(batchId: string, cause: Cause): Promise<void> {
    await once(this.#changing, batchId, async () => {
      const state = await this.state(batchId);
      if (!batchExists(state) || !mustBeginAnew(state, ENGINE_VERSION)) return;
      const { created } = state;
      this.#deps.log.info(
        { batchId, from: created.engineVersion, to: ENGINE_VERSION },
        'a batch begins anew: the engine has changed',
      );
      await this.#deps.results.deleteBatch(batchId);
      // Partitions that were cut off would go on to count rows that are gone.
      await this.#deps.readModels.delete(BATCH_PROGRESS_COLLECTION.name, batchId);
      this.#prepared.delete(batchId);
      const fingerprint = batchFingerprint({
        algorithm: created.template.algorithm,
        variableNames: created.variables.map(({ name }) => name),
        config: created.config,
        dataVersion: created.dataVersion,
        engineVersion: ENGINE_VERSION,
      });
      await this.#command(
        batchId,
        { type: 'ChangeBatchEngine', engineVersion: ENGINE_VERSION, fingerprint },
        cause,
      );
      await this.prepare(batchId);
    });
  }

  async #publish(
    batchId: string,
    jobs: readonly { partition: number; round: number }[],
    cause: Cause,
  ): Promise<void> {
    const state = await this.state(batchId);
    if (!batchExists(state) || jobs.length === 0) return;
    await this.publishJobs(
      state.created.isQuick,
      jobs.map((job) => ({ batchId, ...job })),
      cause,
    );
  }

  /** Jobs of one batch onto its topic. */
  async publishJobs(
    isQuick: boolean,
    jobs: readonly JobMessage[],
    cause: Pick<Cause, 'correlationId'> & { readonly id?: string },
  ): Promise<void> {
    await this.#deps.bus.publish(
      (isQuick ? TOPICS.quickJobs : TOPICS.jobs).name,
      jobs.map((job) => ({
        key: jobKey(job.batchId, job.partition),
        value: job,
        headers: {
          [MESSAGE_ID_HEADER]: jobMessageId(job),
          [JOB_CORRELATION_HEADER]: cause.correlationId,
          ...(cause.id && { [CAUSATION_HEADER]: cause.id }),
        },
      })),
    );
  }

  /** Lets some compute node sum up the rows and judge them; large batches apart from small ones. */
  async askForSums(batchId: string, cause: Cause): Promise<void> {
    const state = await this.state(batchId);
    if (!batchExists(state) || state.status !== 'CompilingResults') return;
    const topic = state.created.combinations >= QUICK_COMPILE_ROWS ? TOPICS.compile : TOPICS.quickCompile;
    const value: CompileMessage = { batchId, eventId: cause.id, at: cause.at };
    await this.#deps.bus.publish(topic.name, [
      {
        key: batchId,
        value,
        headers: {
          [MESSAGE_ID_HEADER]: `${batchId}:compile:${cause.id}`,
          [JOB_CORRELATION_HEADER]: cause.correlationId,
          [CAUSATION_HEADER]: cause.id,
        },
      },
    ]);
  }

  /** The batch has an error; the record for administrators follows from that event. */
  async fail(
    batchId: string,
    partition: number | null,
    fault: { readonly message: string; readonly stack: readonly string[] },
    cause: Cause,
  ): Promise<void> {
    const errorId = derivedId(Date.parse(cause.at), cause.id, 'backtest-error', batchId);
    await this.#command(batchId, { type: 'FailBatchBacktest', errorId, partition, fault }, cause);
  }

  async #recordError(
    batchId: string,
    step: Extract<BatchStep, { kind: 'recordError' }>,
    cause: Cause,
  ): Promise<void> {
    const state = await this.state(batchId);
    if (!batchExists(state)) return;
    const error = {
      errorId: step.errorId,
      userId: state.created.userId,
      subject: { kind: 'batch', batchId, partition: step.partition } as const,
      engineVersion: ENGINE_VERSION,
      debugData: plainDebugData(step.fault),
    };
    await systemCommand(
      this.#deps.eventStore,
      BACKTEST_ERROR_STREAM,
      step.errorId,
      { type: 'RecordBacktestError', error },
      this.#context(cause, `record:${step.errorId}`),
    );
  }

  /** Nodes that do not hear of it finish what they have begun, and the batch takes no notice. */
  async #stopWork(batchId: string): Promise<void> {
    const { bus, readModels } = this.#deps;
    const message: CancellationMessage = { batchId };
    await bus.publish(TOPICS.cancellations.name, [{ key: batchId, value: message }]);
    await readModels.delete(BATCH_PROGRESS_COLLECTION.name, batchId);
  }

  async #cancel(batchId: string): Promise<void> {
    const { results, readModels } = this.#deps;
    await this.#stopWork(batchId);
    await readModels.delete(BATCH_ANALYSES_COLLECTION.name, batchId);
    await readModels.delete(ANALYSIS_CLAIMS_COLLECTION.name, batchId);
    await results.deleteBatch(batchId);
    this.#prepared.delete(batchId);
  }

  async #releaseQuota(
    batchId: string,
    step: Extract<BatchStep, { kind: 'releaseQuota' }>,
    cause: Cause,
  ): Promise<void> {
    const { userId, month, combinations, reason } = step;
    await this.release(userId, month, batchId, combinations, reason, cause);
  }

  /** Gives quota back, once per batch. */
  async release(
    userId: string,
    month: string,
    batchId: string,
    combinations: number | 'all',
    reason: QuotaReleased['data']['reason'],
    cause: Cause,
  ): Promise<void> {
    const result = await systemCommand(
      this.#deps.eventStore,
      USAGE_STREAM,
      usageId(userId, month),
      { type: 'ReleaseQuota', userId, month, batchId, combinations, reason },
      this.#context(cause, `release:${batchId}`),
    );
    if (isRefusal(result))
      throw new Error(`Releasing quota of batch ${batchId} was refused: ${result.detail}`);
  }

  /**
   * A reservation whose batch never came: the batch's stream is closed first, so that it cannot come any
   * more, then the quota goes back.
   */
  async abandon(userId: string, month: string, batchId: string, cause: Cause): Promise<void> {
    await this.#command(batchId, { type: 'AbandonBatchBacktest', batchId, userId }, cause);
    const state = await this.state(batchId);
    if (state.status === 'abandoned')
      await this.release(userId, month, batchId, 'all', 'batch_never_created', cause);
  }

  /** The definition of a batch as the read side has it; for tests and diagnosis. */
  definition(batchId: string): Promise<BatchDefinitionDocument | null> {
    return this.#deps.readModels.get(batchDefinitionsProjection.collection.name, batchId);
  }
}

/** The work under way for a key, or `work` begun now. */
function once(underWay: Map<string, Promise<void>>, key: string, work: () => Promise<void>): Promise<void> {
  const known = underWay.get(key);
  if (known) return known;
  const begun = work().finally(() => underWay.delete(key));
  underWay.set(key, begun);
  return begun;
}
