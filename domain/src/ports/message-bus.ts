/** A topic with its number of partitions; messages with the same key stay in order within one partition. */
export interface TopicSpec {
  readonly name: string;
  readonly partitions: number;
}

export interface OutgoingMessage {
  readonly key: string;
  /** JSON-serialisable. */
  readonly value: unknown;
  /** Message id, correlation id, schema version. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface BusMessage {
  readonly topic: string;
  readonly partition: number;
  readonly offset: bigint;
  readonly key: string;
  readonly value: unknown;
  readonly headers: Readonly<Record<string, string>>;
  /** 1 on the first delivery in this process; a hint only. */
  readonly deliveryAttempt: number;
}

export interface MessageContext {
  /** Aborts when the partition is taken away or the subscription closes: stop, and do not publish further effects. */
  readonly signal: AbortSignal;
  /** Call on real progress of a long job, so that the group knows this member is alive. */
  heartbeat(): Promise<void>;
}

export interface SubscribeOptions {
  readonly group: string;
  readonly topics: readonly string[];
  /** How many partitions are handled side by side (default 1); within a partition, one message after the other. */
  readonly concurrency?: number;
  /** Where a group that never committed begins (default `earliest`). */
  readonly from?: 'earliest' | 'latest';
  /** Deliveries of one message before it goes to `<topic>.dead` with the error in its headers (default 5). */
  readonly maxDeliveries?: number;
}

export interface BusSubscription {
  /** Stops fetching (messages already handed over go on); offsets stay. */
  pause(): void;
  resume(): void;
  /** Leaves the group after running handlers have ended or were aborted. */
  close(): Promise<void>;
}

/**
 * Kafka's semantics: topics of keyed partitions, consumer groups that share the partitions, offsets committed
 * after the handler resolved, at least once. A handler that rejects gets the message again, with growing delays.
 */
export interface MessageBus {
  /** Creates what is missing; never shrinks. */
  ensureTopics(topics: readonly TopicSpec[]): Promise<void>;
  /** Resolves when all messages are stored durably. */
  publish(topic: string, messages: readonly OutgoingMessage[]): Promise<void>;
  subscribe(
    options: SubscribeOptions,
    handler: (message: BusMessage, context: MessageContext) => Promise<void>,
  ): Promise<BusSubscription>;
  /** Messages of a topic that the group has not committed yet, summed over the partitions. */
  lag(group: string, topic: string): Promise<number>;
  /**
   * Groups that this process has subscribed for and is no member of just now: what waits there goes to
   * others, or to nobody.
   */
  outside(): readonly string[];
  close(): Promise<void>;
}
