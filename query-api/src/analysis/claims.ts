import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ANALYSIS_CLAIMS_COLLECTION } from '@quantloom/domain/batch/projections';
import type { ReadDocument, ReadModels } from '@quantloom/domain/ports/read-models';

/** Something that one process makes and keeps for all. */
export interface SharedWork<T> {
  /** What was kept of it; null: nothing yet. */
  readonly kept: () => Promise<T | null>;
  /**
   * Makes it and keeps it, unless it is one to be made again at the next look: whoever waits for it now gets
   * it all the same.
   */
  readonly make: () => Promise<{ readonly value: T; readonly isKept: boolean }>;
}

export interface ClaimTimes {
  /** Between two signs of life of the process that is at it. */
  readonly beatMs: number;
  /** A process that gave no sign of life for so long is taken for dead. */
  readonly silenceMs: number;
  /** However much it lives: who has waited for so long makes it himself. */
  readonly patienceMs: number;
  /** Between two looks of one who waits. */
  readonly lookMs: number;
}

const TIMES: ClaimTimes = { beatMs: 1_000, silenceMs: 5_000, patienceMs: 60_000, lookMs: 200 };

interface ClaimDocument extends ReadDocument {
  /** Each attempt has another one; null: what this one came to was not to be kept, and stands in `left`. */
  readonly holder: string | null;
  readonly left?: unknown;
}

const { name: CLAIMS } = ANALYSIS_CLAIMS_COLLECTION;

/**
 * Lets several processes share what each of them could make for itself. One claims it and makes it, the
 * others wait for what it keeps. A claim is worth what its last sign of life is worth, by the clock of
 * whoever waits; making something twice costs time, and does no harm.
 */
export class Claims {
  readonly #readModels: ReadModels;
  readonly #times: ClaimTimes;
  readonly #signal: AbortSignal;
  #ensured: Promise<void> | null = null;

  /** @param deps.signal ends waiting: the process stops */
  constructor(deps: {
    readonly readModels: ReadModels;
    readonly signal: AbortSignal;
    readonly times?: Partial<ClaimTimes> | undefined;
  }) {
    this.#readModels = deps.readModels;
    this.#signal = deps.signal;
    this.#times = { ...TIMES, ...deps.times };
  }

  /**
   * What was kept, or what somebody makes of it now: this process, or another one. Rejects with the signal's
   * reason where it is aborted meanwhile.
   */
  async once<T>(id: string, work: SharedWork<T>): Promise<T> {
    const found = await work.kept();
    if (found !== null) return found;
    await this.#ensureCollection();
    const { silenceMs, patienceMs, lookMs } = this.#times;
    const began = performance.now();
    /** The claim that is waited for, as it stood at its last sign of life. */
    let watched = null as ClaimDocument | null;
    let heardAt = began;
    for (;;) {
      const claim = await this.#readModels.get<ClaimDocument>(CLAIMS, id);
      const now = performance.now();
      if (watched && claim?.holder !== watched.holder) {
        const made = await work.kept();
        if (made !== null) return made;
        if (claim?.left !== undefined) return claim.left as T;
        watched = null;
      }
      if (watched ? now - heardAt >= silenceMs && claim?._revision === watched._revision : !claim?.holder) {
        const taken = await this.#take(id, claim);
        if (taken) return this.#make(taken, work);
        // Somebody was quicker.
        watched = null;
        continue;
      }
      if (watched?._revision !== claim?._revision) {
        watched = claim;
        heardAt = now;
      }
      if (now - began >= patienceMs) return (await work.make()).value;
      await pause(lookMs, undefined, { signal: this.#signal });
    }
  }

  async #take(id: string, seen: ClaimDocument | null): Promise<ClaimDocument | null> {
    const next = { id, _revision: (seen?._revision ?? -1) + 1, _position: '0', holder: randomUUID() };
    const isTaken = await this.#readModels.swap(CLAIMS, { id, expected: seen?._revision ?? null, next });
    return isTaken ? next : null;
  }

  async #make<T>(claim: ClaimDocument, work: SharedWork<T>): Promise<T> {
    const { id } = claim;
    let current = claim;
    let isBeating = false;
    let beats = Promise.resolve();
    const replace = async (next: ClaimDocument | null) => {
      const expected = current._revision;
      if (await this.#readModels.swap(CLAIMS, { id, expected, next })) current = next ?? current;
      else {
        // Another one's by now, or a change of ours whose acknowledgement was lost.
        const stored = await this.#readModels.get<ClaimDocument>(CLAIMS, id);
        if (stored?.holder === current.holder) current = stored;
      }
    };
    const beat = async () => {
      isBeating = true;
      // A sign that does not get through is one that was not given: others go by that.
      await replace({ ...current, _revision: current._revision + 1 }).catch(() => undefined);
      isBeating = false;
    };
    const timer = setInterval(() => {
      if (!isBeating) beats = beat();
    }, this.#times.beatMs);
    timer.unref();
    let left: ClaimDocument | null = null;
    try {
      // Between the look and the claim another one may have come to an end.
      const found = await work.kept();
      if (found !== null) return found;
      const { value, isKept } = await work.make();
      // What came of being stopped is nothing to go by.
      if (!isKept && !this.#signal.aborted) left = { ...claim, holder: null, left: value };
      return value;
    } finally {
      clearInterval(timer);
      await beats;
      // A claim that stays ends by its silence.
      await replace(left && { ...left, _revision: current._revision + 1 }).catch(() => undefined);
    }
  }

  /** Processes of a later version may come before the one that sets up collections. */
  #ensureCollection(): Promise<void> {
    this.#ensured ??= this.#readModels
      .ensureCollection(ANALYSIS_CLAIMS_COLLECTION)
      .catch((error: unknown) => {
        this.#ensured = null;
        throw error;
      });
    return this.#ensured;
  }
}
