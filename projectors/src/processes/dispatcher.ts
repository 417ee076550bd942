import { DispatchBoard, type Places } from '@quantloom/domain/batch/dispatch';
import { activeBatch } from '@quantloom/domain/batch/process';
import { type BatchDocument, batchesProjection } from '@quantloom/domain/batch/projections';
import { type BatchState, batchExists } from '@quantloom/domain/batch/state';
import { ENGINE_VERSION } from '@quantloom/domain/kernel/product';
import { awayIn } from '@quantloom/domain/ports/outages';
import type { BatchProcessDeps } from './batch-process-deps.ts';
import type { Cause } from './cause.ts';
import { Lanes } from './lanes.ts';
import { pagesOf } from './open-batches.ts';

/** What the dispatcher has done, and asks. */
export interface DispatchWork {
  state(batchId: string): Promise<BatchState>;
  /**
   * Whether partitions may go onto the bus: there is room for their rows, and those of earlier batches have
   * been copied.
   */
  isReady(state: BatchState): boolean;
  /** Whether an older engine has begun it: also what is on its way must begin again. */
  mustBeginAnew(state: BatchState): boolean;
  /** Makes it ready; may take seconds. */
  makeReady(batchId: string, cause: Cause): Promise<void>;
  queue(batchId: string, partitions: readonly number[], cause: Cause): Promise<void>;
  places(isQuick: boolean): Places;
}

/** Work that is waiting or under way. */
export interface Backlog {
  readonly kind: 'large' | 'quick';
  readonly partitions: number;
  /** By the estimates: how long one node would work on it. */
  readonly seconds: number;
}

/** Batches whose partitions are put onto the bus side by side. */
const AT_A_TIME = 8;
/** Batches that are made ready side by side. */
const PREPARED_AT_A_TIME = 4;

/**
 * Puts waiting partitions onto the bus for all users. It keeps in memory how every open batch stands, from
 * the events that the process reacts to; what it has not heard of (another process was at work before) it
 * takes from the read models, and looks up in the log before it acts on it.
 */
export class Dispatcher {
  readonly #deps: BatchProcessDeps;
  readonly #work: DispatchWork;
  #board = new DispatchBoard();
  /** Batches that stand on the board as the log says. */
  readonly #known = new Set<string>();
  /** Estimated seconds of one partition. */
  readonly #seconds = new Map<string, { readonly isQuick: boolean; readonly perPartition: number }>();
  /** What each batch is traced back to: the event of its own that was heard of last. */
  readonly #causes = new Map<string, Cause>();
  /** Batches that are being made ready, which nobody else has to begin. */
  readonly #preparing = new Set<string>();
  /** The same work, until what follows from it has been dispatched. */
  readonly #underWay = new Set<Promise<void>>();
  readonly #lanes = new Lanes(PREPARED_AT_A_TIME);
  #isWanted = false;
  #running: Promise<void> | null = null;

  constructor(deps: BatchProcessDeps, work: DispatchWork) {
    this.#deps = deps;
    this.#work = work;
  }

  /** Forgets everything: another process has been at work meanwhile. */
  reset(): void {
    this.#board = new DispatchBoard();
    this.#known.clear();
    this.#seconds.clear();
    this.#causes.clear();
  }

  /** True where nothing of the batch is on its way. */
  async isIdle(batchId: string): Promise<boolean> {
    if (!this.#known.has(batchId)) await this.look(batchId);
    return this.#board.isIdle(batchId);
  }

  backlog(): readonly Backlog[] {
    const sums = {
      large: { partitions: 0, seconds: 0 },
      quick: { partitions: 0, seconds: 0 },
    };
    for (const [batchId, { isQuick, perPartition }] of this.#seconds) {
      const sum = sums[isQuick ? 'quick' : 'large'];
      const open = this.#board.openIn(batchId);
      sum.partitions += open;
      sum.seconds += open * perPartition;
    }
    return (['large', 'quick'] as const).map((kind) => ({ kind, ...sums[kind] }));
  }

  /** How the batch stands now. */
  async look(batchId: string, cause: Cause | null = null): Promise<void> {
    const state = await this.#work.state(batchId);
    this.#note(batchId, state);
    if (cause && this.#board.has(batchId)) this.#causes.set(batchId, cause);
    if (cause && this.#board.has(batchId) && this.#work.mustBeginAnew(state)) this.#makeReady(batchId, cause);
  }

  #note(batchId: string, state: BatchState): void {
    if (!batchExists(state)) {
      this.#forget(batchId);
      return;
    }
    const { waiting, inFlight, ...batch } = activeBatch(state);
    if (waiting.length + inFlight === 0) {
      this.#forget(batchId);
      return;
    }
    this.#known.add(batchId);
    const { isQuick, timeEstimateSeconds, partitions } = state.created;
    this.#seconds.set(batchId, { isQuick, perPartition: timeEstimateSeconds / partitions });
    // What has to be made ready is found by `#send`, when it is its turn.
    const isReady = !this.#preparing.has(batchId);
    this.#board.note({ ...batch, waiting: waiting.length, inFlight }, isReady);
  }

  /** As if nothing of it were on the way. */
  #noteUnseen(document: BatchDocument): void {
    const { id, userId, isQuick, openPartitions, partitions, timeEstimateSeconds } = document;
    const batch = { batchId: id, userId, isQuick };
    this.#board.note({ ...batch, waiting: openPartitions.length, inFlight: 0 }, true);
    this.#seconds.set(id, { isQuick, perPartition: timeEstimateSeconds / partitions });
  }

  #forget(batchId: string): void {
    this.#board.forget(batchId);
    this.#known.delete(batchId);
    this.#seconds.delete(batchId);
    this.#causes.delete(batchId);
  }

  /** Adds what the read models name and nobody has heard of here. */
  async addOpenBatches(cause: Cause): Promise<void> {
    const { name } = batchesProjection.collection;
    for (const status of ['Running', 'Queued'] as const)
      for await (const page of pagesOf<BatchDocument>(this.#deps.readModels, name, { status }))
        for (const document of page) {
          const { id, openPartitions, engineVersion } = document;
          if (this.#board.has(id) || openPartitions.length === 0) continue;
          // Those that run are few, and what is on the way counts from the beginning.
          if (status === 'Running' || engineVersion !== ENGINE_VERSION)
            await this.look(id, { ...cause, correlationId: id });
          else this.#noteUnseen(document);
        }
  }

  /** Gives the free places away. Calls that come while it is at it are one more round of it. */
  run(cause: Cause): Promise<void> {
    this.#isWanted = true;
    this.#running ??= this.#rounds(cause).finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    while (this.#running || this.#underWay.size > 0)
      await Promise.allSettled([this.#running, ...this.#underWay]);
  }

  async #rounds(cause: Cause): Promise<void> {
    while (this.#isWanted) {
      this.#isWanted = false;
      const next = [true, false].flatMap((isQuick) => this.#board.next(isQuick, this.#work.places(isQuick)));
      for (let from = 0; from < next.length; from += AT_A_TIME) {
        const outcomes = await Promise.allSettled(
          next.slice(from, from + AT_A_TIME).map(({ batchId, count }) => this.#send(batchId, count, cause)),
        );
        const failed = outcomes.find(({ status }) => status === 'rejected');
        if (!failed) continue;
        // What has got no turn stands on the board as if it had; the log is asked when it is heard of again.
        for (const { batchId } of next.slice(from)) this.#forget(batchId);
        throw (failed as PromiseRejectedResult).reason;
      }
    }
  }

  async #send(batchId: string, count: number, occasion: Cause): Promise<void> {
    // Another user's event may have been the occasion: that is not what this batch follows from.
    const cause = this.#causes.get(batchId) ?? { ...occasion, correlationId: batchId };
    const state = await this.#work.state(batchId);
    if (!this.#known.has(batchId) || !batchExists(state)) {
      this.#note(batchId, state);
      this.#isWanted = true;
      return;
    }
    // Its places stay taken meanwhile, so that not everything that waits is made ready at once.
    if (!this.#work.isReady(state)) {
      this.#makeReady(batchId, cause);
      return;
    }
    await this.#work.queue(batchId, activeBatch(state).waiting.slice(0, count), cause);
    await this.look(batchId);
  }

  #makeReady(batchId: string, cause: Cause): void {
    if (this.#preparing.has(batchId)) return;
    this.#preparing.add(batchId);
    const preparing = (async () => {
      try {
        await this.#lanes.run(batchId, () => this.#work.makeReady(batchId, cause));
      } catch (error) {
        if (!awayIn(error)) this.#deps.log.error({ err: error, batchId }, 'a batch could not be made ready');
        // The next sweep finds it.
        this.#forget(batchId);
        return;
      } finally {
        this.#preparing.delete(batchId);
      }
      await this.look(batchId);
      await this.run(cause);
    })().catch((error: unknown) => {
      if (!awayIn(error)) this.#deps.log.error({ err: error, batchId }, 'partitions could not be dispatched');
    });
    this.#underWay.add(preparing);
    void preparing.finally(() => this.#underWay.delete(preparing));
  }
}
