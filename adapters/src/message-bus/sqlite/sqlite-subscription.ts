import { randomUUID } from 'node:crypto';
import type {
  BusMessage,
  BusSubscription,
  MessageContext,
  SubscribeOptions,
} from '@quantloom/domain/ports/message-bus';
import { type SqliteDatabase, transaction } from '../../sqlite/database.ts';
import { deadLetter, deadTopicOf, retryDelayMs } from '../dead-letter.ts';
import { Standstill } from '../standstill.ts';
import type { GroupStore, OwnedRow } from './group-store.ts';
import type { MessageLog, StoredMessage } from './message-log.ts';

export interface SubscriptionSettings {
  readonly leaseMs: number;
  /** A handler that neither ends nor calls `heartbeat` for this long is given up: a failed delivery. */
  readonly handlerTimeoutMs: number;
  readonly firstRetryMs: number;
  readonly maxRetryMs: number;
  readonly onError: (error: unknown) => void;
}

type Handler = (message: BusMessage, context: MessageContext) => Promise<void>;

interface Delivery {
  readonly message: BusMessage;
  readonly aborting: AbortController;
  progressAt: number;
}

interface OwnedPartition {
  readonly topicId: number;
  readonly topic: string;
  readonly partition: number;
  next: number;
  /** Deliveries of the message at `next` so far. */
  attempts: number;
  /** No delivery before this time (retry). */
  notBefore: number;
  buffer: StoredMessage[];
  delivery: Delivery | null;
  /** To be given up as soon as the handler has ended. */
  isLeaving: boolean;
}

const PREFETCH = 32;
/** After this many deliveries without a pause, other work of the process gets its turn. */
const DELIVERIES_PER_TURN = 64;

/** One member of a consumer group: keeps its lease, takes its share of the partitions, and delivers their messages. */
export class SqliteSubscription implements BusSubscription {
  readonly #database: SqliteDatabase;
  readonly #groups: GroupStore;
  readonly #log: MessageLog;
  readonly #options: SubscribeOptions;
  readonly #handler: Handler;
  readonly #settings: SubscriptionSettings;
  readonly #member = randomUUID();
  readonly #stopping = new AbortController();
  readonly #owned = new Map<string, OwnedPartition>();
  readonly #renewal: NodeJS.Timeout;
  readonly #standstill: Standstill;
  #retryTimer: NodeJS.Timeout | undefined;
  #epoch = -1;
  #running = 0;
  #turn = 0;
  #isYielding = false;
  #isPaused = false;
  #closed: Promise<void> | undefined;
  #onIdle: (() => void) | undefined;

  constructor(
    parts: { database: SqliteDatabase; groups: GroupStore; log: MessageLog; settings: SubscriptionSettings },
    options: SubscribeOptions,
    handler: Handler,
  ) {
    this.#database = parts.database;
    this.#groups = parts.groups;
    this.#log = parts.log;
    this.#settings = parts.settings;
    this.#options = options;
    this.#handler = handler;
    this.#groups.join(options.group, this.#member, options.topics, options.from ?? 'earliest');
    const every = Math.min(parts.settings.leaseMs, parts.settings.handlerTimeoutMs) / 5;
    this.#standstill = new Standstill(every);
    this.#renewal = setInterval(() => this.#tick(true), every);
    void this.#followChanges();
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    this.#tick();
  }

  close(): Promise<void> {
    this.#closed ??= this.#leave();
    return this.#closed;
  }

  async #leave(): Promise<void> {
    this.#stopping.abort();
    for (const { delivery } of this.#owned.values()) delivery?.aborting.abort();
    if (this.#running > 0) {
      // The renewal timer goes on meanwhile, and gives up on handlers that do not react.
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve;
      });
    }
    clearInterval(this.#renewal);
    clearTimeout(this.#retryTimer);
    if (!this.#database.isClosed) this.#groups.leave(this.#options.group, this.#member);
  }

  async #followChanges(): Promise<void> {
    const { signal } = this.#stopping;
    // The caller holds the subscription before the first message arrives.
    await new Promise(setImmediate);
    while (!signal.aborted && !this.#database.isClosed) {
      const seen = this.#database.bus.version;
      this.#tick();
      await this.#database.bus.after(seen, signal);
    }
  }

  #tick(isRenewal = false): void {
    if (this.#database.isClosed) {
      clearInterval(this.#renewal);
      return;
    }
    try {
      this.#giveUpStalled();
      if (isRenewal || this.#groups.epoch(this.#options.group) !== this.#epoch) this.#synchronise();
      this.#pump();
    } catch (error) {
      // A full disk or a locked file: the next tick tries again.
      this.#settings.onError(error);
    }
  }

  #synchronise(): void {
    const { group, topics } = this.#options;
    const { owned, surplus, epoch } = this.#groups.synchronise(group, this.#member, topics);
    this.#epoch = epoch;
    const kept = new Set(owned.map(keyOf));
    for (const [key, partition] of this.#owned) {
      if (kept.has(key)) continue;
      // The lease ran out (a long stop of the process), and somebody else has it now.
      this.#abandon(partition);
      this.#owned.delete(key);
    }
    for (const row of owned) {
      if (!this.#owned.has(keyOf(row))) this.#owned.set(keyOf(row), newPartition(row));
    }
    for (const [topicId, count] of surplus) this.#giveUp(topicId, count);
  }

  /** Idle partitions first; where a handler runs, it is asked to stop and the partition goes when it has. */
  #giveUp(topicId: number, count: number): void {
    const mine = [...this.#owned.values()].filter((partition) => partition.topicId === topicId);
    const leaving = mine.filter((partition) => partition.isLeaving).length;
    const candidates = mine
      .filter((partition) => !partition.isLeaving)
      .sort((a, b) => Number(a.delivery !== null) - Number(b.delivery !== null));
    for (const partition of candidates.slice(0, Math.max(0, count - leaving))) {
      partition.isLeaving = true;
      if (partition.delivery) partition.delivery.aborting.abort();
      else this.#release(partition);
    }
  }

  #release(partition: OwnedPartition): void {
    this.#owned.delete(keyOf(partition));
    this.#groups.release(this.#options.group, this.#member, partition.topicId, partition.partition);
  }

  #giveUpStalled(): void {
    const lost = this.#standstill.lost();
    const now = Date.now();
    for (const partition of this.#owned.values()) {
      const { delivery } = partition;
      if (!delivery) continue;
      delivery.progressAt = Math.min(now, delivery.progressAt + lost);
      if (now - delivery.progressAt < this.#settings.handlerTimeoutMs) continue;
      this.#abandon(partition);
      const seconds = Math.round(this.#settings.handlerTimeoutMs / 1000);
      this.#failed(partition, delivery, new Error(`No sign of life from the handler for ${seconds} s`));
      // Nobody else would: what the handler answers later has no effect.
      if (partition.isLeaving) this.#release(partition);
    }
  }

  /** Forgets the delivery under way; whatever its handler answers later has no effect. */
  #abandon(partition: OwnedPartition): void {
    partition.delivery?.aborting.abort();
    if (partition.delivery) this.#ended();
    partition.delivery = null;
  }

  #ended(): void {
    this.#running -= 1;
    if (this.#running === 0) this.#onIdle?.();
  }

  #pump(): void {
    if (this.#isPaused || this.#stopping.signal.aborted || this.#isYielding) return;
    const heads = new Map<number, Map<number, number>>();
    const now = Date.now();
    const partitions = [...this.#owned.values()];
    let earliestRetry = Number.POSITIVE_INFINITY;
    for (let i = 0; i < partitions.length; i++) {
      if (this.#running >= (this.#options.concurrency ?? 1)) break;
      // Begins one further each time, so that no partition is always served last.
      const partition = partitions[(i + this.#turn) % partitions.length];
      if (!partition || partition.delivery || partition.isLeaving) continue;
      if (partition.notBefore > now) {
        earliestRetry = Math.min(earliestRetry, partition.notBefore);
        continue;
      }
      if (partition.buffer.length === 0) {
        const ofTopic = heads.get(partition.topicId) ?? this.#log.heads(partition.topicId);
        heads.set(partition.topicId, ofTopic);
        if ((ofTopic.get(partition.partition) ?? 0) <= partition.next) continue;
        partition.buffer = this.#log.read(partition.topicId, partition.partition, partition.next, PREFETCH);
      }
      const stored = partition.buffer.shift();
      if (stored) this.#deliver(partition, stored);
    }
    this.#turn += 1;
    clearTimeout(this.#retryTimer);
    if (earliestRetry < Number.POSITIVE_INFINITY) {
      this.#retryTimer = setTimeout(() => this.#tick(), Math.max(1, earliestRetry - now));
    }
    if (this.#turn % DELIVERIES_PER_TURN === 0) {
      this.#isYielding = true;
      setImmediate(() => {
        this.#isYielding = false;
        this.#tick();
      });
    }
  }

  #deliver(partition: OwnedPartition, stored: StoredMessage): void {
    partition.attempts += 1;
    const message: BusMessage = {
      ...stored,
      topic: partition.topic,
      partition: partition.partition,
      offset: BigInt(stored.offset),
      deliveryAttempt: partition.attempts,
    };
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
      () => this.#settle(partition, delivery, () => this.#handled(partition, stored.offset)),
      (error: unknown) => this.#settle(partition, delivery, () => this.#failed(partition, delivery, error)),
    );
  }

  #settle(partition: OwnedPartition, delivery: Delivery, apply: () => void): void {
    if (partition.delivery !== delivery) return;
    partition.delivery = null;
    this.#ended();
    if (this.#database.isClosed) return;
    try {
      apply();
    } catch (error) {
      // What could not be committed is delivered again.
      this.#retryLater(partition);
      this.#settings.onError(error);
    }
    try {
      if (partition.isLeaving) this.#release(partition);
    } catch (error) {
      this.#settings.onError(error);
    }
    this.#tick();
  }

  #handled(partition: OwnedPartition, offset: number): void {
    const { group } = this.#options;
    const next = offset + 1;
    const isMine = this.#groups.commit(group, this.#member, partition.topicId, partition.partition, next);
    if (isMine) advance(partition, next);
    else this.#owned.delete(keyOf(partition));
  }

  #failed(partition: OwnedPartition, { message, aborting }: Delivery, error: unknown): void {
    if (partition.isLeaving || this.#stopping.signal.aborted) return;
    if (message.deliveryAttempt < (this.#options.maxDeliveries ?? 5)) {
      this.#retryLater(partition);
      return;
    }
    aborting.abort();
    const next = Number(message.offset) + 1;
    const { group } = this.#options;
    const isMine = transaction(this.#database.relaxed, () => {
      const dead = deadTopicOf(message.topic);
      if (!this.#groups.commit(group, this.#member, partition.topicId, partition.partition, next))
        return false;
      this.#log.ensureTopic({ name: dead, partitions: 1 });
      this.#log.append(dead, [deadLetter(message, group, error)]);
      return true;
    });
    this.#database.bus.notify();
    if (isMine) advance(partition, next);
    else this.#owned.delete(keyOf(partition));
  }

  #retryLater(partition: OwnedPartition): void {
    const { firstRetryMs, maxRetryMs } = this.#settings;
    partition.notBefore = Date.now() + retryDelayMs(partition.attempts, firstRetryMs, maxRetryMs);
    partition.buffer = [];
  }
}

function newPartition(row: OwnedRow): OwnedPartition {
  return { ...row, attempts: 0, notBefore: 0, buffer: [], delivery: null, isLeaving: false };
}

function advance(partition: OwnedPartition, next: number): void {
  partition.next = next;
  partition.attempts = 0;
  partition.notBefore = 0;
}

const keyOf = ({ topicId, partition }: { topicId: number; partition: number }) => `${topicId}/${partition}`;
