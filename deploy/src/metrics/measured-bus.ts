import { JOB_CORRELATION_HEADER } from '@quantloom/domain/contracts/messages/jobs';
import type { MessageBus } from '@quantloom/domain/ports/message-bus';
import type { Logger } from 'pino';
import type { Metrics } from './metrics.ts';

const PUBLISHED_AT = 'published-at';

/**
 * The bus, with its slots, the time that messages wait and take, and a log line with the correlation id
 * around the work on each that has one.
 */
export function measuredBus(bus: MessageBus, metrics: Metrics, log: Logger): MessageBus {
  return {
    ensureTopics: (topics) => bus.ensureTopics(topics),
    publish: (topic, messages) => {
      const now = String(Date.now());
      return bus.publish(
        topic,
        messages.map((message) => ({ ...message, headers: { ...message.headers, [PUBLISHED_AT]: now } })),
      );
    },
    subscribe: async (options, handler) => {
      const { group, concurrency = 1 } = options;
      const subscription = await bus.subscribe(options, async (message, context) => {
        metrics.slotTaken(group);
        const { topic, key, headers } = message;
        const began = Date.now();
        const published = Number(headers[PUBLISHED_AT]);
        if (published > 0) metrics.messageBegun(topic, began - published);
        const correlationId = headers[JOB_CORRELATION_HEADER];
        const about = { correlationId, topic, key };
        if (correlationId) log.info(about, 'work on a message begins');
        try {
          await handler(message, context);
          metrics.messageEnded(topic, 'done', Date.now() - began);
          if (correlationId) log.info({ ...about, ms: Date.now() - began }, 'work on a message is done');
        } catch (error) {
          metrics.messageEnded(topic, 'failed', Date.now() - began);
          throw error;
        } finally {
          metrics.slotFreed(group);
        }
      });
      metrics.slotsChanged(group, concurrency);
      return {
        pause: () => subscription.pause(),
        resume: () => subscription.resume(),
        close: async () => {
          await subscription.close();
          metrics.slotsChanged(group, -concurrency);
        },
      };
    },
    lag: (group, topic) => bus.lag(group, topic),
    outside: () => bus.outside(),
    close: () => bus.close(),
  };
}
