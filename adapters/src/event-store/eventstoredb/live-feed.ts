import { setTimeout as wait } from 'node:timers/promises';
import type { RecordedEvent } from '@quantloom/domain/kernel/event';
import { BEFORE_FIRST, type EventBatch, type EventFilter } from '@quantloom/domain/ports/event-store';
import { Pulse } from '../../concurrency/pulse.ts';
import { isOurs, toRecordedEvent } from './event-mapping.ts';
import { readAndCancel } from './read-and-cancel.ts';
import type { ServerClient, ServerEventRead, ServerSubscription } from './server-client.ts';
import { isHopeless } from './server-errors.ts';
import { matches, serverFilter } from './server-filter.ts';

/** Events that wait for the consumer before the server is slowed down. */
const QUEUE_LIMIT = 2000;
/** Events passed over between two reports of the server while far behind, and at the end of the log. */
const WIDE_WINDOW = 500;
const NARROW_WINDOW = 1;
/** A feed this many bytes of log behind is far behind. */
const FAR_BEHIND = 200_000n;
/**
 * Servers before 23.10 do not say that the end is reached: silence stands for it, twice as long each time
 * that nothing had come. A server that needs longer than that for a stretch of the log where nothing matches
 * would otherwise be asked for the same stretch for ever.
 */
const FIRST_SILENCE_MS = 300;
const MAX_SILENCE_MS = 60_000;
const FIRST_RETRY_MS = 100;
const MAX_RETRY_MS = 2000;
/** Subscriptions that broke one after the other without having delivered anything, before somebody is told. */
const FAILURES_BEFORE_REPORT = 3;

/** In the order of the log: an event, or the news that everything up to a position has been looked at. */
type Item = { readonly event: RecordedEvent | null; readonly position: bigint };

/**
 * A catch-up subscription to `$all`, turned into a queue in log order. A position enters the queue behind all
 * events before it (the client reports checkpoints ahead of the events it still buffers), so whatever the
 * consumer has taken is safe to store.
 *
 * While the log is long the server passes over what does not match in large steps; near the end it reports
 * after each event, so that the position follows the head even where nothing matches and nobody waits for a
 * projection in vain.
 */
export class LiveFeed {
  readonly #client: ServerClient;
  readonly #filter: EventFilter | undefined;
  readonly #signal: AbortSignal;
  readonly #head: () => Promise<bigint>;
  readonly #pulse = new Pulse();
  readonly #queue: Item[] = [];
  #position: bigint;
  #lastEvent: bigint;
  #subscription: ServerSubscription | undefined;
  readonly #onError: (error: unknown) => void;
  #isCaughtUp = false;
  /** The server has said that it delivers live, and is not only silent. */
  #isLive = false;
  #saysWhenCaughtUp = false;
  #silenceMs = FIRST_SILENCE_MS;
  #hasNews = false;
  #failures = 0;
  #fatal: unknown;

  constructor(
    client: ServerClient,
    options: {
      after: bigint;
      filter: EventFilter | undefined;
      signal: AbortSignal;
      head: () => Promise<bigint>;
      onError: (error: unknown) => void;
    },
  ) {
    this.#client = client;
    this.#filter = options.filter;
    this.#signal = options.signal;
    this.#head = options.head;
    this.#onError = options.onError;
    this.#position = options.after;
    this.#lastEvent = options.after;
  }

  /** Batches until the signal aborts. */
  async *batches(maxBatchSize: number): AsyncIterable<EventBatch> {
    const running = this.#keepSubscribed();
    let position = this.#position;
    while (!this.#signal.aborted) {
      const seen = this.#pulse.version;
      const events: RecordedEvent[] = [];
      let hasMoved = false;
      while (this.#queue.length > 0 && events.length < maxBatchSize) {
        const item = this.#queue.shift() as Item;
        if (item.event) events.push(item.event);
        position = item.position;
        hasMoved = true;
      }
      if (this.#queue.length < QUEUE_LIMIT / 2) this.#subscription?.resume();
      const isCaughtUp = this.#isCaughtUp && this.#queue.length === 0;
      if (hasMoved || (this.#hasNews && isCaughtUp)) {
        if (isCaughtUp) this.#hasNews = false;
        yield { events, position, isCaughtUp };
      } else if (this.#fatal !== undefined) {
        throw this.#fatal;
      } else {
        await this.#pulse.after(seen, this.#signal);
      }
    }
    await running;
  }

  /** Subscribes again after every end: a lost connection, a change of the window. */
  async #keepSubscribed(): Promise<void> {
    while (!this.#signal.aborted) {
      try {
        const window = (await this.#isFarBehind()) ? WIDE_WINDOW : NARROW_WINDOW;
        await this.#subscribeOnce(window);
      } catch (error) {
        if (isHopeless(error)) {
          this.#fatal = error;
          this.#pulse.notify();
          return;
        }
        // The log is read on from where the queue ends.
        this.#failures += 1;
        if (this.#failures === FAILURES_BEFORE_REPORT) this.#onError(error);
        const delay = Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** (this.#failures - 1));
        await wait(delay, undefined, { signal: this.#signal }).catch(() => undefined);
      }
    }
  }

  async #isFarBehind(): Promise<boolean> {
    return (await this.#head()) - this.#position > FAR_BEHIND;
  }

  /** Resolves when the subscription should be made anew, rejects when it broke. */
  #subscribeOnce(window: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const filter = serverFilter(this.#filter, window, ({ commit }) => this.#checkpoint(commit));
      const from = this.#position === BEFORE_FIRST ? null : this.#position;
      const subscription = this.#client.subscribeToAll(from, filter);
      this.#subscription = subscription;
      let silence: NodeJS.Timeout | undefined;
      const end = (settle: () => void) => {
        clearTimeout(silence);
        this.#signal.removeEventListener('abort', onAbort);
        if (this.#subscription === subscription) this.#subscription = undefined;
        // The stream reports its cancellation as an error to whoever still listens.
        subscription.removeAllListeners();
        subscription.on('error', () => {});
        // Where no call could be made there is none to cancel.
        subscription.unsubscribe().catch(() => {});
        settle();
      };
      const onAbort = () => end(resolve);
      const onCaughtUp = async () => {
        clearTimeout(silence);
        await this.#drained(subscription);
        if (this.#subscription !== subscription) return;
        this.#isCaughtUp = true;
        this.#hasNews = true;
        this.#pulse.notify();
        if (window === WIDE_WINDOW) end(resolve);
      };
      const before = this.#position;
      const onSilence = () => {
        if (this.#position === before) this.#silenceMs = Math.min(MAX_SILENCE_MS, 2 * this.#silenceMs);
        void onCaughtUp();
      };
      const awaitSilence = () => {
        clearTimeout(silence);
        if (!this.#isCaughtUp && !this.#saysWhenCaughtUp) silence = setTimeout(onSilence, this.#silenceMs);
      };
      this.#isCaughtUp = false;
      this.#isLive = false;
      this.#signal.addEventListener('abort', onAbort, { once: true });
      subscription.on('data', (resolved: ServerEventRead) => {
        this.#receive(resolved);
        if (this.#queue.length >= QUEUE_LIMIT) subscription.pause();
        awaitSilence();
      });
      subscription.on('confirmation', awaitSilence);
      subscription.on('caughtUp', () => {
        this.#failures = 0;
        this.#saysWhenCaughtUp = true;
        this.#isLive = true;
        void onCaughtUp();
      });
      subscription.on('fellBehind', () => {
        this.#isCaughtUp = false;
        this.#isLive = false;
        if (window === NARROW_WINDOW) void this.#drained(subscription).then(() => end(resolve));
      });
      subscription.on('error', (error) => end(() => reject(error)));
      subscription.on('end', () => end(() => reject(new Error('The server ended the subscription'))));
      if (this.#signal.aborted) onAbort();
    });
  }

  #receive({ event, commitPosition }: ServerEventRead): void {
    this.#failures = 0;
    if (!event) return;
    const position = event.position?.commit ?? commitPosition;
    // Compared with events, not with reports of the server: see `#checkpoint`.
    if (position === undefined || position <= this.#lastEvent) return;
    this.#lastEvent = position;
    const isWanted = isOurs(event) && matches(this.#filter, event);
    this.#push({ event: isWanted ? toRecordedEvent(event, position) : null, position });
  }

  /**
   * The client waits for this before it reads on, so everything before the position is in its buffer or in
   * the queue. Servers before 24.10.5 may report the end of the log while catching up, a place where no event
   * stands yet but the next one will; that is cut back to the last event there is, or it would be skipped
   * after a restart.
   */
  async #checkpoint(commit: bigint): Promise<void> {
    const subscription = this.#subscription;
    if (!subscription) return;
    await this.#drained(subscription);
    let position = commit;
    if (!this.#isLive) {
      // Nobody catches what is thrown here, and the next report makes up for this one.
      const last = await this.#lastRecord().catch(() => this.#position);
      if (last < position) position = last;
    }
    if (this.#subscription === subscription && position > this.#position) {
      this.#push({ event: null, position });
    }
  }

  /** Place of the last event of the log, the server's own included. */
  async #lastRecord(): Promise<bigint> {
    const read = this.#client.readAll({ isBackwards: true, from: null, maxCount: 1n });
    let last = BEFORE_FIRST;
    for await (const { event } of readAndCancel(read)) last = event?.position?.commit ?? last;
    return last;
  }

  #push(item: Item): void {
    this.#position = item.position;
    const last = this.#queue.at(-1);
    // Positions without events need no place of their own.
    if (item.event === null && last?.event === null) this.#queue.pop();
    this.#queue.push(item);
    this.#pulse.notify();
  }

  async #drained(subscription: ServerSubscription): Promise<void> {
    while (subscription.readableLength > 0 && this.#subscription === subscription) {
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }
}
