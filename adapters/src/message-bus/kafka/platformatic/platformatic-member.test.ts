import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { FetchedMessage } from '../group-member.ts';
import { PlatformaticMember } from './platformatic-member.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

interface Batch {
  readonly firstOffset: bigint;
  readonly lastOffsetDelta: number;
  readonly attributes: number;
  readonly records: readonly {
    offsetDelta: number;
    key: Buffer;
    value: Buffer;
    headers: readonly [string, string][];
  }[];
}
/** What a broker stores at once; `past` where compaction has taken the last ones away. */
const batch = (offsets: readonly number[], past = (offsets.at(-1) ?? 0) + 1, attributes = 0): Batch => ({
  firstOffset: BigInt(offsets[0] ?? 0),
  lastOffsetDelta: past - 1 - (offsets[0] ?? 0),
  attributes,
  records: offsets.map((offset) => ({
    offsetDelta: offset - (offsets[0] ?? 0),
    ...{ key: Buffer.from('k'), value: Buffer.from(String(offset)), headers: [['type', 'job']] as const },
  })),
});

/** A topic of one broker, in partitions that the group has read as far as `committed`. */
class Topic extends EventEmitter {
  readonly asked: Record<number, number>[] = [];
  readonly #committed: readonly bigint[];
  readonly #answers: (Record<number, readonly Batch[]> | Error)[];
  readonly topics = { track: () => undefined };
  readonly connections = { close: async () => undefined };

  constructor(committed: readonly number[], answers: (Record<number, readonly Batch[]> | Error)[]) {
    super();
    this.#committed = committed.map(BigInt);
    this.#answers = answers;
  }

  async joinGroup() {
    const partitions = this.#committed.map((_, partition) => partition);
    this.emit('consumer:group:join', { assignments: [{ topic: 'jobs', partitions }] });
  }
  metadata = async () => ({
    topics: new Map([
      ['jobs', { id: 'id', partitionsCount: 2, partitions: this.#committed.map(() => ({ leader: 1 })) }],
    ]),
  });
  listCommittedOffsets = async () => new Map([['jobs', this.#committed]]);
  /** The messages before the tenth are gone. */
  listOffsets = async () => new Map([['jobs', this.#committed.map(() => 10n)]]);
  clearMetadata = () => undefined;
  close = async () => undefined;

  async fetch({ topics }: { topics: { partitions: { partition: number; fetchOffset: bigint }[] }[] }) {
    const partitions = topics.flatMap((topic) => topic.partitions);
    this.asked.push(
      Object.fromEntries(partitions.map(({ partition, fetchOffset }) => [partition, Number(fetchOffset)])),
    );
    const answer = this.#answers.shift();
    if (answer === undefined) return await new Promise<never>(() => undefined);
    if (answer instanceof Error) throw answer;
    const records = Object.entries(answer).map(([partition, batches]) => ({
      partitionIndex: Number(partition),
      records: batches,
    }));
    return { responses: [{ topicId: 'id', partitions: records }] };
  }
}

async function follow(topic: Topic) {
  const received: string[] = [];
  const failed: unknown[] = [];
  const member = new PlatformaticMember({
    ...{ consumer: topic as never, fetchPool: { close: async () => undefined } as never },
    ...{ topics: ['jobs'], sessionTimeoutMs: 30_000, joinedWith: new Map([['jobs', 2]]) },
  });
  await member.start({
    assigned: () => undefined,
    lost: () => undefined,
    received: ({ partition }, messages: readonly FetchedMessage[]) => {
      for (const { offset, value } of messages) received.push(`${partition}/${offset}=${value}`);
    },
    failed: (error) => failed.push(error),
  });
  await vi.advanceTimersByTimeAsync(2_000);
  await member.leave();
  return { received, failed, asked: topic.asked };
}

it('goes on at the first message that is left where those before are gone, elsewhere from where it was', async () => {
  const gone = Object.assign(new Error('gone'), { apiId: 'OFFSET_OUT_OF_RANGE' });
  const { asked, failed } = await follow(new Topic([5, 50], [gone]));
  expect(asked).toEqual([
    { 0: 5, 1: 50 },
    { 0: 10, 1: 50 },
  ]);
  expect(failed).toEqual([gone]);
});

it('tells each message once, and asks for what comes after a batch whose end was compacted away', async () => {
  const CONTROL = 0x20;
  const { received, asked } = await follow(
    new Topic(
      [12, 0],
      [
        // Of the first batch only the end was asked for; the second ends with messages that are no more.
        { 0: [batch([10, 11, 12, 13]), batch([14, 16], 20)] },
        // A mark of a transaction is no message, but has an offset.
        { 0: [batch([20], 21, CONTROL)], 1: [batch([0])] },
      ],
    ),
  );
  expect(received).toEqual(['0/12=12', '0/13=13', '0/14=14', '0/16=16', '1/0=0']);
  expect(asked).toEqual([
    { 0: 12, 1: 0 },
    { 0: 20, 1: 0 },
    { 0: 21, 1: 1 },
  ]);
});
