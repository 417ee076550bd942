import { type Dependency, DependencyAwayError, type Outage } from '@quantloom/domain/ports/outages';
import { Pace } from './pace.ts';

/** Asks a server for a sign of life; rejects with an error whose message is a sentence. */
export interface Probe {
  check(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

export interface BreakerOptions {
  readonly dependency: Dependency;
  readonly probe: Probe;
  /** Whether an error of the dependency says that it is away, not that something is wrong with what was asked. */
  readonly isOutage: (error: unknown) => boolean;
  readonly onAway?: (outage: Outage) => void;
  readonly onBack?: (outage: Outage, ms: number) => void;
  /** A call that takes longer than this, in ms, makes the server be asked for a sign of life (default 150). */
  readonly patienceMs?: number;
  /** A server that gives none for this long, in ms, is away (default 600); longer where it is slow of late. */
  readonly probeLimitMs?: number;
  /** How often one that is away is asked, in ms (default 500). */
  readonly probeEveryMs?: number;
  /** A stream that has begun is given up when the server has been away for this long, in ms (default 10,000). */
  readonly streamPatienceMs?: number;
  /** A server that answers, but has refused one kind of call for this long, in ms, is partly away (default 2,000). */
  readonly refusalPatienceMs?: number;
  /** Where nobody has been refused for this long, in ms, it is so no more (default 10,000). */
  readonly refusalMemoryMs?: number;
}

/**
 * Both together, and what an answer takes besides, stay below a second: so long does the first one wait who
 * finds out that the server is away.
 */
const PATIENCE_MS = 150;
const PROBE_LIMIT_MS = 600;
/** A sign of life counts for this long, in ms. */
const FRESH_MS = 1_000;
/** An answer that was there sooner than this, in ms, may have come from a memory before the server. */
const FROM_MEMORY_MS = 5;
/** A server may take this many times as long as it took lately: one on a machine that is busy is slow, not away. */
const SLOWER = 4;
/**
 * Nobody waits longer than this many times the limit; one that is known to be away may take as long to show
 * that it is back.
 */
const MOST_LIMITS = 6;

/** One kind of call that a server refuses although it lives: it has no room for rows, say. */
interface Refused {
  readonly since: Date;
  readonly began: number;
  lastAt: number;
}

interface Call {
  readonly began: number;
  /** Half a file is worth nothing, and nobody can be told to come back: it waits longer for the server. */
  readonly isPatient: boolean;
  readonly reject: (error: unknown) => void;
}

/**
 * Stands between the product and one server. A call that fails for want of the server, or takes long, makes
 * the server be asked for a sign of life; where it gives none, every call under way and every further one is
 * rejected at once with a `DependencyAwayError`, until it answers again. A call that takes long while the
 * server is alive is left alone, and an answer to anybody is a sign of life.
 *
 * A server may live and yet refuse what is needed of it, such as rows for which it has no room. Where one
 * kind of call has failed so for some seconds, that is an outage, too, told and counted as any other; but
 * everything is still tried, since nothing else tells when it is over.
 */
export class Breaker {
  readonly dependency: Dependency;
  readonly #options: BreakerOptions;
  readonly #patienceMs: number;
  readonly #probeLimitMs: number;
  readonly #probeEveryMs: number;
  readonly #streamPatienceMs: number;
  readonly #calls = new Set<Call>();
  readonly #waiting = new Set<() => void>();
  #outage: Outage | null = null;
  #partial: Outage | null = null;
  readonly #refused = new Map<string, Refused>();
  #refusalTimer: NodeJS.Timeout | null = null;
  readonly #refusalPatienceMs: number;
  readonly #refusalMemoryMs: number;
  #epoch = 0;
  #probing: Promise<boolean> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #answeredAt = Number.NEGATIVE_INFINITY;
  readonly #pace = new Pace();
  #isStarting = false;
  #isClosed = false;

  constructor(options: BreakerOptions) {
    this.dependency = options.dependency;
    this.#options = options;
    this.#patienceMs = options.patienceMs ?? PATIENCE_MS;
    this.#probeLimitMs = options.probeLimitMs ?? PROBE_LIMIT_MS;
    this.#probeEveryMs = options.probeEveryMs ?? 500;
    this.#streamPatienceMs = options.streamPatienceMs ?? 10_000;
    this.#refusalPatienceMs = options.refusalPatienceMs ?? 2_000;
    this.#refusalMemoryMs = options.refusalMemoryMs ?? 10_000;
  }

  /** The outage that lasts, or null: nothing is asked of the server meanwhile. */
  get outage(): Outage | null {
    return this.#outage;
  }

  /** The same, or that the server lives and refuses some of what it is asked. */
  get trouble(): Outage | null {
    return this.#outage ?? this.#partial;
  }

  /** Outages so far, this one included: what was begun before the last one was given up by whoever asked for it. */
  get epoch(): number {
    return this.#epoch;
  }

  /**
   * While its process starts there is nobody who could be told to come back: until `started` is called, what
   * is asked of the server waits for it and is asked again.
   */
  starts(): void {
    this.#isStarting = true;
  }

  started(): void {
    this.#isStarting = false;
  }

  /**
   * Does the work, or rejects with a `DependencyAwayError` within about a second where the server is away;
   * while the process starts, it does the work when the server is there.
   *
   * @param kind of call: what the server refuses of one kind it may well do of another
   * @param isRepeatable false for what must not be done twice: of that nobody knows whether it was done
   */
  async run<T>(work: () => Promise<T>, kind = '', isRepeatable = true): Promise<T> {
    while (this.#waitsForServer()) {
      try {
        await this.untilBack();
        return await this.#run(work, false, kind);
      } catch (error) {
        if (!isRepeatable || !this.#waitsForServer() || !(error instanceof DependencyAwayError)) throw error;
        await this.#moment();
      }
    }
    if (this.#outage) throw this.#error();
    return await this.#run(work, false, kind);
  }

  /**
   * Opens something on the server, in as long as that takes. While the process starts, it is tried until the
   * server is there; then an error is the caller's, as always.
   */
  async opened<T>(open: () => Promise<T>): Promise<T> {
    const call: Call = { began: performance.now(), isPatient: true, reject: () => undefined };
    this.#calls.add(call);
    this.#watch();
    try {
      for (;;) {
        try {
          return await open();
        } catch (error) {
          if (!this.#waitsForServer() || !this.#options.isOutage(error)) throw error;
          await this.probe();
          await this.untilBack();
          await this.#moment();
        }
      }
    } finally {
      this.#calls.delete(call);
    }
  }

  #waitsForServer(): boolean {
    return this.#isStarting && !this.#isClosed;
  }

  async #moment(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, this.#probeEveryMs));
  }

  /**
   * As `run`, for what has begun and cannot begin again, such as the next rows of a file: it outlasts an
   * outage of seconds.
   */
  async goOn<T>(work: () => Promise<T>): Promise<T> {
    return await this.#run(work, true, '');
  }

  async #run<T>(work: () => Promise<T>, isPatient: boolean, kind: string): Promise<T> {
    const { promise: interrupted, reject } = Promise.withResolvers<never>();
    interrupted.catch(() => undefined);
    const call: Call = { began: performance.now(), isPatient, reject };
    this.#calls.add(call);
    this.#watch();
    try {
      const answer = await Promise.race([work(), interrupted]);
      const now = performance.now();
      if (now - call.began >= FROM_MEMORY_MS) this.#answeredAt = now;
      if (this.#refused.size > 0) this.#taken(kind);
      return answer;
    } catch (error) {
      if (error instanceof DependencyAwayError || !this.#options.isOutage(error)) throw error;
      await this.probe();
      if (!this.#outage) this.#isRefused(kind, messageOf(error));
      throw this.#outage
        ? this.#error(error)
        : new DependencyAwayError(this.dependency, messageOf(error), { cause: error });
    } finally {
      this.#calls.delete(call);
    }
  }

  /** Asks the server now; true where it answers. */
  probe(): Promise<boolean> {
    this.#probing ??= this.#ask().finally(() => {
      this.#probing = null;
    });
    return this.#probing;
  }

  /**
   * Asks the server where it has not answered anybody for a second; true where it is there. One that is known
   * to be away has longer to show that it is back than whoever looks would wait for: then it is away still.
   */
  async look(): Promise<boolean> {
    if (!this.#outage && performance.now() - this.#answeredAt < FRESH_MS) return true;
    const asked = this.probe();
    if (!this.#outage) return await asked;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<false>((resolve) => {
      timer = setTimeout(() => resolve(false), this.#probeLimitMs);
    });
    try {
      return await Promise.race([asked, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Resolves when the server answers again (at once where it is there), or when a signal aborts. */
  untilBack(signal?: AbortSignal): Promise<void> {
    if (!this.#outage || signal?.aborted || this.#isClosed) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        this.#waiting.delete(done);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      this.#waiting.add(done);
      signal?.addEventListener('abort', done, { once: true });
    });
  }

  /** Asks no more; whoever waits goes on. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#outage = null;
    this.#partial = null;
    if (this.#timer) clearTimeout(this.#timer);
    if (this.#refusalTimer) clearTimeout(this.#refusalTimer);
    for (const done of this.#waiting) done();
    await this.#options.probe.close();
  }

  #error(cause?: unknown): DependencyAwayError {
    return new DependencyAwayError(
      this.dependency,
      this.#outage?.reason ?? '',
      cause === undefined ? {} : { cause },
    );
  }

  /** One timer for all calls: it looks at them only as long as there are any. */
  #watch(): void {
    if (this.#timer || this.#isClosed) return;
    this.#timer = setTimeout(
      () => void this.#look(),
      this.#outage ? this.#probeEveryMs : this.#untilSuspectMs(),
    ).unref();
  }

  /** Until the call that has waited longest has waited too long; calls come first in, first looked at. */
  #untilSuspectMs(): number {
    const [oldest] = this.#calls;
    if (!oldest) return this.#patienceMs;
    const waited = performance.now() - oldest.began;
    // One that takes long while the server lives is looked at again and again, but not all the time.
    return waited >= this.#patienceMs ? this.#patienceMs : this.#patienceMs - waited;
  }

  async #look(): Promise<void> {
    const before = performance.now() - this.#patienceMs;
    const isSuspect = this.#outage !== null || [...this.#calls].some(({ began }) => began <= before);
    if (isSuspect) await this.probe();
    this.#timer = null;
    if (this.#outage || this.#calls.size > 0) this.#watch();
  }

  async #ask(): Promise<boolean> {
    if (this.#isClosed) return false;
    const began = performance.now();
    try {
      await this.#inTime(this.#limitMs(), (signal) => this.#options.probe.check(signal));
    } catch (error) {
      // Slow to say so, but it has answered somebody else meanwhile.
      if (!this.#outage && this.#answeredAt >= began) return true;
      if (!this.#isClosed) this.#isAway(messageOf(error));
      return false;
    }
    this.#answeredAt = performance.now();
    this.#pace.note(this.#answeredAt - began, this.#answeredAt);
    this.#isBack();
    return true;
  }

  #limitMs(): number {
    const most = MOST_LIMITS * this.#probeLimitMs;
    return this.#outage
      ? most
      : Math.min(most, Math.max(this.#probeLimitMs, SLOWER * this.#pace.usualMs(performance.now())));
  }

  /** The time that this process itself was given no turn does not count against the server. */
  async #inTime(limitMs: number, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const abort = new AbortController();
    let isDone = false;
    const asked = work(abort.signal).finally(() => {
      isDone = true;
    });
    asked.catch(() => undefined);
    const late = async () => {
      for (;;) {
        const began = performance.now();
        await new Promise((resolve) => setTimeout(resolve, limitMs).unref());
        // What has arrived meanwhile is looked at first.
        await new Promise(setImmediate);
        await new Promise(setImmediate);
        if (isDone || performance.now() - began < 2 * limitMs) break;
      }
      throw new Error(`it has not answered for ${Math.round(limitMs)} ms`);
    };
    try {
      await Promise.race([asked, late()]);
    } finally {
      abort.abort();
    }
  }

  #isAway(reason: string): void {
    if (!this.#outage) {
      this.#epoch += 1;
      this.#outage = { dependency: this.dependency, since: new Date(), reason };
      this.#options.onAway?.(this.#outage);
    }
    const awayMs = Date.now() - this.#outage.since.getTime();
    for (const call of this.#calls)
      if (!call.isPatient || awayMs >= this.#streamPatienceMs) call.reject(this.#error());
    this.#watch();
  }

  /** It lives, and does not do what it was asked: once is nothing, for some seconds is an outage. */
  #isRefused(kind: string, reason: string): void {
    if (this.#isClosed) return;
    const now = performance.now();
    const known = this.#refused.get(kind);
    const refused = known ?? { since: new Date(), began: now, lastAt: now };
    refused.lastAt = now;
    this.#refused.set(kind, refused);
    if (!this.#partial && now - refused.began >= this.#refusalPatienceMs) {
      this.#partial = { dependency: this.dependency, since: refused.since, reason, isPartial: true };
      this.#options.onAway?.(this.#partial);
    }
    if (this.#refusalTimer) clearTimeout(this.#refusalTimer);
    this.#refusalTimer = setTimeout(() => {
      this.#refused.clear();
      this.#isWhole();
    }, this.#refusalMemoryMs).unref();
  }

  /** One that was taken between others that are refused says nothing yet. */
  #taken(kind: string): void {
    const refused = this.#refused.get(kind);
    const isFlapping =
      this.#partial && performance.now() - (refused?.lastAt ?? 0) < this.#refusalPatienceMs / 4;
    if (!refused || isFlapping) return;
    this.#refused.delete(kind);
    if (this.#refused.size === 0) this.#isWhole();
  }

  #isWhole(): void {
    const partial = this.#partial;
    if (!partial) return;
    this.#partial = null;
    this.#options.onBack?.(partial, Date.now() - partial.since.getTime());
  }

  #isBack(): void {
    const outage = this.#outage;
    if (!outage) return;
    this.#outage = null;
    this.#options.onBack?.(outage, Date.now() - outage.since.getTime());
    for (const done of this.#waiting) done();
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
