import type {
  BusMessage,
  BusSubscription,
  MessageContext,
  SubscribeOptions,
} from '@quantloom/domain/ports/message-bus';
import { retryDelayMs } from '../dead-letter.ts';
import { Standstill } from '../standstill.ts';
import type { FetchedMessage, GroupMember, TopicPartition } from './group-member.ts';
import type { Claims } from './sticky-assigner.ts';

export interface KafkaSubscriptionSettings {
  /** A handler that neither ends nor calls `heartbeat` for this long is given up: a failed delivery. */
  readonly handlerTimeoutMs: number;
  readonly firstRetryMs: number;
  readonly maxRetryMs: number;
  readonly onError: (error: unknown) => void;
}

export interface KafkaSubscriptionParts {
  readonly member: GroupMember;
  readonly settings: KafkaSubscriptionSettings;
  /** Publishes to the dead-letter topic; resolves when it is stored. */
  readonly putAside: (message: BusMessage, error: unknown) => Promise<void>;
}

type Handler = (message: BusMessage, context: MessageContext) => Promise<void>;

interface Delivery {
  readonly message: BusMessage;
  readonly aborting: AbortController;
  progressAt: number;
}

interface AssignedPartition extends TopicPartition {
  buffer: FetchedMessage[];
  /** Fetched up to here: what a rebalance fetches again is dropped. */
  received: bigint;
  delivery: Delivery | null;
  attempts: number;
  notBefore: number;
  isFetchPaused: boolean;
  /** Next offset to commit, where it is not committed yet. */
  uncommitted: bigint | null;
}

/** A partition is not fetched any further while this many of its messages wait. */
const FULL = 16;
const COMMIT_RETRY_MS = 250;

/**
 * One member of a consumer group. The client only fetches: batches go into short queues per partition, full
 * partitions are paused, and fetching with its heartbeats never waits for a handler. So a long job costs no
 * session, a rebalance need not wait for it, and a job whose partition stays with this member goes on through
 * the rebalance. Offsets are committed behind the handlers.
 */
export class KafkaSubscription implements BusSubscription {
  readonly #parts: KafkaSubscriptionParts;
  readonly #options: SubscribeOptions;
  readonly #handler: Handler;
  readonly #partitions = new Map<string, AssignedPartition>();
  readonly #watch: NodeJS.Timeout;
  readonly #standstill: Standstill;
  #assignment: Claims = {};
  #retryTimer: NodeJS.Timeout | undefined;
  #committing: Promise<void> | undefined;
  #running = 0;
  #turn = 0;
  #isPaused = false;
  #isMember = false;
  #isStopping = false;
  #closed: Promise<void> | undefined;
  #onIdle: (() => void) | undefined;

  constructor(parts: KafkaSubscriptionParts, options: SubscribeOptions, handler: Handler) {
    this.#parts = parts;
    this.#options = options;
    this.#handler = handler;
    const every = Math.max(10, Math.min(1000, parts.settings.handlerTimeoutMs / 5));
    this.#standstill = new Standstill(every);
    this.#watch = setInterval(() => this.#giveUpStalled(), every);
  }

  /** @param among those of the bus: it is one of them from now on, unless it cannot be started */
  async start(among: Set<KafkaSubscription>): Promise<void> {
    const { member, settings } = this.#parts;
    among.add(this);
    try {
      await member.start({
        assigned: (assignment) => {
          this.#isMember = true;
          this.#assigned(assignment);
        },
        lost: () => {
          this.#isMember = false;
          this.#assigned({});
        },
        received: (at, messages) => this.#receive(at, messages),
        failed: (error) => settings.onError(error),
      });
    } catch (error) {
      // Whoever subscribes again makes another member; this one has joined nothing that it could leave.
      among.delete(this);
      void this.close().catch(settings.onError);
      throw error;
    }
  }

  /** The group, where this is no member of it just now; a subscription that was closed is nobody's. */
  outside(): readonly string[] {
    return this.#isMember || this.#isStopping ? [] : [this.#options.group];
  }

  pause(): void {
    this.#isPaused = true;
    this.#parts.member.pauseAll();
  }

  resume(): void {
    this.#isPaused = false;
    for (const partition of this.#partitions.values()) partition.isFetchPaused = false;
    this.#parts.member.resumeAll();
    this.#pump();
  }

  close(): Promise<void> {
    this.#closed ??= this.#leave();
    return this.#closed;
  }

  async #leave(): Promise<void> {
    this.#isStopping = true;
    for (const { delivery } of this.#partitions.values()) delivery?.aborting.abort();
    if (this.#running > 0) {
      // The watch goes on meanwhile, and gives up on handlers that do not react.
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve;
      });
    }
    clearInterval(this.#watch);
    clearTimeout(this.#retryTimer);
    await this.#commit();
    await this.#parts.member.leave();
  }

  /** What this member holds, busy partitions first: what it would rather keep at a rebalance. */
  claims(): Claims {
    const isBusy = (topic: string, partition: number) =>
      this.#partitions.get(`${topic}/${partition}`)?.delivery ? 1 : 0;
    return Object.fromEntries(
      Object.entries(this.#assignment).map(([topic, partitions]) => [
        topic,
        partitions.toSorted((a, b) => isBusy(topic, b) - isBusy(topic, a)),
      ]),
    );
  }

  #assigned(assignment: Claims): void {
    this.#assignment = assignment;
    for (const [key, partition] of this.#partitions) {
      if (assignment[partition.topic]?.includes(partition.partition)) continue;
      this.#abandon(partition);
      this.#partitions.delete(key);
    }
  }

  /** Takes what was fetched and returns at once, so that the client goes on fetching and heartbeating. */
  #receive(at: TopicPartition, messages: readonly FetchedMessage[]): void {
    const partition = this.#partitionOf(at);
    for (const message of messages) {
      if (message.offset <= partition.received) continue;
      partition.received = message.offset;
      partition.buffer.push(message);
    }
    if (partition.buffer.length >= FULL) {
      this.#parts.member.pause(partition);
      partition.isFetchPaused = true;
    }
    this.#pump();
  }

  #partitionOf({ topic, partition }: TopicPartition): AssignedPartition {
    const key = `${topic}/${partition}`;
    const known = this.#partitions.get(key);
    if (known) return known;
    const fresh: AssignedPartition = {
      topic,
      partition,
      buffer: [],
      received: -1n,
      delivery: null,
      attempts: 0,
      notBefore: 0,
      isFetchPaused: false,
      uncommitted: null,
    };
    this.#partitions.set(key, fresh);
    return fresh;
  }

  #pump(): void {
    if (this.#isPaused || this.#isStopping) return;
    const now = Date.now();
    const partitions = [...this.#partitions.values()];
    let earliestRetry = Number.POSITIVE_INFINITY;
    for (let i = 0; i < partitions.length; i++) {
      if (this.#running >= (this.#options.concurrency ?? 1)) break;
      // Begins one further each time, so that no partition is always served last.
      const partition = partitions[(i + this.#turn) % partitions.length];
      if (!partition || partition.delivery || partition.buffer.length === 0) continue;
      if (partition.notBefore > now) earliestRetry = Math.min(earliestRetry, partition.notBefore);
      else this.#deliver(partition);
    }
    this.#turn += 1;
    clearTimeout(this.#retryTimer);
    if (earliestRetry < Number.POSITIVE_INFINITY) {
      this.#retryTimer = setTimeout(() => this.#pump(), Math.max(1, earliestRetry - now));
    }
  }

  #deliver(partition: AssignedPartition): void {
    const first = partition.buffer[0];
    if (!first) return;
    partition.attempts += 1;
    const { message, unreadable } = toBusMessage(partition, first, partition.attempts);
    if (unreadable) {
      void this.#putAside(partition, message, unreadable);
      return;
    }
    const delivery: Delivery = { message, aborting: new AbortController(), progressAt: Date.now() };
    const context: MessageContext = {
      signal: delivery.aborting.signal,
      heartbeat: async () => {
        delivery.progressAt = Date.now();
      },
    };
    partition.delivery = delivery;
    this.#running += 1;
    const handling = (async () => this.#handler(message, context))();
    handling.then(
      () => this.#ended(partition, delivery, () => this.#advance(partition, message)),
      (error: unknown) => this.#ended(partition, delivery, () => this.#failed(partition, message, error)),
    );
  }

  #ended(partition: AssignedPartition, delivery: Delivery, apply: () => void): void {
    if (partition.delivery !== delivery) return;
    partition.delivery = null;
    this.#running -= 1;
    apply();
    if (this.#running === 0) this.#onIdle?.();
    // A queue of messages that are handled at once must not keep the client from its heartbeats.
    if (this.#turn % 64 === 0) setImmediate(() => this.#pump());
    else this.#pump();
  }

  #advance(partition: AssignedPartition, message: BusMessage): void {
    partition.buffer.shift();
    partition.attempts = 0;
    partition.notBefore = 0;
    partition.uncommitted = message.offset + 1n;
    if (partition.isFetchPaused && partition.buffer.length < FULL / 2 && !this.#isPaused) {
      partition.isFetchPaused = false;
      this.#parts.member.resume(partition);
    }
    void this.#commit();
  }

  #failed(partition: AssignedPartition, message: BusMessage, error: unknown): void {
    if (this.#isStopping) return;
    const { firstRetryMs, maxRetryMs } = this.#parts.settings;
    if (message.deliveryAttempt < (this.#options.maxDeliveries ?? 5)) {
      partition.notBefore = Date.now() + retryDelayMs(partition.attempts, firstRetryMs, maxRetryMs);
      return;
    }
    void this.#putAside(partition, message, error);
  }

  /** Moves on only when the message is safe in the dead-letter topic. Holds the partition meanwhile. */
  async #putAside(partition: AssignedPartition, message: BusMessage, error: unknown): Promise<void> {
    const { settings, putAside } = this.#parts;
    const delivery: Delivery = { message, aborting: new AbortController(), progressAt: Date.now() };
    partition.delivery = delivery;
    this.#running += 1;
    try {
      await putAside(message, error);
      this.#ended(partition, delivery, () => this.#advance(partition, message));
    } catch (failure) {
      settings.onError(failure);
      this.#ended(partition, delivery, () => {
        partition.notBefore = Date.now() + settings.maxRetryMs;
      });
    }
  }

  #giveUpStalled(): void {
    const { handlerTimeoutMs } = this.#parts.settings;
    const lost = this.#standstill.lost();
    const now = Date.now();
    for (const partition of this.#partitions.values()) {
      const { delivery } = partition;
      if (!delivery) continue;
      delivery.progressAt = Math.min(now, delivery.progressAt + lost);
      if (now - delivery.progressAt < handlerTimeoutMs) continue;
      delivery.aborting.abort();
      const error = new Error(
        `No sign of life from the handler for ${Math.round(handlerTimeoutMs / 1000)} s`,
      );
      this.#ended(partition, delivery, () => this.#failed(partition, delivery.message, error));
    }
  }

  /** The partition is somebody else's: stop, and let whatever the handler answers have no effect. */
  #abandon(partition: AssignedPartition): void {
    partition.delivery?.aborting.abort();
    if (partition.delivery) this.#running -= 1;
    partition.delivery = null;
    partition.buffer = [];
    partition.uncommitted = null;
    // The client remembers pauses; should the partition come back, it must be fetched.
    if (partition.isFetchPaused && !this.#isPaused) {
      this.#parts.member.resume(partition);
    }
    if (this.#running === 0) this.#onIdle?.();
  }

  /** One commit at a time; what gathers meanwhile goes with the next. */
  #commit(): Promise<void> {
    this.#committing ??= (async () => {
      try {
        while ([...this.#partitions.values()].some(({ uncommitted }) => uncommitted !== null)) {
          await this.#commitOnce();
        }
      } finally {
        this.#committing = undefined;
      }
    })();
    return this.#committing;
  }

  async #commitOnce(): Promise<void> {
    const dirty = [...this.#partitions.values()].flatMap((partition) =>
      partition.uncommitted === null ? [] : [{ partition, offset: partition.uncommitted }],
    );
    try {
      await this.#parts.member.commit(
        dirty.map(({ partition: { topic, partition }, offset }) => ({ topic, partition, offset })),
      );
      for (const { partition, offset } of dirty) {
        if (partition.uncommitted === offset) partition.uncommitted = null;
      }
    } catch (error) {
      // A rebalance refuses commits until it is over; then either the partition is ours and the commit is
      // repeated, or it is forgotten.
      if (!this.#parts.member.isRebalance(error)) this.#parts.settings.onError(error);
      await new Promise((resolve) => setTimeout(resolve, COMMIT_RETRY_MS));
      if (this.#isStopping) for (const { partition } of dirty) partition.uncommitted = null;
    }
  }
}

/** A value that is not JSON stays a text, and the error comes along. */
function toBusMessage(
  at: TopicPartition,
  { offset, key, value: text, headers }: FetchedMessage,
  deliveryAttempt: number,
): { message: BusMessage; unreadable?: unknown } {
  const { topic, partition } = at;
  const read = (value: unknown): BusMessage => ({
    topic,
    partition,
    offset,
    key,
    value,
    headers,
    deliveryAttempt,
  });
  try {
    return { message: read(JSON.parse(text ?? 'null')) };
  } catch (unreadable) {
    return { message: read(text), unreadable };
  }
}
