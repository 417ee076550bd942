import type { MessageBus } from '@quantloom/domain/ports/message-bus';
import type { Logger } from 'pino';
import type { Metrics } from './metrics.ts';

const PUBLISHED_AT = 'published-at';
/** Header by which a job is followed from the browser's request to the compute node. */
const CORRELATION_ID = 'correlation-id';

/** The bus, with the time that messages wait and take, and a log line with the correlation id around the work on each that has one. */
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
    subscribe: (options, handler) =>
      bus.subscribe(options, async (message, context) => {
        const { topic, key, headers } = message;
        const began = Date.now();
        const published = Number(headers[PUBLISHED_AT]);
        if (published > 0) metrics.messageBegun(topic, began - published);
        const correlationId = headers[CORRELATION_ID];
        const about = { correlationId, topic, key };
        if (correlationId) log.info(about, 'work on a message begins');
        try {
          await handler(message, context);
          metrics.messageEnded(topic, 'done', Date.now() - began);
          if (correlationId) log.info({ ...about, ms: Date.now() - began }, 'work on a message is done');
        } catch (error) {
          metrics.messageEnded(topic, 'failed', Date.now() - began);
          throw error;
        }
      }),
    lag: (group, topic) => bus.lag(group, topic),
    close: () => bus.close(),
  };
}
