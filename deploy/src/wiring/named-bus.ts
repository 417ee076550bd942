import type { MessageBus } from '@quantloom/domain/ports/message-bus';
import { DEFAULT_CLUSTER_NAME } from '../config.ts';

/**
 * Topics and groups of a cluster with a name of its own begin with that name, so that two clusters can use
 * the same brokers.
 */
export function namedBus(bus: MessageBus, clusterName: string): MessageBus {
  if (clusterName === DEFAULT_CLUSTER_NAME) return bus;
  const prefix = `${clusterName}.`;
  const own = (name: string) => prefix + name;
  return {
    ensureTopics: (topics) => bus.ensureTopics(topics.map((topic) => ({ ...topic, name: own(topic.name) }))),
    publish: (topic, messages) => bus.publish(own(topic), messages),
    subscribe: (options, handler) =>
      bus.subscribe(
        { ...options, group: own(options.group), topics: options.topics.map(own) },
        (message, context) => handler({ ...message, topic: message.topic.slice(prefix.length) }, context),
      ),
    lag: (group, topic) => bus.lag(own(group), own(topic)),
    outside: () => bus.outside().map((group) => group.slice(prefix.length)),
    close: () => bus.close(),
  };
}
