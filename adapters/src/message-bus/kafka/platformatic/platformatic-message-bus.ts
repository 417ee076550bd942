import {
  Admin,
  type BaseOptions,
  ConnectionPool,
  Consumer,
  ListOffsetTimestamps,
  Producer,
  stringSerializers,
} from '@platformatic/kafka';
import type {
  BusMessage,
  BusSubscription,
  MessageBus,
  MessageContext,
  OutgoingMessage,
  SubscribeOptions,
  TopicSpec,
} from '@quantloom/domain/ports/message-bus';
import pRetry from 'p-retry';
import { deadLetter, deadTopicOf } from '../../dead-letter.ts';
import { partitionOf } from '../../partitioner.ts';
import { unknownTopic } from '../../unknown-topic.ts';
import {
  heartbeatIntervalMs,
  type KafkaMessageBusOptions,
  SESSION_TIMEOUT_MS,
  subscriptionSettings,
  topicSettings,
} from '../kafka-options.ts';
import { KafkaSubscription, type KafkaSubscriptionSettings } from '../kafka-subscription.ts';
import { assign, readClaims, STICKY_NAME, STICKY_VERSION, writeClaims } from '../sticky-assigner.ts';
import { connectionOptions } from './platformatic-connection.ts';
import { isRebalance, mayPass, saysOneOf, withCauses } from './platformatic-errors.ts';
import { PlatformaticMember } from './platformatic-member.ts';

/**
 * How long the group waits for its members when it divides anew, in ms; a request waits for its answer a
 * little longer.
 */
const REBALANCE_MS = 20_000;
/** Broker restarts take a while; what is lost for good reaches the caller or `onError`. */
const PATIENCE = {
  retries: 10,
  retryDelay: (_: unknown, __: string, attempt: number) => Math.min(5000, 200 * 2 ** (attempt - 1)),
};
/** A topic that was just made has leaders only a little later. */
const LEADER_PATIENCE = { retries: 10, minTimeout: 100, maxTimeout: 3000 };

/**
 * Kafka through @platformatic/kafka: idempotent producer with all acknowledgements, topics created
 * explicitly, dead letters in `<topic>.dead`. Topics, partitions of keys and groups are those of the kafkajs
 * client: a cluster can go from one to the other and back.
 */
export async function openMessageBus(options: KafkaMessageBusOptions): Promise<MessageBus> {
  const bus = new PlatformaticMessageBus(options);
  try {
    await bus.connect();
  } catch (error) {
    await bus.close();
    throw plain(error);
  }
  return bus;
}

/** Whether an error of the client means that the brokers are away, or do not know yet who leads what. */
export function isOutage(error: unknown): boolean {
  return mayPass(error);
}

class PlatformaticMessageBus implements MessageBus {
  readonly #options: KafkaMessageBusOptions;
  readonly #connection: BaseOptions;
  readonly #settings: KafkaSubscriptionSettings;
  readonly #admin: Admin;
  readonly #producer: Producer<string, string, string, string>;
  readonly #knownTopics = new Set<string>();
  readonly #subscriptions = new Set<KafkaSubscription>();
  #isClosed = false;

  constructor(options: KafkaMessageBusOptions) {
    this.#options = options;
    this.#settings = subscriptionSettings(options);
    this.#connection = connectionOptions(options);
    this.#admin = new Admin({ ...this.#connection, ...PATIENCE, timeout: 30_000 });
    this.#producer = new Producer({
      ...this.#connection,
      ...PATIENCE,
      timeout: 30_000,
      idempotent: true,
      acks: -1,
      serializers: stringSerializers,
    });
  }

  async connect(): Promise<void> {
    await Promise.all([this.#admin.metadata({}), this.#producer.initIdempotentProducer({})]);
  }

  async ensureTopics(topics: readonly TopicSpec[]): Promise<void> {
    this.#assertOpen();
    const counts = await Promise.all(topics.map(({ name }) => this.#partitionCount(name)));
    const missing = topics.filter((_, i) => counts[i] === undefined);
    if (missing.length > 0) await this.#createTopics(missing);
    const grown = topics.filter(({ partitions }, i) => (counts[i] ?? partitions) < partitions);
    if (grown.length > 0) await this.#addPartitions(grown);
    for (const { name } of topics) this.#knownTopics.add(name);
  }

  async #createTopics(topics: readonly TopicSpec[]): Promise<void> {
    const { replicationFactor } = this.#options;
    await Promise.all(
      topics.map(async ({ name, partitions }) => {
        try {
          await this.#admin.createTopics({
            topics: [{ topic: name, partitions, replicas: replicationFactor ?? -1 }],
            configs: [...topicSettings(this.#options)],
          });
        } catch (error) {
          // Another process was quicker.
          if (!saysOneOf(error, 'TOPIC_ALREADY_EXISTS')) throw error;
        }
      }),
    );
    const untilLed = async ({ name }: TopicSpec) => {
      if ((await this.#partitionCount(name)) === undefined) throw unknownTopic(name);
    };
    await Promise.all(topics.map((topic) => pRetry(() => untilLed(topic), LEADER_PATIENCE)));
  }

  async #addPartitions(topics: readonly TopicSpec[]): Promise<void> {
    try {
      await this.#admin.createPartitions({
        topics: topics.map(({ name, partitions }) => ({ name, count: partitions })),
      });
    } catch (error) {
      // The topic has as many already: brokers tell of new partitions a little late, also of those of another process.
      if (!saysOneOf(error, 'INVALID_PARTITIONS')) throw error;
    }
    // The producer believes what it knows of the cluster for a while.
    this.#producer.clearMetadata();
  }

  async publish(topic: string, messages: readonly OutgoingMessage[]): Promise<void> {
    this.#assertOpen();
    await this.#assertTopic(topic);
    const encoded = messages.map(({ key, value, headers }) => ({
      topic,
      key,
      value: JSON.stringify(value ?? null),
      headers: { ...headers },
    }));
    if (encoded.length === 0) return;
    const { topics } = await this.#producer.metadata({ topics: [topic] });
    const partitions = topics.get(topic)?.partitionsCount;
    if (!partitions) throw unknownTopic(topic);
    await this.#producer.send({
      messages: encoded.map((each) => ({ ...each, partition: partitionOf(each.key, partitions) })),
    });
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
    const sessionTimeoutMs = this.#options.sessionTimeoutMs ?? SESSION_TIMEOUT_MS;
    const rebalanceTimeout = Math.max(sessionTimeoutMs, REBALANCE_MS);
    // A member that joins waits for all others; nothing else of it takes long.
    const connection = { ...this.#connection, requestTimeout: rebalanceTimeout + 5_000 };
    const joinedWith = new Map<string, number>();
    let subscription: KafkaSubscription | undefined;
    const consumer = new Consumer({
      ...connection,
      groupId: options.group,
      retries: 0,
      metadataMaxAge: 30_000,
      sessionTimeout: sessionTimeoutMs,
      rebalanceTimeout,
      heartbeatInterval: heartbeatIntervalMs(sessionTimeoutMs),
      autocommit: false,
      protocols: [{ name: STICKY_NAME, version: STICKY_VERSION }],
      protocolsMetadata: (_protocols, topics, { topics: found }) => {
        for (const topic of topics) joinedWith.set(topic, found.get(topic)?.partitionsCount ?? 0);
        return writeClaims(subscription?.claims() ?? {});
      },
      partitionAssigner: (_self, members, _topics, cluster) => {
        const claiming = [...members.values()].map(({ memberId, topics, metadata }) => ({
          id: memberId,
          topics: topics ?? [],
          claims: readClaims(typeof metadata === 'string' ? Buffer.from(metadata) : metadata),
        }));
        const divided = assign(claiming, [...cluster.topics.keys()], (topic) => [
          ...Array(cluster.topics.get(topic)?.partitionsCount ?? 0).keys(),
        ]);
        return [...divided].map(([memberId, topics]) => ({
          memberId,
          assignments: new Map(
            Object.entries(topics).map(([topic, partitions]) => [topic, { topic, partitions }]),
          ),
        }));
      },
    });
    const member = new PlatformaticMember({
      consumer,
      fetchPool: new ConnectionPool(connection.clientId, connection),
      topics: options.topics,
      sessionTimeoutMs,
      joinedWith,
    });
    const putAside = async (message: BusMessage, error: unknown) => {
      const dead = deadTopicOf(message.topic);
      await this.ensureTopics([{ name: dead, partitions: 1 }]);
      await this.publish(dead, [deadLetter(message, options.group, error)]);
    };
    subscription = new KafkaSubscription({ member, settings: this.#settings, putAside }, options, handler);
    await subscription.start(this.#subscriptions);
    return subscription;
  }

  /** Commits the end of the topic for a group that never committed, so that nothing published from now on is missed. */
  async #beginAtEnd(group: string, topic: string): Promise<void> {
    const committed = await this.#committed(group, topic);
    if (committed.size > 0) return;
    const ends = await this.#offsets(topic, ListOffsetTimestamps.LATEST);
    try {
      await this.#admin.alterConsumerGroupOffsets({
        groupId: group,
        topics: [
          { name: topic, partitionOffsets: [...ends].map(([partition, offset]) => ({ partition, offset })) },
        ],
      });
    } catch (error) {
      // Refused where the group has members: then it has begun already.
      if (!isRebalance(error)) throw error;
    }
  }

  outside(): readonly string[] {
    return [...this.#subscriptions].flatMap((subscription) => subscription.outside());
  }

  async lag(group: string, topic: string): Promise<number> {
    this.#assertOpen();
    await this.#assertTopic(topic);
    const [firsts, ends, committed] = await Promise.all([
      this.#offsets(topic, ListOffsetTimestamps.EARLIEST),
      this.#offsets(topic, ListOffsetTimestamps.LATEST),
      this.#committed(group, topic),
    ]);
    let lag = 0;
    for (const [partition, end] of ends) {
      const first = firsts.get(partition) ?? 0n;
      const from = committed.get(partition) ?? -1n;
      lag += Number(end - (from > first ? from : first));
    }
    return lag;
  }

  /** Partition → offset, of those that the group has committed. */
  async #committed(group: string, topic: string): Promise<Map<number, bigint>> {
    const groups = await this.#admin.listConsumerGroupOffsets({ groups: [group] });
    return new Map(
      groups
        .flatMap(({ topics }) => topics)
        .filter(({ name }) => name === topic)
        .flatMap(({ partitions }) => partitions)
        .filter(({ committedOffset }) => committedOffset >= 0n)
        .map(({ partitionIndex, committedOffset }) => [partitionIndex, committedOffset]),
    );
  }

  /** Partition → offset at one end of the topic. */
  async #offsets(topic: string, timestamp: bigint): Promise<Map<number, bigint>> {
    const count = await this.#partitionCount(topic);
    if (count === undefined) throw unknownTopic(topic);
    const [found] = await this.#admin.listOffsets({
      topics: [
        {
          name: topic,
          partitions: [...Array(count).keys()].map((partitionIndex) => ({ partitionIndex, timestamp })),
        },
      ],
    });
    return new Map(found?.partitions.map(({ partitionIndex, offset }) => [partitionIndex, offset]));
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await Promise.all([...this.#subscriptions].map((subscription) => subscription.close()));
    await Promise.all([this.#producer.close(), this.#admin.close()]);
  }

  /**
   * Asked topic by topic: the client answers for all or for none, so that one without a leader would hide the
   * others. Undefined: no such topic.
   */
  #partitionCount(topic: string): Promise<number | undefined> {
    const ask = async () => {
      try {
        const { topics } = await this.#admin.metadata({ topics: [topic], forceUpdate: true, retries: 0 });
        return topics.get(topic)?.partitionsCount;
      } catch (error) {
        // The client makes an error of its own of it, which says so only in words.
        if (error instanceof Error && error.message.startsWith('Unknown topic')) return undefined;
        throw error;
      }
    };
    return pRetry(ask, {
      ...LEADER_PATIENCE,
      shouldRetry: ({ error }) => !this.#isClosed && mayPass(error),
    });
  }

  async #assertTopic(topic: string): Promise<void> {
    if (this.#knownTopics.has(topic)) return;
    if ((await this.#partitionCount(topic)) === undefined) throw unknownTopic(topic);
    this.#knownTopics.add(topic);
  }

  #assertOpen(): void {
    if (this.#isClosed) throw new Error('The message bus is closed');
  }
}

/** The error that says what to do, out of those around it. */
function plain(error: unknown): unknown {
  for (const each of withCauses(error)) if (each.code === 'PLT_KFK_AUTHENTICATION') return each;
  return error;
}
