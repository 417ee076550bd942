import { type ConnectionPool, type Consumer, IS_CONTROL, ListOffsetTimestamps } from '@platformatic/kafka';
import type { FetchedMessage, GroupMember, GroupMemberEvents, TopicPartition } from '../group-member.ts';
import { FETCH_WAIT_MS } from '../kafka-options.ts';
import type { Claims } from '../sticky-assigner.ts';
import { isRebalance, mayPass, saysOneOf } from './platformatic-errors.ts';

type Fetched = Awaited<ReturnType<Consumer['fetch']>>;
type Cluster = Awaited<ReturnType<Consumer['metadata']>>;

interface Position extends TopicPartition {
  /** Offset of what is fetched next. */
  next: bigint;
  isPaused: boolean;
}

export interface PlatformaticMemberParts {
  /**
   * Must repeat nothing by itself (`retries: 0`): a commit that it repeats after a rebalance may be of a
   * partition that is somebody else's by then.
   */
  readonly consumer: Consumer;
  /** For fetches alone: a broker answers a connection's requests one after the other, and heartbeats must not wait. */
  readonly fetchPool: ConnectionPool;
  readonly topics: readonly string[];
  readonly sessionTimeoutMs: number;
  /** Partitions of each topic when the group was last joined. */
  readonly joinedWith: ReadonlyMap<string, number>;
}

const FIRST_JOIN_TRIES = 20;
/** The client knows no new partitions before it joins again. */
const NEW_PARTITIONS_MS = 30_000;
const FETCH_BYTES = 10 * 1024 * 1024;
const FETCH_BYTES_PER_PARTITION = 262_144;
const RETRY_MS = 500;
/** A broker that does not answer must not hold up the end of a process. */
const LEAVE_MS = 3_000;

const keyOf = ({ topic, partition }: TopicPartition) => `${topic}/${partition}`;

/**
 * A member of a consumer group through @platformatic/kafka. Its streams know no pause of one partition, and a
 * slow one stops all others there; so this fetches by itself, from each broker apart, what is not paused, and
 * leaves joining, heartbeats and commits to the client.
 */
export class PlatformaticMember implements GroupMember {
  readonly #parts: PlatformaticMemberParts;
  readonly #positions = new Map<string, Position>();
  /** Brokers that are being asked for messages. */
  readonly #asked = new Set<number>();
  #events: GroupMemberEvents | undefined;
  #assignment: Claims = {};
  #isPaused = false;
  #isLeaving = false;
  #isJoining = false;
  #wake = Promise.withResolvers<void>();
  #partitionWatch: NodeJS.Timeout | undefined;

  constructor(parts: PlatformaticMemberParts) {
    this.#parts = parts;
  }

  async start(events: GroupMemberEvents): Promise<void> {
    const { consumer, topics } = this.#parts;
    this.#events = events;
    consumer.on('consumer:group:join', ({ assignments }) => {
      void this.#joined(
        Object.fromEntries((assignments ?? []).map(({ topic, partitions }) => [topic, partitions])),
      );
    });
    // Heartbeats go on after an error of the network, and end for good when joining again fails.
    consumer.on('consumer:heartbeat:error', ({ error }) => events.failed(error));
    consumer.on('error', () => void this.#joinAgain());
    for (const topic of topics) consumer.topics.track(topic);
    try {
      await this.#join(FIRST_JOIN_TRIES);
    } catch (error) {
      await this.leave();
      throw error;
    }
    this.#partitionWatch = setInterval(() => void this.#joinForNewPartitions(), NEW_PARTITIONS_MS);
    void this.#keepFetching();
  }

  async #join(tries: number): Promise<void> {
    const { consumer, sessionTimeoutMs } = this.#parts;
    const since = Date.now();
    for (let attempt = 1; !this.#isLeaving; attempt++) {
      try {
        await consumer.joinGroup({});
        return;
      } catch (error) {
        const isOver = attempt >= tries || !(isRebalance(error) || mayPass(error));
        if (isOver && tries < Number.POSITIVE_INFINITY) throw error;
        if (!isRebalance(error) && !this.#isLeaving) this.#events?.failed(error);
        // By now the group has given away what this member held.
        if (Date.now() - since > sessionTimeoutMs) this.#lose();
        await wait(Math.min(1000, 100 * attempt));
      }
    }
  }

  async #joinAgain(): Promise<void> {
    if (this.#isJoining || this.#isLeaving) return;
    this.#isJoining = true;
    try {
      await this.#join(Number.POSITIVE_INFINITY);
    } finally {
      this.#isJoining = false;
    }
  }

  async #joinForNewPartitions(): Promise<void> {
    const { consumer, topics, joinedWith } = this.#parts;
    try {
      const { topics: found } = await consumer.metadata({ topics: [...topics], forceUpdate: true });
      const isOther = topics.some((topic) => found.get(topic)?.partitionsCount !== joinedWith.get(topic));
      if (isOther) await this.#joinAgain();
    } catch (error) {
      if (!this.#isLeaving) this.#events?.failed(error);
    }
  }

  #lose(): void {
    this.#assignment = {};
    this.#positions.clear();
    this.#events?.lost();
  }

  #hold(assignment: Claims): void {
    this.#assignment = assignment;
    for (const [key, { topic, partition }] of this.#positions) {
      if (!assignment[topic]?.includes(partition)) this.#positions.delete(key);
    }
    this.#events?.assigned(assignment);
  }

  /** What stays is fetched on from where it was; what is new, from what the group has committed. */
  async #joined(assignment: Claims): Promise<void> {
    this.#hold(assignment);
    while (this.#assignment === assignment && !this.#isLeaving) {
      try {
        const fresh = Object.entries(assignment)
          .map(([topic, partitions]) => ({
            topic,
            partitions: partitions.filter((partition) => !this.#positions.has(keyOf({ topic, partition }))),
          }))
          .filter(({ partitions }) => partitions.length > 0);
        const begins = fresh.length > 0 ? await this.#committed(fresh) : [];
        // Another rebalance may have come meanwhile.
        if (this.#assignment !== assignment) return;
        for (const begin of begins) this.#positions.set(keyOf(begin), { ...begin, isPaused: false });
        this.#look();
        return;
      } catch (error) {
        if (!isRebalance(error) && !this.#isLeaving) this.#events?.failed(error);
        await wait(RETRY_MS);
      }
    }
  }

  /** Where the group goes on; at the first message where it never committed. */
  async #committed(
    wanted: { readonly topic: string; readonly partitions: number[] }[],
  ): Promise<(TopicPartition & { readonly next: bigint })[]> {
    const offsets = await this.#parts.consumer.listCommittedOffsets({ topics: wanted });
    const known = wanted.flatMap(({ topic, partitions }) =>
      partitions.map((partition) => ({ topic, partition, next: offsets.get(topic)?.[partition] ?? -1n })),
    );
    const firsts = await this.#firstOffsets(known.filter(({ next }) => next < 0n));
    return known.map((each) => (each.next < 0n ? { ...each, next: firsts.get(keyOf(each)) ?? 0n } : each));
  }

  async #firstOffsets(wanted: readonly TopicPartition[]): Promise<Map<string, bigint>> {
    const byTopic = Map.groupBy(wanted, ({ topic }) => topic);
    if (byTopic.size === 0) return new Map();
    const offsets = await this.#parts.consumer.listOffsets({
      topics: [...byTopic.keys()],
      partitions: Object.fromEntries(
        [...byTopic].map(([topic, each]) => [topic, each.map(({ partition }) => partition)]),
      ),
      timestamp: ListOffsetTimestamps.EARLIEST,
    });
    return new Map(wanted.map((each) => [keyOf(each), offsets.get(each.topic)?.[each.partition] ?? 0n]));
  }

  /** Something may be there to fetch that was not before. */
  #look(): void {
    this.#wake.resolve();
  }

  async #keepFetching(): Promise<void> {
    const { consumer, topics } = this.#parts;
    while (!this.#isLeaving) {
      this.#wake = Promise.withResolvers();
      const wanted = this.#isPaused ? [] : [...this.#positions.values()].filter((each) => !each.isPaused);
      if (wanted.length > 0) {
        try {
          const cluster = await consumer.metadata({ topics: [...topics] });
          const byLeader = Map.groupBy(wanted, (each) => leaderOf(cluster, each));
          for (const [node, positions] of byLeader) {
            if (!this.#asked.has(node)) void this.#fetchFrom(node, positions, cluster);
          }
        } catch (error) {
          if (this.#isLeaving) return;
          this.#events?.failed(error);
          await wait(RETRY_MS);
          continue;
        }
      }
      await this.#wake.promise;
    }
  }

  /** One request to one broker. Rejects never: what goes wrong is told, and tried again after a while. */
  async #fetchFrom(node: number, positions: readonly Position[], cluster: Cluster): Promise<void> {
    const { consumer, fetchPool } = this.#parts;
    this.#asked.add(node);
    const topicIds = new Map([...cluster.topics].map(([topic, { id }]) => [id, topic]));
    try {
      const byTopic = Map.groupBy(positions, ({ topic }) => cluster.topics.get(topic)?.id ?? '');
      const response = await consumer.fetch({
        node,
        connectionPool: fetchPool,
        minBytes: 1,
        maxBytes: FETCH_BYTES,
        maxWaitTime: FETCH_WAIT_MS,
        topics: [...byTopic].map(([topicId, each]) => ({
          topicId,
          partitions: each.map(({ partition, next }) => ({
            partition,
            fetchOffset: next,
            partitionMaxBytes: FETCH_BYTES_PER_PARTITION,
            currentLeaderEpoch: -1,
            lastFetchedEpoch: -1,
          })),
        })),
      });
      this.#take(response, topicIds, new Set(positions));
    } catch (error) {
      await this.#fetchFailed(error, positions);
    } finally {
      this.#asked.delete(node);
      this.#look();
    }
  }

  #take(response: Fetched, topicIds: ReadonlyMap<string, string>, asked: ReadonlySet<Position>): void {
    for (const { topicId, partitions } of response.responses) {
      const topic = topicIds.get(topicId);
      if (topic === undefined) continue;
      for (const { partitionIndex: partition, records: batches } of partitions) {
        const position = this.#positions.get(keyOf({ topic, partition }));
        // Lost meanwhile, or lost and had back: then it is fetched from what is committed.
        if (!position || !asked.has(position) || !batches) continue;
        const messages: FetchedMessage[] = [];
        const from = position.next;
        for (const batch of batches) {
          const end = batch.firstOffset + BigInt(batch.lastOffsetDelta) + 1n;
          if (end > position.next) position.next = end;
          if (batch.attributes & IS_CONTROL) continue;
          for (const { offsetDelta, key, value, headers } of batch.records) {
            const offset = batch.firstOffset + BigInt(offsetDelta);
            // A batch comes as a whole, also where only its end was asked for.
            if (offset < from) continue;
            messages.push({
              offset,
              key: key?.toString() ?? '',
              value: value?.toString() ?? null,
              headers: Object.fromEntries(headers.map(([name, each]) => [String(name), String(each ?? '')])),
            });
          }
        }
        if (messages.length > 0) this.#events?.received({ topic, partition }, messages);
      }
    }
  }

  async #fetchFailed(error: unknown, positions: readonly Position[]): Promise<void> {
    if (this.#isLeaving) return;
    // Broker and client count a conversation; where they differ, the client begins a new one by itself.
    if (saysOneOf(error, 'FETCH_SESSION_ID_NOT_FOUND', 'INVALID_FETCH_SESSION_EPOCH')) return;
    if (saysOneOf(error, 'OFFSET_OUT_OF_RANGE')) {
      try {
        const firsts = await this.#firstOffsets(positions);
        // The messages in between are gone; those before it are fetched by nobody else.
        for (const position of positions) {
          const first = firsts.get(keyOf(position));
          if (first !== undefined && first > position.next) position.next = first;
        }
      } catch (failure) {
        this.#events?.failed(failure);
      }
    }
    this.#events?.failed(error);
    // The client goes on with what it believed of the cluster for a while; it may be out of date.
    this.#parts.consumer.clearMetadata();
    await wait(RETRY_MS);
  }

  pauseAll(): void {
    this.#isPaused = true;
  }

  resumeAll(): void {
    this.#isPaused = false;
    for (const position of this.#positions.values()) position.isPaused = false;
    this.#look();
  }

  pause(at: TopicPartition): void {
    const position = this.#positions.get(keyOf(at));
    if (position) position.isPaused = true;
  }

  resume(at: TopicPartition): void {
    const position = this.#positions.get(keyOf(at));
    if (position) position.isPaused = false;
    this.#look();
  }

  async commit(offsets: readonly (TopicPartition & { readonly offset: bigint })[]): Promise<void> {
    await this.#parts.consumer.commit({ offsets: offsets.map((each) => ({ ...each, leaderEpoch: -1 })) });
  }

  isRebalance(error: unknown): boolean {
    return isRebalance(error);
  }

  async leave(): Promise<void> {
    const { consumer, fetchPool } = this.#parts;
    this.#isLeaving = true;
    clearInterval(this.#partitionWatch);
    this.#look();
    try {
      await Promise.race([consumer.close(true), wait(LEAVE_MS)]);
    } catch (error) {
      // The group finds out by the session's end.
      this.#events?.failed(error);
    }
    await Promise.all([consumer.connections.close(), fetchPool.close()]);
  }
}

function leaderOf(cluster: Cluster, { topic, partition }: TopicPartition): number {
  return cluster.topics.get(topic)?.partitions[partition]?.leader ?? -1;
}

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
