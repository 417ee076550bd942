import { TOPICS, WORK } from '@quantloom/domain/contracts/messages/topics';
import type { MessageBus } from '@quantloom/domain/ports/message-bus';
import type { Random } from './random.ts';

const AGAIN_AT_MOST = 40;
const READ_FOR_MS = 10_000;

/**
 * Publishes the last jobs on the bus once more, in a random order, as a broker that delivers again would;
 * answers with how many.
 */
export async function duplicateJobs(bus: MessageBus, random: Random): Promise<number> {
  const seen: {
    topic: string;
    key: string;
    value: unknown;
    headers: Readonly<Record<string, string>>;
  }[] = [];
  const topics = WORK.map((kind) => TOPICS[kind].name);
  const group = `lab.duplicates.${random.between(0, 2 ** 31)}`;
  const subscription = await bus.subscribe({ group, topics, concurrency: 8 }, async (message) => {
    const { topic, key, value, headers } = message;
    seen.push({ topic, key, value, headers });
  });
  const deadline = Date.now() + READ_FOR_MS;
  for (;;) {
    const lags = await Promise.all(topics.map((topic) => bus.lag(group, topic)));
    if (lags.every((lag) => lag === 0) || Date.now() > deadline) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await subscription.close();
  const again = seen.slice(-AGAIN_AT_MOST);
  for (let index = again.length - 1; index > 0; index -= 1) {
    const other = random.between(0, index);
    [again[index], again[other]] = [again[other] as never, again[index] as never];
  }
  for (const { topic, ...message } of again) await bus.publish(topic, [message]);
  return again.length;
}
