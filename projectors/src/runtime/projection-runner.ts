import type { RecordedEvent } from '@quantloom/domain/kernel/event';
import type { EventCatalogue } from '@quantloom/domain/kernel/event-type';
import { PARKED_EVENTS, type ParkedEventDocument } from '@quantloom/domain/kernel/parked-event';
import { pause } from '@quantloom/domain/kernel/pause';
import { checkpointName, type Projection } from '@quantloom/domain/kernel/projection';
import type { Clock } from '@quantloom/domain/ports/clock';
import {
  BEFORE_FIRST,
  type EventBatch,
  type EventFilter,
  type EventReference,
  type EventStore,
  type Position,
} from '@quantloom/domain/ports/event-store';
import type { Log } from '@quantloom/domain/ports/log';
import { awayIn, NO_OUTAGES, type Outages } from '@quantloom/domain/ports/outages';
import type { ReadModels } from '@quantloom/domain/ports/read-models';
import { replayParkedStream } from '../parked/replay.ts';
import { applyBatch } from './apply-batch.ts';
import { PieceSize, type Turns } from './turns.ts';

export interface RunnerDeps {
  readonly eventStore: EventStore;
  readonly readModels: ReadModels;
  readonly catalogue: EventCatalogue;
  readonly clock: Clock;
  readonly log: Log;
  /** Events per commit at most. */
  readonly batchSize: number;
  /** Shared by all runners of the process. */
  readonly turns: Turns;
  /** How long a checkpoint that only moved (no event of ours) may stay unsaved, in ms. */
  readonly idleSaveMs: number;
  /** Pause after an error, in ms; doubled up to 30 times that. */
  readonly retryMs: number;
  /** Absent where no server is needed. */
  readonly outages?: Outages;
}

export type RunnerState = 'stopped' | 'running' | 'standby' | 'failing';

const REPLAY = 'ParkedEventReplayRequested';

/** What a projection wants of the log: its own events, and requests to replay what it had to park. */
export function filterOf(projection: Projection): EventFilter {
  return projection.handles.includes('*') ? {} : { eventTypes: [...projection.handles, REPLAY] };
}

/**
 * The log is another one than the projection has come from, or an older copy of it: following it would leave
 * events out.
 */
export class LogBehindError extends Error {
  readonly code = 'log_behind';
  /** For whoever asks from outside: what is stopped, and the command that heals it; nothing of what is in the log. */
  readonly remedy: string;
  constructor(projection: string, position: Position, standsOn: EventReference | null) {
    const event = standsOn ? ` (event ${standsOn.id}, ${standsOn.stream} revision ${standsOn.revision})` : '';
    super(
      `The projection ${projection} stands at position ${position}${event}, which this log does ` +
        'not hold: it was replaced, or restored from an older backup. ' +
        `Build the projection anew from this log: npm run quantloom -- projections rebuild ${projection}`,
    );
    this.name = 'LogBehindError';
    this.remedy =
      `The projection ${projection} is stopped: it was built from another log, or from a later copy ` +
      `of this one. Build it anew: npm run quantloom -- projections rebuild ${projection}`;
  }
}

function referenceOf(event: RecordedEvent): EventReference;
function referenceOf(event: RecordedEvent | undefined): EventReference | null;
function referenceOf(event: RecordedEvent | undefined): EventReference | null {
  return event ? { stream: event.stream, revision: event.revision, id: event.id } : null;
}

/**
 * Follows the log for one projection, one batch after the other: documents, parked events and checkpoint in
 * one write. Where another process runs the same projection the write is refused, and this runner stands by
 * until the other one stops moving.
 */
export class ProjectionRunner {
  readonly projection: Projection;
  readonly #deps: RunnerDeps;
  /** Ids of the first parked event by stream. */
  #parkedStreams = new Map<string, string>();
  #saved: Position | null = null;
  /** Of the documents that it goes on from. */
  #edition: string | null = null;
  /** The last event up to `reached` that is known. */
  #standsOn: EventReference | null = null;
  #reached: Position = BEFORE_FIRST;
  #state: RunnerState = 'stopped';
  #lastError: string | null = null;
  #stoppedFor: string | null = null;
  #abort = new AbortController();
  #loop: Promise<void> = Promise.resolve();
  /** Serialises batches, idle saves and the switch after a rebuild. */
  #turn: Promise<unknown> = Promise.resolve();
  #idleSave: NodeJS.Timeout | null = null;
  readonly #onReached: () => void;
  readonly #piece: PieceSize;

  /** @param onReached called whenever `reached` has grown */
  constructor(projection: Projection, deps: RunnerDeps, onReached: () => void) {
    this.projection = projection;
    this.#deps = deps;
    this.#onReached = onReached;
    this.#piece = new PieceSize(deps.batchSize);
  }

  /** Up to here every event has been applied (or parked). */
  get reached(): Position {
    return this.#reached;
  }

  get state(): RunnerState {
    return this.#state;
  }

  /** Why it is stopped until somebody does something, as a sentence with the command that heals it; null: it is not. */
  get stoppedFor(): string | null {
    return this.#stoppedFor;
  }

  /** Text of the error that the runner is retrying after, if any. */
  get lastError(): string | null {
    return this.#lastError;
  }

  /** Creates what is missing and begins to follow the log from the checkpoint. */
  async start(): Promise<void> {
    if (this.#state !== 'stopped') return;
    const { readModels } = this.#deps;
    await readModels.ensureCollection(this.projection.collection);
    await readModels.ensureCollection(PARKED_EVENTS);
    this.#abort = new AbortController();
    this.#state = 'running';
    this.#loop = this.#run(this.#abort.signal);
  }

  /** Ends after the batch under way has been written, and saves how far the log was looked through. */
  async stop(): Promise<void> {
    this.#abort.abort();
    await this.#loop;
    try {
      await this.#exclusive(() => this.#saveIdle());
    } catch (error) {
      // Another process has saved its own; nothing but the place to go on from is lost.
      if ((error as { code?: unknown }).code !== 'checkpoint_conflict') throw error;
    } finally {
      this.#state = 'stopped';
    }
  }

  /** Runs `work` between two batches; afterwards the runner continues from whatever checkpoint is then stored. */
  async whilePaused<T>(work: () => Promise<T>): Promise<T> {
    return await this.#exclusive(async () => {
      const result = await work();
      await this.#load();
      return result;
    });
  }

  async #run(signal: AbortSignal): Promise<void> {
    let failures = 0;
    let lastConflict = Number.NEGATIVE_INFINITY;
    while (!signal.aborted) {
      try {
        await this.#exclusive(() => this.#load());
        await this.#follow(signal, () => {
          failures = 0;
        });
      } catch (error) {
        if (signal.aborted) break;
        if ((error as { code?: unknown }).code === 'checkpoint_conflict') {
          // Once: a rebuild in another process has moved the checkpoint. Again soon after: another process
          // follows the log as well.
          const now = this.#deps.clock.now().getTime();
          if (now - lastConflict < this.#deps.retryMs * 10)
            await this.#standBy(signal).catch(() => pause(this.#deps.retryMs, signal));
          lastConflict = now;
          continue;
        }
        this.#state = 'failing';
        this.#lastError = error instanceof Error ? error.message : String(error);
        if (awayIn(error)) {
          // Told by whoever watches the servers; the projection goes on from its checkpoint as soon as they answer.
          await pause(this.#deps.retryMs / 4, signal);
          await (this.#deps.outages ?? NO_OUTAGES).untilBack(signal);
          continue;
        }
        failures += 1;
        this.#stoppedFor = error instanceof LogBehindError ? error.remedy : null;
        // A log that is behind stays so until somebody does something: said once.
        if (!(error instanceof LogBehindError) || failures === 1)
          this.#deps.log.error(
            { err: error, projection: this.projection.name, failures },
            'projection failed, retrying',
          );
        await pause(this.#deps.retryMs * Math.min(2 ** (failures - 1), 30), signal);
      }
    }
  }

  async #load(): Promise<void> {
    const { readModels } = this.#deps;
    const name = checkpointName(this.projection);
    // Before everything else: what a rebuild takes away meanwhile then shows at the next commit.
    const { position, standsOn, edition } = await readModels.resumePoint(name);
    this.#edition = edition;
    this.#saved = position;
    this.#standsOn = standsOn;
    if (this.#saved !== null && !(await this.#deps.eventStore.reaches(this.#saved, this.#standsOn)))
      throw new LogBehindError(this.projection.name, this.#saved, this.#standsOn);
    this.#reached = this.#saved ?? BEFORE_FIRST;
    const parked = await readModels.find<ParkedEventDocument>(PARKED_EVENTS.name, {
      where: { projection: this.projection.name },
      sort: [['revision', 'desc']],
    });
    this.#parkedStreams = new Map(parked.map((document) => [document.stream, document.eventId]));
  }

  async #follow(signal: AbortSignal, onProgress: () => void): Promise<void> {
    const batches = this.#deps.eventStore.subscribe(this.#reached, {
      signal,
      filter: filterOf(this.projection),
      maxBatchSize: this.#deps.batchSize,
    });
    for await (const batch of batches) {
      await this.#exclusive(() => this.#handle(batch));
      onProgress();
      if (signal.aborted) return;
    }
  }

  async #handle(batch: EventBatch): Promise<void> {
    // What came before the checkpoint is applied already: it was delivered again, or a rebuild has moved the
    // checkpoint.
    const fresh = batch.events.filter((event) => event.position > this.#reached);
    if (fresh.length === 0) this.#isWell();
    if (batch.position <= this.#reached) return;
    const standsOn = batch.standsOn ?? referenceOf(fresh.at(-1)) ?? this.#standsOn;
    if (fresh.length === 0) {
      this.#standsOn = standsOn;
      this.#moveTo(batch.position);
      this.#idleSave ??= setTimeout(() => {
        this.#idleSave = null;
        // A conflict or a failure shows at the next batch; nothing but the saved position depends on this.
        this.#exclusive(() => this.#saveIdle()).catch((error: { code?: unknown }) => {
          const projection = this.projection.name;
          if (error.code === 'checkpoint_conflict')
            this.#deps.log.info({ projection }, 'another process has saved a checkpoint as well');
          // An outage is told by whoever watches the servers.
          else if (!awayIn(error)) this.#deps.log.warn({ err: error, projection }, 'checkpoint not saved');
        });
      }, this.#deps.idleSaveMs);
      return;
    }
    let own: RecordedEvent[] = [];
    for (const event of fresh) {
      if (event.type !== REPLAY || this.projection.handles.includes('*')) own.push(event);
      if (
        event.type === REPLAY &&
        (event.data as { projection?: unknown }).projection === this.projection.name
      ) {
        // The request's own position only with its replay, so that neither is lost without the other.
        const last = own.at(-1);
        if (last && !(await this.#applyInPieces(own, last.position, referenceOf(last)))) return;
        own = [];
        await this.#replay(event);
      }
    }
    if (own.length > 0 || batch.position > this.#reached)
      await this.#applyInPieces(own, batch.position, standsOn);
  }

  /**
   * Gives way after every piece; false where it was stopped in between, which the checkpoint of the last
   * piece allows.
   */
  async #applyInPieces(
    events: readonly RecordedEvent[],
    next: Position,
    standsOn: EventReference | null,
  ): Promise<boolean> {
    for (let from = 0; from === 0 || from < events.length; ) {
      if (this.#abort.signal.aborted) return false;
      await this.#deps.turns.next();
      const piece = events.slice(from, from + this.#piece.events);
      from += Math.max(1, piece.length);
      const before = performance.eventLoopUtilization();
      const last = piece.at(-1);
      if (from < events.length && last) await this.#apply(piece, last.position, referenceOf(last));
      else await this.#apply(piece, next, standsOn);
      this.#piece.took(performance.eventLoopUtilization(before).active, piece.length);
    }
    return true;
  }

  async #apply(
    events: readonly RecordedEvent[],
    next: Position,
    standsOn: EventReference | null,
  ): Promise<void> {
    const { readModels, catalogue, clock, log } = this.#deps;
    const parkedStreams = new Map(this.#parkedStreams);
    const { writes, parked } = await applyBatch(this.projection, events, readModels, {
      catalogue,
      now: clock.now().toISOString(),
      parkedStreams,
    });
    await this.#commit(next, standsOn, writes);
    this.#parkedStreams = parkedStreams;
    for (const { eventId, reason, stream } of parked)
      log.warn({ projection: this.projection.name, eventId, stream, reason }, 'event parked');
  }

  async #replay(request: RecordedEvent): Promise<void> {
    const { stream } = request.data as { stream: string };
    const { readModels, eventStore, catalogue, clock, log } = this.#deps;
    const { writes, applied, waitsFor } = await replayParkedStream(this.projection, stream, {
      readModels,
      eventStore,
      catalogue,
      now: clock.now().toISOString(),
    });
    await this.#commit(request.position, referenceOf(request), writes);
    if (waitsFor === null) this.#parkedStreams.delete(stream);
    else this.#parkedStreams.set(stream, waitsFor);
    log.info({ projection: this.projection.name, stream, applied, waitsFor }, 'parked events replayed');
  }

  async #commit(
    next: Position,
    standsOn: EventReference | null,
    writes: Parameters<ReadModels['commit']>[1]['writes'],
  ): Promise<void> {
    await this.#deps.readModels.commit(checkpointName(this.projection), {
      expected: this.#saved,
      next,
      standsOn,
      edition: this.#edition,
      writes,
    });
    this.#saved = next;
    this.#standsOn = standsOn;
    this.#isWell();
    this.#moveTo(next);
  }

  async #saveIdle(): Promise<void> {
    if (this.#idleSave) clearTimeout(this.#idleSave);
    this.#idleSave = null;
    if (this.#reached > (this.#saved ?? BEFORE_FIRST)) await this.#commit(this.#reached, this.#standsOn, []);
  }

  #isWell(): void {
    this.#state = 'running';
    this.#lastError = null;
    this.#stoppedFor = null;
  }

  #moveTo(position: Position): void {
    if (position <= this.#reached) return;
    this.#reached = position;
    this.#onReached();
  }

  /** Waits until the process that owns the projection has stopped moving although there is work. */
  async #standBy(signal: AbortSignal): Promise<void> {
    const { readModels, eventStore, log, retryMs } = this.#deps;
    this.#state = 'standby';
    log.info({ projection: this.projection.name }, 'another process runs this projection, standing by');
    const name = checkpointName(this.projection);
    let seen = await readModels.checkpoint(name);
    while (!signal.aborted) {
      await pause(retryMs * 2, signal);
      const now = await readModels.checkpoint(name);
      this.#moveTo(now ?? BEFORE_FIRST);
      if (now === seen && (now ?? BEFORE_FIRST) < (await eventStore.head())) return;
      seen = now;
    }
  }

  #exclusive<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work, work);
    this.#turn = result.catch(() => {});
    return result;
  }
}
