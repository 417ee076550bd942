import type { Consumer, ConsumerGroupJoinEvent, EachBatchPayload } from 'kafkajs';
import type { GroupMember, GroupMemberEvents, TopicPartition } from '../group-member.ts';

/** A member of a consumer group through kafkajs. */
export class KafkajsMember implements GroupMember {
  readonly #consumer: Consumer;
  readonly #topics: readonly string[];
  readonly #restartMs: number;
  #events: GroupMemberEvents | undefined;
  #isPaused = false;
  #isLeaving = false;

  /** @param restartMs how long a client that gave up rests before it begins again, in ms */
  constructor(consumer: Consumer, topics: readonly string[], restartMs: number) {
    this.#consumer = consumer;
    this.#topics = topics;
    this.#restartMs = restartMs;
  }

  async start(events: GroupMemberEvents): Promise<void> {
    this.#events = events;
    this.#consumer.on('consumer.group_join', ({ payload }: ConsumerGroupJoinEvent) => {
      events.assigned(payload.memberAssignment);
    });
    this.#consumer.on('consumer.crash', ({ payload }) => {
      // The client starts again by itself or not at all; either way nothing is ours until it has joined.
      events.lost();
      if (!payload.restart && !this.#isLeaving) void this.#startAgain();
      events.failed(payload.error);
    });
    await this.#run();
  }

  async #run(): Promise<void> {
    await this.#consumer.connect();
    await this.#consumer.subscribe({ topics: [...this.#topics], fromBeginning: true });
    await this.#consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: true,
      eachBatch: async (payload) => this.#receive(payload),
    });
    if (this.#isPaused) this.pauseAll();
  }

  async #startAgain(): Promise<void> {
    try {
      await new Promise((resolve) => setTimeout(resolve, this.#restartMs));
      if (!this.#isLeaving) await this.#run();
    } catch (error) {
      this.#events?.failed(error);
      if (!this.#isLeaving) void this.#startAgain();
    }
  }

  #receive({ batch }: EachBatchPayload): void {
    const { topic, partition } = batch;
    const messages = batch.messages.map(({ offset, key, value, headers }) => ({
      offset: BigInt(offset),
      key: key?.toString() ?? '',
      value: value?.toString() ?? null,
      headers: Object.fromEntries(Object.entries(headers ?? {}).map(([name, each]) => [name, String(each)])),
    }));
    this.#events?.received({ topic, partition }, messages);
  }

  pauseAll(): void {
    this.#isPaused = true;
    this.#consumer.pause(this.#topics.map((topic) => ({ topic })));
  }

  resumeAll(): void {
    this.#isPaused = false;
    this.#consumer.resume(this.#topics.map((topic) => ({ topic })));
  }

  pause({ topic, partition }: TopicPartition): void {
    this.#consumer.pause([{ topic, partitions: [partition] }]);
  }

  resume({ topic, partition }: TopicPartition): void {
    this.#consumer.resume([{ topic, partitions: [partition] }]);
  }

  async commit(offsets: readonly (TopicPartition & { readonly offset: bigint })[]): Promise<void> {
    await this.#consumer.commitOffsets(
      offsets.map(({ topic, partition, offset }) => ({ topic, partition, offset: String(offset) })),
    );
  }

  /** The client wraps what the broker says, some versions without its name. */
  isRebalance(error: unknown): boolean {
    const { type, message, cause } = error as { type?: string; message?: string; cause?: unknown };
    if (type === 'REBALANCE_IN_PROGRESS' || type === 'ILLEGAL_GENERATION' || type === 'UNKNOWN_MEMBER_ID')
      return true;
    return (
      /generation id is not valid|rebalanc/i.test(message ?? '') ||
      (cause !== undefined && this.isRebalance(cause))
    );
  }

  async leave(): Promise<void> {
    this.#isLeaving = true;
    await this.#consumer.disconnect();
  }
}
