import { DEAD_LETTER_GROUP, DEAD_LETTER_TOPICS } from '@quantloom/domain/contracts/messages/topics';
import type { BusMessage, MessageBus } from '@quantloom/domain/ports/message-bus';

/** A message that no delivery could handle. */
export interface DeadLetter {
  /** Where it came from, and goes back to. */
  readonly topic: string;
  readonly key: string;
  readonly value: unknown;
  readonly error: string;
  readonly deliveries: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Headers that tell of its death; a message that is put back lives without them. */
const OF_DEATH = 'dead-';

/** Dead letters by topic that nobody has put back; topics without any are left out. */
export async function countDeadLetters(
  bus: Pick<MessageBus, 'lag'>,
): Promise<readonly { readonly topic: string; readonly count: number }[]> {
  const counts = await Promise.all(
    DEAD_LETTER_TOPICS.map(async ({ topic, dead }) => ({ topic, count: await waitingIn(bus, dead) })),
  );
  return counts.filter(({ count }) => count > 0);
}

/** A topic comes with its first dead letter. */
async function waitingIn(bus: Pick<MessageBus, 'lag'>, dead: string, group = DEAD_LETTER_GROUP) {
  try {
    return await bus.lag(group, dead);
  } catch (error) {
    if ((error as { code?: unknown }).code === 'unknown_topic') return 0;
    throw error;
  }
}

/**
 * Dead letters that nobody has put back, the oldest of each topic first.
 *
 * @param reader unique: the name of the group that reads them, which is of no use afterwards
 */
export async function listDeadLetters(bus: MessageBus, reader: string): Promise<DeadLetter[]> {
  const found: DeadLetter[] = [];
  for (const { topic, dead } of DEAD_LETTER_TOPICS) {
    const waiting = await waitingIn(bus, dead);
    if (waiting === 0) continue;
    const all: DeadLetter[] = [];
    await takeAll(bus, reader, dead, async (message) => void all.push(letterOf(topic, message)));
    found.push(...all.slice(-waiting));
  }
  return found;
}

/** Puts dead letters back where they came from, each once; what dies again lies there again. */
export async function replayDeadLetters(bus: MessageBus, only?: string): Promise<number> {
  let count = 0;
  for (const { topic, dead } of DEAD_LETTER_TOPICS) {
    if ((only !== undefined && topic !== only) || (await waitingIn(bus, dead)) === 0) continue;
    await takeAll(bus, DEAD_LETTER_GROUP, dead, async (message) => {
      const { key, value, headers } = letterOf(topic, message);
      await bus.publish(topic, [{ key, value, headers }]);
      count += 1;
    });
  }
  return count;
}

function letterOf(topic: string, { key, value, headers }: BusMessage): DeadLetter {
  return {
    topic,
    key,
    value,
    error: headers['dead-error'] ?? '',
    deliveries: headers['dead-deliveries'] ?? '',
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith(OF_DEATH))),
  };
}

const LOOK_EVERY_MS = 50;

/** Hands over everything that lies in a topic as of now, in its order. */
async function takeAll(
  bus: MessageBus,
  group: string,
  topic: string,
  take: (message: BusMessage) => Promise<void>,
): Promise<void> {
  let left = await bus.lag(group, topic);
  const subscription = await bus.subscribe({ group, topics: [topic] }, async (message) => {
    // What came meanwhile stays where it is: it may be what has just been put back.
    if (left <= 0) throw new Error('Not now');
    await take(message);
    left -= 1;
    if (left === 0) subscription.pause();
  });
  try {
    while (left > 0) await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  } finally {
    await subscription.close();
  }
}
