import { TOPICS, WORK } from '@quantloom/domain/contracts/messages/topics';
import type { MessageBus } from '@quantloom/domain/ports/message-bus';

const JOB_TOPICS: ReadonlySet<string> = new Set(WORK.map((kind) => TOPICS[kind].name));

/**
 * A bus whose job topics are made with another number of partitions. Topics that exist get what they lack,
 * and keep what they have beyond it.
 */
export function sizedBus(bus: MessageBus, jobPartitions: number): MessageBus {
  return {
    ensureTopics: (topics) =>
      bus.ensureTopics(
        topics.map((topic) => (JOB_TOPICS.has(topic.name) ? { ...topic, partitions: jobPartitions } : topic)),
      ),
    publish: (topic, messages) => bus.publish(topic, messages),
    subscribe: (options, handler) => bus.subscribe(options, handler),
    lag: (group, topic) => bus.lag(group, topic),
    outside: () => bus.outside(),
    close: () => bus.close(),
  };
}
