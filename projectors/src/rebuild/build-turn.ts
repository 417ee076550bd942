import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { CollectionSpec, ReadDocument, ReadModels } from '@quantloom/domain/ports/read-models';

interface TurnDocument extends ReadDocument {
  readonly holder: string;
}

const TURNS: CollectionSpec<TurnDocument> = { name: 'rebuildTurns_v1', indexes: [] };

export interface TurnTimes {
  /** How often whoever has the turn gives a sign of life, in ms. */
  readonly beatMs: number;
  /** Whoever gives none for so long has died, in ms; measured by who waits, since clocks differ. */
  readonly silenceMs: number;
  readonly lookMs: number;
}

const TIMES: TurnTimes = { beatMs: 2_000, silenceMs: 15_000, lookMs: 200 };

/**
 * The right to build a read model beside the one that serves. All processes build in the same place there, so
 * that one who begins takes away what another one is about to put into use: one at a time, in all of them.
 */
export class BuildTurn {
  readonly #readModels: ReadModels;
  readonly #timer: NodeJS.Timeout;
  #current: TurnDocument;
  #beat: Promise<void> = Promise.resolve();
  #isBeating = false;

  private constructor(readModels: ReadModels, taken: TurnDocument, beatMs: number) {
    this.#readModels = readModels;
    this.#current = taken;
    this.#timer = setInterval(() => {
      if (this.#isBeating) return;
      this.#isBeating = true;
      // A sign that does not get through is one that was not given: others go by that.
      this.#beat = this.#replace(this.#next())
        .then(() => undefined)
        .catch(() => undefined)
        .finally(() => {
          this.#isBeating = false;
        });
    }, beatMs);
    this.#timer.unref();
  }

  /** Waits for its turn. */
  static async take(readModels: ReadModels, id: string, times: TurnTimes = TIMES): Promise<BuildTurn> {
    await readModels.ensureCollection(TURNS);
    let watched = null as TurnDocument | null;
    let heardAt = performance.now();
    for (;;) {
      const seen: TurnDocument | null = await readModels.get<TurnDocument>(TURNS.name, id);
      const now = performance.now();
      if (seen?.holder !== watched?.holder || seen?._revision !== watched?._revision) {
        watched = seen;
        heardAt = now;
      }
      if (seen === null || now - heardAt >= times.silenceMs) {
        const revision = (seen?._revision ?? -1) + 1;
        const next = { id, _revision: revision, _position: '0', holder: randomUUID() };
        if (await readModels.swap(TURNS.name, { id, expected: seen?._revision ?? null, next }))
          return new BuildTurn(readModels, next, times.beatMs);
        continue;
      }
      await pause(times.lookMs);
    }
  }

  /** Rejects where somebody else has the turn by now, since nothing was heard of this one. */
  async confirm(): Promise<void> {
    await this.#beat;
    if (!(await this.#replace(this.#next())))
      throw new Error(`${this.#current.id} is built by somebody else, since nothing was heard of this one`);
  }

  async end(): Promise<void> {
    clearInterval(this.#timer);
    await this.#beat;
    await this.#replace(null);
  }

  #next(): TurnDocument {
    return { ...this.#current, _revision: this.#current._revision + 1 };
  }

  /** False: it is somebody else's. */
  async #replace(next: TurnDocument | null): Promise<boolean> {
    const { id, holder, _revision: expected } = this.#current;
    if (await this.#readModels.swap(TURNS.name, { id, expected, next })) {
      this.#current = next ?? this.#current;
      return true;
    }
    // Or a change of ours whose acknowledgement was lost.
    const stored = await this.#readModels.get<TurnDocument>(TURNS.name, id);
    if (stored?.holder !== holder) return false;
    this.#current = stored;
    return true;
  }
}
