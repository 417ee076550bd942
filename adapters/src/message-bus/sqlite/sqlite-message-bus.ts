import type {
  BusMessage,
  BusSubscription,
  MessageBus,
  MessageContext,
  OutgoingMessage,
  SubscribeOptions,
  TopicSpec,
} from '@quantloom/domain/ports/message-bus';
import { type SqliteDatabase, transaction } from '../../sqlite/database.ts';
import { BUS_SCHEMA } from './bus-schema.ts';
import { GroupStore } from './group-store.ts';
import { MessageLog, type Retention } from './message-log.ts';
import { SqliteSubscription, type SubscriptionSettings } from './sqlite-subscription.ts';

export interface SqliteMessageBusOptions extends Partial<SubscriptionSettings> {
  readonly retention?: Partial<Retention>;
  /**
   * No other process has members on this file (default: one may). What members of an earlier process held is
   * free at once, instead of when their leases have run out.
   */
  readonly isAlone?: boolean;
  /** How often retention runs, in ms (default 30,000). */
  readonly retentionEveryMs?: number;
}

const HOUR = 3_600_000;
const DEFAULT_RETENTION: Retention = { consumedMs: HOUR, unreadMs: 7 * 24 * HOUR, groupMs: 7 * 24 * HOUR };
const DEFAULT_SETTINGS: SubscriptionSettings = {
  leaseMs: 10_000,
  handlerTimeoutMs: 30_000,
  firstRetryMs: 100,
  maxRetryMs: 30_000,
  onError: (error) => process.emitWarning(error instanceof Error ? error : String(error)),
};

/**
 * Kafka's semantics in the shared SQLite file, among subscriptions of one process and of several. In one
 * process a message reaches its handler without any polling; another process on the file sees it within the
 * file's polling interval.
 */
export function openSqliteMessageBus(
  database: SqliteDatabase,
  options: SqliteMessageBusOptions = {},
): MessageBus {
  database.migrate('message-bus', BUS_SCHEMA);
  return new SqliteMessageBus(database, options);
}

class SqliteMessageBus implements MessageBus {
  readonly #database: SqliteDatabase;
  readonly #settings: SubscriptionSettings;
  readonly #groups: GroupStore;
  readonly #log: MessageLog;
  readonly #subscriptions = new Set<SqliteSubscription>();
  readonly #retention: NodeJS.Timeout;
  #isClosed = false;

  constructor(database: SqliteDatabase, options: SqliteMessageBusOptions) {
    const { retention, retentionEveryMs, isAlone = false, ...settings } = options;
    this.#database = database;
    this.#settings = { ...DEFAULT_SETTINGS, ...settings };
    this.#groups = new GroupStore(database, this.#settings.leaseMs);
    if (isAlone) this.#groups.forgetMembers();
    this.#log = new MessageLog(database.relaxed);
    const rules = { ...DEFAULT_RETENTION, ...retention };
    this.#retention = setInterval(() => this.#applyRetention(rules), retentionEveryMs ?? 30_000);
    this.#retention.unref();
  }

  async ensureTopics(topics: readonly TopicSpec[]): Promise<void> {
    this.#assertOpen();
    transaction(this.#database.relaxed, () => {
      for (const topic of topics) this.#log.ensureTopic(topic);
    });
    this.#database.bus.notify();
  }

  async publish(topic: string, messages: readonly OutgoingMessage[]): Promise<void> {
    this.#assertOpen();
    transaction(this.#database.relaxed, () => this.#log.append(topic, messages));
    this.#database.bus.notify();
  }

  async subscribe(
    options: SubscribeOptions,
    handler: (message: BusMessage, context: MessageContext) => Promise<void>,
  ): Promise<BusSubscription> {
    this.#assertOpen();
    const parts = {
      database: this.#database,
      groups: this.#groups,
      log: this.#log,
      settings: this.#settings,
    };
    const subscription = new SqliteSubscription(parts, options, handler);
    this.#subscriptions.add(subscription);
    return subscription;
  }

  async lag(group: string, topic: string): Promise<number> {
    this.#assertOpen();
    return this.#log.lag(group, topic);
  }

  /** A member of a group in a file is one for as long as it is subscribed. */
  outside(): readonly string[] {
    return [];
  }

  /** Closes the subscriptions; the file belongs to whoever opened it. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#retention);
    await Promise.all([...this.#subscriptions].map((subscription) => subscription.close()));
  }

  #applyRetention(rules: Retention): void {
    if (this.#isClosed || this.#database.isClosed) return;
    try {
      const isMore = transaction(this.#database.relaxed, () => this.#log.applyRetention(rules, Date.now()));
      if (isMore) setImmediate(() => this.#applyRetention(rules));
    } catch (error) {
      this.#settings.onError(error);
    }
  }

  #assertOpen(): void {
    if (this.#isClosed || this.#database.isClosed) throw new Error('The message bus is closed');
  }
}
