import type {
  BusMessage,
  BusSubscription,
  MessageBus,
  MessageContext,
  OutgoingMessage,
  SubscribeOptions,
  TopicSpec,
} from '@quantloom/domain/ports/message-bus';
import kafkajs, { type Admin, type Kafka, type Producer, type SASLOptions } from 'kafkajs';
import pRetry from 'p-retry';
import { deadLetter, deadTopicOf } from '../../dead-letter.ts';
import { partitionOf } from '../../partitioner.ts';
import { unknownTopic } from '../../unknown-topic.ts';
import {
  brokersOf,
  FETCH_WAIT_MS,
  heartbeatIntervalMs,
  type KafkaMessageBusOptions,
  SESSION_TIMEOUT_MS,
  subscriptionSettings,
  topicSettings,
} from '../kafka-options.ts';
import { KafkaSubscription, type KafkaSubscriptionSettings } from '../kafka-subscription.ts';
import { refuseHalfOpenBrokers } from './half-open-brokers.ts';
import { KafkajsMember } from './kafkajs-member.ts';
import { kafkajsStickyAssigner } from './kafkajs-sticky-assigner.ts';
import { quietConnections } from './quiet-connections.ts';

/** What an idempotent producer reports when the broker has forgotten its sequence; only a new producer helps. */
const PRODUCER_LOST = new Set([
  'OUT_OF_ORDER_SEQUENCE_NUMBER',
  'UNKNOWN_PRODUCER_ID',
  'INVALID_PRODUCER_EPOCH',
  'INVALID_PRODUCER_ID_MAPPING',
]);

/**
 * Kafka through kafkajs: idempotent producer with all acknowledgements, topics created explicitly, dead
 * letters in `<topic>.dead`. Keys go to the same partition number as in the embedded bus.
 */
export async function openMessageBus(options: KafkaMessageBusOptions): Promise<MessageBus> {
  quietConnections();
  refuseHalfOpenBrokers();
  const kafka = new kafkajs.Kafka({
    clientId: options.clientId ?? 'quantloom',
    brokers: brokersOf(options.brokers),
    // Broker restarts take a while; what is lost for good reaches the caller or `onError`.
    retry: { initialRetryTime: 200, maxRetryTime: 5000, retries: 10 },
    logLevel: kafkajs.logLevel.NOTHING,
    ...(options.ssl === undefined ? {} : { ssl: options.ssl }),
    ...(options.sasl === undefined ? {} : { sasl: options.sasl as SASLOptions }),
  });
  const bus = new KafkaMessageBus(kafka, options);
  await bus.connect();
  return bus;
}

class KafkaMessageBus implements MessageBus {
  readonly #kafka: Kafka;
  readonly #options: KafkaMessageBusOptions;
  readonly #settings: KafkaSubscriptionSettings;
  readonly #admin: Admin;
  readonly #knownTopics = new Set<string>();
  readonly #subscriptions = new Set<KafkaSubscription>();
  #producer: Producer;
  #isClosed = false;

  constructor(kafka: Kafka, options: KafkaMessageBusOptions) {
    this.#kafka = kafka;
    this.#options = options;
    this.#settings = subscriptionSettings(options);
    this.#admin = kafka.admin();
    this.#producer = this.#newProducer();
  }

  async connect(): Promise<void> {
    await Promise.all([this.#admin.connect(), this.#producer.connect()]);
  }

  async ensureTopics(topics: readonly TopicSpec[]): Promise<void> {
    this.#assertOpen();
    const existing = new Set(await this.#admin.listTopics());
    const missing = topics.filter(({ name }) => !existing.has(name));
    if (missing.length > 0) {
      // Answers false, and changes nothing, where another process was quicker.
      await this.#admin.createTopics({
        waitForLeaders: true,
        topics: missing.map(({ name, partitions }) => ({
          topic: name,
          numPartitions: partitions,
          replicationFactor: this.#options.replicationFactor ?? -1,
          configEntries: topicSettings(this.#options).map(({ name: setting, value }) => ({
            name: setting,
            value,
          })),
        })),
      });
    }
    const present = topics.filter(({ name }) => existing.has(name));
    if (present.length > 0) await this.#addPartitions(present);
    for (const { name } of topics) this.#knownTopics.add(name);
  }

  async #addPartitions(topics: readonly TopicSpec[]): Promise<void> {
    const { topics: found } = await this.#admin.fetchTopicMetadata({
      topics: topics.map(({ name }) => name),
    });
    const counts = new Map(found.map(({ name, partitions }) => [name, partitions.length]));
    const grown = topics.filter(({ name, partitions }) => (counts.get(name) ?? partitions) < partitions);
    if (grown.length === 0) return;
    try {
      await this.#admin.createPartitions({
        topicPartitions: grown.map(({ name, partitions }) => ({ topic: name, count: partitions })),
      });
    } catch (error) {
      // The topic has as many already: brokers tell of new partitions a little late, also of those of another process.
      if ((error as { type?: unknown }).type !== 'INVALID_PARTITIONS') throw error;
    }
    // A producer believes its metadata for minutes; a new one sees the new partitions at once.
    await this.#renewProducer();
  }

  async publish(topic: string, messages: readonly OutgoingMessage[]): Promise<void> {
    this.#assertOpen();
    await this.#assertTopic(topic);
    const encoded = messages.map(({ key, value, headers }) => ({
      key,
      value: JSON.stringify(value ?? null),
      ...(headers ? { headers: { ...headers } } : {}),
    }));
    if (encoded.length === 0) return;
    const producer = this.#producer;
    try {
      await producer.send({ topic, messages: encoded, acks: -1 });
    } catch (error) {
      if (!isProducerLost(error)) throw error;
      if (producer === this.#producer) await this.#renewProducer();
      await this.#producer.send({ topic, messages: encoded, acks: -1 });
    }
  }

  async subscribe(
    options: SubscribeOptions,
    handler: (message: BusMessage, context: MessageContext) => Promise<void>,
  ): Promise<BusSubscription> {
    this.#assertOpen();
    for (const topic of options.topics) await this.#assertTopic(topic);
    if (options.from === 'latest') {
      for (const topic of options.topics) await this.#beginAtEnd(options.group, topic);
    }
    const sessionTimeout = this.#options.sessionTimeoutMs ?? SESSION_TIMEOUT_MS;
    let subscription: KafkaSubscription | undefined;
    const consumer = this.#kafka.consumer({
      groupId: options.group,
      partitionAssigners: [
        kafkajsStickyAssigner(() => subscription?.claims() ?? {}),
        kafkajs.PartitionAssigners.roundRobin,
      ],
      allowAutoTopicCreation: false,
      // A commit that a rebalance refuses is tried again soon: what stays uncommitted meanwhile is handled
      // twice where its partition moves.
      retry: { initialRetryTime: 100, maxRetryTime: 1000, retries: 20 },
      sessionTimeout,
      heartbeatInterval: heartbeatIntervalMs(sessionTimeout),
      maxWaitTimeInMs: FETCH_WAIT_MS,
      metadataMaxAge: 30_000,
      maxBytesPerPartition: 262_144,
    });
    const putAside = async (message: BusMessage, error: unknown) => {
      const dead = deadTopicOf(message.topic);
      await this.ensureTopics([{ name: dead, partitions: 1 }]);
      await this.publish(dead, [deadLetter(message, options.group, error)]);
    };
    const member = new KafkajsMember(consumer, options.topics, this.#settings.maxRetryMs / 10);
    subscription = new KafkaSubscription({ member, settings: this.#settings, putAside }, options, handler);
    await subscription.start(this.#subscriptions);
    return subscription;
  }

  /** Commits the end of the topic for a group that never committed, so that nothing published from now on is missed. */
  async #beginAtEnd(group: string, topic: string): Promise<void> {
    const [committed] = await this.#admin.fetchOffsets({ groupId: group, topics: [topic] });
    if (committed?.partitions.some(({ offset }) => offset !== '-1')) return;
    const ends = await this.#topicOffsets(topic);
    try {
      await this.#admin.setOffsets({
        groupId: group,
        topic,
        partitions: ends.map(({ partition, high }) => ({ partition, offset: high })),
      });
    } catch (error) {
      // Refused where the group has members: then it has begun already.
      if ((error as { name?: unknown }).name !== 'KafkaJSNonRetriableError') throw error;
    }
  }

  /**
   * First and next offset of each partition. The client gives up where a partition has no leader yet, as
   * right after its topic was made, or where it moved; a new connection asks who leads it now.
   */
  #topicOffsets(topic: string): ReturnType<Admin['fetchTopicOffsets']> {
    const ask = async (attempt: number) => {
      if (attempt === 1) return this.#admin.fetchTopicOffsets(topic);
      const admin = this.#kafka.admin();
      await admin.connect();
      try {
        return await admin.fetchTopicOffsets(topic);
      } finally {
        await admin.disconnect();
      }
    };
    return pRetry(ask, {
      retries: 10,
      minTimeout: 100,
      maxTimeout: 3000,
      shouldRetry: ({ error }) => !this.#isClosed && (error as { retriable?: boolean }).retriable === true,
    });
  }

  outside(): readonly string[] {
    return [...this.#subscriptions].flatMap((subscription) => subscription.outside());
  }

  async lag(group: string, topic: string): Promise<number> {
    this.#assertOpen();
    await this.#assertTopic(topic);
    const [ends, [committed]] = await Promise.all([
      this.#topicOffsets(topic),
      this.#admin.fetchOffsets({ groupId: group, topics: [topic] }),
    ]);
    const offsets = new Map(
      committed?.partitions.map(({ partition, offset }) => [partition, BigInt(offset)]),
    );
    return ends.reduce((sum, { partition, low, high }) => {
      const from = offsets.get(partition) ?? -1n;
      const first = from > BigInt(low) ? from : BigInt(low);
      return sum + Number(BigInt(high) - first);
    }, 0);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await Promise.all([...this.#subscriptions].map((subscription) => subscription.close()));
    await Promise.all([this.#producer.disconnect(), this.#admin.disconnect()]);
  }

  #newProducer(): Producer {
    return this.#kafka.producer({
      idempotent: true,
      allowAutoTopicCreation: false,
      createPartitioner:
        () =>
        ({ message, partitionMetadata }) =>
          partitionOf(String(message.key), partitionMetadata.length),
    });
  }

  async #renewProducer(): Promise<void> {
    const old = this.#producer;
    const fresh = this.#newProducer();
    await fresh.connect();
    this.#producer = fresh;
    await old.disconnect();
  }

  async #assertTopic(topic: string): Promise<void> {
    if (this.#knownTopics.has(topic)) return;
    if (!(await this.#admin.listTopics()).includes(topic)) throw unknownTopic(topic);
    this.#knownTopics.add(topic);
  }

  #assertOpen(): void {
    if (this.#isClosed) throw new Error('The message bus is closed');
  }
}

function isProducerLost(error: unknown): boolean {
  const { type, cause } = error as { type?: string; cause?: unknown };
  return (type !== undefined && PRODUCER_LOST.has(type)) || (cause !== undefined && isProducerLost(cause));
}

/** Whether an error of the client means that the brokers are away, or do not know yet who leads what. */
export function isOutage(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (
      cause instanceof kafkajs.KafkaJSConnectionError ||
      cause instanceof kafkajs.KafkaJSRequestTimeoutError ||
      cause instanceof kafkajs.KafkaJSNumberOfRetriesExceeded ||
      cause instanceof kafkajs.KafkaJSBrokerNotFound
    )
      return true;
    if ((cause as { retriable?: unknown }).retriable === true) return true;
  }
  return false;
}
